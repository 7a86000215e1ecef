"""Says that it is ready when nobody asked."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        super().on_uhi(words)
        self.say("readyok")

    def on_uhinewgame(self, words):
        self.say("readyok")


if __name__ == "__main__":
    main(Faulty)
