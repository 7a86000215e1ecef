"""Writes its lines in two halves with a pause between."""

import sys
import time

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def say(self, text):
        half = len(text) // 2
        sys.stdout.buffer.write(text[:half].encode())
        sys.stdout.buffer.flush()
        time.sleep(0.02)
        super().say(text[half:])


if __name__ == "__main__":
    main(Faulty)
