"""Ends when a game begins."""

import sys

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def on_uhinewgame(self, words):
        sys.exit(1)


if __name__ == "__main__":
    main(Faulty)
