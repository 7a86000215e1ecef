"""Stops itself and all that it may have started."""

import os
import signal

from good import Engine, main

VERDICT = "stall"


class Faulty(Engine):
    def think(self, words):
        os.kill(0, signal.SIGSTOP)


if __name__ == "__main__":
    main(Faulty)
