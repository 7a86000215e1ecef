"""Ends before it says a word."""

import sys

from good import Engine, main

VERDICT = "start"


class Faulty(Engine):
    def on_uhi(self, words):
        sys.exit(3)


if __name__ == "__main__":
    main(Faulty)
