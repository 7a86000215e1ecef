"""Complains a thousand times of a question that it then answers."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def think(self, words):
        for number in range(1000):
            self.say(f"error bad-option number {number}")


if __name__ == "__main__":
    main(Faulty)
