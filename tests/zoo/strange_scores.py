"""Tells scores that are no numbers."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        self.say("info depth -1 nodes -7 time x score cp nan wdl 9 9 9 pv pass")
        self.say("info depth 1 nodes 99999999999999999999999 score cp -inf pv pass")
        self.say("info score")


if __name__ == "__main__":
    main(Faulty)
