"""A match runner for two engines of UGI, which knows no game: it relies on `query` alone.

    ugi_runner.py [--go LIMITS] [--set NAME=VALUE]... ENGINE ENGINE POSITIONS

POSITIONS is a file with one start position a line, `startpos` or what follows `fen`. Each is played
twice, with the seats exchanged. Both engines are sent the same start and the same moves, and only
answers of exactly two words count. A game ends when `query gameover` is true; it is dropped if the
engines differ in that or in the result. An illegal or missing move shows as such a difference, or
as an engine that says nothing for a minute, and that ends the run.
"""

import argparse
import os
import select
import shlex
import subprocess
import sys

PATIENCE_S = 60.0
MOST_MOVES = 5000
POINTS = {"p1win": (1.0, 0.0), "p2win": (0.0, 1.0), "draw": (0.5, 0.5)}


class Engine:
    """One engine process, spoken to in lines."""

    def __init__(self, label, command, options):
        self.label = label
        self.points = 0.0
        self.counts = {1.0: 0, 0.5: 0, 0.0: 0}
        self.unread = b""
        self.process = subprocess.Popen(
            shlex.split(command), bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.send("ugi")
        self.wait("ugiok", 1)
        for option in options:
            name, _, value = option.partition("=")
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def send(self, line):
        """Send one line."""
        self.process.stdin.write(line.encode() + b"\n")

    def wait(self, word, size):
        """Return the last word of the next line that begins with `word` and has `size` words."""
        while True:
            line, end, rest = self.unread.partition(b"\n")
            if end:
                self.unread = rest
                words = line.decode().split()
                if words[:1] == [word] and len(words) == size:
                    return words[-1]
                continue
            output = self.process.stdout
            more = select.select([output], [], [], PATIENCE_S)[0] and os.read(output.fileno(), 4096)
            if not more:
                self.process.kill()
                raise SystemExit(f"{self.label} says nothing: no {word!r}")
            self.unread += more

    def ready(self):
        """Wait until the engine has done what it was told."""
        self.send("isready")
        self.wait("readyok", 1)

    def ask(self, line, word):
        """Send a line and return the second word of the answer, which has two."""
        self.send(line)
        return self.wait(word, 2)

    def count(self, points):
        """Add the points of one game."""
        self.points += points
        self.counts[points] += 1

    def leave(self):
        """End the process and return its exit code."""
        self.send("quit")
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return code


def play(seats, start, limits):
    """Play one game; return the result that both engines tell, or None if they differ."""
    for engine in seats:
        engine.send("uginewgame")
        engine.ready()
    moves = []
    while len(moves) < MOST_MOVES:
        line = f"position {start}" + (" moves " + " ".join(moves) if moves else "")
        for engine in seats:
            engine.send(line)
            engine.ready()
        over = [engine.ask("query gameover", "response") for engine in seats]
        if over[0] != over[1]:
            return None
        if over[0] == "true":
            results = [engine.ask("query result", "response") for engine in seats]
            return results[0] if results[0] == results[1] and results[0] in POINTS else None
        turns = [engine.ask("query p1turn", "response") for engine in seats]
        if turns[0] != turns[1]:
            return None
        moves.append(seats[0 if turns[0] == "true" else 1].ask(f"go {limits}", "bestmove"))
    return None


def main():
    """Play all games and print a line for each and a table; 0 if none was dropped."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("engines", nargs=2, metavar="ENGINE", help="a command")
    parser.add_argument("positions", help="a file")
    parser.add_argument("--go", default="movetime 50", help="what follows `go`")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    with open(arguments.positions) as file:
        starts = [line.strip() for line in file if line.strip()]
    labels = [f"engine {number}" for number in (1, 2)]
    engines = [Engine(*pair, arguments.set) for pair in zip(labels, arguments.engines, strict=True)]
    dropped = games = 0
    for start in starts:
        text = start if start == "startpos" else f"fen {start}"
        for seats in (engines, engines[::-1]):
            result = play(seats, text, arguments.go)
            games += 1
            dropped += result is None
            print(f"game {games}: {seats[0].label} first, {start}: {result or 'dropped'}")
            for engine, points in zip(seats, POINTS.get(result, ()), strict=False):
                engine.count(points)
    print(f"{'':10}{'games':>8}{'won':>8}{'drawn':>8}{'lost':>8}{'points':>8}")
    for engine in engines:
        counts = [sum(engine.counts.values()), *engine.counts.values()]
        print(f"{engine.label:10}{''.join(f'{count:8}' for count in counts)}{engine.points:8}")
    print(f"{games} games, {dropped} dropped")
    codes = [engine.leave() for engine in engines]
    return 0 if not dropped and codes == [0, 0] else 1


if __name__ == "__main__":
    sys.exit(main())
