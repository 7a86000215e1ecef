"""Does not leave when told to."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_quit(self, words):
        """Stay."""


if __name__ == "__main__":
    main(Faulty)
