"""Starts a child that stays."""

import subprocess
import sys

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
