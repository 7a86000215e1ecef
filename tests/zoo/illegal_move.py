"""Answers with a word that is no decision."""

from good import Engine, main

VERDICT = "illegal"


class Faulty(Engine):
    move = "sail:north"


if __name__ == "__main__":
    main(Faulty)
