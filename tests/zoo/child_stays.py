"""Starts a child that no signal but SIGKILL ends."""

import os
import signal
import time

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            time.sleep(600)
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
