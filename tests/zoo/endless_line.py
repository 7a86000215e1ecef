"""Writes 20 MB without a line end in the place of an answer."""

import sys

from good import Engine, main

VERDICT = "malformed"


class Faulty(Engine):
    def answer(self):
        for _ in range(20):
            sys.stdout.buffer.write(b"x" * 10**6)
        sys.stdout.buffer.flush()
        super().answer()


if __name__ == "__main__":
    main(Faulty)
