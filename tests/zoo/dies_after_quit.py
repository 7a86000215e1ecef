"""Is killed by a signal when it is told to leave."""

import os
import signal

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_quit(self, words):
        os.kill(os.getpid(), signal.SIGSEGV)


if __name__ == "__main__":
    main(Faulty)
