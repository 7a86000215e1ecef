"""Answers with an event of another seat."""

from good import Engine, main

VERDICT = "illegal"


class Faulty(Engine):
    move = "p3:pass"


if __name__ == "__main__":
    main(Faulty)
