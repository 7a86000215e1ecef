"""Tells a line of moves that nobody can play."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        self.say("info depth 3 nodes 1 time 0 score cp 0 pv fold raise fold")


if __name__ == "__main__":
    main(Faulty)
