"""Answers pings while it thinks, but never ends."""

from good import Engine, main

VERDICT = "time"


class Faulty(Engine):
    def answer(self):
        """Never answer."""


if __name__ == "__main__":
    main(Faulty)
