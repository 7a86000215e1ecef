"""Closes its standard output and lives on."""

import os
import time

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def think(self, words):
        os.close(1)
        time.sleep(600)


if __name__ == "__main__":
    main(Faulty)
