"""Stops its own process while it thinks."""

import os
import signal

from good import Engine, main

VERDICT = "stall"


class Faulty(Engine):
    def think(self, words):
        os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    main(Faulty)
