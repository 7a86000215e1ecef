"""Writes its move in capitals."""

from good import Engine, main

VERDICT = "illegal"


class Faulty(Engine):
    move = "PASS"


if __name__ == "__main__":
    main(Faulty)
