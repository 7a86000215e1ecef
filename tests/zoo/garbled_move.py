"""Answers with bytes that are no UTF-8."""

import sys

from good import Engine, main

VERDICT = "malformed"


class Faulty(Engine):
    def answer(self):
        sys.stdout.buffer.write(b"bestmove p\xe4ss id " + self.id.encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Faulty)
