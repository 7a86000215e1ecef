"""Slots: which process plays what, how it is told, what becomes of it."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from fake import Fake, Sink, make_table, play_blocks

from bench.contestant import BadContestant, Limit, label_all
from bench.referee.block import ALL, Block
from bench.referee.game_result import GameResult
from bench.referee.policy import GAME, Policy
from bench.referee.slot import MOST_IDLE, Slot
from bench.referee.verdicts import Termination


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine that leaves notes."""
    return Fake(tmp_path)


def games_of(told: list[str]) -> int:
    """Return how many games a process was told of."""
    return told.count("uhinewgame")


def test_a_process_plays_one_seating_of_each_block(fake: Fake) -> None:
    """Each seat of each seating has a process of its own, which lives on from block to block."""
    results = play_blocks(make_table(fake.command("none"), fake.command("none")), blocks=3)
    assert [str(result.termination) for result in results] == ["rules"] * 6
    assert [games_of(told) for told in fake.told()] == [3] * 4
    for told in fake.told():
        seats = {line.split()[3] for line in told if line.startswith("position")}
        assert len(seats) <= 1
    assert fake.alive() == []


def test_a_deal_that_is_played_again_meets_new_processes(fake: Fake) -> None:
    """Whoever has seen it would know the other hand."""
    plan = make_table(fake.command("none"), fake.command("none"))

    async def main() -> None:
        slot = Slot(plan, "slot", Sink())
        first, other = (plan.jobs(Block(0, (0, 1), deal))[0] for deal in (0, 1))
        for job in (first, other, first):
            await slot.play(job)
        await slot.close()

    asyncio.run(main())
    assert sorted(games_of(told) for told in fake.told()) == [1, 1, 2, 2]


def test_an_engine_that_ends_between_two_games_is_started_again(fake: Fake) -> None:
    """Its last game stands; a warning tells of it."""
    plan, sink = make_table(fake.command("none"), fake.command("none")), Sink()

    async def main() -> list[str]:
        slot = Slot(plan, "slot", sink)
        jobs = [plan.jobs(Block(number, (0, 1), number))[0] for number in range(2)]
        results = [await slot.play(jobs[0])]
        for pid in fake.pids():
            os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.3)
        results.append(await slot.play(jobs[1]))
        await slot.close()
        return [str(result.termination) for result in results]

    assert asyncio.run(main()) == ["rules", "rules"]
    assert sorted(sink.warnings) == [(n, "ended between two games: signal 9") for n in range(2)]
    assert fake.alive() == []


def test_processes_can_live_for_one_game(fake: Fake) -> None:
    """With the policy to restart they are asked to leave after each game."""
    plan = make_table(fake.command("none"), fake.command("none"), policy=Policy(restart=GAME))
    play_blocks(plan, blocks=2)
    assert [(games_of(told), told[-1]) for told in fake.told()] == [(1, "quit")] * 8
    assert fake.alive() == []


def test_an_engine_that_has_failed_is_started_again(fake: Fake) -> None:
    """Its opponent's process lives on; the next games have a process that works."""
    plan = make_table(fake.command("dies-in-game-2"), fake.command("none"))
    results = play_blocks(plan, blocks=4)
    kinds = [str(result.termination) for result in results]
    assert (
        kinds
        == ["rules", "rules", "disconnect", "disconnect", "rules", "rules"] + ["disconnect"] * 2
    )
    assert sorted(games_of(told) for told in fake.told()) == [2, 2, 2, 2, 4, 4]


@pytest.mark.slow
def test_few_processes_are_kept_idle(fake: Fake) -> None:
    """Those that were used longest ago are ended, in peace."""
    plan = make_table(*[fake.command("none")] * 4)
    alive = []

    async def main() -> None:
        slot = Slot(plan, "slot", Sink())
        for number, other in enumerate([1, 2, 3] * 2):
            for job in plan.jobs(Block(number, (0, other), number)):
                await slot.play(job)
                await asyncio.sleep(0.05)
                alive.append(len(slot))
        for number in range(6, 8):
            for job in plan.jobs(Block(number, (1, number - 4), number)):
                await slot.play(job)
                alive.append(len(slot))
        await slot.close()

    asyncio.run(main())
    assert max(alive) == MOST_IDLE
    assert fake.alive() == []
    assert all(told[-1] == "quit" for told in fake.told())


def test_options_are_told_once_and_checked(fake: Fake) -> None:
    """What an engine does not declare is an error of whoever wants it, and so says the index."""
    plan = make_table("random", fake.command("none"))
    plan.contestants[1].options = {"Skill": "7"}
    play_blocks(plan)
    assert all(told.count("setoption name Skill value 7") == 1 for told in fake.told())
    plan.contestants[1].options = {"Thread": "7"}
    with pytest.raises(BadContestant) as caught:
        play_blocks(plan)
    assert caught.value.contestant == 1
    plan.contestants[1].options = {}
    plan.contestants[1].argv[-2] = "refuses"
    with pytest.raises(BadContestant, match="no such thing"):
        play_blocks(plan)
    assert fake.alive() == []


def test_who_refuses_options_later_loses_and_ends_no_run(fake: Fake) -> None:
    """The user made no mistake: an engine took them before."""
    plan = make_table("random", fake.command("none"), policy=Policy(restart=GAME))

    async def main() -> GameResult:
        slot = Slot(plan, "slot", Sink())
        first, other = plan.jobs(Block(0, (0, 1), 0))
        assert (await slot.play(first)).is_by_rules
        plan.contestants[1].argv[-2] = "refuses"
        result = await slot.play(other)
        await slot.close()
        return result

    result = asyncio.run(main())
    assert (result.termination, result.fault.seat) == (Termination.MALFORMED, 0)
    assert "no such thing" in result.fault.text
    assert fake.alive() == []


def test_closing_at_once_kills(fake: Fake) -> None:
    """Nobody is asked to leave, and nobody is waited for."""
    plan = make_table(
        fake.command("stubborn"), fake.command("stubborn"), policy=Policy(quit_s=600.0)
    )

    async def main() -> None:
        slot = Slot(plan, "slot", Sink())
        playing = asyncio.ensure_future(slot.play(plan.jobs(Block(0, (0, 1), 0))[0]))
        while not any("go" in " ".join(told) for told in fake.told()):
            await asyncio.sleep(0.01)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert len(fake.alive()) == 2
        async with asyncio.timeout(5.0):
            await slot.close(at_once=True)

    asyncio.run(main())
    assert fake.alive() == []


def test_closing_that_is_cancelled_kills(fake: Fake) -> None:
    """An engine that ignores `quit` and SIGTERM is gone when the second interrupt comes."""
    plan = make_table(fake.command("stubborn"), fake.command("none"), policy=Policy(quit_s=600.0))

    async def main() -> None:
        slot = Slot(plan, "slot", Sink())
        playing = asyncio.ensure_future(slot.play(plan.jobs(Block(0, (0, 1), 0))[0]))
        while not any("go" in " ".join(told) for told in fake.told()):
            await asyncio.sleep(0.01)
        playing.cancel()
        closing = asyncio.ensure_future(slot.close())
        await asyncio.sleep(0.2)
        assert fake.alive()
        closing.cancel()
        async with asyncio.timeout(5.0):
            with pytest.raises(asyncio.CancelledError):
                await closing

    asyncio.run(main())
    assert fake.alive() == []


def test_a_cancelled_game_leaves_no_process_for_the_next(fake: Fake) -> None:
    """An engine that still thinks is not asked again, and its deal is not known to the next."""
    plan = make_table(fake.command("silent-once"), fake.command("none"))

    async def main() -> str:
        slot = Slot(plan, "slot", Sink())
        job = plan.jobs(Block(0, (0, 1), 0))[0]
        playing = asyncio.ensure_future(slot.play(job))
        while not (fake.folder / "claim").exists():
            await asyncio.sleep(0.01)
        playing.cancel()
        await asyncio.wait({playing})
        result = await slot.play(job)
        await slot.close()
        return str(result.termination)

    assert asyncio.run(main()) == "rules"
    assert len(fake.pids()) == 4
    assert fake.alive() == []


def test_descriptors_do_not_grow(fake: Fake) -> None:
    """All pipes of all processes that were ended are closed."""
    plan = make_table(fake.command("dies"), fake.command("none"), policy=Policy(restart=GAME))
    counts = []

    async def main() -> None:
        slot = Slot(plan, "slot", Sink())
        for number in range(4):
            job = plan.jobs(Block(number, (0, 1), number))[0]
            await slot.play(job)
            await slot.close()
            counts.append(len(os.listdir("/proc/self/fd")))

    asyncio.run(main())
    assert len(set(counts)) == 1


@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_tables_of_more_seats(fake: Fake, seats: int) -> None:
    """Each contestant sits everywhere once; whoever fails is beaten by all others, who tie."""
    names = [fake.command("foreign"), *["random"] * (seats - 1)]
    plan = make_table(*names, game=f"oh_hell seats={seats}")
    results = play_blocks(plan)
    assert len(results) == seats
    assert {result.job.seats.index(0) for result in results} == set(range(seats))
    for result in results:
        seat = result.job.seats.index(0)
        assert result.termination == Termination.ILLEGAL
        assert result.returns[seat] == 0.0
        assert result.points(0) == 0.0
        assert len({result.points(other) for other in range(1, seats)}) == 1
    assert plan.rotation != ALL


def test_the_start_is_judged_by_its_own_limit(fake: Fake) -> None:
    """Not by that of a decision."""
    policy = Policy(start_s=0.3)
    plan = make_table("random", fake.command("mute"), limit=Limit(nodes=5), policy=policy)
    result = play_blocks(plan)[0]
    assert result.termination == Termination.START
    assert result.fault is not None and result.fault.seat == 1
    assert "no uhiok within 0.3 s (limit start)" in result.fault.text
    assert "complaint of the fake engine" in result.fault.stderr
    assert result.returns == [1.0, 0.0]
    assert result.events.count("~deal") == 2


def test_labels_differ() -> None:
    """Doubles get a number, and never that of another one's name."""
    plan = make_table("random", "greedy", "random", "random")
    assert [c.label for c in plan.contestants] == ["random", "greedy", "random (2)", "random (3)"]
    for contestant, label in zip(plan.contestants, ["x", "x (2)", "x", "\x1b"], strict=True):
        contestant.label = label
    label_all(plan.contestants)
    assert [c.label for c in plan.contestants] == ["x", "x (2)", "x (3)", "\x1b"]
