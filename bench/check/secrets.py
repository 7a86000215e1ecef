"""Steps: what a seat may not know changes nothing that is printed for it."""

import re

from bench.check.grammar import readable_options
from bench.check.material import Moment
from bench.check.steps import Skip, expect, step
from bench.check.subject import Subject
from bench.check.talk import Talk

QUERIES = ("turn", "p1turn", "gameover", "legal", "view", "hash", "game", "players", "result")
MOST_PAIRS = 12

_TIMES = re.compile(r"\b(time|nps) \d+")


def without_times(lines: list[str]) -> list[str]:
    """Return lines with their times masked."""
    return [_TIMES.sub(r"\1 *", line) for line in lines]


def _queries(subject: Subject, *words: str) -> list[str]:
    """Return the queries that the engine knows; Skip if it knows none of them."""
    known = [f"query {word}" for word in words or QUERIES if subject.knows(word)]
    if not known:
        raise Skip("the engine knows no queries")
    return known


async def _compare(subject: Subject, ask: list[str], logs: bool, only_errors: bool = False) -> None:
    """Fail if two open positions that a seat can't tell apart are answered differently.

    `{line}` and `{legal}` in what is asked stand for the position and for a legal move.
    """
    pairs = 0
    talk = await subject.talk()
    for moment in subject.material.decisions:
        pair = _pair(subject, moment, logs) if pairs < MOST_PAIRS else None
        if pair is None:
            continue
        pairs += 1
        answers = []
        for line in pair:
            await talk.place(line)
            words = [text.replace("{line}", line) for text in ask]
            words = [text.replace("{legal}", moment.legal[0]) for text in words]
            found = await _answers(talk, words)
            if only_errors:
                found = [x for x in found if x.startswith(("error ", "info string error "))]
            answers.append(without_times(found))
        for one, other in zip(*answers, strict=False):
            expect(one == other, f"the same bytes for both: {one}", other)
        expect(len(answers[0]) == len(answers[1]), "as many lines for both", str(answers))
    if not pairs:
        raise Skip("no seat of this game is in the dark about anything")


def _pair(subject: Subject, moment: Moment, logs: bool) -> tuple[str, str] | None:
    if logs:
        return subject.material.alike_logs(moment)
    texts = subject.material.alike_texts(moment)
    return None if texts is None else (f"position fen {texts[0]}", f"position fen {texts[1]}")


async def _answers(talk: Talk, ask: list[str]) -> list[str]:
    """Return all that is printed in answer to some lines."""
    lines = []
    for line in ask:
        await talk.send(line)
        if line.startswith("go "):
            lines += await talk.until("bestmove")
        lines += await talk.sync()
    return lines


@step("alike-queries", 6, is_open=True)
async def alike_queries(subject: Subject) -> None:
    """Answer queries alike for two deals that the seat to decide can't tell apart."""
    await _compare(subject, _queries(subject), logs=False)


@step("alike-logs", 6, is_open=True)
async def alike_logs(subject: Subject) -> None:
    """Answer queries alike for two open logs that the seat to decide can't tell apart."""
    await _compare(subject, _queries(subject), logs=True)


@step("alike-errors", 6, is_open=True)
async def alike_errors(subject: Subject) -> None:
    """Complain alike in two deals that the seat to decide can't tell apart."""
    await _compare(subject, ["query nothing", "position", "query turn", "go nodes 5"], logs=False)


@step("alike-refusals", 6, is_open=True)
async def alike_refusals(subject: Subject) -> None:
    """Refuse moves and events alike in two deals that the seat to decide can't tell apart."""
    wrong_seats = [f"p{seat + 1}:{{legal}}" for seat in range(subject.game.num_seats)]
    events = ["zork", "~zork", "~deal@p1=?", *wrong_seats]
    ask = ["go nodes 5 searchmoves zork", "go nodes 5 searchmoves {legal} zork", "query nothing"]
    await _compare(subject, ask, logs=False, only_errors=True)
    # An event that the seat may take is no error, and the next line brings the position back.
    ask = [f"{{line}} moves {event}" for event in events]
    await _compare(subject, ask, logs=False, only_errors=True)
    ask = [f"{{line}} {event}" for event in events]
    await _compare(subject, ask, logs=True, only_errors=True)


@step("alike-searches", 6, feature="reproducible", is_open=True)
async def alike_searches(subject: Subject) -> None:
    """Search alike in two deals that the seat to decide can't tell apart."""
    await _compare(subject, ["go nodes 60 seed 7", "go nodes 60 seed 8 multipv 4"], logs=False)
    talk = await subject.talk()
    if "ponder" in readable_options(talk.greeting):
        await talk.silent("setoption name Ponder value true")
        await _compare(subject, ["go nodes 40 seed 9"], logs=False)
        await talk.silent("setoption name Ponder value false")


@step("alike-log-searches", 6, feature="reproducible", is_open=True)
async def alike_log_searches(subject: Subject) -> None:
    """Search alike after two open logs that the seat to decide can't tell apart."""
    await _compare(subject, ["go nodes 60 seed 7", "go nodes 60 seed 8 multipv 4"], logs=True)


@step("view-like-open", 6, feature="reproducible", is_open=True)
async def view_like_open(subject: Subject) -> None:
    """Answer the same for a seat's view and for the open log that it belongs to."""
    talk = await subject.talk()
    known = [f"query {word}" for word in QUERIES if word != "result" and subject.knows(word)]
    ask = [*known, "go nodes 60 seed 3"]
    for moment in subject.material.decisions[:MOST_PAIRS]:
        answers = []
        for line in (moment.line, moment.open_line):
            await talk.place(line)
            answers.append(without_times(await _answers(talk, ask)))
        for one, other in zip(*answers, strict=False):
            expect(one == other, f"as for the view: {one}", other)


@step("debug-tells-nothing", 6, feature="reproducible", is_open=True)
async def debug_tells_nothing(subject: Subject) -> None:
    """Tell no secrets by `debug on` either."""
    talk = await subject.talk()
    await talk.silent("debug on")
    try:
        await _compare(subject, [*_queries(subject), "go nodes 5 seed 3"], logs=False)
    finally:
        await talk.silent("debug off")
