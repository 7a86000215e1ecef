"""The client: whatever an engine does, there is an answer or a clear error within the limit."""

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest
from scripted import ROOT, VIEW, gone, is_alive, run, script

from protocol.client import (
    LINE_LIMIT,
    STDERR_TAIL,
    Engine,
    EngineDied,
    EngineError,
    EngineProtocolError,
    EngineTimeout,
    Info,
)
from protocol.transport import Transport, _waiting

# ---- at the start ----


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("time.sleep(60)", EngineTimeout),
        ("input(); time.sleep(60)", EngineTimeout),
        ("while True: say('info string x')", EngineTimeout),
        ("sys.exit(3)", EngineDied),
        ("os.kill(os.getpid(), signal.SIGSEGV)", EngineDied),
        ("os.close(1); time.sleep(60)", EngineDied),
        ("say('option nonsense'); time.sleep(60)", EngineProtocolError),
        ("while True: say('id author ' + 'x' * 99999)", EngineProtocolError),
        (f"print('x' * {LINE_LIMIT + 100000}, flush=True); time.sleep(60)", EngineProtocolError),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)", EngineTimeout),
    ],
)
def test_a_failed_start_leaves_no_process(code, kind, tmp_path):
    pid_file = tmp_path / "pid"
    code = f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))\n{code}"

    async def session():
        start = time.monotonic()
        with pytest.raises(kind):
            await Engine.open(script(code), timeout_s=0.4)
        assert time.monotonic() - start < 20.0
        assert await gone(int(pid_file.read_text()))

    run(session())


def test_no_such_program():
    with pytest.raises(EngineDied, match="cannot start"):
        run(Engine.open(["/nowhere/engine"]))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("sys.stderr.write('no such file'); sys.exit(3)", EngineDied),
        ("input(); sys.stderr.write('x' * 99999 + 'no such file'); sys.exit(3)", EngineDied),
        ("input(); raise RuntimeError('no such file')", EngineDied),
        ("sys.stderr.write('no such file'); sys.stderr.flush(); time.sleep(60)", EngineTimeout),
        ("print('no such file', file=sys.stderr); say('option x'); input()", EngineProtocolError),
    ],
)
def test_a_failed_start_tells_what_the_engine_said(code, kind):
    async def session():
        with pytest.raises(kind) as caught:
            await Engine.open(script(code), timeout_s=2.0)
        assert caught.value.stderr_tail.rstrip().endswith("no such file")
        assert len(caught.value.stderr_tail) <= STDERR_TAIL

    run(session())


def test_a_program_that_only_repeats_is_given_up_in_time():
    async def session():
        start = time.monotonic()
        with pytest.raises(EngineTimeout, match="no uhiok within 0.5 s") as caught:
            await Engine.open(["cat"], timeout_s=0.5)
        assert time.monotonic() - start < 5.0
        assert caught.value.stderr_tail == ""

    run(session())


def test_exit_codes_are_kept():
    async def session():
        with pytest.raises(EngineDied, match="exit code 3") as caught:
            await Engine.open(script("input(); sys.exit(3)"))
        assert caught.value.exit_code == 3
        with pytest.raises(EngineDied, match="signal 11") as caught:
            await Engine.open(script("input(); os.kill(os.getpid(), signal.SIGSEGV)"))
        assert caught.value.exit_code == -11

    run(session())


# ---- while it plays ----

PLAY_FAULTS = [
    ("input(); sys.exit(0)", EngineDied),
    ("input(); input(); os.kill(os.getpid(), signal.SIGKILL)", EngineDied),
    ("input(); input(); os.close(1); time.sleep(60)", EngineDied),
    ("input(); input(); time.sleep(60)", EngineTimeout),
    ("input(); input(); say('bestmovex a'); time.sleep(60)", EngineProtocolError),
    ("input(); input()\nwhile True: say('info depth 1 pv a')", EngineTimeout),
    ("input(); input(); say('bestmove old id 0'); time.sleep(60)", EngineTimeout),
    ("os.close(0); time.sleep(60)", EngineError),
]


@pytest.mark.parametrize(("code", "kind"), PLAY_FAULTS)
def test_faults_in_play(code, kind):
    async def session():
        engine = await Engine.open(script(f"shake()\n{code}"))
        start = time.monotonic()
        with pytest.raises(kind):
            await engine.play(VIEW, "nodes 5", timeout_s=0.4)
        assert time.monotonic() - start < 20.0
        await engine.quit(timeout_s=0.2)
        assert engine.exit_code is not None
        assert await gone(engine.pid)

    run(session())


@pytest.mark.parametrize("reads", [True, False])
@pytest.mark.parametrize("when", ["open", "play"])
def test_a_death_is_noticed_while_a_child_holds_the_output(when, reads):
    """What the engine wrote before it died is still read."""
    start = "input()" if when == "open" else "shake(); input(); input()"
    last = "say('info string last words')\n" if reads else ""
    code = f"if os.fork() == 0: time.sleep(60)\n{start}\n{last}os.kill(os.getpid(), signal.SIGSEGV)"

    async def session():
        began = time.monotonic()
        with pytest.raises(EngineDied, match="signal 11") as caught:
            engine = await Engine.open(script(code), timeout_s=30.0)
            try:
                await engine.play(VIEW, "nodes 5", timeout_s=30.0)
            finally:
                await engine.kill()
        assert caught.value.exit_code == -11
        assert time.monotonic() - began < 15.0

    run(session())


def test_an_answer_before_the_death_counts():
    code = (
        "if os.fork() == 0: time.sleep(60)\n"
        "shake(); input(); input(); say('bestmove a'); os.kill(os.getpid(), signal.SIGSEGV)"
    )

    async def session():
        engine = await Engine.open(script(code))
        assert (await engine.play(VIEW, "nodes 5", timeout_s=30.0)).move == "a"
        with pytest.raises(EngineDied, match="signal 11"):
            await engine.ping(30.0)
        await engine.kill()

    run(session())


@pytest.mark.slow
@pytest.mark.parametrize("line", ["\\n", "info\\n", "info depth 1 multipv 2 pv a b c\\n"])
def test_a_flood_of_lines_leaves_the_loop_to_others(line):
    """Short lines come faster than they are read, so that there is always one at hand."""
    code = f"shake(); hear('go')\nwhile True: sys.stdout.write('{line}' * 100000)"
    longest = 0.0

    async def measure():
        nonlocal longest
        while True:
            start = time.monotonic()
            await asyncio.sleep(0.005)
            longest = max(longest, time.monotonic() - start)

    async def session():
        engine = await Engine.open(script(code))
        meter = asyncio.ensure_future(measure())
        with pytest.raises(EngineTimeout):
            await engine.play(VIEW, "nodes 5", timeout_s=1.5)
        meter.cancel()
        await engine.kill()
        assert longest < 0.5

    run(session())


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bestmove", ""),
        ("  bestmove  ", ""),
        ("bestmove a\0", "a\0"),
        ("bestmove \x1b[2Ja ponder b", "\x1b[2Ja"),
        ("bestmove a\u00a0b", "a\u00a0b"),
        ("bestmove a\u2028b id 1", "a\u2028b"),
        ("bestmove " + "x" * 100000, "x" * 65536),
    ],
)
def test_a_word_that_is_no_move_is_told_as_it_is(line, move):
    """Whoever knows the rules judges it; the engine is not at its end."""
    raw = line.encode() + b"\n"
    code = (
        f"shake(); hear('go'); sys.stdout.buffer.write({raw!r})\n"
        "sys.stdout.flush(); hear('go'); say('bestmove b id 2'); input()"
    )

    async def session():
        engine = await Engine.open(script(code))
        reply = await engine.play(VIEW, "nodes 5", timeout_s=20.0)
        assert reply.move == move and reply.has_move
        assert (await engine.play(VIEW, "nodes 5", timeout_s=20.0)).move == "b"
        await engine.kill()

    run(session())


def test_limits_hold_towards_an_engine_that_does_not_read():
    async def session():
        engine = await Engine.open(script("shake(); time.sleep(60)"))
        start = time.monotonic()
        with pytest.raises(EngineTimeout):
            await engine.play("position " + "x" * 900000, "nodes 5", timeout_s=0.3)
        with pytest.raises(EngineTimeout):
            await engine.ping(0.3)
        with pytest.raises(EngineTimeout):
            await engine.new_game(0.3)
        assert time.monotonic() - start < 5.0
        await engine.kill()

    run(session())


def test_strange_but_readable_answers():
    code = (
        "shake(); input(); input()\n"
        "say('info string \\xb7', 'info depth 3 pv a', '', 'zork', 'error parse z',"
        " 'bestmove old id 0')\n"
        "sys.stdout.write('bestmo'); sys.stdout.flush(); time.sleep(0.05)\n"
        "say('ve  a   ponder b \\r')\n"
        "time.sleep(60)"
    )

    async def session():
        engine = await Engine.open(script(code))
        reply = await engine.play(VIEW, "nodes 5", timeout_s=20.0)
        assert (reply.move, reply.ponder, [str(e) for e in reply.errors]) == ("a", "b", ["parse z"])
        assert reply.infos == [Info(depth=3, pv=("a",))]
        await engine.kill()

    run(session())


def test_reports_are_kept_up_to_a_bound():
    """An engine that reports second lines for ever does not fill the memory."""
    code = (
        "shake(); input(); input()\n"
        "for i in range(5000): say('info depth 1 multipv 2 pv a' + ' b' * 50)\n"
        "say('bestmove a id 1'); input()"
    )

    async def session():
        engine = await Engine.open(script(code))
        reply = await engine.play("position startpos", "nodes 1", 20.0)
        await engine.kill()
        assert reply.move == "a" and len(reply.infos) <= 256

    run(session())


def test_an_engine_that_gives_ids_gives_them_always():
    """A second answer without an id is no answer to the next question."""
    code = (
        "shake(); input(); input(); say('bestmove a id 1'); say('bestmove b')\n"
        "input(); input(); say('bestmove d', 'bestmove c id 2'); input()"
    )

    async def session():
        engine = await Engine.open(script(code))
        moves = [(await engine.play("position startpos", "nodes 1", 20.0)).move for _ in range(2)]
        await engine.kill()
        assert moves == ["a", "c"]

    run(session())


def test_a_full_standard_error_blocks_nobody():
    code = "sys.stderr.write('x' * 5000000 + 'end'); sys.stderr.flush(); shake(); input()"

    async def session():
        engine = await Engine.open(script(code), timeout_s=20.0)
        await engine.quit()
        assert engine.stderr_tail.endswith("end")
        assert len(engine.stderr_tail) == STDERR_TAIL
        assert engine._wire._stderr_size < 4 * STDERR_TAIL  # what is held, not only what is shown

    run(session())


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("shake(); input()", 0),
        ("shake(); input(); sys.exit(7)", 7),
        ("shake(); time.sleep(60)", -signal.SIGTERM),
        (
            "signal.signal(signal.SIGTERM, signal.SIG_IGN); shake(); time.sleep(60)",
            -signal.SIGKILL,
        ),
    ],
)
def test_quit_always_ends_the_process(code, exit_code):
    async def session():
        engine = await Engine.open(script(code))
        assert await engine.quit(timeout_s=0.3) == exit_code
        assert await engine.quit(timeout_s=0.3) == exit_code
        with pytest.raises(EngineError):
            await engine.ping(1.0)

    run(session())


def test_children_of_an_engine_end_with_it(tmp_path):
    pid_file = tmp_path / "pid"
    code = (
        "child = os.fork()\n"
        "if child == 0: time.sleep(60)\n"
        f"open({str(pid_file)!r}, 'w').write(str(child))\n"
        "shake(); input()"
    )

    async def session():
        engine = await Engine.open(script(code))
        await engine.quit()
        assert await gone(int(pid_file.read_text()))

    run(session())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a feature of Linux")
def test_an_engine_ends_with_its_killed_owner(tmp_path):
    pid_file = tmp_path / "pid"
    engine_code = script("shake(); time.sleep(60)")
    owner = (
        "import asyncio, sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from protocol.client import Engine\n"
        "async def main():\n"
        f"    engine = await Engine.open({engine_code!r})\n"
        "    print(engine.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    pid_file.write_text(owner)
    process = subprocess.Popen([sys.executable, str(pid_file)], stdout=subprocess.PIPE)
    pid = int(process.stdout.readline())
    assert is_alive(pid)
    process.kill()
    process.wait()
    process.stdout.close()
    assert asyncio.run(gone(pid))


# ---- long lines ----


@pytest.mark.parametrize(
    "line",
    ["'bestmove' + ' a' * 10**6", "'bestmove a id ' + 'x' * 10**6", "'error ' + 'x' * 10**6"],
)
def test_an_answer_of_a_million_characters_is_malformed(line):
    """To take it apart would hold up all other engines."""
    code = f"shake(); hear('go'); say({line}); input()"

    async def session():
        async with Engine.open(script(code)) as engine:
            with pytest.raises(EngineProtocolError, match="characters"):
                await engine.play("position startpos", "nodes 1", 10.0)

    run(session())


def test_half_a_last_line_is_no_answer():
    code = "shake(); hear('go'); print('bestmove be', end='', flush=True)"

    async def session():
        async with Engine.open(script(code)) as engine:
            with pytest.raises(EngineDied):
                await engine.play("position startpos", "nodes 1", 10.0)

    run(session())


def test_names_are_cut():
    """They stand in each record of a game."""
    code = "input(); say('id name ' + 'n' * 99999, 'id author ' + 'a' * 99999, 'uhiok'); input()"

    async def session():
        async with Engine.open(script(code)) as engine:
            assert len(engine.name) == len(engine.author) == 1000

    run(session())


def test_what_is_kept_of_many_long_reports_is_bounded():
    """An answer takes all of them apart at once."""
    report = "f'info depth 1 multipv {i + 1} score cp 0 pv' + ' a' * 30000"
    code = f"shake(); hear('go'); [say({report}) for i in range(40)]; say('bestmove a'); input()"

    async def session():
        async with Engine.open(script(code)) as engine:
            reply = await engine.play("position startpos", "nodes 1", 30.0)
            assert (reply.move, len(reply.infos)) == ("a", 8)
            assert reply.infos[0].pv[0] == "a"

    run(session())


# ---- floods ----


@pytest.mark.serial
def test_who_prints_without_end_when_idle_is_read_no_further():
    """It costs no other engine its time, answers when it is asked, and its end is seen."""
    code = (
        "import threading\nshake()\n"
        "def flood():\n    while True: os.write(1, b'info string x\\n' * 50)\n"
        "hear('go'); say('bestmove a'); threading.Thread(target=flood, daemon=True).start()\n"
        "hear('go'); say('bestmove b'); input(); os._exit(3)"
    )

    async def session():
        async with Engine.open(script(code)) as engine:
            assert (await engine.play("position startpos", "nodes 1", 30.0)).move == "a"
            before = time.process_time()
            await asyncio.sleep(0.5)
            assert time.process_time() - before < 0.25
            assert (await engine.play("", "nodes 1", 30.0)).move == "b"
            await asyncio.sleep(0.2)
            os.kill(engine.pid, signal.SIGKILL)
            with pytest.raises(EngineDied):
                await engine.ping(10.0)

    run(session())


def test_little_is_read_ahead_of_a_flood():
    """What waits would delay each later answer."""
    code = "shake(); say(*['info string ' + 'x' * 50] * 60000); say('last'); time.sleep(60)"

    async def session():
        wire = await Transport.open(script(code))
        await wire.send("uhi")
        most = 0
        while await wire.read_line() != "last":
            most = max(most, len(_waiting(wire._process.stdout)))
        assert most < 1 << 20
        await wire.kill()

    run(session())
