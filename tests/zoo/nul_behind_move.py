"""Writes a zero byte behind its move."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def answer(self):
        self.say(f"bestmove {self.move} id {self.id} \0")


if __name__ == "__main__":
    main(Faulty)
