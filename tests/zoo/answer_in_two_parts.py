"""Has half an answer there in time."""

import os
import time

from good import Engine, main

VERDICT = "time"


class Faulty(Engine):
    def answer(self):
        os.write(1, b"bestmove pa")
        time.sleep(1.5)
        os.write(1, f"ss id {self.id}\n".encode())


if __name__ == "__main__":
    main(Faulty)
