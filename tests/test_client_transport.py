"""One process and its pipes: bounded, never hanging, gone when it should be."""

import asyncio
import signal
import subprocess
import sys
import time

import pytest
from scripted import ROOT, gone, is_alive, run, script

from protocol.transport import (
    LINE_LIMIT,
    EngineDied,
    EngineProtocolError,
    EngineTimeout,
    Transport,
)

ENDED = (
    "import asyncio, sys\n"
    f"sys.path.insert(0, {str(ROOT)!r})\n"
    "from protocol import Engine\n"
    "async def main():\n"
    f"    engine = await Engine.open({script('shake(); os.close(2); time.sleep(60)')!r})\n"
    "    print(engine.pid, flush=True)\n"
    "    analysis = await engine.analysis('').__aenter__()\n"
    "    asked = asyncio.ensure_future(engine.ping(60))\n"
    "    await asyncio.sleep(0)\n"
)


def test_lines_and_bytes_go_both_ways():
    code = (
        "data = sys.stdin.buffer.read(); say(repr(data), 'x\\xff', 'a \\r'); say(''); sys.exit(5)"
    )

    async def session():
        wire = await Transport.open(script(code))
        assert wire.name and wire.exit_code is None and not wire.is_at_end
        await wire.send("one", "two")
        wire.post("three")
        with pytest.raises(ValueError, match="one line"):
            wire.post("four\nfive")
        await wire.send_bytes(b"\xff\n\0six")
        wire.close_input()
        assert await wire.read_line() == repr(b"one\ntwo\nthree\n\xff\n\0six")
        assert [await wire.read_line() for _ in range(3)] == ["x\ufffd", "a ", ""]
        for _ in range(2):
            with pytest.raises(EngineDied, match="exit code 5"):
                await wire.read_line()
        assert wire.is_at_end and await wire.wait_ended(1.0) and wire.exit_code == 5
        assert await wire.quit() == 5
        assert await wire.kill() == 5

    run(session())


def test_the_last_line_may_lack_its_end_and_a_long_one_is_cut_off():
    code = f"say('x' * 70000); print('x' * {LINE_LIMIT + 5}); print('end', end='', flush=True)"

    async def session():
        wire = await Transport.open(script(code))
        assert await wire.read_line() == "x" * 70000
        with pytest.raises(EngineProtocolError, match="longer than"):
            await wire.read_line()
        lines = []
        with pytest.raises(EngineDied):
            while True:
                lines.append(await wire.read_line())
        assert lines[-1] == "end" and sum(map(len, lines)) < 1 << 20
        await wire.kill()

    run(session())


def test_an_engine_that_does_not_read_is_told_of_and_ended(monkeypatch):
    monkeypatch.setattr("protocol.transport.SEND_PATIENCE_S", 0.1)

    async def session():
        wire = await Transport.open(script("time.sleep(60)"))
        with pytest.raises(EngineTimeout, match="does not read"):
            await wire.send("x" * 1000000)
        start = time.monotonic()
        assert await wire.quit(0.1) == -signal.SIGTERM
        assert time.monotonic() - start < 5.0

    run(session())


def test_an_engine_waits_while_nobody_reads(tmp_path):
    """The memory for lines that nobody reads is bounded: the engine has to wait."""
    code = "for i in range(1500): say('x' * 99999)\nopen(sys.argv[1], 'w')"

    path = tmp_path / "done"

    async def session():
        wire = await Transport.open([*script(code), str(path)])
        await asyncio.sleep(0.5)
        assert not path.exists()
        for _ in range(1500):
            assert len(await wire.read_line()) == 99999
        assert await wire.wait_ended(20.0) and path.exists()
        await wire.kill()

    run(session())


def test_signals_reach_the_children_too():
    # Python would notice a signal that comes just before a call that waits only after that call.
    code = (
        "signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
        "if os.fork() == 0: say(str(os.getpid())); time.sleep(60)\n"
        "input(); input()"
    )

    async def session():
        wire = await Transport.open(script(code))
        child = int(await wire.read_line())
        assert is_alive(child)
        wire.signal(signal.SIGINT)
        assert await wire.wait_ended(20.0) and await gone(child)
        assert await wire.kill() == -signal.SIGINT

    run(session())


def test_a_child_that_holds_the_pipes_holds_up_nobody():
    code = "child = os.fork()\nif child == 0: time.sleep(60)\nsay(str(child)); input()"

    async def session():
        wire = await Transport.open(script(code))
        child = int(await wire.read_line())
        start = time.monotonic()
        assert await wire.quit(1.0) == 0
        assert time.monotonic() - start < 5.0 and await gone(child)
        with pytest.raises(EngineDied):
            await wire.read_line()

    run(session())


@pytest.mark.parametrize("ending", ["return", "raise KeyError", "await asyncio.sleep(60)"])
def test_an_event_loop_that_ends_ends_its_engines(ending):
    """Whether or not anybody has quit them; and nothing is printed of tasks or pipes left."""
    owner = subprocess.Popen(
        [
            sys.executable,
            "-X",
            "dev",
            "-W",
            "error",
            "-c",
            f"{ENDED}    {ending}\nasyncio.run(main())",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        pid = int(owner.stdout.readline())
        if "sleep" in ending:
            owner.send_signal(signal.SIGINT)
        _, errors = owner.communicate(timeout=20.0)
    finally:
        owner.kill()
    assert asyncio.run(gone(pid))
    told = [line for line in errors.decode().splitlines() if line[:1] not in ("", " ")]
    allowed = (
        "Traceback",
        "KeyError",
        "KeyboardInterrupt",
        "During handling",
        "asyncio.exceptions",
    )
    assert [line for line in told if not line.startswith(allowed)] == []
    assert owner.returncode == (0 if ending == "return" else owner.returncode)
