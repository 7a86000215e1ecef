"""Writes 5 MB to standard error before it is ready."""

import sys

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_isready(self, words):
        if self.games == 0:
            sys.stderr.write("y" * 5_000_000)
        super().on_isready(words)


if __name__ == "__main__":
    main(Faulty)
