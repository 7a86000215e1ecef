"""The embedded pool: as many games at a time as it has places, whichever place plays them."""

import asyncio

import pytest
from runs import made_up, make_plan, play, void

from bench.contestant import BadContestant
from bench.tournament.pool import Pool


class FakeSlot:
    """A place without engines; it notes what it plays."""

    made: list["FakeSlot"] = []
    script = staticmethod(lambda job: made_up(job))
    turns = 3

    def __init__(self, plan, name, sink, guardian) -> None:
        self.name, self.sink = name, sink
        self.jobs, self.closed, self.is_busy = [], [], False
        FakeSlot.made.append(self)

    async def play(self, job):
        """Play a game."""
        assert not self.is_busy
        self.is_busy = True
        try:
            for _ in range(self.turns + job.number % 4):
                await asyncio.sleep(0)
            self.jobs.append(job)
            result = FakeSlot.script(job)
            result.worker = self.name
            return result
        finally:
            self.is_busy = False

    async def close(self, at_once=False) -> None:
        """End."""
        self.closed.append(at_once)


@pytest.fixture(autouse=True)
def fresh(monkeypatch) -> None:
    """Begin with no slots and games that go well."""
    monkeypatch.setattr(FakeSlot, "made", [])
    monkeypatch.setattr(FakeSlot, "script", staticmethod(lambda job: made_up(job)))


def test_the_places_share_the_blocks() -> None:
    """Each block is played by one of them, all of it, and all are closed in the end."""
    plan = make_plan("random", "greedy", blocks=40)
    played = play(plan, executor=Pool(3, make_slot=FakeSlot))
    assert [slot.name for slot in FakeSlot.made] == ["slot-1", "slot-2", "slot-3"]
    assert all(len(slot.jobs) > 10 for slot in FakeSlot.made)
    for slot in FakeSlot.made:
        numbers = [job.number for job in slot.jobs]
        assert [n + 1 for n in numbers[::2]] == numbers[1::2]
        assert slot.closed == [False]
    assert played.record == play(plan, executor=Pool(1, make_slot=FakeSlot)).record


def test_no_more_places_are_opened_than_are_needed() -> None:
    """A run of two blocks at eight places has two."""
    play(make_plan("random", "greedy", blocks=2), executor=Pool(8, make_slot=FakeSlot))
    assert len(FakeSlot.made) == 2


def test_a_void_game_ends_its_block() -> None:
    """The rest would have to be thrown away."""
    failing = {2}

    def script(job):
        if job.number in failing:
            failing.discard(job.number)
            return void(job)
        return made_up(job)

    FakeSlot.script = staticmethod(script)
    plan = make_plan("random", "greedy", blocks=3)
    played = play(plan, executor=Pool(1, make_slot=FakeSlot))
    numbers = [job.number for job in FakeSlot.made[0].jobs]
    assert numbers.count(2) == 2 and numbers.count(3) == 1
    assert played.outcome.counted_games == 6


def test_a_wrong_option_leaves_nothing_open() -> None:
    """The slots are closed before it is told."""

    def script(job):
        raise BadContestant("no such option")

    FakeSlot.script = staticmethod(script)
    with pytest.raises(BadContestant):
        play(make_plan("random", "greedy"), executor=Pool(2, make_slot=FakeSlot))
    assert all(slot.closed for slot in FakeSlot.made)


def test_a_pool_has_a_place() -> None:
    """None at all would wait for ever."""
    with pytest.raises(ValueError, match="at least one"):
        Pool(0)
