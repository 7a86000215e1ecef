"""Introduces itself letter by letter, slower than it may."""

import os
import time

from good import Engine, main

VERDICT = "start"


class Faulty(Engine):
    def on_uhi(self, words):
        for letter in "id name a rather slow engine\nuhiok\n":
            os.write(1, letter.encode())
            time.sleep(0.2)


if __name__ == "__main__":
    main(Faulty)
