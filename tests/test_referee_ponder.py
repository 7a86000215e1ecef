"""Engines that think while others decide, and what becomes of those that do it badly."""

import asyncio
import sys
from pathlib import Path

import pytest
from fake import Sink, play_in_slot

from bench.contestant import Limit, label_all, make_contestant
from bench.games import parse_game
from bench.plan import Plan, no_schedule
from bench.referee.game_result import GameResult
from bench.referee.policy import Policy
from bench.referee.verdicts import Termination

# Plays the first word of Kuhn poker and keeps what it was told. Its fault is argument 1: what it
# does when it is told to stop pondering, or once that has begun.
ENGINE = r"""
import pathlib, os, sys, time
fault, folder = sys.argv[1], pathlib.Path(sys.argv[2])
told = open(folder / f"{fault}-{os.getpid()}.told", "w")
def say(text):
    print(text, flush=True)
tail = None
for line in sys.stdin:
    told.write(line); told.flush()
    word, words = line.split()[0], line.split()
    if word == "uhi":
        say("id name ponderer")
        say("option name Ponder type check default false"); say("uhiok")
    elif word == "isready":
        say("readyok")
    elif word == "go" and words[1] == "ponder":
        tail = " id " + words[words.index("id") + 1]
        if fault == "at-once":
            say("info string no decision: no"); say("bestmove 0000" + tail); tail = None
        elif fault == "dies":
            sys.exit(7)
        elif fault == "refuses":
            say("error no-position" + tail.replace(" id ", " id=") + " what?")
    elif word == "go":
        say("bestmove pass id " + words[words.index("id") + 1])
    elif word == "stop" and tail is not None:
        if fault == "deaf":
            time.sleep(600)
        say("bestmove 0000" + tail if fault != "malformed" else "bestmoves"); tail = None
    elif word == "quit":
        break
"""


class Table:
    """A table of Kuhn poker with one engine that ponders against one that does not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "ponderer.py").write_text(ENGINE, encoding="utf-8")

    def plan(self, fault: str, ponder: bool = True) -> Plan:
        """Return a run of both; the fault is that of the first."""
        script, limit = self.folder / "ponderer.py", Limit(nodes=5, hang_s=5.0)
        contestants = [
            make_contestant(f"{sys.executable} -I -S {script} {name} {self.folder}", limit, options)
            for name, options in ((fault, {"ponder": "True"}), ("plain", {"Ponder": "false"}))
        ]
        label_all(contestants)
        policy = Policy(start_s=15.0, ping_s=0.25, ponder=ponder)
        return Plan(parse_game("kuhn"), contestants, no_schedule, 3, policy)

    def play(self, fault: str, blocks: int = 1, ponder: bool = True) -> list[GameResult]:
        """Play blocks; return the games."""
        return asyncio.run(play_in_slot(self.plan(fault, ponder), blocks, Sink()))

    def told(self, fault: str) -> list[list[str]]:
        """The lines that the processes of a fault were told."""
        return [p.read_text().splitlines() for p in sorted(self.folder.glob(f"{fault}-*.told"))]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """The table."""
    return Table(tmp_path)


def words(lines: list[str]) -> list[str]:
    """Return the commands of a game, without the handshake and the end."""
    return [" ".join(line.split()[: 2 if " ponder" in line else 1]) for line in lines][4:-1]


@pytest.mark.parametrize("fault", ["none", "at-once", "refuses"])
def test_who_waits_ponders_on_its_own_view(table: Table, fault: str) -> None:
    """The position comes first; stop and its answer before anything else is asked."""
    results = table.play(fault)
    assert [result.termination for result in results] == [Termination.RULES] * 2
    told = [line for lines in table.told(fault) for line in lines]
    assert sum(line.startswith("go ponder") for line in told) == 2
    for lines in table.told(fault):
        for before, line in zip(lines, lines[1:], strict=False):
            if line.startswith("go ponder"):
                assert before.startswith("position view kuhn/1 me=p")
        if fault == "none":
            starts = [line.split()[0] for line in lines]
            at = lines.index(next(line for line in lines if line.startswith("go ponder")))
            assert starts[at + 1] == "stop"
        seats = {line.split()[3] for line in lines if line.startswith("position")}
        assert len(seats) == 1
    assert not any("ponder" in line for lines in table.told("plain") for line in lines[3:])


def test_nobody_ponders_unless_the_run_says_so(table: Table) -> None:
    table.play("none", ponder=False)
    assert not any(line.startswith("go ponder") for lines in table.told("none") for line in lines)


@pytest.mark.parametrize(
    ("fault", "kind", "text"),
    [
        ("deaf", Termination.STALL, "of pondering (limit ping)"),
        ("dies", Termination.DISCONNECT, "exit code 7"),
        ("malformed", Termination.MALFORMED, "malformed bestmove line"),
    ],
)
def test_who_ponders_badly_loses(table: Table, fault: str, kind: Termination, text: str) -> None:
    """It is judged before the next decision; where the game is over by then, that stands."""
    first, second = table.play(fault)
    # In the first game it decides first, ponders, and is stopped when the game is over.
    assert [result.termination for result in (first, second)] == [Termination.RULES, kind]
    assert second.fault is not None
    assert second.fault.seat == second.seat_of(0)
    assert text in second.fault.text
    assert second.returns[second.seat_of(1)] == 1.0


def test_a_policy_without_it_reads_as_before() -> None:
    """Journals of earlier runs go on."""
    assert "ponder" not in Policy().to_json()
    assert Policy(ponder=True).to_json()["ponder"] is True
