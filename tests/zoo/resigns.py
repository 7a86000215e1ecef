"""Resigns, which no game knows."""

from good import Engine, main

VERDICT = "illegal"


class Faulty(Engine):
    move = "resign"


if __name__ == "__main__":
    main(Faulty)
