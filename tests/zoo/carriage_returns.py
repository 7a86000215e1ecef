"""Ends its lines with CR LF, which is no fault."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def say(self, text):
        super().say(text + "\r")


if __name__ == "__main__":
    main(Faulty)
