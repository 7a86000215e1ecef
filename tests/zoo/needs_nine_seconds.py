"""Needs nine seconds to start, which is no fault."""

import time

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        time.sleep(9)
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
