"""`drakkar tree`: what it shows of a search, and that it shows nothing the seat may not know."""

import json
from itertools import islice

import pytest
from click.testing import CliRunner

import bench.late
from bench import positions
from bench.cli import main
from bench.measure.twins import twin_games
from bench.tree import text_of
from engine import load
from search import Limits, Searcher
from search.options import parse_options

KUHN = "kuhn/1 me=p1 hand.p1=Q hand.p2=? actions=-"
LATE = bench.late.read()[0].view.to_text()


def run(*words, given=None, code=0):
    """Return what `drakkar tree` prints."""
    done = CliRunner().invoke(main, ["tree", *words], input=given)
    assert done.exit_code == code, done.output
    return done.output


def data_of(*words, given=None):
    return json.loads(run(*words, "--json", given=given))


def nodes_of(node):
    """Yield a node and all below it."""
    yield node
    for move in node["moves"]:
        if move["then"] is not None:
            yield from nodes_of(move["then"])


def depth_of(node):
    return 1 + max((depth_of(m["then"]) for m in node["moves"] if m["then"]), default=0)


SEARCHES = [
    ("kuhn", "vanilla", "algorithm=puct playout_plies=0"),
    ("leduc", "vanilla", ""),
    ("oh_hell", "classic", ""),
    ("lofoten", "vanilla", "algorithm=puct playout_plies=0"),
    ("lofoten", "drakkar", "solver=off"),
]


@pytest.mark.parametrize(("name", "preset", "options"), SEARCHES)
def test_the_figures_fit_together(name, preset, options):
    view = positions.read(load(name))[2]
    words = ["--preset", preset, "--search", options, "--nodes", "300", "--seed", "5"]
    data = data_of(view.to_text(), *words)
    assert (data["form"], data["version"], data["preset"]) == ("drakkar-tree", 1, preset)
    assert data["position"] == view.to_text()
    assert data["simulations"] == data["worlds"] == 300 and data["nodes"] >= 1
    root = data["root"]
    assert root["visits"] == 300 and root["seat"] == data["seat"] == f"p{view.observer + 1}"
    assert data["best"] == root["moves"][0]["move"]
    legal = {view.game.move_name(move) for move in view.legal_moves()}
    assert {move["move"] for move in root["moves"]} <= legal
    for move in root["moves"]:
        if move["visits"] > 1:
            assert (
                0 <= move["win"] <= 1 and 0 <= move["error"] <= 0.5 and move["margin"] is not None
            )
    for node in nodes_of(root):
        shown = sum(move["visits"] for move in node["moves"])
        # A simulation that finds no room is booked nowhere; here there is room.
        assert shown + node["other_visits"] == node["visits"]
        assert len(node["moves"]) <= 4 and (len(node["moves"]) == 4 or not node["other_moves"])
        assert 0 <= node["win"] <= 1
        for move in node["moves"]:
            assert move["share"] == pytest.approx(move["visits"] / node["visits"], abs=1e-6)
            if preset != "classic" and "puct" in options:
                assert 0 < move["prior"] <= 1
            assert move["then"] is None or not move["line"]
    assert "\n".join(text_of(data)) + "\n" == run(view.to_text(), *words)


def test_luck_is_marked_where_it_lies():
    """In Leduc poker the card of the table comes when a round is over."""
    text = "leduc/1 me=p1 hand.p1=HK hand.p2=? public=- round1=cr round2=-"
    for preset in ("vanilla", "classic"):
        for options in ("", "algorithm=puct exploration=5"):
            words = ["--nodes", "400", "--preset", preset, "--search", options]
            root = data_of(text, *words)["root"]
            luck = {move["move"]: move["luck"] for move in root["moves"]}
            assert luck == {"fold": False, "call": True, "raise": False}
            printed = run(text, *words).splitlines()
            at = next(i for i, line in enumerate(printed) if line.startswith("  call"))
            assert printed[at + 1].startswith("      ~ p1 decides")
            lines = data_of(text, *words, "--depth", "1")["root"]["moves"]
            assert next(m["line"] for m in lines if m["move"] == "call")[0] == "~"


def test_depth_breadth_and_least_visits():
    view = positions.read(load("lofoten"))[0].to_text()
    words = ["--preset", "classic", "--nodes", "600"]
    for depth, breadth in ((1, 1), (2, 3), (4, 2)):
        bounds = ["--depth", str(depth), "--breadth", str(breadth)]
        root = data_of(view, *words, *bounds)["root"]
        assert depth_of(root) == depth
        assert max(len(node["moves"]) for node in nodes_of(root)) == breadth
    root = data_of(view, *words, "--min-visits", "100")["root"]
    told = [m for node in nodes_of(root) for m in node["moves"] if m["then"]]
    assert told and min(move["visits"] for move in told) >= 100
    left = [m for node in nodes_of(root) for m in node["moves"] if m["visits"] < 100]
    assert not any(move["then"] for move in left) and any(move["line"] for move in left)


def test_where_positions_come_from(tmp_path):
    words = ["--nodes", "50", "--preset", "vanilla"]
    expected = run(KUHN, *words)
    file = tmp_path / "positions.txt"
    file.write_text(f"# remark\n\nkuhn/1 me=p1 hand.p1=K hand.p2=? actions=-\n{KUHN}\n")
    assert run(str(file), "--line", "2", *words) == expected
    assert run("-", *words, given=f"position view {KUHN}\n") == expected
    named = tmp_path / "two words"
    named.write_text(KUHN)
    assert run(str(named), *words) == expected
    # A full state is blinded, and a log says the same as a text.
    assert run("fen kuhn/1 hand.p1=Q hand.p2=K actions=-", *words) == expected
    assert run("view kuhn/1 me=p1 moves ~deal@p1=Q ~deal@p2=?", *words) == expected
    other = run("startpos", "--game", "oh_hell seats=4", *words)
    assert other.startswith("position oh_hell/1 seats=4 ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "no game 'nowhere'"),
        (["nowhere"], "there is no file of this name either"),
        (["/"], "/: Is a directory"),
        (["/dev/zero"], "/dev/zero: it is longer than 1 MiB"),
        ([KUHN, "--line", "1"], "is neither"),
        (["startpos", "--line", "5"], "startpos is neither"),
        (["x" * 300], "no game"),
        (["kuhn/1 me=p2 hand.p1=? hand.p2=K actions=-"], "no decision: seat 1 decides"),
        (["fen kuhn/1"], "no decision: luck"),
        (["-"], "0 positions"),
        ([KUHN, "--preset", "zork"], "use one of"),
        ([KUHN, "--search", "zork=1"], "no search option"),
        ([KUHN, "--preset", "flat"], "keeps no tree"),
        ([KUHN, "--preset", "greedy"], "keeps no tree"),
        (["startpos", "--game", "zork"], "zork"),
    ],
)
def test_what_cannot_be_shown(words, told):
    assert told in run(*words, given="", code=2)


def test_an_input_that_is_no_text():
    assert "-: it is longer than 1 MiB" in run("-", given="x" * (1 << 20) + "x", code=2)
    assert "can't decode" in run("-", given=b"\xff\n", code=2)


def test_a_position_that_is_worked_out():
    data = data_of(LATE, "--search", "solver=on")
    assert data["solved"] and data["nodes"] == 0
    wins = [move["win"] for move in data["root"]["moves"]]
    assert wins == sorted(wins, reverse=True)
    assert {move["error"] for move in data["root"]["moves"]} == {0}
    assert "worked out exactly" in run(LATE, "--search", "solver=on")


TWINS = [("kuhn", 8), ("leduc", 8), ("oh_hell", 6), ("lofoten level2=2 jarls=on", 6)]


@pytest.mark.parametrize(("identity", "wanted"), TWINS)
def test_worlds_that_the_seat_cannot_tell_apart(identity, wanted):
    """Two full states with their whole history, alike for the seat: the same bytes.

    The text is made from what `--json` prints.
    """
    name, *settings = identity.split()
    game = load(name, **dict(word.split("=") for word in settings))
    compared = 0
    for twins in islice(twin_games(game, seed=7), 2000):
        one, two = twins.states
        # Not every decision of a pair, which are much alike.
        if not twins.decides or one == two or one.ply % 3:
            continue
        for preset in ("drakkar", "classic"):
            words = ["--nodes", "40", "--preset", preset, "--depth", "9", "--breadth", "99"]
            words += ["--search", "solver=off", "--min-visits", "1"]
            first, second = (run(line, "--json", *words) for line in twins.open_lines())
            assert first == second
        compared += 1
        if compared == wanted:
            break
    assert compared == wanted


@pytest.mark.parametrize("options", ["", "algorithm=puct playout_plies=0"])
def test_no_move_is_pondered_on_behind_luck(options):
    """A line may go on behind luck, but only the referee knows which position comes then."""
    game = load("leduc")
    seen = set()
    for view in positions.read(game):
        searcher = Searcher("vanilla", seed=3, options=parse_options(options))
        result = searcher.go(view, Limits(nodes=300))
        luck = searcher.outline.is_luck_behind(result.best_move)
        assert result.ponder_move is None or not luck
        seen.add((luck, result.ponder_move is not None))
    assert {(True, False), (False, True)} <= seen
