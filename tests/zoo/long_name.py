"""Has a name of 200,000 characters, none of them printable."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    name = "\x01" * 200_000


if __name__ == "__main__":
    main(Faulty)
