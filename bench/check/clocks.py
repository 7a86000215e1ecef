"""Steps: clocks, also those that are nearly empty, empty, or overdrawn."""

from functools import partial

from bench.check.material import Moment
from bench.check.steps import AT_ONCE_S, Skip, expect, in_time, step
from bench.check.subject import Subject, expect_legal
from bench.check.talk import Talk


def _words(subject: Subject, own: int, other: int, more: str = "", inc: int = 0) -> str:
    """Return the clocks of a `go` line for the widest choice: the decider's and the others'."""
    words = []
    for seat in range(subject.game.num_seats):
        left = own if seat == subject.material.choice.seat else other
        words.append(f"p{seat + 1}time {left} p{seat + 1}inc {inc}")
    return " ".join([*words, more]).rstrip()


async def _decide(talk: Talk, moment: Moment, limits: str) -> float:
    answer = await talk.go(limits)
    expect(not answer.errors, "no complaint", str([error.text for error in answer.errors]))
    expect_legal(answer.move, moment)
    return answer.seconds


async def _in_time(subject: Subject, limits: str, limit_s: float) -> None:
    """Fail unless the engine decides within some seconds."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    await in_time(partial(_decide, talk, moment, limits), limit_s, f"bestmove for `go {limits}`")


@step("clock", 8)
async def clock(subject: Subject) -> None:
    """Decide within the clock of your seat."""
    await _in_time(subject, _words(subject, 500, 60000), 0.5)
    await _in_time(subject, _words(subject, 1000, 1000, inc=100), 1.0)


@step("clock-aliases", 8)
async def clock_aliases(subject: Subject) -> None:
    """Take wtime, btime, winc and binc for the clocks of seats 1 and 2."""
    moment = subject.material.choice
    if moment.seat > 1:
        raise Skip("the decision asked about is not of seat 1 or 2")
    own, other = ("w", "b") if moment.seat == 0 else ("b", "w")
    await _in_time(subject, f"{own}time 500 {other}time 60000 {own}inc 10 {other}inc 10", 0.5)


@step("clock-tiny", 8)
async def clock_tiny(subject: Subject) -> None:
    """Decide at once with a millisecond or two left."""
    for own in (1, 2):
        await _in_time(subject, _words(subject, own, 60000), AT_ONCE_S)


@step("clock-zero", 8)
async def clock_zero(subject: Subject) -> None:
    """Decide at once with nothing left, increment or not."""
    for inc in (0, 2000):
        await _in_time(subject, _words(subject, 0, 60000, inc=inc), AT_ONCE_S)


@step("clock-negative", 8)
async def clock_negative(subject: Subject) -> None:
    """Decide at once with less than nothing left."""
    await _in_time(subject, _words(subject, -50, 60000), AT_ONCE_S)
    await _in_time(subject, _words(subject, -170671, 100, inc=2000), AT_ONCE_S)


@step("clock-other-negative", 8)
async def clock_other_negative(subject: Subject) -> None:
    """Let the clocks of other seats not disturb you, whatever they show."""
    for other in (-170671, 0, -(10**30)):
        await _in_time(subject, _words(subject, 500, other, inc=20), 0.5)


@step("clock-last-move", 8)
async def clock_last_move(subject: Subject) -> None:
    """Keep something back on the last move before the clock is refilled."""
    await _in_time(subject, _words(subject, 300, 300, "movestogo 1"), 0.3)
    await _in_time(subject, _words(subject, 300, 300, "movestogo 0"), 0.3)
    await _in_time(subject, _words(subject, 300, 300, "movestogo 1", inc=2000), 0.3)
    await _in_time(subject, _words(subject, 300, 300, "movestogo 2", inc=1000), 0.3)


@step("clock-increment", 8)
async def clock_increment(subject: Subject) -> None:
    """Don't spend an increment that comes only after the decision."""
    await _in_time(subject, _words(subject, 150, 150, inc=5000), 0.15)


@step("clock-huge", 8)
async def clock_huge(subject: Subject) -> None:
    """Take clocks of years, and more decisions to go than a game has."""
    await _in_time(subject, _words(subject, 10**15, 10**15, "nodes 20"), 3.0)
    await _in_time(subject, _words(subject, 100, 100, f"movestogo {10**18}"), 0.1 + AT_ONCE_S)


@step("clock-of-others", 8)
async def clock_of_others(subject: Subject) -> None:
    """Take clocks of other seats only for no limit: think until `stop`, and say so."""
    moment = subject.material.choice
    others = [seat + 1 for seat in range(subject.game.num_seats) if seat != moment.seat]
    if not others:
        raise Skip("there is one seat")
    talk = await subject.at(moment)
    await talk.send("go " + " ".join(f"p{seat}time 50" for seat in others))
    await talk.quiet(0.0)
    lines = await talk.sync()
    errors = [x for x in lines if x.startswith(("error ", "info string error "))]
    talk.one_error(errors, "go", "bad-value")
    await talk.quiet(0.15)
    expect_legal((await talk.stop()).move, moment)
