"""The command line: what is printed, and the exit codes."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import engine
import protocol
from bench import figures, instructions, registry
from bench.catalogue.engine import GAME
from bench.cli import main
from bench.measure import hidden, keys, process, random_games

ROOT = Path(__file__).resolve().parent.parent


def drakkar(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, list(arguments))


def test_version() -> None:
    """Name and version."""
    result = drakkar("--version")
    assert (result.exit_code, result.output) == (0, f"drakkar {protocol.VERSION}\n")


def test_the_root_module_is_the_command(tmp_path: Path) -> None:
    """It works from any folder."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "drakkar.py"), "perft", "kuhn", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "6\n"


def test_the_command_engine_is_the_loop() -> None:
    """`drakkar engine` speaks the protocol."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "drakkar.py"), "engine"],
        input="uci\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.endswith("uciok\n")


def test_games_lists_all() -> None:
    """Each game with its settings and their defaults."""
    result = drakkar("games")
    assert result.exit_code == 0
    for name in engine.available():
        assert f"{name} " in result.output
        for setting in engine.game_settings(name):
            assert f"{setting.name}={setting.default}" in result.output


def test_one_game_in_detail(game: engine.Game) -> None:
    """Every value of every setting."""
    result = drakkar("games", game.name)
    assert result.exit_code == 0
    assert game.identity in result.output
    for setting in game.setting_list():
        assert setting.help in result.output
        for value in setting.values:
            assert value in result.output


def test_perft() -> None:
    """Kuhn poker has 6 deals and 5 ways to bet, whole games of 4 or 5 events."""
    assert drakkar("perft", "kuhn", "3").output == "12\n"
    assert drakkar("perft", "kuhn", "3", "--seed", "1").exit_code == 0
    result = drakkar("perft", "kuhn", "3", "--divide")
    assert result.output.splitlines() == [
        "~deal@p1=J: 4",
        "~deal@p1=Q: 4",
        "~deal@p1=K: 4",
        "total: 12",
    ]
    text = "kuhn/1 hand.p1=K hand.p2=Q actions=p"
    assert drakkar("perft", "kuhn", "1", "--position", text).output == "2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["games", "chess"], "no game 'chess'"),
        (["perft", "chess", "1"], "no game 'chess'"),
        (["perft", "kuhn", "-1"], "-1"),
        (["perft", "kuhn", "0", "--divide"], "depth of at least 1"),
        (["perft", "kuhn", "1", "--position", "kuhn/1 me=p1"], "full state"),
        (["perft", "kuhn", "1", "--position", "kuhn/1 hand.p1=Z"], "hand.p1"),
        (["bench", "chess"], "no positions for 'chess'"),
        (["bench", "kuhn", "--preset", "best"], "use one of"),
        (
            ["match", "random", "random", "--game", "kuhn", "--games", "3"],
            "a multiple of it; not 3",
        ),
        (
            ["match", "random", "random", "--game", "kuhn", "--games", "0"],
            "a multiple of it; not 0",
        ),
        (["match", "random", "random", "--game", "kuhn x=1"], "no setting 'x'"),
        (["match", "random", "random", "--game", "chess"], "no game 'chess'"),
        (["match", "random", "nobody"], "no preset and no command 'nobody'"),
        (["match", "random", ""], "an engine is"),
        (["match", "random", "random", "--a", "nodes"], "name=value"),
        (["match", "random", "random", "--a", "nodes=0"], "above 0"),
        (["match", "random", "random", "--b", "tc=fast"], "no clock"),
        (["match", "random", "random", "--tc", "0"], "no clock"),
        (["match", "random", "random", "--nodes", "0"], "--nodes"),
        (["match", "random", "random", "--openings", "/nowhere/x"], "--openings"),
        (["match", "random", "random", "--record", "/nowhere/x"], "--record"),
        (["match", "random", "random", "--tc", ""], "'' is no clock"),
        (["match", "random", "random", "--tc", "1e300"], "no clock"),
        (["match", "random", "random", "--a", "tc=nan"], "'nan' is no clock"),
        (["match", "random", "random", "--b", f"nodes={'9' * 5000}"], "--b: nodes="),
        (["match", "random", "random", "--nodes", "9" * 5000], "--nodes"),
        (["match", "random", "random", "--timeout", "nan"], "--timeout"),
        (["match", "random", "random", "--timeout", "inf"], "--timeout"),
        (["match", "random", "random", "--a", ""], "--a: '' should be name=value"),
        (["match", "random", "random", "--b", "Threads=1,threads=2"], "--b: 'threads' is given"),
        (["match", "random", "random", *("--b", "nodes=2") * 2], "--b: 'nodes' is given twice"),
        (["ladder", "random", *("--engine-options", "Seed=1") * 2], "ENGINE: 'Seed' is given"),
        (["tree", "kuhn/1 x", *("--search", "exploration=1") * 2], "is given twice"),
        (["match", "random", "random", "--b", "Threads=1\nquit"], "--b: 'Threads=1\\nquit'"),
        (["match", "random", "random", "--b", "Threads=\udcff"], "--b: 'Threads=\\udcff'"),
        (["match", "random", "random", "--b", "Thread=2"], "--b: no option 'Thread'; do you mean"),
        (
            ["match", "random", "random", "--a", "Hash=0"],
            "--a: option Hash: '0' is not a whole number from 1",
        ),
        (["match", "random", "random", "--a", f"Hash={'1' * 5000}"], "--a: option Hash: '1"),
        (
            ["match", "random", "random", "--a", "Ponder=maybe"],
            "--a: option Ponder: 'maybe' is not true",
        ),
        (
            ["match", "random", "random", "--b", "Preset=best"],
            "--b: option Preset: 'best' is not one of drakkar",
        ),
        (["match", "random", "random", "--b", "Lofoten stall=soon"], "--b: setoption name Lofoten"),
        (["match", "random"], "Missing argument 'B'"),
        (["nothing"], "No such command"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str) -> None:
    """Exit code 2 and a text that says what is wrong."""
    result = drakkar(*arguments)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())


def test_pairs_of_an_option_given_again_are_added() -> None:
    """None replaces those given before: a limit lost like that makes a match of two alike."""
    arguments = ["match", "vanilla", "vanilla", "--game", "kuhn", "--games", "2", "--json"]
    result = drakkar(*arguments, "--a", "nodes=30", "--a", "Seed=5,Threads=1", "--b", "nodes=20")
    assert result.exit_code == 0, result.output
    match = json.loads(result.stdout)
    assert match["limits"] == ["nodes 30", "nodes 20"]
    assert match["options"][0] == {"Preset": "vanilla", "Seed": "5", "Threads": "1"}


def test_a_match_prints_a_table(tmp_path: Path) -> None:
    """Result, Elo, first seat, lengths and time; then the record is replayed."""
    record = tmp_path / "games.jsonl"
    arguments = ["match", "vanilla", "random", "--game", "kuhn", "--games", "6", "--nodes", "20"]
    result = drakkar(*arguments, "--record", str(record))
    assert result.exit_code == 0, result.output
    for words in ("kuhn/1: 6 games, 3 blocks", "vanilla", "random", "Elo difference", "±"):
        assert words in result.output
    for words in ("first seat's points", "mean margin", "decisions per game", "time"):
        assert words in result.output
    assert "6 of 6 games" in result.stderr
    shown = drakkar("replay", str(record), "--game", "6")
    assert shown.exit_code == 0
    assert "game 6 of games.jsonl" in shown.output
    assert "wins with" in shown.output
    assert drakkar("replay", str(record), "--game", "7").exit_code == 2


def test_a_match_prints_json() -> None:
    """One object on standard output, from A's side."""
    arguments = ["match", "random", "greedy", "--game", "kuhn", "--games", "8", "--seed", "3"]
    result = drakkar(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    wanted = {"engines", "games", "wins", "draws", "losses", "points", "elo", "elo_error"}
    assert wanted | {"mean_margin", "mean_plies", "seconds"} <= found.keys()
    assert found["engines"] == ["random", "greedy"]
    assert found["games"] == 8 == found["wins"] + found["draws"] + found["losses"]
    assert found["points"] == found["wins"] + found["draws"] / 2
    assert sum(found["pair_scores"]) == found["pairs"] == 4


def test_two_sides_of_one_name_are_told_apart() -> None:
    """By their labels and by their options."""
    arguments = ["match", "random", "random", "--game", "kuhn", "--games", "2", "--nodes", "5"]
    result = drakkar(*arguments, "--b", "Hash=16")
    assert result.exit_code == 0, result.output
    rows = [" ".join(line.split()) for line in result.output.splitlines()]
    assert any(row.startswith("random ") and row.endswith("(nodes 5)") for row in rows)
    assert any(row.startswith("random (2) ") and row.endswith("(nodes 5, Hash 16)") for row in rows)
    assert any(row.startswith("score of random ") for row in rows)
    found = json.loads(drakkar(*arguments, "--b", "Hash=16", "--json").stdout)
    assert found["options"] == [{"Preset": "random"}, {"Preset": "random", "Hash": "16"}]


def test_a_bad_record_is_a_bad_argument(tmp_path: Path) -> None:
    """Exit code 2, and the name of the file once."""
    result = drakkar("replay", str(tmp_path / "none"))
    assert result.exit_code == 2
    assert result.output.count("none") == 1


def test_ctrl_c_ends_a_count() -> None:
    """A count does not come back to Python for minutes; the signal ends it all the same."""
    line = [sys.executable, str(ROOT / "drakkar.py"), "perft", "lofoten", "60", "--seed", "1"]
    count = subprocess.Popen(line)
    caught = Path(f"/proc/{count.pid}/status")
    deadline = time.monotonic() + 60
    while int(caught.read_text().partition("SigCgt:")[2].split()[0], 16) & 2 or (
        b"game.cpython" not in Path(f"/proc/{count.pid}/maps").read_bytes()
    ):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    count.send_signal(signal.SIGINT)
    assert count.wait(60) == -signal.SIGINT
    assert "only moves count" in " ".join(drakkar("perft", "--help").output.split())


def test_the_signature_is_written_only_where_the_sources_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed copy is left as it is."""
    from bench import signature

    monkeypatch.setattr(signature, "FILE", tmp_path / "bench" / "signature.txt")
    result = drakkar("bench", "kuhn", "--update")
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])


def test_sides_have_their_own_limits() -> None:
    """`--a` and `--b` replace the shared limit and set options."""
    arguments = ["match", "vanilla", "vanilla", "--game", "kuhn", "--games", "2", "--nodes", "5"]
    result = drakkar(*arguments, "--b", "movetime=5,Hash=16", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["limits"] == ["nodes 5", "movetime 5 ms"]


def test_bench_prints_the_signature() -> None:
    """One line for the game, as it stands in the file."""
    from bench import signature

    result = drakkar("bench", "kuhn")
    assert result.exit_code == 0
    assert result.output.startswith(signature.expected()["kuhn"] + " ")


# ---- figures: the same functions on less, with ten times the limits that involve a clock ----


def limit(name: str, key: str) -> float:
    """Return the upper bound of a figure."""
    high = registry.bound(name, key).high
    assert high is not None
    return high


def test_figures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with what it shows; an unknown name is refused."""
    assert figures.main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(registry.FIGURES) > 10
    assert figures.main(["nothing"]) == 2
    listed = capsys.readouterr().err
    assert "there are: " in listed and "vanilla-random" in listed


def test_a_figure_is_written_and_not_measured_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values, bounds, command, commit and machine; from the same sources it is kept."""
    runs = []

    def run(out: dict[str, object]) -> None:
        runs.append(1)
        out["value"] = len(runs)
        out["engine"] = f"{sys.executable} -m engine"

    monkeypatch.setattr(figures, "RESULTS", tmp_path)
    monkeypatch.setattr(registry, "FIGURES", {})
    monkeypatch.setattr(figures, "commit", lambda: "abc")
    monkeypatch.setattr(figures, "_git", lambda *arguments: "")
    registry.register("new", "a new figure", run, registry.Bound("value", 1, 1))
    assert figures.main([]) == 0
    result = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))
    assert result["values"] == {"value": 1, "engine": "python -m engine"}
    assert (result["holds"], result["commit"]) == (True, "abc")
    assert {"command", "machine", "bounds", "summary", "seconds"} <= result.keys()
    assert figures.main(["new"]) == 0
    assert len(runs) == 1
    assert figures.main(["--force", "new"]) == 1
    assert len(runs) == 2
    monkeypatch.setattr(figures, "commit", lambda: "abc-changed")
    assert figures.main([]) == 1
    assert len(runs) == 3


@pytest.mark.parametrize(
    ("value", "holds"), [(1, True), (3, True), (0.9, False), (3.1, False), (None, False)]
)
def test_a_bound(value: float | None, holds: bool) -> None:
    """Both ends belong to it; a value that is missing does not hold."""
    bound = registry.Bound("value", 1, 3)
    assert bound.holds({"value": value}) == holds
    assert str(bound) == "1 <= value <= 3"


@pytest.mark.slow
def test_instructions_are_counted() -> None:
    """The difference of two runs leaves out start-up, so it repeats to the last few."""
    if shutil.which("valgrind") is None:
        with pytest.raises(instructions.CannotCount, match="install"):
            instructions.count(GAME)
        return
    found = instructions.count(GAME, few=2, many=12)
    assert 20 < found["instructions_per_choice_ply"]
    high = limit("instructions", "instructions_per_choice_ply")
    assert found["instructions_per_choice_ply"] <= 10 * high


def test_random_games_keep_the_invariants(game: engine.Game) -> None:
    """Checked after every event, in two processes."""
    out: dict[str, float] = {}
    random_games.run(out, game.identity, 40, checked=True)
    assert out["games"] == 40
    assert 0 < out["longest_decisions"] <= out["declared_decisions"]
    assert 0 < out["first_seat"] < 1


def test_keys(game: engine.Game) -> None:
    """Updated keys equal recomputed ones, and distinct states have distinct keys."""
    out: dict[str, float] = {}
    keys.recomputed(out, game.identity, 20)
    assert (out["broken"], out["differing"]) == (0, 0)
    keys.distinct(out, game.identity, 2000 if game.name != "kuhn" else 50)
    assert out["collisions"] == 0


def test_determinizer(game: engine.Game) -> None:
    """Samples keep what the seat knows."""
    out: dict[str, float] = {}
    hidden.determinizer(out, game.identity, 300, samples=3)
    assert (out["samples"], out["changed"], out["broken"]) == (900, 0, 0)


@pytest.mark.serial
def test_start_and_latency() -> None:
    """Ready soon, and answering while it thinks."""
    out: dict[str, float] = {}
    process.start(out, rounds=5, wheel=False)
    assert out.pop("install") == "sources"
    assert out["ratio"] <= 10 * limit("start", "ratio")
    process.latency(out, GAME, rounds=8)
    assert out["isready_ms"] <= 10 * limit("latency", "isready_ms")
    assert out["stop_ms"] <= 10 * limit("latency", "stop_ms")
