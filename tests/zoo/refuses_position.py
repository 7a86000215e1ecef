"""Complains of every position."""

from good import Engine, main

VERDICT = "illegal"


class Faulty(Engine):
    def answer(self):
        self.say("error bad-position id=" + self.id + " I do not like it")
        self.say(f"bestmove 0000 id {self.id}")


if __name__ == "__main__":
    main(Faulty)
