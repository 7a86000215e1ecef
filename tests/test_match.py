"""Referee and matches: views only, paired deals, clocks, and engines that fail."""

import asyncio
import io
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.contestant import Limit, make_contestant
from bench.games import parse_game
from bench.match import Outcome, Plan, run_match
from bench.measure import hidden
from bench.openings import BadOpening, read_openings
from bench.play import Clock, EngineFailure, go_words
from bench.records import Writer
from bench.referee import BadAnswer, Referee
from bench.report import Progress, Summary
from bench.seeds import SearchSeeds, deal_seed
from engine import Game, RandomStream

ROOT = Path(__file__).resolve().parent.parent
HANG_SECONDS = 60

# A small engine. It plays the last legal word it knows for Kuhn poker; argument 1 is its fault,
# argument 2 a folder where it leaves its process id and all it was told.
ENGINE = """
import os, pathlib, sys, time
fault, folder = sys.argv[1], pathlib.Path(sys.argv[2])
(folder / f"{os.getpid()}.pid").write_text("")
told = open(folder / f"{os.getpid()}.told", "w")
print("complaint of the fake engine", file=sys.stderr, flush=True)
def say(text):
    print(text, flush=True)
if fault == "dies-at-start":
    sys.exit(4)
for line in sys.stdin:
    told.write(line); told.flush()
    word = line.split()[0]
    if word == "uhi":
        say("id name fake"); say("option name Strict Views type check default false"); say("uhiok")
    elif word == "isready":
        say("readyok")
    elif word == "setoption" and fault == "refuses":
        say("error bad-option no such thing")
    elif word == "go":
        words = line.split()
        tail = f" id {words[words.index('id') + 1]}" if "id" in words else ""
        if fault == "dies":
            sys.exit(7)
        elif fault == "silent":
            time.sleep(600)
        elif fault == "foreign":
            say("bestmove turn:cw" + tail)
        elif fault == "illegal":
            say("bestmove end" + tail)
        elif fault == "gives-up":
            say("error no-position what?"); say("bestmove 0000" + tail)
        elif fault == "malformed":
            say("bestmove")
        else:
            say("bestmove pass" + tail)
    elif word == "quit":
        break
"""


@pytest.fixture
def fake(tmp_path: Path) -> "Fake":
    """The small engine of this file."""
    return Fake(tmp_path)


class Fake:
    """Writes the engine to a file and knows its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = folder / "fake_engine.py"
        self.script.write_text(ENGINE, encoding="utf-8")

    def command(self, fault: str) -> str:
        """Return the command line of an engine with that fault."""
        return f"{sys.executable} {self.script} {fault} {self.folder}"

    def pids(self) -> list[int]:
        """The processes that were started."""
        return [int(path.stem) for path in self.folder.glob("*.pid")]

    def alive(self) -> list[int]:
        """Those that are still there, running or dead without anybody having waited for them."""
        return [pid for pid in self.pids() if Path(f"/proc/{pid}").exists()]

    def told(self) -> list[list[str]]:
        """The lines that each process was told."""
        return [path.read_text().splitlines() for path in self.folder.glob("*.told")]


def plan(a: str, b: str, games: int, seed: int, concurrency: int, nodes: int = 30) -> Plan:
    """Return a match of Kuhn poker."""
    limit = Limit(nodes=nodes)
    contestants = [make_contestant(text, limit, {}) for text in (a, b)]
    return Plan(parse_game("kuhn"), contestants, games, seed, concurrency)


def play(match: Plan) -> tuple[Outcome, str]:
    """Play a match; return its outcome and its record."""
    file = io.StringIO()
    writer = Writer(file, match.game, match.contestants)
    outcome = asyncio.run(run_match(match, lambda result, finished: writer.add(result)))
    return outcome, file.getvalue()


# ---- the referee ----


def test_a_seat_is_told_its_card_and_the_bets_only(kuhn: Game) -> None:
    """In all 6 deals and all ways to bet, a line follows from own card and bets alone."""
    lines: dict[tuple[int, str, str], set[str]] = {}
    deals = set()
    for seed, words in itertools.product(range(40), itertools.product(("pass", "bet"), repeat=3)):
        referee = Referee(kuhn, seed)
        cards = [event[-1] for event in referee.events]
        deals.add("".join(cards))
        bets = ""
        for word in words:
            for seat in range(2):
                line = referee.position_line(seat)
                lines.setdefault((seat, cards[seat], bets), set()).add(line)
            if referee.is_over:
                break
            referee.decide(word)
            bets += word[0]
    assert len(deals) == 6
    assert {len(same) for same in lines.values()} == {1}
    assert len({min(same) for same in lines.values()}) == len(lines)
    assert lines[1, "K", "p"] == {"position view kuhn/1 me=p2 moves ~deal@p1=? ~deal@p2=K p1:pass"}


def test_the_line_gives_exactly_the_knowledge_of_the_seat(game: Game) -> None:
    """The events entered into an empty view give the seat's view of the true state, to the byte."""
    stream = RandomStream(1, 5)
    referee = Referee(game, 20)
    while not referee.is_over:
        moves = referee.state.legal_moves()
        referee.decide(game.move_name(moves[stream.below(len(moves))]))
        if referee.plies % 97 and not referee.is_over:
            continue
        for seat in range(game.num_seats):
            head, _, events = referee.position_line(seat).partition(" moves ")
            view = game.from_text(head.removeprefix("position view "))
            for token in events.split():
                view.apply(game.parse_event(token)[1])
            assert view == referee.state.view(seat)


def test_states_that_a_seat_cannot_tell_apart(game: Game) -> None:
    """Nothing that reaches the seat differs, and its engine answers alike."""
    out: dict[str, int] = {}
    hidden.leak_pairs(out, game.identity, 300, nodes=10)
    assert (out["pairs"], out["differing"]) == (300, 0)
    assert out["pairs_with_other_secrets"] > 50


def test_a_bad_answer_changes_nothing(kuhn: Game) -> None:
    """Words that are no moves and moves that are not legal are told apart."""
    referee = Referee(kuhn, 1)
    before = referee.state.copy()
    for word in ("", "0000", "Pass", "p1:pass", "bet " * 50):
        with pytest.raises(BadAnswer) as caught:
            referee.decide(word)
        assert caught.value.kind == "malformed"
        assert len(str(caught.value)) < 120
    assert referee.state == before
    assert referee.plies == 0


def test_an_illegal_move_is_refused(game: Game) -> None:
    """A word of the game that the rules do not allow now."""
    referee = Referee(game, 1)
    stream = RandomStream(2, 5)
    words: set[str] = set()
    refused = 0
    while not referee.is_over:
        legal = [game.move_name(m) for m in referee.state.legal_moves()]
        for word in sorted(words - set(legal))[:3]:
            with pytest.raises(BadAnswer) as caught:
                referee.decide(word)
            assert caught.value.kind == "illegal"
            refused += 1
        words.update(legal)
        referee.decide(legal[stream.below(len(legal))])
    assert refused or len(words) == 2


# ---- deals, seeds, clocks ----


def test_both_games_of_a_pair_have_the_same_deal() -> None:
    """It depends on run seed and pair only; the seats are swapped."""
    match = plan("random", "random", 8, 5, 1)
    jobs = [match.job(number) for number in range(8)]
    assert [job.pair for job in jobs] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [job.deal for job in jobs[::2]] == [job.deal for job in jobs[1::2]]
    assert [job.sides for job in jobs] == [(0, 1), (1, 0)] * 4
    assert len({job.deal for job in jobs}) == 4
    longer = plan("vanilla", "greedy", 20, 5, 2, nodes=7)
    assert [longer.job(number).deal for number in range(8)] == [job.deal for job in jobs]
    assert deal_seed(6, 0) != deal_seed(5, 0)


def test_search_seeds_are_independent() -> None:
    """Each side and each game has a stream of its own, apart from the deals."""
    streams = [
        tuple(seeds.next() for _ in range(5))
        for seeds in (SearchSeeds(1, side, game) for side in range(2) for game in range(3))
    ]
    deals = {deal_seed(1, pair) for pair in range(30)}
    numbers = {number for stream in streams for number in stream}
    assert len(numbers) == 30
    assert not numbers & deals
    assert all(0 <= number < 2**53 for number in numbers | deals)


def test_the_clock() -> None:
    """Time goes off, the increment comes on, and a forgiven overrun leaves no debt."""
    clock = Clock([Limit(base_ms=1000, inc_ms=100), Limit(nodes=5)])
    assert clock.words() == ["p1time", "1000", "p1inc", "100"]
    clock.spend(0, 0.25)
    assert clock.left_ms == [850.0, None]
    clock.spend(0, 5.0)
    assert clock.left_ms == [100.0, None]
    assert go_words(Limit(base_ms=1000, inc_ms=100, nodes=9), 0, clock, 3) == (
        "p1time 100 p1inc 100 nodes 9 seed 3"
    )
    assert go_words(Limit(nodes=5), 1, clock, 3) == "nodes 5 seed 3"


def test_patience() -> None:
    """The shortest clock and the margin, or the general patience."""
    assert Limit(nodes=5, hang_s=30).patience_s(None) == 30
    assert Limit(movetime_ms=200, margin_ms=100).patience_s(None) == 0.3
    assert Limit(base_ms=9000, movetime_ms=200, margin_ms=100).patience_s(50) == pytest.approx(0.15)


# ---- whole matches ----


def test_results_do_not_depend_on_concurrency() -> None:
    """At fixed nodes the records are the same, byte for byte."""
    one, first = play(plan("vanilla", "random", 20, 9, 1))
    three, second = play(plan("vanilla", "random", 20, 9, 3))
    assert first == second
    assert len(one.results) == len(three.results) == 20
    _, other = play(plan("vanilla", "random", 20, 10, 3))
    assert other != first


def test_an_engine_is_told_only_its_view(fake: Fake) -> None:
    """All that went through the pipe: views, own cards, bets, limits; no seed of a deal."""
    outcome, _ = play(plan(fake.command("none"), "random", 12, 4, 1))
    assert len(outcome.results) == 12
    (told,) = fake.told()
    assert told[:2] == ["uhi", "setoption name Strict Views value true"]
    positions = [line for line in told if line.startswith("position")]
    assert len(positions) >= 12
    for line in positions:
        seat = line.split()[3].removeprefix("me=p")
        assert f"~deal@p{3 - int(seat)}=?" in line
        assert f"~deal@p{seat}=" in line and f"~deal@p{seat}=?" not in line
    rest = {line.split()[0] for line in told} - {"position"}
    assert rest == {"uhi", "setoption", "isready", "uhinewgame", "go", "quit"}
    deals = {str(plan("random", "random", 12, 4, 1).job(n).deal) for n in range(12)}
    assert not deals & set(" ".join(told).split())
    assert fake.alive() == []


def test_openings_serve_successive_pairs(kuhn: Game, tmp_path: Path) -> None:
    """A deal seed and a position, over and over, each with the seats swapped."""
    path = tmp_path / "openings.txt"
    text = "kuhn/1 hand.p1=K hand.p2=Q actions=p"
    path.write_text(f"# openings\n\n77\n{text}\n", encoding="utf-8")
    match = plan("random", "random", 8, 5, 2)
    match.openings = read_openings(path, kuhn)
    outcome, _ = play(match)
    assert [r.job.deal for r in outcome.results if r.job.opening is None] == [77] * 4
    placed = [r for r in outcome.results if r.job.opening is not None]
    assert [r.job.number for r in placed] == [2, 3, 6, 7]
    assert [r.job.sides for r in placed] == [(0, 1), (1, 0)] * 2
    for result in placed:
        assert result.job.opening_text == text
        assert result.tallies["turns"] >= 1 and result.plies <= 2
    assert Summary(match, outcome).games == 8


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("kuhn/1 me=p1 hand.p1=K hand.p2=?", "line 2: this is one seat's view"),
        ("kuhn/1 hand.p1=K hand.p2=Q actions=pp", "line 2: the game is over here"),
        ("kuhn/1 hand.p1=Z", "line 2: field hand.p1"),
        ("9007199254740992", "line 2: the seed"),
        ("", "no opening in it"),
    ],
)
def test_bad_openings(kuhn: Game, tmp_path: Path, line: str, message: str) -> None:
    """The error names file and line."""
    path = tmp_path / "openings.txt"
    path.write_text(f"# openings\n{line}\n", encoding="utf-8")
    with pytest.raises(BadOpening, match=f"openings.txt.*{message}"):
        read_openings(path, kuhn)


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_progress_is_plain_off_a_terminal() -> None:
    """A line that renews itself is for terminals only."""
    outcome, _ = play(plan("random", "random", 40, 5, 2))
    for stream, plain in ((io.StringIO(), True), (Terminal(), False)):
        progress = Progress(40, stream)
        for finished, result in enumerate(outcome.results, 1):
            progress.add(result, finished)
        progress.close()
        text = stream.getvalue()
        assert "40 of 40 games" in text
        assert ("\r" not in text) == plain
        assert text.count("\n") == (10 if plain else 1)


# ---- engines that fail ----


def command_line(*arguments: str, game: str = "kuhn") -> list[str]:
    """Return the command of a match."""
    return [sys.executable, str(ROOT / "drakkar.py"), "match", *arguments, "--game", game]


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("dies", "died", ["exit code 7", "complaint of the fake engine"]),
        ("dies-at-start", "start", ["exit code 4"]),
        ("refuses", "start", ["no such thing"]),
        ("foreign", "malformed", ["'turn:cw' is no move of kuhn"]),
        ("illegal", "illegal", ["'end' is not legal here"]),
        ("gives-up", "malformed", ["'0000'", "it said: no-position what?"]),
        ("malformed", "malformed", ["bestmove"]),
        ("silent", "time-out", ["bestmove within 0.3 s"]),
    ],
)
def test_a_failing_engine_ends_the_match_with_code_3(
    fake: Fake, fault: str, kind: str, words: list[str]
) -> None:
    """The message names engine, fault, game and deal; nothing is left running."""
    arguments = ["random", fake.command(fault), "--games", "4", "--json"]
    limits = ["--movetime", "100", "--margin", "200", "--concurrency", "2"]
    # In Kuhn poker every word of the game is always legal.
    game = "lofoten" if fault == "illegal" else "kuhn"
    done = subprocess.run(
        command_line(*arguments, *limits, game=game),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    failure = json.loads(done.stdout)["failure"]
    assert (failure["side"], failure["kind"]) == ("B", kind)
    assert f"engine B ({fake.command(fault)}) failed" in done.stderr
    for word in words:
        assert word in done.stderr
    if kind != "start":
        assert f"game {failure['game']} (pair 1, deal {failure['deal']})" in done.stderr
    assert fake.pids()
    assert fake.alive() == []


def test_results_so_far_are_kept(fake: Fake) -> None:
    """What was finished before the failure counts, and stands in the record too."""
    dying = fake.script.read_text(encoding="utf-8").replace(
        'if fault == "dies":',
        'fault = "" if len(list(folder.glob("*.pid"))) > 1 else fault\n'
        '        if sum(1 for x in open(told.name) if x.startswith("uhinewgame")) > 5:',
    )
    fake.script.write_text(dying, encoding="utf-8")
    outcome, record = play(plan(fake.command("dies"), "random", 20, 3, 1))
    assert isinstance(outcome.failure, EngineFailure)
    assert (outcome.failure.side, outcome.failure.kind) == (0, "died")
    assert len(outcome.results) == 5
    assert record.count('"events"') == 5
    summary = Summary(plan("random", "random", 20, 3, 1), outcome)
    assert (summary.games, len(summary.pair_scores)) == (5, 2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_process_is_left_after_an_interrupt(fake: Fake, number: signal.Signals) -> None:
    """Ctrl-C ends the engines, also those that think; the table so far is printed."""
    arguments = [fake.command("silent"), fake.command("silent"), "--games", "4"]
    match = subprocess.Popen(
        command_line(*arguments, "--concurrency", "2"), stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + HANG_SECONDS
    while sum(line.startswith("go") for told in fake.told() for line in told) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(match.pid, number)
    output, _ = match.communicate(timeout=HANG_SECONDS)
    assert match.returncode == 130
    assert "0 games, 0 pairs" in output
    assert len(fake.pids()) == 4
    assert fake.alive() == []
