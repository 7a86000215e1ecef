"""Analysis: reports as they come, and in whatever way it ends, the next answer is the right one."""

import asyncio
import tracemalloc
import types

import pytest
from scripted import ECHO, VIEW, gone, is_alive, open_kuhn, run, script

import protocol.analysis
from protocol.analysis import QUEUE_LINES
from protocol.client import (
    Engine,
    EngineDied,
    EngineError,
    EngineProtocolError,
    EngineTimeout,
    Info,
    Limit,
)
from protocol.faults import BadPosition, NoPosition


def echo(*, dialect="uhi"):
    return Engine.open(script(ECHO), dialect=dialect)


def test_reports_come_while_it_thinks():
    async def session():
        async with await open_kuhn() as engine:
            await engine.set_option("Game", "lofoten")
            async with engine.analysis("position startpos", multipv=2) as analysis:
                nodes = []
                async for info in analysis:
                    assert info.pv and sum(info.wdl) in range(998, 1003)
                    assert info.depth is not None and info.margin is not None
                    if info.multipv == 1:
                        nodes.append(info.nodes)
                    if len(nodes) == 3:
                        break
                assert nodes == sorted(set(nodes)) and analysis.is_running
                assert [info.multipv for info in analysis.best] == [1, 2]
                analysis.stop()
                reply = await analysis.wait(20.0)
                rest = [info async for info in analysis]
            assert rest[-2:] == reply.infos == analysis.best
            # A stop that comes while a report is made leaves no time for more simulations.
            assert reply.infos[0].nodes >= nodes[-1]
            assert reply.move == analysis.best[0].pv[0]
            assert analysis.dropped == 0

    run(session())


def test_an_analysis_with_a_limit_ends_by_itself():
    async def session():
        async with await open_kuhn() as engine:
            async with engine.analysis(VIEW, Limit(nodes=100), root_moves=["bet"]) as analysis:
                seen = [info async for info in analysis]
                assert [info.nodes for info in seen] == [100]
                assert analysis.is_over and (await analysis.wait()).move == "bet"
                assert [info async for info in analysis] == []
                # The engine is idle already, so that others may use it.
                await engine.set_option("Hash", 2)

    run(session())


def test_a_refused_position():
    async def session():
        async with await open_kuhn() as engine:
            for limit in (None, Limit(nodes=1)):
                with pytest.raises(BadPosition, match="token 3"):
                    async with engine.analysis("position view nonsense", limit):
                        raise AssertionError
            async with engine.analysis("", Limit(nodes=1)) as analysis:
                with pytest.raises(NoPosition):
                    async for _ in analysis:
                        pass
            assert (await engine.play(VIEW, Limit(nodes=5))).has_move

    run(session())


@pytest.mark.parametrize("dialect", ["ugi", "uhi"])
def test_leaving_stops_the_search(dialect):
    async def session():
        async with echo(dialect=dialect) as engine:
            async with engine.analysis("position a") as analysis:
                async for info in analysis:
                    assert info == Info.parse(
                        "info depth 1 nodes 5 score cp 150 wdl 700 0 300 pv a"
                    )
                    break
            reply = await analysis.wait()
            assert analysis.is_over and reply.move == "a"
            assert [info.pv for info in reply.infos] == [("a",)]
            with pytest.raises(ZeroDivisionError):
                async with engine.analysis("position b"):
                    raise ZeroDivisionError
            assert (await engine.play("position c", Limit(nodes=1))).move == "c"

    run(session())


def test_what_an_analysis_is_not_for():
    async def session():
        async with echo() as engine:
            analysis = engine.analysis("position a")
            for use in (analysis.wait(), analysis.__anext__()):
                with pytest.raises(RuntimeError, match="async with"):
                    await use
            analysis.stop()
            async with analysis:
                with pytest.raises(RuntimeError, match="once"):
                    await analysis.__aenter__()
                with pytest.raises(EngineTimeout, match="no bestmove within 0.05 s"):
                    await analysis.wait(0.05)
            await analysis.close()

    run(session())


# ---- pondering ----


def test_a_ponder_hit_and_a_miss():
    async def session():
        async with await open_kuhn() as engine:
            limit = Limit(nodes=50)
            async with engine.analysis(VIEW, limit, ponder=True) as pondering:
                await engine.ping()
                assert not pondering.is_over
                pondering.ponderhit()
                reply = await pondering.wait(20.0)
                assert reply.has_move and reply.time_s < 20.0
            async with engine.analysis(VIEW, limit, ponder=True) as pondering:
                pass
            assert (await pondering.wait()).has_move
            async with engine.analysis(VIEW, ponder=True) as pondering:
                pondering.ponderhit()
                assert (await pondering.wait(20.0)).has_move

    run(session())


@pytest.mark.serial
def test_the_time_of_an_answer_counts_from_the_ponder_hit():
    async def session():
        async with echo() as engine:
            async with engine.analysis("position a", ponder=True) as pondering:
                await asyncio.sleep(0.3)
                pondering.ponderhit()
                assert (await pondering.wait()).time_s < 0.25

    run(session())


# ---- consumers that do not keep up ----


def test_a_slow_consumer_loses_reports_and_no_memory():
    code = (
        "shake(); hear('go')\n"
        "for i in range(20000):\n"
        "    say(f'info depth 1 multipv 1 nodes {i} pv a' + ' b' * 200)\n"
        "say('bestmove a id 1'); input()"
    )

    async def session():
        async with Engine.open(script(code)) as engine:
            async with engine.analysis("position a") as analysis:
                first = await analysis.__anext__()
                tracemalloc.start()
                reply = await analysis.wait()
                _, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
                rest = [info async for info in analysis]
            assert first.nodes < 20000 and len(rest) == QUEUE_LINES
            assert rest[-1].nodes == 19999 == reply.infos[0].nodes
            assert analysis.dropped > 10000
            assert peak < 16 << 20

    run(session())


# ---- cancellation ----


async def cancelled_at(step, work):
    """Run a coroutine and cancel the task where it waits for the n-th time, n = `step`."""
    return await cancelling(step, work)


@types.coroutine
def cancelling(step, work):
    waits, send, value = 0, work.send, None
    while True:
        try:
            waiting = send(value)
        except StopIteration as end:
            return end.value
        waits += 1
        if waits == step:
            asyncio.current_task().cancel()
        try:
            value, send = (yield waiting), work.send
        except BaseException as error:
            value, send = error, work.throw


async def analyse_a_while(engine):
    async with engine.analysis("position x", multipv=2) as analysis:
        async for _ in analysis:
            break
        analysis.stop()
        await analysis.wait()


WORK = {
    "play": lambda engine: engine.play("position x", Limit(nodes=1)),
    "play on": lambda engine: engine.play("position x", "infinite", 0.05),
    "analysis": analyse_a_while,
    "ponder": lambda engine: ponder(engine),
    "query": lambda engine: engine.query("x"),
    "ping": lambda engine: engine.ping(),
    "set_option": lambda engine: engine.set_option("x", 1),
    "set_position": lambda engine: engine.set_position("position x"),
    "refused": lambda engine: engine.set_position("position bad"),
    "new_game": lambda engine: engine.new_game(),
}


async def ponder(engine):
    async with engine.analysis("position x", ponder=True) as pondering:
        await engine.ping()
        pondering.ponderhit()
        await pondering.wait()


@pytest.mark.parametrize("dialect", ["uci", "uhi"])
@pytest.mark.parametrize("name", WORK)
def test_a_cancelled_command_leaves_the_engine_usable(name, dialect):
    """Wherever it is cancelled, the next answers are those to the next questions."""

    async def session():
        async with echo(dialect=dialect) as engine:
            step, was_cancelled = 0, True
            while was_cancelled:
                step += 1
                work = asyncio.create_task(cancelled_at(step, WORK[name](engine)))
                done, _ = await asyncio.wait({work}, timeout=20.0)
                assert done
                was_cancelled = work.cancelled()
                if not was_cancelled and work.exception():
                    assert isinstance(work.exception(), (EngineTimeout, BadPosition))
                assert await engine.query("before") in (f"before-{m}" for m in WORDS(step))
                assert (await engine.play(f"position m{step}", Limit(nodes=1))).move == f"m{step}"
                assert await engine.query("q") == f"q-m{step}"
                await engine.set_option("x", 1)
            assert step > 1

    def WORDS(step):
        return ("x", "0000", "none", f"m{step - 1}")

    run(session())


def test_a_cancelled_start_or_end_leaves_no_process(tmp_path):
    """Also one that answers neither `quit` nor SIGTERM, has a child, and is cancelled twice."""
    code = (
        "child = os.fork()\n"
        f"if child: open({str(tmp_path)!r} + f'/{{os.getpid()}}-{{child}}', 'w')\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "if child == 0: time.sleep(60)\n"
        "shake(); time.sleep(60)"
    )

    async def life():
        async with Engine.open(script(code)) as engine:
            await engine.send("x")
            await engine.quit(timeout_s=0.03)

    async def session():
        step, was_cancelled = 0, True
        while was_cancelled:
            step += 1
            work = asyncio.create_task(cancelled_at(step, life()))
            if step % 3 == 0:
                await asyncio.sleep(0.03)
                work.cancel()
            await asyncio.wait({work}, timeout=20.0)
            was_cancelled = work.cancelled()
        pids = [int(pid) for path in tmp_path.iterdir() for pid in path.name.split("-")]
        assert step > 8 and pids
        for pid in pids:
            assert await gone(pid)

    run(session())


# ---- engines with faults ----


@pytest.mark.parametrize("has_id", [True, False])
def test_a_stop_that_is_answered_too_late(monkeypatch, has_id):
    """The command after it is told so once; then the late answer is nobody's."""
    monkeypatch.setattr(protocol.analysis, "STOP_PATIENCE_S", 0.2)
    mark = "' '.join(hear('go').split()[-2:])" if has_id else "hear('go')[:0]"
    code = (
        f"shake(); one = {mark}; say('info depth 1 pv a')\n"
        f"two = {mark}; say('info depth 1 pv late', 'bestmove late ' + one)\n"
        "say('bestmove b ' + two); input()"
    )

    async def session():
        async with Engine.open(script(code)) as engine:
            with pytest.raises(EngineTimeout, match="no bestmove after stop within 0.2 s"):
                async with engine.analysis("position a") as analysis:
                    await analysis.__anext__()
            with pytest.raises(EngineTimeout, match="no bestmove after stop within 0.1 s"):
                await engine.play("position b", Limit(nodes=1), 0.1)
            await engine.ping()
            reply = await engine.play("position b", Limit(nodes=1), 20.0)
            assert (reply.move, reply.infos) == ("b", [])

    run(session())


def test_an_analysis_of_nothing_is_stopped_at_once():
    """An engine may tell so and wait for `stop`, as with any search without a limit."""
    code = "shake(); hear('go'); say('error no-position nothing'); hear('stop')\n"
    code += "say('bestmove 0000 id 1'); input()"

    async def session():
        async with Engine.open(script(code)) as engine:
            async with engine.analysis("") as analysis:
                with pytest.raises(NoPosition):
                    await analysis.wait(20.0)

    run(session())


def test_a_question_without_an_answer_does_not_stop_the_search():
    code = "shake(); hear('go'); hear('query'); say('error no-position x', 'response none')\n"
    code += "hear('stop'); say('bestmove a id 1'); input()"

    async def session():
        async with Engine.open(script(code)) as engine:
            async with engine.analysis("position a") as analysis:
                with pytest.raises(NoPosition):
                    await engine.query("legal")
                assert analysis.is_running
            assert (await analysis.wait()).move == "a"

    run(session())


def test_an_error_inside_is_not_hidden_by_a_hanging_engine(monkeypatch):
    monkeypatch.setattr(protocol.analysis, "STOP_PATIENCE_S", 0.1)

    async def session():
        async with Engine.open(script("shake(); hear('go'); time.sleep(60)")) as engine:
            with pytest.raises(ZeroDivisionError):
                async with engine.analysis("position a"):
                    raise ZeroDivisionError
            await engine.kill()

    run(session())


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("sys.exit(3)", EngineDied),
        ("os.kill(os.getpid(), signal.SIGKILL)", EngineDied),
        ("os.close(1); time.sleep(60)", EngineDied),
        ("say('bestmovex a'); input()", EngineProtocolError),
        ("say('x' * (17 << 20)); input()", EngineProtocolError),
    ],
)
def test_an_engine_that_fails_in_between(code, kind):
    async def session():
        async with Engine.open(
            script(f"shake(); hear('go'); say('info depth 1 pv a'); {code}")
        ) as engine:
            seen = []
            with pytest.raises(kind):
                async with engine.analysis("position a") as analysis:
                    async for info in analysis:
                        seen.append(info)
            assert [info.pv for info in seen] == [("a",)] == [info.pv for info in analysis.best]
            with pytest.raises(kind):
                await analysis.wait()
            with pytest.raises(EngineError):
                await engine.play("position b", Limit(nodes=1), 0.2)
            await engine.quit(0.2)
            assert not is_alive(engine.pid)

    run(session())


def test_a_line_that_is_too_long_ends_the_search():
    code = "shake(); hear('go'); say('x' * (17 << 20)); sys.exit(input() != 'stop' and 9)"

    async def session():
        async with Engine.open(script(code)) as engine:
            with pytest.raises(EngineProtocolError, match="longer than"):
                await engine.play("position a", "infinite")
            with pytest.raises(EngineDied, match="exit code 0"):
                await engine.ping()

    run(session())


def test_a_search_that_is_cancelled_before_the_engine_has_read_it():
    async def session():
        async with Engine.open(
            script(ECHO.replace("shake()", "shake(); time.sleep(0.3)"))
        ) as engine:
            padding = "x " * 200000
            for use in (engine.play, engine.analysis(f"position {padding} b").__aenter__):
                arguments = (f"position {padding} a", "infinite") if use == engine.play else ()
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(use(*arguments), 0.05)
            assert (await engine.play("position c", Limit(nodes=1))).move == "c"

    run(session())


def test_the_best_lines_are_never_fewer_than_before():
    """Between the lines of a report those of the report before stand in."""
    lines = [f"info depth {d} multipv {k} pv m{d}{k}" for d, k in [(1, 1), (1, 2), (2, 1)]]
    code = f"shake(); hear('go'); say(*{lines}); input()\nsay('bestmove m21 id 1'); input()"

    async def session():
        async with Engine.open(script(code)) as engine:
            async with engine.analysis("position a") as analysis:
                assert analysis.best == []
                for _ in lines:
                    await analysis.__anext__()
                assert [info.pv[0] for info in analysis.best] == ["m21", "m12"]
            assert [info.pv[0] for info in (await analysis.wait()).infos] == ["m21"]

    run(session())


def test_a_complaint_about_another_search_is_not_of_this_one():
    code = (
        "shake(); hear('go')\n"
        "say('error bad-value id=77 old', 'error unsupported id=1 new', 'bestmove a id 1'); input()"
    )

    async def session():
        async with Engine.open(script(code)) as engine:
            reply = await engine.play("position a", Limit(nodes=1))
            assert [error.text for error in reply.errors] == ["new"]
            assert [error.text for error in engine.errors] == ["old", "new"]

    run(session())


def test_an_engine_that_answers_unasked_and_twice():
    code = (
        "say('bestmove early', 'readyok', 'response early', 'info depth 1 pv early')\n"
        "shake(); input(); say('bestmove early', 'bestmove early id 1', 'readyok')\n"
        "hear('go'); say('bestmove a id 1', 'bestmove a id 1', 'response x')\n"
        "hear('isready'); say('readyok'); hear('query'); say('response y')\n"
        "hear('go'); say('bestmove b id 2', 'bestmove'); input()"
    )

    async def session():
        async with Engine.open(script(code)) as engine:
            await engine.ping()
            assert (await engine.play("position a", Limit(nodes=1))).move == "a"
            # Responses have no ids: one printed unasked is known only if it is read in time.
            await engine.ping()
            assert await engine.query("a") == "y"
            reply = await engine.play("position b", Limit(nodes=1))
            assert (reply.move, reply.infos) == ("b", [])

    run(session())
