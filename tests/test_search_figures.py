"""The figures of the search: instructions by part, and the curve of strength against time."""

import shutil

import pytest

from bench import callgrind
from bench.games import parse_game
from bench.measure import matches, parts, strength

PROFILE = """\
# callgrind format
fl=(1) search.c
fn=(1) loop
1 10
cfn=(2) simulate
calls=4 5
1 900
fn=(2)
5 100
+1 50
* 6
cfn=(3) game_apply
calls=9 1
-1 300
cfi=(2) libc
cfn=(4) memcpy
calls=9 1
5 40
fe=(1)
20 24
cfn=(5) helper
calls=1 1
9 380
fn=(3)
1 200
cfn=(4)
calls=9 1
2 100
fn=(4)
7 140
fn=(5)
30 80
cfn=(3)
calls=1 1
30 300
fn=(6) unrelated
1 5000
"""
SOURCE = [""] * 18 + ["static CYTHON_INLINE void __pyx_f_back_up(void) {", "  x;", "}"]
PARTS = {"loop": "loop", "simulate": "select", ".*_apply": "apply", ".*back_up": "back up"}


def test_a_profile_is_shared_out():
    """Helpers count for their caller, inlined lines for the function that they stand in."""
    profile = callgrind.read(PROFILE)
    assert profile.total("simulate") == 100 + 50 + 6 + 300 + 40 + 24 + 380 == 900
    shares = callgrind.share_out(profile, "loop", PARTS, {"search.c": SOURCE})
    assert shares == pytest.approx(
        {"loop": 10, "select": 156 + 40 + 80, "apply": 600, "back up": 24}
    )
    without = callgrind.share_out(profile, "loop", PARTS, {})
    assert without == pytest.approx({"loop": 10, "select": 300, "apply": 600})


def test_positions_are_those_of_the_middle_of_games():
    game = parse_game("lofoten")
    views = parts.views(game, 20)
    assert len({view.to_text() for view in views}) == 20
    assert all(len(view.legal_moves()) > 1 and view.observer >= 0 for view in views)
    assert [v.to_text() for v in parts.views(game, 20)] == [v.to_text() for v in views]


def test_speeds_of_both_numbers_of_threads():
    view = parts.views(parse_game("lofoten"), 6)[0]
    speeds = parts._speeds(view, 2, 4, 1)
    assert all(speed > 10 for speed in speeds)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts the instructions")
def test_instructions_by_part():
    views = parts.views(parse_game("lofoten"), 6)[:1]
    found = parts.instructions(views, 300, parts.OPTIONS)
    assert set(found) == set(parts.PARTS.values())
    assert found["determinize"] > 50 and found["evaluate"] > 50 and found["select"] > 50
    assert 500 < sum(found.values()) < 100_000


@pytest.fixture
def scores(monkeypatch):
    """Matches that are not played, but end with these scores by milliseconds."""
    told = {5: 0.3, 10: 0.42, 40: 0.6, 80: 0.7}
    lines = []

    def play(out, line):
        lines.append(line)
        ms = int(line.split("movetime=")[1].split()[0])
        out.update(score=told[ms], score_error=0.03, elo=1.0, elo_interval=[0.0, 2.0])
        out.update(games=8, forfeits=[0, 0], exit_code=0)

    monkeypatch.setattr(matches, "play", play)
    return told, lines


def test_the_curve_of_strength(scores, tmp_path):
    told, lines = scores
    chart = tmp_path / "chart.svg"
    out = {}
    strength.strength_time(out, games=8, journals=tmp_path, chart=chart)
    assert [point["ms"] for point in out["points"]] == [5, 10, 20, 40, 80]
    assert [point["score"] for point in out["points"]] == pytest.approx([30, 42, 50, 60, 70])
    assert out["games"] == 32 and out["least_rise"] == pytest.approx(8)
    assert chart.read_text().startswith("<svg") and "drakkar at 20 ms" in chart.read_text()
    assert len(lines) == 4 and not any("--resume" in line for line in lines)
    told[40] = 0.49
    strength.strength_time(out, games=8, journals=tmp_path, chart=None)
    assert out["least_rise"] == pytest.approx(-1)


def test_a_curve_that_was_broken_off_goes_on(scores, tmp_path):
    (tmp_path / "drakkar-10-20-8.journal").write_text("games")
    strength.strength_time({}, games=8, journals=tmp_path, chart=None)
    resumed = ["--resume" in line for line in scores[1]]
    assert resumed == [False, True, False, False]
