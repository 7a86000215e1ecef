"""OpenSpiel's searches beside ours; skipped where OpenSpiel is not installed."""

import subprocess
import sys

import pytest

pytest.importorskip("pyspiel")

import engine
from bench.peers import duels, python_ismcts, searches, shares, table
from bench.peers.games import translator

HANG_S = 60


def test_both_choose_alike():
    out = {}
    shares.compare(out, "kuhn", positions=6, seeds=30, simulations=300, exploration=1.4)
    assert out["tests"] >= 4
    assert out["p_value"] > 1e-4


def test_another_search_is_told_apart(monkeypatch):
    class Bold(searches.Compatible):
        def __init__(self, state, simulations, exploration, seed):
            super().__init__(state, simulations, 2 * exploration, seed)

    monkeypatch.setattr(shares, "Compatible", Bold)
    out = {}
    shares.compare(out, "kuhn", positions=6, seeds=30, simulations=300, exploration=1.4)
    assert out["p_value"] < 1e-4


def test_table_of_a_small_run():
    out = {}
    table.speed(out, "kuhn", positions=2, repeats=1, simulations=300)
    table.strength(out, "kuhn", 1.4, (50,), blocks=2)
    assert out["times_peer"] > 1
    assert out["share_of_bytes"] < 1
    assert out["nash_conv"]["uniform"]["any"] == pytest.approx(11 / 12)
    assert 0 < out["nash_conv"]["50"]["peer shares"] < 1
    assert out["compatible at equal simulations"]["games"] == 4
    assert "NashConv 50" in table.show("kuhn", out)


def test_duel_at_three_seats():
    found = duels.duel("oh_hell tricks=1", "compatible", 2, 30, 0.0, 1.4)
    assert found["games"] == 6


@pytest.mark.parametrize("name", engine.available())
def test_python_search_on_our_games(name):
    game = engine.load(name)
    deal = game.new_deal(5)
    state = game.new_state()
    while state.is_chance or len(state.legal_moves()) == 1:
        state.apply(deal.outcome(state) if state.is_chance else state.legal_moves()[0])
    view = state.view(state.seat_to_move)
    simulations, rows = python_ismcts.search(view, 40, None, seed=3)
    assert (simulations, rows) == python_ismcts.search(view, 40, None, seed=3)
    assert simulations == 40
    assert [row[0] for row in rows] == view.legal_moves()
    assert sum(row[1] for row in rows) == 39
    assert all(-1 <= mean <= 1 for _, _, mean in rows)
    assert python_ismcts.search(view, None, 0, seed=3)[0] == 1


def test_python_search_finds_what_is_right():
    kuhn = translator("kuhn").ours
    king = kuhn.from_text("kuhn/1 me=p2 hand.p1=? hand.p2=K actions=b")
    _, rows = python_ismcts.search(king, 60, None, seed=1)
    assert max(rows, key=lambda row: row[1])[0] == kuhn.parse_move("bet")


def test_engine_speaks_the_protocol():
    position = "view kuhn/1 me=p2 hand.p1=? hand.p2=K actions=b"
    done = subprocess.run(
        [sys.executable, "-m", "bench.peers.engine"],
        input=f"uhi\nposition {position}\nisready\ngo nodes 60\n",
        stdout=subprocess.PIPE,
        text=True,
        timeout=HANG_S,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id name OpenSpiel")
    assert lines[-1] == "bestmove bet"
    assert " nodes 60 " in lines[-2]


def test_which_worlds_the_peer_draws():
    """Where not all cards are dealt it knows which are not; where all are, nobody has to."""
    found = shares.same_undealt("oh_hell suits=2 cards-per-suit=8 tricks=2", 4, 20)
    assert found["peer"] == 1 > found["ours"]
    assert set(shares.same_undealt("oh_hell cards-per-suit=4 tricks=5", 2, 5).values()) == {1}
