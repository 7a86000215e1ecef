"""Steps: a search with `nodes` and `seed` repeats, times apart."""

from bench.check.material import Moment
from bench.check.secrets import without_times
from bench.check.steps import expect, step
from bench.check.subject import Subject
from bench.check.talk import Talk

SEARCHES = ("go nodes 150 seed 5", "go nodes 150 seed 6 multipv 3", "go nodes 40 seed 5")


async def _all_lines(talk: Talk, moment: Moment) -> list[str]:
    """Return all that some searches with seeds print."""
    await talk.place(moment.line)
    lines = []
    for search in SEARCHES:
        await talk.send(search)
        lines += await talk.until("bestmove")
    return without_times(lines)


def _expect_same(first: list[str], again: list[str], when: str) -> None:
    for one, other in zip(first, again, strict=False):
        expect(one == other, f"the same line {when}: {one}", other)
    expect(len(first) == len(again), f"as many lines {when}", f"{len(again)} for {len(first)}")


@step("repeats", 8, feature="reproducible")
async def repeats(subject: Subject) -> None:
    """Print the same for the same nodes and seed, times apart."""
    talk = await subject.talk()
    for moment in subject.material.decisions[:4]:
        first = await _all_lines(talk, moment)
        _expect_same(first, await _all_lines(talk, moment), "the second time")


@step("repeats-after-others", 8, feature="reproducible")
async def repeats_after_others(subject: Subject) -> None:
    """Print the same again after other searches and a new game."""
    talk = await subject.talk()
    moment = subject.material.choice
    await talk.silent(f"{subject.dialect}newgame")
    first = await _all_lines(talk, moment)
    for other in subject.material.decisions[:6]:
        await talk.place(other.line)
        await talk.go("nodes 77 seed 9")
    await talk.silent(f"{subject.dialect}newgame")
    _expect_same(first, await _all_lines(talk, moment), "after a new game")


@step("repeats-elsewhere", 8, feature="reproducible")
async def repeats_elsewhere(subject: Subject) -> None:
    """Print the same in another process."""
    moment = subject.material.choice
    first = await _all_lines(await subject.talk(), moment)
    _expect_same(first, await _all_lines(await subject.open(), moment), "in another process")
