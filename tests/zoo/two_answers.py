"""Answers each question twice."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def answer(self):
        super().answer()
        super().answer()


if __name__ == "__main__":
    main(Faulty)
