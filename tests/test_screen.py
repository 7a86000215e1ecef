"""The screen of many options at once: its plan, its fit, and that it can be gone on with."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.ideas.screen import Plan, effects, main, parse_factor, play_pair
from engine import RandomStream

ROOT = Path(__file__).resolve().parent.parent
WORDS = ["exploration=0.3,3", "keying=observer,public", "--game", "kuhn", "--nodes", "40"]


def plan(factors, game="kuhn", **limits):
    return Plan(game, "drakkar", factors, limits or {"nodes": 40}, 5)


def test_effects_are_found_again():
    """Of made scores with noise, within the intervals; the one option that does nothing as well."""
    lots, true = RandomStream(3), (4.0, 0.0, -2.0)
    signs = [[1 if lots.below(2) else -1 for _ in true] for _ in range(4000)]
    noise = [sum(lots.below(1000) for _ in range(4)) / 40 - 49.95 for _ in signs]
    scores = [
        sum(map(float.__mul__, true, map(float, x))) + n for x, n in zip(signs, noise, strict=True)
    ]
    for (found, error), expected in zip(effects(signs, scores), true, strict=True):
        assert 0.2 < error < 0.6
        assert abs(found - expected) < 1.5 * error


@pytest.mark.parametrize("signs", [[], [[1, 1]] * 2, [[1, 1], [-1, -1]] * 20])
def test_options_that_are_not_told_apart_are_refused(signs):
    with pytest.raises(ValueError, match="too few to tell"):
        effects(signs, [0.0] * len(signs))


def test_the_sides_have_opposite_values():
    one = plan([parse_factor("exploration=0.3,3"), parse_factor("keying=observer,public")])
    rows = [one.signs(pair) for pair in range(40)]
    assert one.signs(7) == rows[7]
    assert len({tuple(row) for row in rows}) == 4
    assert one.options([1, -1]) == {"exploration": "3", "keying": "observer"}
    assert one.options([-1, 1]) == {"exploration": "0.3", "keying": "public"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("speed=1,2", "no search option 'speed'"),
        ("exploration", "use NAME=VALUE,OTHER"),
        ("exploration=1", "use NAME=VALUE,OTHER"),
        ("exploration=1,1.0", "two values that differ"),
        ("exploration=1,much", "exploration=much"),
        ("exploration=1,2,3", "exploration=2,3"),
    ],
)
def test_a_bad_option_is_refused(text, told, capsys):
    with pytest.raises(ValueError, match=told):
        parse_factor(text)
    assert main([text, "--pairs", "1"]) == 2
    assert told in capsys.readouterr().err


def test_a_pair_is_played_alike_again():
    one = plan([parse_factor("exploration=0.3,3")], game="leduc")
    played = [play_pair(pair, one) for pair in range(6)]
    assert played == [play_pair(pair, one) for pair in range(6)]
    assert len({score for _, score, _ in played}) > 1


def test_a_stronger_value_is_found(capsys):
    """A search against random moves: the table tells which of the two is better."""
    words = ["algorithm=random,puct", "exploration=2,2.1", "--game", "leduc", "--nodes", "300"]
    assert main([*words, "--jobs", "2", "--pairs", "60"]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "algorithm" in line)
    points, _, error = row.split("|")[2].split()
    assert float(points) > float(error) > 0


def test_a_screen_goes_on_where_it_was_broken_off(tmp_path, capsys):
    file, whole = tmp_path / "pairs", tmp_path / "whole"
    words = [*WORDS, "--jobs", "1", "--pairs"]
    assert main([*words, "12", "--journal", str(whole)]) == 0
    told = capsys.readouterr().out
    assert "| option, 24 games |" in told
    assert "`keying=observer,public`" in told
    rows = whole.read_text().splitlines()
    assert json.loads(rows[0])["factors"] == WORDS[:2]
    file.write_text("\n".join(rows[:6]) + "\n" + rows[6][:4])
    assert main([*words, "12", "--journal", str(file)]) == 0
    assert capsys.readouterr().out == told
    assert file.read_text().splitlines() == rows
    assert main(["exploration=0.3,2", *words[1:], "12", "--journal", str(file)]) == 2
    assert "of another plan" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_what_was_played_is_kept(tmp_path, number):
    file = tmp_path / "pairs"
    words = [*WORDS, "--pairs", "20000", "--jobs", "2", "--journal", str(file)]
    # The shell of a background job may leave SIGINT ignored.
    start = "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    start += "runpy.run_module('bench.ideas.screen', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-c", start, *words]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as process:
        try:
            until = time.monotonic() + 60
            while not file.exists() or len(file.read_text().splitlines()) < 10:
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.02)
            process.send_signal(number)
            assert process.wait(60) == 128 + number
        finally:
            process.kill()
    rows = [json.loads(row) for row in file.read_text().splitlines()[1:]]
    assert len({pair for pair, _, _ in rows}) == len(rows) >= 9


def test_what_cannot_be_screened_is_told(tmp_path, capsys):
    assert main(["exploration=1,2", "--game", "oh_hell seats=4", "--pairs", "1"]) == 2
    assert "4 seats; a screen needs two" in capsys.readouterr().err
    assert main(["exploration=1,2", "--game", "chess"]) == 2
    assert "chess" in capsys.readouterr().err
    assert main(["exploration=1,2", "exploration=1,3"]) == 2
    assert "named twice" in capsys.readouterr().err
    assert main(["exploration=1,2", *WORDS[2:], "--pairs", "1", "--jobs", "1"]) == 2
    assert "too few" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["--pairs", "--movetime", "--nodes", "--jobs"])
@pytest.mark.parametrize("number", ["0", "-5", "nan"])
def test_a_number_that_means_nothing_is_refused(word, number, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["exploration=1,2", "--game", "kuhn", word, number])
    assert ended.value.code == 2
    assert word in capsys.readouterr().err
