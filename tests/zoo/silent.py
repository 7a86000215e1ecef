"""Reads everything and says nothing."""

from good import Engine, main

VERDICT = "start"


class Faulty(Engine):
    def say(self, text):
        """Keep quiet."""


if __name__ == "__main__":
    main(Faulty)
