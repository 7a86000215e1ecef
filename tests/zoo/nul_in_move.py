"""Writes a zero byte inside its move."""

from good import Engine, main

VERDICT = "malformed"


class Faulty(Engine):
    move = "pa\0ss"


if __name__ == "__main__":
    main(Faulty)
