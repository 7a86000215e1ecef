"""Answers without a move."""

from good import Engine, main

VERDICT = "malformed"


class Faulty(Engine):
    def answer(self):
        self.say("bestmove")


if __name__ == "__main__":
    main(Faulty)
