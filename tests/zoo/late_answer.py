"""Answers half a second after its time."""

import time

from good import Engine, main

VERDICT = "time"


class Faulty(Engine):
    def think(self, words):
        allowed = words[words.index("movetime") + 1] if "movetime" in words else "1000"
        time.sleep(int(allowed) / 1000 + 0.5)


if __name__ == "__main__":
    main(Faulty)
