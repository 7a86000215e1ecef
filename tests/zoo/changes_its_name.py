"""Has another name in each process."""

import os

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        self.name = f"zoo {os.getpid()}"
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
