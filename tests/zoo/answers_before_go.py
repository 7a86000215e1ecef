"""Answers with the ids of questions to come, then as it should."""

from good import Engine, main

VERDICT = "rules"


class Faulty(Engine):
    def on_position(self, words):
        for number in range(1, 9):
            self.say(f"bestmove bet id {number}")


if __name__ == "__main__":
    main(Faulty)
