"""Has a name and remarks that are no UTF-8."""

import sys

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        sys.stdout.buffer.write(b"id author Jos\xe9\n")
        super().on_uhi(words)

    def think(self, words):
        sys.stdout.buffer.write(b"info string \xb7\n")


if __name__ == "__main__":
    main(Faulty)
