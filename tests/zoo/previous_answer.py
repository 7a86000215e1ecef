"""Answers the question before the one that was asked."""

from good import Engine, main

VERDICT = "time"


class Faulty(Engine):
    def on_go(self, words):
        before, self.id = self.id, words[words.index("id") + 1]
        self.say(f"bestmove pass id {before}")


if __name__ == "__main__":
    main(Faulty)
