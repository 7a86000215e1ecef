"""Declares ten thousand options."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_uhi(self, words):
        for number in range(10_000):
            self.say(f"option name Knob {number} type spin default 0 min 0 max 9")
        super().on_uhi(words)


if __name__ == "__main__":
    main(Faulty)
