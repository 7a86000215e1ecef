"""Answers with the id of the question that comes next."""

from good import Engine, main

VERDICT = "time"


class Faulty(Engine):
    def answer(self):
        self.say(f"bestmove {self.move} id {int(self.id) + 1}")


if __name__ == "__main__":
    main(Faulty)
