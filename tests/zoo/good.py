"""A small engine without faults, which passes in Kuhn poker. The others change a part of it.

VERDICT is the termination of a game with the engine, `rules` where its fault does no harm. The
files import nothing but this one and the standard library.
"""

import sys

VERDICT = "rules"


class Engine:
    """Reads commands line by line and answers each by a method of its name."""

    name = "zoo"
    move = "pass"

    def __init__(self):
        self.id = "-"
        self.games = 0

    def say(self, text):
        """Print a line at once."""
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()

    def run(self):
        """Answer until the input ends."""
        for raw in sys.stdin.buffer:
            words = raw.decode("utf-8", "replace").split()
            if words and getattr(self, f"on_{words[0]}", self.ignore)(words):
                break

    def ignore(self, words):
        """Take a line that needs no answer."""

    def on_uhi(self, words):
        """Introduce the engine."""
        self.say(f"id name {self.name}")
        self.say("uhiok")

    def on_isready(self, words):
        """Answer a ping."""
        self.say("readyok")

    def on_uhinewgame(self, words):
        """Count the games."""
        self.games += 1

    def on_go(self, words):
        """Tell what it thinks, and answer."""
        self.id = words[words.index("id") + 1] if "id" in words else "-"
        self.think(words)
        self.answer()

    def think(self, words):
        """Print a report."""
        self.say("info depth 1 nodes 1 time 0 score cp 0 pv pass")

    def answer(self):
        """Print the move."""
        self.say(f"bestmove {self.move} id {self.id}")

    def on_quit(self, words):
        """Leave."""
        return True


def main(engine):
    """Run an engine; a closed pipe ends it without a word."""
    try:
        engine().run()
    except BrokenPipeError:
        sys.stderr.close()


if __name__ == "__main__":
    main(Engine)
