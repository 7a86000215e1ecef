"""Steps: commands that come while a search runs, as the table in SPEC.md part 4 says."""

import asyncio
import time

from bench.check.grammar import Answer, errors_among, handshake_end, without_remarks
from bench.check.steps import READY_S, Skip, expect, fail, in_time, step
from bench.check.subject import Subject, expect_legal
from bench.check.talk import Talk
from protocol.messages import split_words

SEARCHES = ("infinite", "movetime 60000", "ponder movetime 60000")
PINGS = 10


async def _search(subject: Subject, limits: str = "infinite") -> Talk:
    """Start a search at the widest choice; a timed one may be over soon."""
    talk = await subject.at(subject.material.choice)
    await talk.send(f"go {limits}")
    await asyncio.sleep(0.03)
    return talk


async def _still_searches(subject: Subject, talk: Talk) -> None:
    """Fail unless the search is still on, and ends with one answer at `stop`."""
    await talk.quiet(0.03)
    expect_legal((await talk.stop()).move, subject.material.choice)


@step("ready-in-search", 4)
async def ready_in_search(subject: Subject) -> None:
    """Answer ten `isready` during a search within 50 ms each, and search on."""

    async def wait() -> float:
        talk = await _search(subject)
        worst = 0.0
        for _ in range(PINGS):
            start = time.perf_counter()
            lines = await talk.sync()
            worst = max(worst, time.perf_counter() - start)
            _no_answer(lines)
            await talk.quiet(0.01)
        await _still_searches(subject, talk)
        return worst

    await in_time(wait, READY_S, "readyok during a search")


@step("ready-in-time", 4)
async def ready_in_time(subject: Subject) -> None:
    """Answer `isready` during a timed and during a pondering search too."""
    for limits in SEARCHES[1:]:
        talk = await _search(subject, limits)
        lines = await talk.sync()
        if limits.startswith("movetime") and any(x.startswith("bestmove") for x in lines):
            continue  # it needed less time than it had
        _no_answer(lines)
        expect_legal((await talk.stop()).move, subject.material.choice)


def _no_answer(lines: list[str]) -> None:
    early = [line for line in lines if split_words(line)[0] != "info"]
    expect(not early, "a search that goes on", "; ".join(early))


@step("query-in-search", 4)
async def query_in_search(subject: Subject) -> None:
    """Answer queries from the position of a running search within 50 ms, and search on."""
    moment = subject.material.choice

    async def wait() -> float:
        talk = await _search(subject)
        worst = 0.0
        for word in filter(subject.knows, ("turn", "legal", "gameover", "view", "hash")):
            start = time.perf_counter()
            answer = await talk.ask(word)
            worst = max(worst, time.perf_counter() - start)
            if word == "turn":
                expect(answer == moment.turn, f"response {moment.turn}", answer)
        await _still_searches(subject, talk)
        return worst

    await in_time(wait, READY_S, "response during a search")


@step("debug-in-search", 4)
async def debug_in_search(subject: Subject) -> None:
    """Take `debug` during a search, and search on."""
    talk = await _search(subject)
    await talk.send("debug on", "debug off")
    for line in await talk.sync():
        is_fine = line.startswith("info ") and not errors_among([line], subject.dialect)
        expect(is_fine, "nothing but reports and remarks", line)
    await _still_searches(subject, talk)


@step("handshake-in-search", 4)
async def handshake_in_search(subject: Subject) -> None:
    """Answer a handshake during a search, and search on."""
    talk = await _search(subject)
    await talk.send(subject.dialect)
    lines = await talk.until(handshake_end(subject.dialect))
    expect(not any(x.startswith("bestmove") for x in lines), "a search that goes on", lines[-1])
    await _still_searches(subject, talk)


@step("dialect-in-search", 3, dialects=("uhi",))
async def dialect_in_search(subject: Subject) -> None:
    """Give `bestmove` the form of the latest handshake, also one that came during the search."""
    if "ugi" not in subject.other_dialects():
        raise Skip("the engine does not speak ugi")
    talk = await subject.open()
    await talk.place(subject.material.choice.line)
    await talk.send("go infinite id x")
    await asyncio.sleep(0.03)
    talk.dialect = "ugi"
    await talk.send("ugi")
    await talk.until("ugiok")
    # The parser of `bestmove` lines asks for two words now.
    expect_legal((await talk.stop()).move, subject.material.choice)


@step("unknown-in-search", 4)
async def unknown_in_search(subject: Subject) -> None:
    """Let unknown words and empty lines not disturb a search."""
    talk = await _search(subject)
    await talk.send("xyzzy", "", "joho isready")
    await talk.until("readyok")
    await _still_searches(subject, talk)


async def _ended_by(subject: Subject, limits: str, *lines: str) -> tuple[Talk, list[str]]:
    """Send lines during a search that end it; return what comes after its one answer."""
    talk = await _search(subject, limits)
    await talk.send(*lines)
    answer = await talk.answer()
    expect_legal(answer.move, subject.material.choice)
    rest = await talk.sync()
    more = [line for line in rest if line.startswith("bestmove")]
    expect(not more, "one bestmove for the search that ended", str(more))
    return talk, rest


@step("position-in-search", 4)
async def position_in_search(subject: Subject) -> None:
    """End a search with its `bestmove` when a position comes, then take the position."""
    for limits in SEARCHES:
        talk, rest = await _ended_by(subject, limits, subject.material.later.line)
        rest = without_remarks(rest, subject.dialect)
        expect(not rest, "no complaint", str(rest))
        await subject.stands_at(talk, subject.material.later)


@step("bad-position-in-search", 4)
async def bad_position_in_search(subject: Subject) -> None:
    """End a search with its `bestmove` also when the position is refused."""
    talk, rest = await _ended_by(subject, "infinite", "position view nonsense")
    talk.one_error(rest, "position view nonsense", "bad-position")
    await subject.has_no_position(talk)


@step("bad-option-in-search", 4)
async def bad_option_in_search(subject: Subject) -> None:
    """End a search with its `bestmove` also when an option is refused."""
    talk, rest = await _ended_by(subject, "infinite", "setoption name none such value 1")
    talk.one_error(rest, "setoption name none such", "bad-option")
    await subject.stands_at(talk, subject.material.choice)


@step("newgame-in-search", 4)
async def newgame_in_search(subject: Subject) -> None:
    """End a search with its `bestmove` when a new game begins, then forget the position."""
    for limits in SEARCHES:
        talk, _ = await _ended_by(subject, limits, f"{subject.dialect}newgame")
        await subject.has_no_position(talk)


@step("setoption-in-search", 4)
async def setoption_in_search(subject: Subject) -> None:
    """End a search with its `bestmove` when an option is set."""
    for limits in SEARCHES:
        lines = subject.setup_lines(await subject.talk())
        if not lines:
            raise Skip("the engine has no option that the checker sets")
        await _ended_by(subject, limits, lines[-1])


@step("go-in-search", 4)
async def go_in_search(subject: Subject) -> None:
    """End a search with its `bestmove` when another `go` comes, then search again."""
    moment = subject.material.choice
    for limits in SEARCHES:
        talk = await _search(subject, f"{limits} id old")
        await talk.send("go nodes 20 id new")
        answers = [await talk.answer(), await talk.answer()]
        for answer, go_id in zip(answers, ("old", "new"), strict=True):
            expect_legal(answer.move, moment)
            _has_id(subject, answer, go_id)


def _has_id(subject: Subject, answer: Answer, go_id: str) -> None:
    if subject.dialect == "uhi" and answer.go_id != go_id:
        fail(f"bestmove with id {go_id}", answer.lines[-1])


@step("many-in-search", 4)
async def many_in_search(subject: Subject) -> None:
    """Keep order when searches and positions follow each other in one write."""
    choice, later = subject.material.choice, subject.material.later
    talk = await subject.talk()
    lines = []
    for moment in (choice, later, choice, later):
        lines += [moment.line, "go infinite"]
    await talk.send(*lines, "stop")
    for moment in (choice, later, choice, later):
        expect_legal((await talk.answer()).move, moment)
    await subject.stands_at(talk, later)
