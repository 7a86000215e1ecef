"""Writes a megabyte to standard error for each move."""

import sys

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        for _ in range(10_000):
            print("thinking of something else, " * 4, file=sys.stderr)


if __name__ == "__main__":
    main(Faulty)
