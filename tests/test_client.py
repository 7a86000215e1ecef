"""The client with engines that behave: settings, questions, moves, refusals, many tasks at once."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import ECHO, ENGINE, OTHER, VIEW, open_kuhn, run, script

import protocol
from protocol.client import Engine, EngineProtocolError, Info, Limit, parse_option
from protocol.faults import (
    BadOption,
    BadPosition,
    BadValue,
    EngineBusy,
    EngineDied,
    EngineRefusal,
    EngineTimeout,
    IllegalMove,
    InconsistentView,
    InternalFault,
    NoPosition,
    Unsupported,
    parse_error,
)
from protocol.messages import INT_MAX, INT_MIN, parse_go
from protocol.replies import go_line
from protocol.transport import Transport


@pytest.mark.parametrize("dialect", ["uci", "ugi", "uhi"])
def test_a_session(dialect):
    async def session():
        async with Engine.open(ENGINE, dialect=dialect) as engine:
            assert engine.name.startswith("Drakkar ")
            assert engine.options["move overhead"].kind == "spin"
            assert ("kuhn/1" in engine.games) == (dialect == "uhi")
            await engine.configure({"game": "kuhn", "Strict Views": True, "Clear Hash": None})
            await engine.new_game()
            assert await engine.ping() < 10.0
            reply = await engine.play(VIEW, Limit(nodes=200, seed=3))
            assert reply.has_move and reply.move in ("pass", "bet")
            assert reply.errors == []
            assert [info.nodes for info in reply.infos] == [200]
            assert reply.infos[0].pv[0] == reply.move
            assert 0.0 < reply.time_s < 20.0
            assert (await engine.play("", "nodes 200 seed 3")).move == reply.move
            assert await engine.query("legal") == "pass,bet"
            assert await engine.legal_moves() == ["pass", "bet"]
            assert await engine.turn() == "p1"
            assert await engine.view() == "kuhn/1 me=p1 hand.p1=K hand.p2=? actions=-"
            lines = await engine.analyse(OTHER, Limit(nodes=300), multipv=2)
            assert [info.multipv for info in lines] == [1, 2]
            assert lines[0].margin >= lines[1].margin
        assert engine.exit_code == 0

    run(session())


def test_chosen_moves_only():
    async def session():
        async with await open_kuhn() as engine:
            for move in ("pass", "bet"):
                reply = await engine.play(VIEW, Limit(nodes=100), root_moves=[move])
                assert (reply.move, reply.errors) == (move, [])
            reply = await engine.play(VIEW, Limit(nodes=50), root_moves=["bet", "raise"])
            assert reply.move == "bet" and isinstance(reply.errors[0], IllegalMove)
            for moves in ([], ["bet pass"], ["nodes"], [""]):
                with pytest.raises(ValueError, match="root moves"):
                    await engine.play(VIEW, Limit(nodes=1), root_moves=moves)
            reply = await engine.play(VIEW, Limit(nodes=50), root_moves=["raise"])
            assert reply.has_move and isinstance(reply.errors[0], IllegalMove)

    run(session())


def test_a_text_is_no_list_of_moves():
    async def session():
        async with await open_kuhn() as engine:
            for search in (engine.play, engine.analyse):
                with pytest.raises(TypeError, match=r"'bet' is no list of moves; write \['bet'\]"):
                    await search(VIEW, Limit(nodes=50), root_moves="bet")
            with pytest.raises(TypeError, match="'bet' is no list of moves"):
                engine.analysis(VIEW, Limit(nodes=50), root_moves="bet")
            for limit in (50, None):
                with pytest.raises(TypeError, match="neither a Limit nor the words"):
                    await engine.play(VIEW, limit)
            reply = await engine.play(VIEW, Limit(nodes=50), root_moves=iter(("bet",)))
            assert (reply.move, reply.errors) == ("bet", [])

    run(session())


@pytest.mark.parametrize(
    ("argv", "error", "text"),
    [
        ("drakkar", TypeError, r"'drakkar' is no list of words; write \['drakkar'\]"),
        ("drakkar --uhi", TypeError, r"write \['drakkar', '--uhi'\]"),
        (b"drakkar", TypeError, "no list of words"),
        (None, TypeError, "no list of words"),
        ([], ValueError, "argv is empty"),
    ],
)
def test_a_command_is_a_list_of_words(argv, error, text):
    with pytest.raises(error, match=text):
        Engine.open(argv)
    with pytest.raises(error, match=text):
        run(Transport.open(argv))


def test_only_the_last_report_is_kept():
    async def session():
        async with await open_kuhn() as engine:
            await engine.set_option("MultiPV", 2)
            reply = await engine.play(VIEW, Limit(movetime_ms=450))
            assert [info.multipv for info in reply.infos] == [1, 2]
            assert reply.infos[0].nodes == reply.infos[1].nodes

    run(session())


# ---- refusals ----


@pytest.mark.parametrize("dialect", ["uci", "uhi"])
def test_complaints_are_told(dialect):
    async def session():
        async with await open_kuhn(dialect) as engine:
            with pytest.raises(BadValue, match="setoption name Game value nonsense: bad-value"):
                await engine.set_option("Game", "nonsense")
            with pytest.raises(BadOption, match="bad-option"):
                await engine.set_option("Gamme", "kuhn")
            with pytest.raises(BadPosition, match="answered '0000'; it said: bad-position") as told:
                await engine.play("position view nonsense", "nodes 5")
            assert told.value.code == "bad-position" and told.value.text.startswith("token 3")
            assert told.value.reply.move == "0000"
            assert [error.code for error in told.value.reply.errors] == [
                "bad-position",
                "no-position",
            ]
            assert (await engine.play(VIEW, "nodes 5")).errors == []
            assert [error.code for error in engine.errors][-2:] == ["bad-position", "no-position"]

    run(session())


@pytest.mark.parametrize("dialect", ["ugi", "uhi"])
def test_refused_positions_are_told_apart(dialect):
    async def session():
        async with await open_kuhn(dialect) as engine:
            with pytest.raises(NoPosition, match="query legal"):
                await engine.legal_moves()
            for line, kind in [
                ("position view kuhn/1 me=p2 moves ~deal@p1=? ~deal@p2=Q p1:fold", BadPosition),
                ("position view kuhn/1 me=p2 moves ~deal@p1=K ~deal@p2=Q", InconsistentView),
                ("position startpos moves bet bet bet", IllegalMove),
            ]:
                with pytest.raises(BadPosition) as told:
                    await engine.set_position(line)
                assert type(told.value) is kind
                with pytest.raises(NoPosition):
                    await engine.play("", Limit(nodes=5))
            with pytest.raises(BadValue, match="query mood"):
                await engine.query("mood")
            await engine.set_position(VIEW)
            assert await engine.turn() == "p1"

    run(session())


def test_no_decision_is_no_refusal():
    async def session():
        async with await open_kuhn() as engine:
            reply = await engine.play("position startpos moves bet bet", Limit(nodes=5))
            assert not reply.has_move and reply.errors == []
            assert await engine.turn() == "none"
            assert await engine.legal_moves() == []
            await engine.set_position("position startpos moves ~deal@p1=K")
            assert (await engine.turn(), await engine.view()) == ("chance", "")

    run(session())


def test_every_code_has_its_error():
    for code, kind in [
        ("bad-option", BadOption),
        ("bad-value", BadValue),
        ("bad-position", BadPosition),
        ("inconsistent-view", InconsistentView),
        ("illegal-move", IllegalMove),
        ("no-position", NoPosition),
        ("unsupported", Unsupported),
        ("internal", InternalFault),
        ("parse", EngineRefusal),
        ("of-its-own", EngineRefusal),
    ]:
        for line in (f"error {code} some  text\t", f"info string error {code} some  text"):
            refusal, go_id = parse_error(line)
            assert type(refusal) is kind and isinstance(refusal, EngineProtocolError)
            assert (refusal.code, refusal.text, go_id) == (code, "some  text", None)
        assert parse_error(f"error {code} id=a7 x")[1] == "a7"
    for line in ("info string errors", "info error x", "errors x", "readyok", ""):
        assert parse_error(line) is None


# ---- options ----

DECLARED = (
    "say('id name fault', 'option name Hash type spin default 8 min 1 max 64',"
    " 'option name Style of Play type combo default calm var calm var wild',"
    " 'option name Loud type check default false', 'option name Path type string default <empty>',"
    " 'option name Reset type button', input() + 'ok')\n"
    "heard = []\n"
    "for line in sys.stdin:\n"
    "    if line == 'isready\\n': say('readyok')\n"
    "    elif line == 'query heard\\n': say('response ' + '|'.join(heard).replace(' ', '_'))\n"
    "    elif line == 'quit\\n': break\n"
    "    else: heard.append(line.strip())\n"
)


def test_options_are_checked_before_anything_is_sent():
    async def session():
        async with Engine.open(script(DECLARED)) as engine:
            for options, kind, words in [
                ({"Hash": 9, "Hahs": 1}, BadOption, "no option 'Hahs'; do you mean 'Hash'?"),
                ({"zzzzzz": 1}, BadOption, "no option 'zzzzzz'. There is: Hash, Style"),
                ({"hash": 65}, BadValue, "option Hash: 65 is not a whole number from 1 to 64"),
                ({"hash": "8.5"}, BadValue, "'8.5' is not a whole number"),
                ({"hash": True}, BadValue, "True is not a whole number"),
                ({"hash": None}, BadValue, "None is not"),
                ({"Loud": 1}, BadValue, "true or false"),
                ({"Style  of play": "mild"}, BadValue, "one of calm, wild"),
                ({"Path": "a\nquit"}, BadValue, "one line"),
                ({"Reset": 1}, BadValue, "a button has no value"),
            ]:
                with pytest.raises(kind) as told:
                    await engine.configure({"Loud": True, **options})
                assert words in str(told.value)
            assert not engine.errors
            await engine.configure({})
            await engine.configure(
                {"style of PLAY": "WILD", "Loud": True, "HASH": "12", "path": "", "reset": None}
            )
            assert (await engine.query("heard")).split("|") == [
                "setoption_name_Style_of_Play_value_wild",
                "setoption_name_Loud_value_true",
                "setoption_name_Hash_value_12",
                "setoption_name_Path_value_<empty>",
                "setoption_name_Reset",
            ]

    run(session())


def test_options_of_strangers():
    option = parse_option("option name Style of Play type combo default a b var a b var c")
    assert (option.name, option.kind, option.default) == ("Style of Play", "combo", "a b")
    assert option.choices == ["a b", "c"]
    option = parse_option("option name Path type string default <empty>")
    assert (option.default, option.low) == ("<empty>", None)
    assert parse_option("option name Free type spin default 1").text_of(10**6) == "1000000"
    for line in ("option", "option name x", "option type spin", "option name type spin"):
        with pytest.raises(EngineProtocolError):
            parse_option(line)


# ---- limits and reports ----

NUMBERS = st.none() | st.integers(INT_MIN, INT_MAX)
CLOCKS = st.lists(NUMBERS, max_size=4)


@given(
    st.fixed_dictionaries(
        {name: NUMBERS for name in ("nodes", "worlds", "movetime_ms", "depth", "mate", "seed")}
    ),
    CLOCKS,
    CLOCKS,
    st.booleans(),
    st.sampled_from(["uci", "ugi", "uhi"]),
)
def test_a_limit_is_read_as_it_was_meant(numbers, clocks, incs, infinite, dialect):
    limit = Limit(**numbers, clocks_ms=clocks, incs_ms=incs, infinite=infinite)
    go = parse_go(limit.go_words(dialect))
    assert (go.nodes, go.worlds, go.movetime) == (limit.nodes, limit.worlds, limit.movetime_ms)
    assert (go.depth, go.mate, go.seed, go.infinite) == (
        limit.depth,
        limit.mate,
        limit.seed,
        infinite,
    )
    assert go.times == {seat: ms for seat, ms in enumerate(clocks) if ms is not None}
    assert go.incs == {seat: ms for seat, ms in enumerate(incs) if ms is not None}
    assert eval(repr(limit)) == limit


def test_limits_that_make_no_sense():
    for wrong in ({"nodes": 1.5}, {"nodes": True}, {"depth": "3"}, {"clocks_ms": [1.0]}):
        with pytest.raises(TypeError, match="whole number"):
            Limit(**wrong)
    for wrong in ({"nodes": 1 << 63}, {"clocks_ms": [1] * 5}, {"incs_ms": [INT_MIN - 1]}):
        with pytest.raises(ValueError):
            Limit(**wrong)
    assert not Limit(seed=3, incs_ms=[5]).ends and not Limit(nodes=3, infinite=True).ends
    assert Limit(movestogo=5, clocks_ms=[None, 7]).ends
    assert go_line("movetime 5 id a", "uhi", "1", None, 3, True) == (
        "go movetime 5 id a ponder multipv 3",
        "a",
    )
    assert go_line(Limit(), "uci", "1") == ("go", "1")

    async def session():
        async with Engine.open(script(ECHO)) as engine:
            with pytest.raises(ValueError, match="a limit that ends"):
                await engine.play("position x", Limit(seed=1))
            for line in ("go infinite", "quit", " x position", "position x\nquit"):
                with pytest.raises(ValueError):
                    await engine.play(line, Limit(nodes=1))
            for word in ("", "a b", "a\nquit"):
                with pytest.raises(ValueError):
                    await engine.query(word)
            assert (await engine.play("position x", Limit(nodes=1))).move == "x"

    run(session())


def test_reports_of_strangers():
    """What cannot be read is left out, the rest of the line stays."""
    assert Info.parse("info depth x nodes 5 score mate -3 wdl 1 2 pv") == Info(nodes=5, mate=-3)
    assert Info.parse("info string pv a b") == Info(string="pv a b")
    assert Info.parse("info") == Info()
    assert Info.parse("info time 7 multipv 2").time_ms == 7
    assert Info().margin is None


# ---- many tasks, one engine ----


def test_tasks_wait_for_each_other():
    async def session():
        async with Engine.open(script(ECHO)) as engine:
            moves = [f"m{number}" for number in range(50)]
            jobs = []
            for move in moves:
                jobs.append(engine.play(f"position {move}", Limit(nodes=1)))
                jobs.append(engine.ping())
            replies = await asyncio.gather(*jobs)
            assert [reply.move for reply in replies[::2]] == moves

    run(session())


def test_a_complaint_belongs_to_the_oldest_question():
    async def session():
        engine = await open_kuhn()
        await engine.set_position(VIEW)
        for jobs, kind in (
            ([engine.query("xyzzy"), engine.set_position(VIEW), engine.play(VIEW, "nodes 9")], 0),
            ([engine.set_option("nosuch", 1), engine.query("turn"), engine.ping()], 0),
            ([engine.ping(), engine.query("legal"), engine.set_position("position x")], 2),
        ):
            told = await asyncio.gather(*jobs, return_exceptions=True)
            assert [isinstance(one, EngineRefusal) for one in told] == [i == kind for i in range(3)]
        late = asyncio.ensure_future(engine.query("xyzzy"))
        await asyncio.sleep(0)
        late.cancel()
        await engine.set_position(VIEW)
        reply = await engine.play(VIEW, "nodes 9")
        assert reply.has_move and reply.errors == []
        await engine.quit()

    run(session())


def test_a_question_that_is_passed_over_gets_no_complaints():
    """An engine that does not know a question answers nothing to it, but what comes behind."""
    code = (
        "shake()\nfor line in sys.stdin:\n"
        "    if line == 'isready\\n': say('readyok')\n"
        "    if line == 'position bad\\n': say('error bad-position x')"
    )

    async def session():
        engine = await Engine.open(script(code))
        with pytest.raises(EngineTimeout):
            await engine.query("turn", 0.05)
        await engine.ping()
        with pytest.raises(BadPosition):
            await engine.set_position("position bad")
        await engine.kill()

    run(session())


def test_the_wait_for_other_tasks_is_limited():
    async def session():
        engine = await Engine.open(script(ECHO))
        other = asyncio.ensure_future(engine.play("position a", "movetime 60000", 30.0))
        await asyncio.sleep(0)
        start = asyncio.get_running_loop().time()
        for job in (
            engine.set_option("Hash", 1, timeout_s=0.1),
            engine.new_game(0.1),
            engine.play("position b", "nodes 1", 0.1),
        ):
            with pytest.raises(EngineTimeout, match="no end of another command within 0.1 s"):
                await job
        assert asyncio.get_running_loop().time() - start < 5.0
        await engine.send("stop")
        assert (await other).move == "a"
        assert (await engine.play("position b", "nodes 1")).move == "b"
        await engine.quit()

    run(session())


def test_questions_are_answered_during_an_analysis_and_nothing_else():
    async def session():
        async with await open_kuhn() as engine:
            async with engine.analysis(VIEW) as analysis:
                assert await engine.turn() == "p1"
                assert await engine.ping() < 10.0
                for command in (
                    engine.play(OTHER, Limit(nodes=1)),
                    engine.configure({"Hash": 1}),
                    engine.set_option("Hash", 1),
                    engine.set_position(OTHER),
                    engine.new_game(),
                    engine.analysis(OTHER).__aenter__(),
                ):
                    with pytest.raises(EngineBusy, match="analysing"):
                        await command
                assert analysis.is_running
                analysis.stop()
                assert (await engine.play(OTHER, Limit(nodes=10))).move in ("pass", "bet")
                assert (await analysis.wait()).move in ("pass", "bet")

    run(session())


def test_only_who_ponders_is_told_of_a_hit():
    async def session():
        async with Engine.open(script(ECHO)) as engine:
            async with engine.analysis("position a") as analysis:
                with pytest.raises(ValueError, match="does not ponder"):
                    analysis.ponderhit()
                await asyncio.sleep(0.1)
                analysis.stop()
                assert (await analysis.wait(20.0)).time_s >= 0.1
        code = (
            "shake(); hear('go'); n = 0\n"
            "while input() == 'ponderhit': n += 1\n"
            "say(f'bestmove m{n} id 1'); hear('go'); say('bestmove b id 2'); input()"
        )
        async with Engine.open(script(code)) as engine:
            async with engine.analysis("", "ponder movetime 5") as pondering:
                pondering.ponderhit()
                pondering.ponderhit()
                pondering.stop()
                assert (await pondering.wait(20.0)).move == "m1"
                pondering.ponderhit()
            assert (await engine.play("", "nodes 1", 20.0)).move == "b"

    run(session())


def test_those_who_wait_learn_of_the_end():
    async def session():
        engine = await Engine.open(script(ECHO))
        waiting = asyncio.create_task(engine.play("position x", "infinite"))
        asked = asyncio.create_task(engine.query("x"))
        await engine.ping()
        assert await engine.quit() == 0
        with pytest.raises(EngineDied, match="exit code 0"):
            await waiting
        assert await asked == "x-x"
        for command in (engine.ping(), engine.send("x"), engine.play("", Limit(nodes=1))):
            with pytest.raises(EngineDied):
                await command

    run(session())


def test_the_package_offers_the_client():
    for name in protocol.__all__:
        assert getattr(protocol, name) is not None
    assert protocol.Engine is Engine and protocol.BadPosition is BadPosition
    with pytest.raises(AttributeError):
        _ = protocol.Motor
