"""A UGI match runner as they are found in the field plays a whole game with the engine.

It knows no rules: it asks `query gameover` and `query p1turn`, sends the whole list of moves to
both engines, and reads only answers of exactly two words.
"""

import pytest
from talking import Process

import engine

MOST_PLIES = 3000


class Runner:
    """One engine of the runner."""

    def __init__(self, game):
        self.process = Process()
        self.process.send("ugi")
        self.process.read_until("ugiok")
        self.process.send(f"setoption name Game value {game}")
        self.process.send("setoption name Ponder value true")
        self.process.send("uginewgame\nisready")
        self.process.read_until("readyok")

    def answer(self, command, word):
        """Return the second word of an answer that has two."""
        self.process.send(command)
        while True:
            words = self.process.read_until("")[-1].split()
            if words[:1] == [word] and len(words) == 2:
                return words[1]


@pytest.mark.parametrize("game", engine.available())
@pytest.mark.parametrize("start", ["startpos", "fen {}/1 seed=7"])
def test_a_game_between_two_engines(game, start):
    runners = [Runner(game), Runner(game)]
    start = start.format(game)
    moves = []
    turns = set()
    while len(moves) < MOST_PLIES:
        line = f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")
        for runner in runners:
            runner.process.send(f"{line}\nisready")
            runner.process.read_until("readyok")
        over = {runner.answer("query gameover", "response") for runner in runners}
        assert len(over) == 1
        if over == {"true"}:
            break
        turn = {runner.answer("query p1turn", "response") for runner in runners}
        assert len(turn) == 1
        turns |= turn
        mover = runners[0 if turn == {"true"} else 1]
        move = mover.answer("go nodes 2 p1time 60000 p2time 60000 p1inc 0 p2inc 0", "bestmove")
        assert move != "0000"
        moves.append(move)
    results = {runner.answer("query result", "response") for runner in runners}
    assert len(results) == 1
    assert results <= {"p1win", "p2win", "draw"}
    assert turns == {"true", "false"}
    for runner in runners:
        assert runner.process.ended()[0] == 0
