"""Tells 16 lines of 64 KiB each, and all of them of one search."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        for rank in range(16):
            self.say(f"info depth 1 multipv {rank + 1} score cp 0 pv" + " a" * 32_000)


if __name__ == "__main__":
    main(Faulty)
