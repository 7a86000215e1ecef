"""Is killed by a signal while it thinks."""

import os
import signal

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def think(self, words):
        os.kill(os.getpid(), signal.SIGSEGV)


if __name__ == "__main__":
    main(Faulty)
