"""Leaves with exit code 0 in the middle of a game."""

import sys

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def think(self, words):
        sys.exit(0)


if __name__ == "__main__":
    main(Faulty)
