"""Leaves as soon as it has answered."""

import os

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def answer(self):
        super().answer()
        os._exit(0)


if __name__ == "__main__":
    main(Faulty)
