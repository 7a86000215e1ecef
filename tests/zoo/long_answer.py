"""Answers with 60,000 words."""

from good import Engine, main

VERDICT = "malformed"


class Faulty(Engine):
    def answer(self):
        self.say("bestmove" + " pass" * 60_000)


if __name__ == "__main__":
    main(Faulty)
