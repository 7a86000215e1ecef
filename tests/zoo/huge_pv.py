"""Tells a line of a million moves."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        self.say("info depth 1 nodes 1 time 0 score cp 0 pv" + " pass" * 1_000_000)


if __name__ == "__main__":
    main(Faulty)
