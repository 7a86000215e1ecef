"""Golden playthroughs: tests/playthroughs/<game>/<what it shows>.txt."""

from pathlib import Path

import pytest

import engine
from engine import playthrough

FOLDER = Path(__file__).parent / "playthroughs"
FILES = playthrough.files([FOLDER])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_replays_unchanged(path):
    text = path.read_text()
    assert len(text.encode()) <= playthrough.MAX_BYTES
    assert "-> about: " in text, "say what the file shows"
    difference = playthrough.first_difference(text, playthrough.replay(text))
    assert not difference, f"run `make golden` if this is meant; {path}\n{difference}"


def test_every_game_has_three():
    counted = {name: len(list((FOLDER / name).glob("*.txt"))) for name in engine.available()}
    assert all(count >= 3 for count in counted.values()), counted
    assert sorted(path.name for path in FOLDER.iterdir()) == engine.available()


@pytest.mark.parametrize("policy", playthrough.POLICIES)
def test_recorded_game_replays(game, policy):
    text = playthrough.record(game.new_state(), seed=3, policy=policy, about="x", limit=60)
    assert playthrough.replay(text) == text


def test_difference_is_shown_with_its_neighbours():
    old = "\n".join("abcdef")
    shown = playthrough.first_difference(old, old.replace("d", "D"), around=1)
    assert shown.splitlines() == ["line 4:", "  c", "- d", "+ D"]
    assert playthrough.first_difference(old, old) == ""


def test_a_changed_fact_is_found():
    text = (FOLDER / "kuhn" / "fold.txt").read_text()
    wrong = text.replace("p2 sees ~deal@p1=?", "p2 sees ~deal@p1=J")
    assert "- " in playthrough.first_difference(wrong, playthrough.replay(wrong))


@pytest.mark.parametrize("line", ["-> p2:bet", "-> p1:raise", "-> ~deal@p1=J"])
def test_impossible_input_is_named(line):
    text = f"-> start: kuhn/1 hand.p1=J hand.p2=Q\n{line}\n"
    with pytest.raises(engine.EngineError, match=line):
        playthrough.replay(text)


def test_commands(tmp_path, capsys):
    folder = ["--folder", str(tmp_path)]
    assert playthrough.main([*folder, "new", "kuhn", "one", "--seed", "4"]) == 0
    path = tmp_path / "kuhn" / "one.txt"
    text = path.read_text()
    assert playthrough.main([*folder, "check"]) == 0
    path.write_text(text.replace("seat 1 is dealt", "seat 1 gets"))
    assert playthrough.main([*folder, "check"]) == 1
    assert playthrough.main([*folder, "update"]) == 0
    assert path.read_text() == text
    assert "line 4" in capsys.readouterr().err


def test_moments_are_shown(game):
    start = game.new_state()
    text = playthrough.record(start, seed=3, about="x", limit=60, every=1)
    first = text.partition("=> picture")[0]
    assert "=> texts" not in first and "| " in first, "the luck before the first decision is told"
    headings = text.count("\n-- ")
    assert text.count("=> picture") == text.count("=> texts") == 1 + headings
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("=> "))
    assert playthrough.replay(plain).count("all: ") == 1, "only the last position"
    assert text.count("all: ") == 2 + headings


def test_a_moment_may_stand_anywhere():
    shown = playthrough.replay("-> start: kuhn/1\n-> ~deal@p1=J\n=> picture\n-> ~deal@p2=Q\n")
    assert "=> picture\n  | seat 1: jack   seat 2: not dealt\n" in shown
    assert playthrough.replay(shown) == shown
    with pytest.raises(engine.EngineError, match="=> flurb"):
        playthrough.replay("-> start: kuhn/1\n=> flurb\n")


def test_luck_shares_the_line_of_what_it_follows():
    shared = 0
    for path in FILES:
        for line in path.read_text().splitlines():
            if not line.startswith(("-> p", "-> ~")):
                continue
            tokens, words = line[3:].split(" | ")
            first, *others = tokens.split()
            assert all(token.startswith("~") for token in others), line
            assert len(words.split("; ")) == 1 + len(others), line
            shared += len(others)
    assert shared > 100
