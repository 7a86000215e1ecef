"""Knows an older dialect only."""

from good import Engine, main

VERDICT = "start"


class Faulty(Engine):
    def on_uhi(self, words):
        self.say("id name older")
        self.say("uciok")


if __name__ == "__main__":
    main(Faulty)
