"""Steps: `go ponder` and `ponderhit`."""

import time

from bench.check.control import HOLD_S
from bench.check.steps import AT_ONCE_S, STOP_S, expect, in_time, step
from bench.check.subject import Subject, expect_legal

CLOCK_MS = 400


def _clocks(subject: Subject, milliseconds: int) -> str:
    return " ".join(f"p{seat + 1}time {milliseconds}" for seat in range(subject.game.num_seats))


@step("ponder-holds", 8)
async def ponder_holds(subject: Subject) -> None:
    """Hold back the answer to `go ponder`, whatever its limits, until `ponderhit`."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for limits in (_clocks(subject, 100), "nodes 5", "movetime 20"):
        await talk.send(f"go ponder {limits}")
        await talk.quiet(HOLD_S)
        await talk.send("ponderhit")
        expect_legal((await talk.answer()).move, moment)


@step("ponderhit-clock", 8)
async def ponderhit_clock(subject: Subject) -> None:
    """Count the clock from `ponderhit`, and answer within it."""
    moment = subject.material.choice
    talk = await subject.at(moment)

    async def wait() -> float:
        await talk.send(f"go ponder {_clocks(subject, CLOCK_MS)}")
        await talk.quiet(0.06)
        start = time.perf_counter()
        await talk.send("ponderhit")
        answer = await talk.answer(start)
        expect_legal(answer.move, moment)
        return answer.seconds

    await in_time(wait, CLOCK_MS / 1000, "bestmove after `ponderhit`")


@step("ponder-stop", 4)
async def ponder_stop(subject: Subject) -> None:
    """Answer a `stop` of a pondering search within 100 ms."""
    moment = subject.material.choice
    talk = await subject.at(moment)

    async def wait() -> float:
        await talk.send(f"go ponder {_clocks(subject, 60000)}")
        await talk.quiet(0.06)
        answer = await talk.stop()
        expect_legal(answer.move, moment)
        return answer.seconds

    await in_time(wait, STOP_S, "bestmove after `stop`")


@step("ponderhit-stop", 4)
async def ponderhit_stop(subject: Subject) -> None:
    """Answer once if `ponderhit` and `stop` come together."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for limits in ("movetime 60000", "nodes 5"):
        await talk.send(f"go ponder {limits}")
        await talk.quiet(0.03)
        await talk.send("ponderhit", "stop")
        expect_legal((await talk.answer()).move, moment)
        await talk.quiet(0.03, but="nothing")
        await talk.silent("stop")


@step("ponder-no-limit", 8)
async def ponder_no_limit(subject: Subject) -> None:
    """Answer at once at `ponderhit` where no limit was given."""
    moment = subject.material.choice
    talk = await subject.at(moment)

    async def wait() -> float:
        await talk.send("go ponder")
        await talk.quiet(0.06)
        start = time.perf_counter()
        await talk.send("ponderhit")
        answer = await talk.answer(start)
        expect_legal(answer.move, moment)
        return answer.seconds

    await in_time(wait, AT_ONCE_S, "bestmove after `ponderhit`")


@step("ponder-holds-0000", 8)
async def ponder_holds_0000(subject: Subject) -> None:
    """Hold back 0000 until `ponderhit` too."""
    talk = await subject.at(subject.material.overs[0])
    await talk.send("go ponder movetime 20")
    await talk.quiet(HOLD_S)
    await talk.send("ponderhit")
    answer = await talk.answer()
    expect(answer.move == "0000", "bestmove 0000", answer.move)


@step("ponderhit-idle", 4)
async def ponderhit_idle(subject: Subject) -> None:
    """Ignore `ponderhit` while idle, in an infinite and in a timed search."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    await talk.silent("ponderhit", "ponderhit")
    await talk.send("go ponder movetime 60000")
    await talk.quiet(0.05)
    await talk.stop()
    await talk.silent("ponderhit")
    await talk.send("go infinite")
    await talk.quiet(0.05)
    await talk.send("ponderhit")
    await talk.quiet(0.15)
    expect_legal((await talk.stop()).move, moment)
    await talk.send("go movetime 60000", "ponderhit", "stop")
    expect_legal((await talk.answer()).move, moment)
