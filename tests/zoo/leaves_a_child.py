"""Ends at once and leaves the talking to a child."""

import os
import time

from good import Engine, main

VERDICT = "start"


class Faulty(Engine):
    def run(self):
        if os.fork():
            os._exit(0)
        time.sleep(2)
        super().run()


if __name__ == "__main__":
    main(Faulty)
