"""Searches repeat, and an open position tells a seat only what it knows."""

import pytest
from talking import Process, bestmoves, without_times

import engine
from engine.game import RandomStream


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


@pytest.mark.parametrize("game", engine.available())
def test_an_open_position_tells_a_seat_only_what_it_knows(talk, game):
    """Two states that the seat to move cannot tell apart get the same answers, byte for byte."""
    pairs = different = 0
    rng = RandomStream(11)
    rules = engine.load(game)
    longest = min(120, 2 * rules.max_plies)
    asked = ["query view", "query legal", "query hash", "query turn", "query p1turn"]
    asked += ["query game", "d", "legal", "go nodes 10", "go nodes 10 multipv 9 searchmoves x"]
    for index in range(60):
        state = rules.new_state()
        for _ in range(rng.below(longest)):
            if state.is_terminal:
                break
            moves = state.legal_moves()
            move = state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))]
            state.apply(move)
        while state.is_chance:
            state.apply(state.sample_chance(rng))
        if state.is_terminal:
            continue
        view = state.view(state.seat_to_move)
        texts = [view.determinize(RandomStream(index, 9, i)).to_text() for i in range(2)]
        answers = []
        for text in texts:
            lines = talk.ask(f"position fen {text}", *asked)
            assert not any("error bad" in line for line in lines), lines
            answers.append(without_times(lines))
        assert answers[0] == answers[1]
        pairs += 1
        different += texts[0] != texts[1]
    assert pairs > 15 and different > 5
