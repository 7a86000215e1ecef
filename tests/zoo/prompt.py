"""Writes a prompt before each line."""

from good import Engine, main

VERDICT = "start"


class Faulty(Engine):
    def say(self, text):
        super().say(f"> {text}")


if __name__ == "__main__":
    main(Faulty)
