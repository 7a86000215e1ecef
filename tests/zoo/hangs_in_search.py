"""Reads nothing more once it thinks."""

import time

from good import Engine, main

VERDICT = "stall"


class Faulty(Engine):
    def think(self, words):
        time.sleep(600)


if __name__ == "__main__":
    main(Faulty)
