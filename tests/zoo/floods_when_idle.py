"""Writes reports without end once it has answered."""

import os
import threading

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def answer(self):
        super().answer()
        if threading.active_count() == 1:
            threading.Thread(target=self.flood, daemon=True).start()

    def flood(self):
        """Fill the pipe."""
        while True:
            os.write(1, b"info string again and again and again\n" * 100)


if __name__ == "__main__":
    main(Faulty)
