"""Introduces itself only after a minute."""

import time

from good import Engine, main

VERDICT = "start"


class Faulty(Engine):
    def on_uhi(self, words):
        time.sleep(60)
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
