"""Searches repeat; that they tell a seat nothing else is shown in test_leaks.py."""

import pytest
from talking import Process, bestmoves, without_times

import engine


def repeat_lines(game):
    options = [f"setoption name Game value {game}", "setoption name MultiPV value 3"]
    return [*options, "position startpos", "go nodes 1000 seed 5"]


@pytest.mark.parametrize("game", engine.available())
def test_the_same_search_prints_the_same_lines(talk, game):
    lines = repeat_lines(game)
    first = without_times(talk.ask(*lines))
    assert len(bestmoves(first)) == 1
    assert without_times(talk.ask(*lines)) == first
    talk.ask("position startpos", "go nodes 77 seed 9")
    assert without_times(talk.ask("uhinewgame", *lines)) == first
    other = Process()
    for line in lines:
        other.send(line)
    assert without_times(other.read_until("bestmove")) == first
    other.close()
