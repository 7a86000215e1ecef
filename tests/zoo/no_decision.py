"""Says that there is nothing to decide."""

from good import Engine, main

VERDICT = "illegal"


class Faulty(Engine):
    move = "0000"


if __name__ == "__main__":
    main(Faulty)
