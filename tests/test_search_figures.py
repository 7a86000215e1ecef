"""The figures of the search: instructions by part, and the curve of strength against time."""

import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bench import callgrind, figures, registry
from bench.catalogue import kernel  # noqa: F401 - registers the figures
from bench.games import parse_game
from bench.measure import matches, parts, strength
from bench.registry import FIGURES, LeftOut

ROOT = Path(__file__).resolve().parent.parent

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
    found = parts.instructions(views, 300, "drakkar", parts.OPTIONS)
    assert set(found) == set(parts.PARTS.values())
    assert found["determinize"] > 50 and found["evaluate"] > 50 and found["select"] > 50
    assert 500 < sum(found.values()) < 100_000


def result(commit, pair_scores, lost=0):
    """What the file of a match that was not played would hold."""
    values = {"pair_scores": pair_scores, "lost_by_verdict": lost}
    return {"commit": commit, "machine": {"processor": "Z80"}, "values": values}


@pytest.fixture
def measured():
    """Results of matches that were not played, by name of the figure."""
    # Pairs of two losses, and of two wins; in the order of the scores.
    counts = {5: (7, 3), 10: (6, 4), 40: (4, 6), 80: (3, 7)}
    return {
        name: result("abc", [lost, 0, 0, 0, won])
        for ms, (lost, won) in counts.items()
        for name in strength.MATCHES[ms]
    }


def test_the_curve_of_strength(measured, tmp_path):
    chart = tmp_path / "chart.svg"
    out = {}
    strength.curve(out, measured.get, chart)
    assert [point["ms"] for point in out["points"]] == [5, 10, 20, 40, 80]
    assert [point["score"] for point in out["points"]] == pytest.approx([30, 40, 50, 60, 70])
    assert out["games"] == 20 * (10 + 16 + 8 + 4) and out["least_rise"] == pytest.approx(10)
    # All points lie on one line; those that are twice as far tell nearly four times as much of it.
    assert out["rise"] == pytest.approx(10) and 1 < out["rise_error"] < 5
    assert out["rise_low"] == pytest.approx(out["rise"] - out["rise_error"])
    assert chart.read_text().startswith("<svg") and "drakkar at 20 ms" in chart.read_text()
    measured["strength-40-2"] = result("abd", [50, 0, 40, 0, 0])
    strength.curve(out, measured.get, None)
    # (7 * 10 * 0.6 + 40 * 0.5) / 160 = 0.3875
    assert out["least_rise"] == pytest.approx(38.75 - 50) and out["commits"] == ["abc", "abd"]


def test_a_curve_needs_all_of_its_matches(measured):
    del measured["strength-80-3"]
    with pytest.raises(LeftOut, match="strength-80-3"):
        strength.curve({}, measured.get, None)


def test_the_matches_of_the_curve_are_figures(monkeypatch):
    lines = []
    monkeypatch.setattr(matches, "play_on", lambda out, name, line: lines.append((name, line)))
    for names in strength.MATCHES.values():
        for name in names:
            FIGURES[name].run({})
    seeds = {5: 10, 10: 16, 40: 8, 80: 4}
    wanted = [(ms, seed) for ms, count in seeds.items() for seed in range(1, count + 1)]
    assert [name for name, _ in lines] == [f"strength-{ms}-{seed}" for ms, seed in wanted]
    told = [re.findall(r"(?:movetime=|seed )(\d+)", line) for _, line in lines]
    assert told == [[str(ms), "20", str(seed)] for ms, seed in wanted]


def test_parts_of_a_match_are_added_up():
    results = {
        "a": result("x", [1, 0, 2, 0, 1]),
        "b": result("x", [0, 1, 0, 3, 4], lost=2),
    }
    out = {}
    matches.pool(out, ["a", "b"], results.get)
    assert out["pair_scores"] == [1, 1, 2, 3, 5] and out["games"] == 24
    assert out["score"] == pytest.approx((0.25 + 1 + 2.25 + 5) / 12)
    assert out["lost_by_verdict"] == 2 and out["processors"] == ["Z80"]
    assert out["score_low"] == pytest.approx(out["score"] - out["score_error"])
    with pytest.raises(LeftOut, match="c was not measured"):
        matches.pool(out, ["a", "c"], results.get)


def test_no_curve_of_other_sources(monkeypatch):
    monkeypatch.setattr(figures, "is_current", lambda result: False)
    with pytest.raises(LeftOut, match="from these sources"):
        strength.curve({}, chart=None)


def test_a_long_match_that_was_broken_off_goes_on(monkeypatch, tmp_path):
    lines = []
    monkeypatch.setattr(matches, "JOURNALS", tmp_path)
    monkeypatch.setattr(figures, "commit", lambda: "abc")
    monkeypatch.setattr(matches, "play", lambda out, line: lines.append(line))
    matches.play_on({}, "long", "drakkar drakkar")
    (tmp_path / "abc" / "long.journal").write_text("games")
    matches.play_on({}, "long", "drakkar drakkar")
    assert ["--resume" in line for line in lines] == [False, True]


def test_a_match_with_lost_games_is_no_figure_of_strength(monkeypatch):
    """The command ends well also where engines lost by faults; the figure does not hold then."""
    told = {"points": 4.0, "games": 4, "score": 1.0, "score_error": None, "forfeits": [0, 0]}

    class Done:
        returncode = 0

        @property
        def stdout(self):
            return json.dumps(told)

    monkeypatch.setattr(matches.subprocess, "run", lambda *_, **__: Done())
    out = {}
    matches.play(out, "a b")
    assert all(bound.holds(out) for bound in matches.whole(4))
    assert not all(bound.holds(out) for bound in matches.whole(6))
    told["forfeits"] = [0, 1]
    matches.play(out, "a b")
    assert out["lost_by_verdict"] == 1
    assert not all(bound.holds(out) for bound in matches.whole(4))


def test_the_games_of_a_figure_that_is_kept_are_not_gone_on_with(monkeypatch, tmp_path):
    journals = [tmp_path / "abc" / f"{name}.journal" for name in ("long", "longer")]
    journals[0].parent.mkdir()
    for journal in journals:
        journal.write_text("games")
    monkeypatch.setattr(figures, "JOURNALS", tmp_path)
    monkeypatch.setattr(figures, "RESULTS", tmp_path)
    monkeypatch.setattr(registry, "FIGURES", {})
    registry.register("long", "", lambda out: None)
    assert figures.main(["--force", "long"]) == 0
    assert [journal.exists() for journal in journals] == [False, True]


def test_a_figure_tells_if_its_sources_changed_meanwhile(monkeypatch):
    unchanged = [True]
    monkeypatch.setattr(figures, "commit", lambda: "abc")
    monkeypatch.setattr(figures, "_git", lambda *_: "" if unchanged[0] else None)
    made = registry.Figure("long", "", lambda out: None)
    assert figures.measure(made)["commit"] == "abc"
    made = registry.Figure("long", "", lambda out: unchanged.clear() or unchanged.append(False))
    assert figures.measure(made)["commit"] == "abc-changed"


RUN = """
import subprocess, sys
from pathlib import Path
from bench import figures, registry
from bench.interrupts import exit_on_signal

child = "import time; print('begun', flush=True); time.sleep(60)"
registry.register("long", "", lambda out: subprocess.run([sys.executable, "-c", child], check=True))
exit_on_signal()
figures.RESULTS = Path(sys.argv[1])
figures.main(["--force", "long"])
"""


def test_what_a_figure_has_started_ends_with_it(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as run:
        assert run.stdout.readline().startswith("long")
        assert run.stdout.readline() == "begun\n"
        run.terminate()
        # The end of the output comes once nobody holds it, the child included.
        assert run.stdout.read() == ""
        assert run.wait(30) == 128 + signal.SIGTERM
