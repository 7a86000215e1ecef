"""Ends with a traceback while it thinks."""

from good import Engine, main

VERDICT = "disconnect"


class Faulty(Engine):
    def think(self, words):
        raise ValueError("lost my way")


if __name__ == "__main__":
    main(Faulty)
