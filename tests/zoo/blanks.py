"""Writes blanks around its words, which is no fault."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def answer(self):
        self.say(f"\t bestmove   {self.move}   id {self.id}   ")


if __name__ == "__main__":
    main(Faulty)
