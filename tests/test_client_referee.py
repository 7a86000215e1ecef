"""What a referee asks of the client: searches that are begun and waited for, and odd output."""

import asyncio
import sys
from pathlib import Path

import pytest
from fake import Fake

from protocol.client import Engine, EngineDied, EngineTimeout

POSITION = b"position view kuhn/1 me=p1 moves ~deal@p1=K ~deal@p2=?"


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


def with_engine(fake: Fake, fault: str, talk):
    """Return what `talk(engine)` gives."""

    async def main():
        argv = [sys.executable, "-S", str(fake.script), fault, str(fake.folder)]
        async with Engine.open(argv, timeout_s=20.0) as engine:
            return await talk(engine)

    return asyncio.run(main())


def test_a_search_is_waited_for_again(fake: Fake) -> None:
    """Running out of time does not stop it; its time is that of its answer, however late asked."""

    async def talk(engine: Engine) -> None:
        start = asyncio.get_running_loop().time()
        search = await engine.begin(POSITION, "nodes 5")
        assert search.elapsed_s is None
        with pytest.raises(EngineTimeout):
            await search.wait(0.05)
        assert search.is_running
        assert (await search.wait(20.0)).move == "pass"
        known_s = asyncio.get_running_loop().time() - start
        await asyncio.sleep(0.1)
        # Less than the engine's delay: it may have `go` a while before the clock starts.
        assert search.elapsed_s is not None and 0.3 <= search.elapsed_s <= known_s
        assert (await (await engine.begin(b"", "nodes 5")).wait(20.0)).move == "pass"

    with_engine(fake, "late-once:310", talk)
    (told,) = fake.told()
    assert "stop" not in told
    assert [line for line in told if line.startswith("go")] == [
        "go nodes 5 id 1",
        "go nodes 5 id 2",
    ]


def test_nothing_is_sent_with_a_line_end_inside(fake: Fake) -> None:
    """A position or limit is one line."""

    async def talk(engine: Engine) -> None:
        for position, words in ((POSITION + b"\n", "nodes 5"), (POSITION, "nodes 5\nquit")):
            with pytest.raises(ValueError, match="one line"):
                await engine.begin(position, words)

    with_engine(fake, "none", talk)


def test_ids_and_odd_lines_are_noted(fake: Fake) -> None:
    """Whether answers have ids, and how many lines nobody asked for or could read."""

    async def talk(engine: Engine) -> tuple[bool, tuple[int, int]]:
        assert not engine.gives_ids
        for _ in range(2):
            await (await engine.begin(POSITION, "nodes 5")).wait(20.0)
        await engine.ping()
        return engine.gives_ids, engine.oddities

    assert with_engine(fake, "none", talk) == (True, (0, 0))
    # It answers the first question once more when it is told a position again.
    assert with_engine(fake, "twice", talk) == (False, (1, 0))
    assert with_engine(fake, "latin", talk)[1] == (0, 4)


def test_an_engine_that_ended_is_not_open(fake: Fake) -> None:
    """Its search ends with it, at once."""

    async def talk(engine: Engine) -> None:
        assert engine.is_open
        search = await engine.begin(POSITION, "nodes 5")
        with pytest.raises(EngineDied):
            await search.wait(20.0)
        assert search.elapsed_s is not None
        assert not engine.is_open
        with pytest.raises(EngineDied):
            await engine.begin(POSITION, "nodes 5")

    with_engine(fake, "dies", talk)
