"""Starts a process in a session of its own that nobody is the parent of."""

import os
import time

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in range(3):
                    os.close(number)
                time.sleep(600)
            os._exit(0)
        os.wait()
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
