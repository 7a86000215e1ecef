"""Is gone before its answer has a line end."""

import os

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def answer(self):
        os.write(1, b"bestmove pass")
        os._exit(0)


if __name__ == "__main__":
    main(Faulty)
