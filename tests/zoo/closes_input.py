"""Closes its standard input and lives on."""

import os
import time

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def on_isready(self, words):
        super().on_isready(words)
        os.close(0)
        time.sleep(600)


if __name__ == "__main__":
    main(Faulty)
