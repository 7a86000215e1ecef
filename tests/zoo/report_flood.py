"""Writes 100,000 reports for each move."""

import sys

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        line = b"info depth 1 nodes 1 time 0 score cp 0 pv pass\n"
        sys.stdout.buffer.write(line * 100_000)


if __name__ == "__main__":
    main(Faulty)
