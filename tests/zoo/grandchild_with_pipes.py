"""Starts a child that keeps its pipes open, and dies."""

import os
import time

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def think(self, words):
        if os.fork() == 0:
            time.sleep(600)
        os._exit(5)


if __name__ == "__main__":
    main(Faulty)
