"""The ideas that are tried: their options exist, their command is right, their table is sorted."""

import pytest

from bench.catalogue import ideas  # noqa: F401 - registers the figures
from bench.ideas.__main__ import main
from bench.ideas.catalogue import IDEAS, PRESET
from bench.ideas.table import RESULTS, lines, stored
from bench.ideas.trial import arguments
from bench.registry import FIGURES
from search.options import parse_options
from search.presets import TABLE


@pytest.mark.parametrize("idea", IDEAS.values(), ids=list(IDEAS))
def test_both_sides_of_an_idea_differ(idea):
    """A or B changes something: an option that equals the preset's would try nothing."""
    sides = [TABLE[PRESET].with_changes(parse_options(text)) for text in (idea.a, idea.b)]
    assert sides[0] != sides[1]
    assert f"idea-{idea.name}" in FIGURES


def test_the_command_of_an_idea():
    words = arguments(IDEAS["early-stop"])
    assert words[:3] == ["sprt", PRESET, PRESET]
    assert words[words.index("--b") + 1] == "Search=decided_share=1e9"
    assert "--movetime" not in words
    assert words[words.index("--tc") + 1] == "1+0.005"
    words = arguments(IDEAS["widening-1"], 4, 2)
    assert words[words.index("--games") + 1] == "4"
    assert words[words.index("--movetime") + 1] == "2"
    assert "--b" not in words


def test_the_table_has_gains_first(capsys):
    def result(name, points, decision):
        idea = {"name": name, "what": "what it is", "a": "x=1", "b": "", "source": ""}
        gain = {
            "games": 100,
            "points": points,
            "elo": 3.6 * (points - 50),
            "elo_interval": [None, 90.0],
            "llr": 1.0,
            "decision": decision,
        }
        return {"idea": idea, "gain": gain}

    found = lines([result("b", 45.0, "H0"), result("a", 60.0, "H1"), result("c", 50.0, None)])
    assert [line.split(":")[0] for line in found[2:]] == ["| a", "| c", "| b"]
    assert "| `x=1` : `-` |" in found[2]
    assert "| gain |" in found[2]
    assert "60.0 %" in found[2]
    assert "(? to +90)" in found[2]
    assert "| undecided |" in found[3]
    assert "| no gain of 25 |" in found[4]
    assert main(["no-such-idea"]) == 2
    assert "there are: solver" in capsys.readouterr().err
    assert main(["--table", "solver", "no-such-idea"]) == 2
    assert "there are: " in capsys.readouterr().err
    assert main(["--table", "mast", "--games", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[2:][0].startswith("| mast: ")
    assert main(["--list", "solver"]) == 0
    assert capsys.readouterr().out.startswith("solver ")


@pytest.mark.parametrize("text", [b"broken{", b"[]", b'{"values": {"gain": 1}}', b"\xff\xfe"])
def test_a_damaged_result_is_named_and_left_out(text, tmp_path, capsys):
    whole = next(RESULTS.glob("idea-*.json"))
    (tmp_path / whole.name).write_bytes(whole.read_bytes())
    (tmp_path / "idea-x.json").write_bytes(text)
    assert len(stored(tmp_path)) == 1
    assert "idea-x.json: no result of an idea" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--movetime", "0"], ["--games", "-5"], ["--games", "many"]])
def test_a_number_that_cannot_be_is_refused(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*words, "solver"])
    assert ended.value.code == 2
    assert words[0] in capsys.readouterr().err
