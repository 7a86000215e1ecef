"""Cases of the field on tournaments: secrets, luck, ends of the manager, resume, memory, names."""

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake import HANG_SECONDS, ROOT, Fake, command_line
from runs import MadeUp, Played, games_in, head_of, made_up, make_plan, play, void

from bench.measure.kills import kills
from bench.measure.memory import planned_games
from bench.records import Record
from bench.records.recount import Recount
from bench.referee.game_result import GameResult
from bench.referee.referee import Referee
from bench.referee.verdicts import Termination
from bench.seeds import SearchSeeds
from bench.tournament.journal import Journal
from bench.tournament.manager import run


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


def wait_until(condition) -> None:
    """Wait for something that comes soon."""
    deadline = time.monotonic() + HANG_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# An engine that talks about its thoughts, and thinks for ever in its second game.
THINKER = """
import sys, time
games = 0
for line in sys.stdin:
    word = line.split()[0]
    if word == "uhi":
        print("id name thinker"); print("uhiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "uhinewgame":
        games += 1
    elif word == "go":
        words = line.split()
        tail = f" id {words[words.index('id') + 1]}" if "id" in words else ""
        print(f"info{tail} depth 7 nodes 8642 score cp 9753 pv bet", flush=True)
        print("info string SECRET", flush=True)
        if games == 2:
            time.sleep(600)
        print("bestmove pass" + tail, flush=True)
    elif word == "quit":
        break
"""


def test_p37_thoughts_are_private(tmp_path: Path) -> None:
    """Stream, record, and display tell nothing of a game under way but who plays it."""
    script = tmp_path / "thinker.py"
    script.write_text(THINKER, encoding="utf-8")
    files = [tmp_path / name for name in ("events", "record", "journal")]
    names = [word for path in files for word in (f"--{path.name}", str(path))]
    arguments = ["random", f"{sys.executable} {script}", "--games", "8", "--concurrency", "1"]
    match = subprocess.Popen(
        command_line(*arguments, *names), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    events = files[0]
    wait_until(lambda: events.exists() and events.read_text("utf-8").count('"start"') == 3)
    time.sleep(0.2)
    texts = [path.read_text(encoding="utf-8") for path in files]
    match.send_signal(signal.SIGINT)
    shown = match.communicate(timeout=HANG_SECONDS)
    for text in (texts[0], *shown):
        assert "8642" not in text and "9753" not in text and "SECRET" not in text
        assert "deal" not in text and '"seed"' not in text
    events_so_far = [json.loads(line) for line in texts[0].splitlines()]
    started = [event for event in events_so_far if event["event"] == "start"][-1]
    assert set(started) == {"event", "number", "block", "game", "seats", "worker"}
    # The record has the thoughts, but of games that are over; and no seed while games are to come.
    assert [json.loads(line)["block"] for line in texts[1].splitlines()[1:]] == [1, 1]
    assert texts[1].count("8642") == 2 and '"seed"' not in texts[1]
    assert files[2].stat().st_mode & 0o077 == 0


def at_random(job) -> GameResult:
    """Play a game of equal engines that decide by lot, with the search seeds they would get."""
    plan = at_random.plan
    referee = Referee(plan.game, job.deal)
    seeds = [SearchSeeds(plan.seed, contestant, job.number) for contestant in job.seats]
    while not referee.is_over:
        moves = referee.state.legal_moves()
        choice = seeds[referee.seat_to_move].next() % len(moves)
        referee.decide(plan.game.move_name(moves[choice]))
    state = referee.state
    result = GameResult(job, Termination.RULES, events=" ".join(referee.events))
    result.returns, result.scores, result.margins = state.returns(), state.scores(), state.margins()
    return result


def test_p40_parallel_workers_have_their_own_luck() -> None:
    """64 blocks at 8 places: 64 deals, and no two games of different blocks are the same."""
    plan = at_random.plan = make_plan("random", "random", "random", blocks=64, game="oh_hell")
    executor = MadeUp(8, lambda job, attempt: at_random(job), turns=lambda job: job.number % 5)
    played = play(plan, executor=executor)
    assert executor.most == 8
    deals = {result.job.block.number: result.job.deal for result in played.results}
    assert len(set(deals.values())) == 64
    blocks: dict[str, set[int]] = {}
    for result in played.results:
        blocks.setdefault(result.events, set()).add(result.job.block.number)
    assert {len(numbers) for numbers in blocks.values()} == {1}
    assert len(played.results) == 64 * 3


def test_p41_deals_do_not_depend_on_the_players(fake: Fake) -> None:
    """A and B, C and D, and A with an engine that makes faults: the same cards in block n."""
    dealt = []
    for engines in (
        ("random", "greedy"),
        ("vanilla", "drakkar"),
        ("random", fake.command("illegal-once")),
        (fake.command("dies-in-game-2"), "greedy"),
    ):
        played = play(make_plan(*engines, blocks=3, nodes=5), 1)
        assert played.outcome.counted_games == 6
        dealt.append([(r.job.deal, r.events.split()[:2]) for r in played.results])
    assert dealt[0] == dealt[1] == dealt[2] == dealt[3]
    assert all(first == second for first, second in zip(dealt[0][::2], dealt[0][1::2], strict=True))


BREAKS = """
import sys
sys.argv[0] = "drakkar"
from bench.tournament.standings import Standings
def take(self, block, results):
    raise ZeroDivisionError
Standings.take = take
from bench.cli import main
main()
"""


@pytest.mark.parametrize(
    "how",
    [pytest.param(how, marks=pytest.mark.slow) for how in ("normal", "exception", "SIGTERM")]
    + ["SIGKILL"],
)
def test_p43_nothing_survives_the_manager(fake: Fake, how: str) -> None:
    """Eight games at a time, with engines that do not see the end of their input."""
    hangs = "none" if how in ("normal", "exception") else "stubborn"
    arguments = [fake.command(hangs), fake.command(hangs), "--games", "16", "--concurrency", "8"]
    command = command_line(*arguments, "--quiet")
    if how == "exception":
        command = [sys.executable, "-c", BREAKS, *command[2:]]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    match = subprocess.Popen(command, cwd=ROOT, text=True, **quiet)
    if how.startswith("SIG"):
        wait_until(lambda: sum("go" in told for told in map(str, fake.told())) >= 8)
        match.send_signal(signal.Signals[how])
    _, complaints = match.communicate(timeout=HANG_SECONDS)
    codes = {"normal": 0, "exception": 4, "SIGTERM": 130, "SIGKILL": -signal.SIGKILL}
    assert match.returncode == codes[how], complaints
    assert ("ZeroDivisionError" in complaints) == (how == "exception")
    assert len(fake.pids()) >= 8
    until = time.monotonic() + 3
    while fake.alive() and time.monotonic() < until:
        time.sleep(0.02)
    assert fake.alive() == []


@pytest.mark.parametrize("presses", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_p48_ctrl_c(fake: Fake, tmp_path: Path, presses: int) -> None:
    """Games under way are interrupted, not lost; the command that goes on is told, and works."""
    journal, events = tmp_path / "run 1.journal", tmp_path / "events"
    # A process hangs in its third game; of one that is started anew that would be block 5.
    arguments = [fake.command("silent-3"), "random", "--games", "8", "--concurrency", "1"]
    files = ["--journal", str(journal), "--events", str(events)]
    match = subprocess.Popen(
        command_line(*arguments, *files), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: any(x.count("uhinewgame") == 3 and "go" in x[-1] for x in fake.told() if x))
    match.send_signal(signal.SIGINT)
    if presses == 2:
        time.sleep(0.1)
        match.send_signal(signal.SIGINT)
    _, complaints = match.communicate(timeout=HANG_SECONDS)
    assert match.returncode == 130
    assert fake.alive() == []
    assert games_in(journal) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    told = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    ended = [e["termination"] for e in told if e["event"] == "game"]
    assert ended == ["rules"] * 4 + ["interrupted"]
    resume = told[-1]["resume"]
    assert f"to go on: {resume}" in complaints
    words = shlex.split(resume)
    assert words[0] == "drakkar" and words[-1] == "--resume"
    again = [sys.executable, str(ROOT / "drakkar.py"), *words[1:]]
    done = subprocess.run(again, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(games_in(journal)) == [(b, g) for b in range(1, 5) for g in (1, 2)]


async def until_games(plan, journal: Path, games: int, executor: MadeUp) -> Played:
    """Play until so many games are finished, and interrupt the run."""
    played = Played(plan)

    def emit(event) -> None:
        played.events.append(event)
        if len(played.of("game")) == games:
            task.cancel()

    opened = Journal.create(journal, head_of(plan))
    task = asyncio.ensure_future(run(plan, executor, journal=opened, takers=[played], emit=emit))
    played.outcome = await task
    return played


def test_p54_counters_after_resume(tmp_path: Path) -> None:
    """Stopped after 14 of 1000 games: it goes on with game 15 and the next deal."""
    path = tmp_path / "journal.jsonl"
    plan = make_plan("random", "greedy", blocks=500)
    hangs = MadeUp(1, turns=lambda job: 10**9 if job.number >= 14 else 1)
    first = asyncio.run(until_games(plan, path, 14, hangs))
    assert first.outcome.reason == "interrupted"
    assert first.outcome.counted_games == 14
    executor = MadeUp(1)
    second = play(plan, 1, path, executor)
    assert executor.played[0].number == 14 and len(executor.played) == 986
    assert second.of("run")[0]["resumed_blocks"] == 7
    assert second.of("run")[0]["blocks"] == 500
    assert [event["number"] for event in second.of("game")] == list(range(15, 1001))
    assert [event["counted"] for event in second.of("block")] == list(range(8, 501))
    deals = [result.job.deal for result in second.results]
    assert deals[14:] == [job.deal for job in executor.played]
    assert second.record == play(plan, 1, executor=MadeUp()).record
    assert second.standings["blocks"] == 500 and second.standings["games"] == 1000


def test_p55_record_and_statistics_agree(tmp_path: Path) -> None:
    """Broken off in the middle of several blocks: only whole ones count, in whatever file."""
    path, written = tmp_path / "journal.jsonl", tmp_path / "record.jsonl"
    plan = make_plan("random", "greedy", "vanilla", blocks=30, form="round_robin")
    hangs = MadeUp(5, turns=lambda job: 10**9 if job.number >= 36 and job.rotation else 1)
    first = asyncio.run(until_games(plan, path, 41, hangs))
    outcome = first.outcome
    assert outcome.games == len(games_in(path)) == 41
    unfinished = json.loads(path.read_text("utf-8").splitlines()[-1])["end"]["unfinished"]
    assert (outcome.counted_games, len(unfinished)) == (36, 5)
    done = set(games_in(path))
    for block, games in unfinished:
        assert [(block, game) in done for game in (1, 2)] == [game in games for game in (1, 2)]
    journal = Record(path)
    assert journal.counted_games == outcome.counted_games == len(first.results)
    counted = [journal.result(game) for game in journal.counted()]
    assert [r.returns for r in counted] == [r.returns for r in first.results]
    second = play(plan, journal=path, executor=MadeUp(5))
    written.write_text(second.record, encoding="utf-8")
    assert len(games_in(path)) == len(set(games_in(path))) == 180
    record = Record(written)
    by_record = {row.label: row for row in Recount(record, record.games()).engines}
    for row in second.standings["rows"]:
        for key in ("games", "wins", "draws", "losses", "points"):
            assert getattr(by_record[row["label"]], key) == row[key]


def test_p65_half_blocks(tmp_path: Path) -> None:
    """Five finished games and one without a result: a whole block counts, three are shown apart."""
    plan = make_plan("random", "greedy", blocks=6)
    hangs = MadeUp(
        3,
        lambda job, attempt: void(job) if (job.number, attempt) == (2, 1) else made_up(job),
        lambda job: 10**9 if job.number > 1 and job.rotation else 1,
    )
    played = asyncio.run(until_games(plan, tmp_path / "journal.jsonl", 6, hangs))
    outcome = played.outcome
    assert (outcome.games, outcome.counted_games, outcome.counted_blocks) == (5, 2, 1)
    assert sum(event["termination"] == "internal" for event in played.of("game")) == 1
    assert (played.standings["blocks"], played.standings["games"]) == (1, 2)
    assert [(row["games"], row["blocks"]) for row in played.standings["rows"]] == [(2, 1)] * 2
    assert len(played.results) == 2


def test_p56_nothing_is_lost_when_the_manager_is_killed() -> None:
    """Real engines; killed twice and resumed, the end is that of an undisturbed run."""
    out: dict = {}
    kills(out, ["match"], number=2, blocks=4)
    check_kills(out, 2, 1)


def check_kills(out: dict, least: int, tournaments: int) -> None:
    """Check what a measurement of kills must give; a run may end just before its last kill."""
    assert out["kills"] >= least - tournaments
    bad = ("differing_records", "differing_standings", "doubled_games", "missing_games")
    assert [out[key] for key in (*bad, "engines_left", "failed_ends")] == [0] * 6


@pytest.mark.slow
def test_p56_nothing_is_lost_at_twenty_kills() -> None:
    """A match and a swiss, whose pairings depend on results."""
    out: dict = {}
    kills(out, ["match", "swiss"], number=10, blocks=4, seed=2)
    check_kills(out, 20, 2)


def test_p57_planned_games_cost_no_memory() -> None:
    """10^3 and 10^7 games, stopped after 100: less than 20 MB and 1 s between them."""
    out: dict = {}
    planned_games(out, 10**3, 10**7, 100, longer=0)
    assert abs(out["grown_mb"]) < 20 and out["later_s"] < 1
    assert [100 <= played <= 200 for played in out["played"]] == [True, True]


NAME = 'Mädchen 海 "x"'


def test_p59_names_beyond_ascii(tmp_path: Path) -> None:
    """Under LANG=C, with a name and a path of many alphabets."""
    folder = tmp_path / "Bäume und 海"
    folder.mkdir()
    engine = Fake(folder)
    command = engine.script.read_text(encoding="utf-8")
    command = command.replace('else "id name fake")', f"else 'id name {NAME}')")
    coding = "import sys\nsys.stdout.reconfigure(encoding='utf-8')\n"
    engine.script.write_text(coding + command, encoding="utf-8")
    words = shlex.join([sys.executable, str(engine.script), "none", str(folder)])
    file = folder / "Turnier.toml"
    text = "game = 'kuhn'\nformat = 'match'\nblocks = 3\nnodes = 5\n[[engine]]\npreset = 'random'\n"
    text += f"[[engine]]\nname = {json.dumps(NAME)}\ncommand = {json.dumps(words)}\n"
    file.write_text(text, encoding="utf-8")
    env = {**os.environ, "LANG": "C", "LC_ALL": "C"}
    paths = {name: folder / f"Bäume.{name}" for name in ("journal", "record", "events")}
    files = [word for name, path in paths.items() for word in (f"--{name}", str(path))]
    line = [sys.executable, str(ROOT / "drakkar.py"), "tournament", str(file), *files]
    for more in ([], ["--resume"]):
        done = subprocess.run(
            [*line, *more], capture_output=True, env=env, timeout=HANG_SECONDS, check=False
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    head = json.loads(paths["journal"].read_text(encoding="utf-8").splitlines()[0])
    assert head["engines"][1]["label"] == NAME
    assert str(engine.script) in head["engines"][1]["command"]
    first = json.loads(paths["events"].read_text(encoding="utf-8").splitlines()[0])
    assert first["contestants"][1]["label"] == NAME
    record = Record(paths["record"])
    assert record.labels[1] == NAME and len(record) == 6
    assert {name for game in record.games() for name in game.fields["names"]} >= {NAME}
    table = subprocess.run([*line, "--resume"], capture_output=True, timeout=60, check=False)
    assert NAME in table.stdout.decode("utf-8")
