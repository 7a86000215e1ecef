"""Sends a move whenever it is pinged."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_isready(self, words):
        self.say("bestmove bet")
        super().on_isready(words)


if __name__ == "__main__":
    main(Faulty)
