"""Introduces itself and answers no ping."""

from good import Engine, main

VERDICT = "stall"


class Faulty(Engine):
    def on_isready(self, words):
        """Keep quiet."""


if __name__ == "__main__":
    main(Faulty)
