"""Looks for secrets in its arguments, environment and open files."""

import os
import sys

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        with open(f"/proc/{os.getpid()}/environ") as file:
            told = [*sys.argv, *file.read().split("\0"), *os.listdir(f"/proc/{os.getpid()}/fd")]
        for word in told:
            self.say(f"info string {word}")
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
