"""Introduces itself and never reads again."""

import time

from good import Engine, main

VERDICT = "stall"


class Faulty(Engine):
    def on_uhi(self, words):
        super().on_uhi(words)
        time.sleep(600)


if __name__ == "__main__":
    main(Faulty)
