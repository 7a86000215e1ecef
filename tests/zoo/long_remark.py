"""Writes remarks of 70,000 characters, which is no fault."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        self.say("info string " + "x" * 70_000)


if __name__ == "__main__":
    main(Faulty)
