"""Stays after quit, the end of its input, and SIGTERM."""

import signal
import time

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def run(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().run()
        time.sleep(600)


if __name__ == "__main__":
    main(Faulty)
