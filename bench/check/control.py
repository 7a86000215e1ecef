"""Steps: `stop`, `infinite`, and how quickly they are obeyed."""

import time

from bench.check.reports import check_report
from bench.check.steps import STOP_S, expect, in_time, step
from bench.check.subject import Subject, expect_legal

HOLD_S = 0.15
"""Seconds for which a held answer is waited for in vain."""

BURST = 100


@step("stop-idle", 4)
async def stop_idle(subject: Subject) -> None:
    """Ignore `stop` while idle: no answer, and the next search is not cut short."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for limits in ("nodes 20", "movetime 30"):
        await talk.silent("stop", "stop", "stop")
        answer = await talk.go(limits)
        expect_legal(answer.move, moment)
        check_report(answer, 1)
    await talk.silent("stop")
    await talk.send("go infinite")
    await talk.quiet(HOLD_S)
    expect_legal((await talk.stop()).move, moment)


@step("one-answer", 4)
async def one_answer(subject: Subject) -> None:
    """Answer each `go` by exactly one `bestmove`, however often `stop` comes."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    await talk.send("go infinite")
    await talk.quiet(0.05)
    await talk.send("stop", "stop", "stop")
    expect_legal((await talk.answer()).move, moment)
    await talk.quiet(0.1, but="nothing")
    await talk.silent()


@step("infinite-holds", 8)
async def infinite_holds(subject: Subject) -> None:
    """Hold back the answer to `go infinite` until `stop`, also a forced one."""
    material = subject.material
    moments = [material.decisions[-1], material.forced or material.start]
    for moment, limits in zip(moments, ("infinite", "infinite nodes 5 movetime 20"), strict=True):
        talk = await subject.at(moment)
        await talk.send(f"go {limits}")
        await talk.quiet(HOLD_S)
        expect_legal((await talk.stop()).move, moment)


@step("infinite-holds-0000", 8)
async def infinite_holds_0000(subject: Subject) -> None:
    """Hold back 0000 too, where no decision is possible."""
    talk = await subject.at(subject.material.overs[0])
    await talk.send("go infinite")
    await talk.quiet(HOLD_S)
    answer = await talk.stop()
    expect(answer.move == "0000", "bestmove 0000", answer.move)


@step("stop-latency", 4)
async def stop_latency(subject: Subject) -> None:
    """Answer within 100 ms of `stop`."""
    moment = subject.material.choice
    talk = await subject.at(moment)

    async def wait() -> float:
        await talk.send("go infinite")
        await talk.quiet(0.06)
        answer = await talk.stop()
        expect_legal(answer.move, moment)
        return answer.seconds

    await in_time(wait, STOP_S, "bestmove after `stop`")


@step("stop-at-once", 8)
async def stop_at_once(subject: Subject) -> None:
    """Answer `go infinite` and `stop` of one write with a legal move, a hundred times."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for _ in range(BURST):
        start = time.perf_counter()
        await talk.send("go infinite", "stop")
        expect_legal((await talk.answer(start)).move, moment)
    await talk.send(*["go infinite", "stop"] * 20)
    for _ in range(20):
        expect_legal((await talk.answer()).move, moment)
