"""`info` lines: standard errors and exact values in each dialect, and what a client reads."""

import asyncio

import pytest
from talking import ENGINE, VIEW
from test_tree import LATE

import search
from bench.check.grammar import parse_info
from engine import load
from protocol import Engine, Limit
from protocol.replies import Info

CHOICE = "leduc/1 me=p1 hand.p1=HK hand.p2=? public=- round1=cr round2=-"


def reports(lines):
    return [line for line in lines if line.startswith("info depth")]


@pytest.mark.parametrize("preset", ["drakkar", "vanilla"])
def test_every_line_has_its_error(talk, preset):
    talk.ask("uhi", f"setoption name Preset value {preset}", f"position view {CHOICE}")
    lines = reports(talk.ask("go nodes 400 multipv 3 seed 2"))
    infos = [Info.parse(line) for line in lines]
    game = load("leduc")
    result = search.Searcher(preset, seed=2).go(
        game.from_text(CHOICE), search.Limits(nodes=400), multipv=3
    )
    assert [info.se for info in infos] == [round(1000 * x.error) for x in result.info.lines]
    assert len(infos) == 3 and any(0 < info.se < 500 for info in infos)
    assert not any(info.solved for info in infos)
    assert [parse_info(line)["se"] for line in lines] == [info.se for info in infos]


def test_the_error_falls_with_the_simulations(talk):
    talk.ask("uhi", "setoption name Preset value flat", f"position view {CHOICE}")
    few, many = (
        Info.parse(reports(talk.ask(f"go nodes {nodes}"))[-1]).se for nodes in (400, 40_000)
    )
    assert many == pytest.approx(few / 10, rel=0.3)


def test_the_error_holds_what_it_says():
    """Of many seeds, two thirds are within one error of the truth that a long search finds."""
    view = load("leduc").from_text(CHOICE)
    move = view.legal_moves()[1]

    def line(seed, nodes):
        limits = search.Limits(nodes=nodes, searchmoves=(move,))
        return search.Searcher("flat", seed=seed).go(view, limits).info.lines[0]

    truth = line(0, 100_000).win
    lines = [line(seed, 200) for seed in range(1, 101)]
    inside = sum(abs(one.win - truth) < one.error for one in lines)
    assert 55 <= inside <= 80


@pytest.mark.parametrize("dialect", ["uci", "ugi"])
def test_other_dialects_have_no_new_fields(talk, dialect):
    talk.ask(dialect, f"position view {LATE}", "setoption name Search value solver=on")
    lines = talk.ask("go nodes 2000")
    assert lines[-3] == "info string solved" and lines[-2].startswith("info depth ")
    assert not {"se", "solved"} & set(lines[-2].split())
    assert " se " not in talk.ask(VIEW, "go nodes 50")[-2]


def test_exact_values_are_told(talk):
    talk.ask("uhi", f"position view {LATE}", "setoption name Search value solver=on")
    lines = talk.ask("go nodes 2000 multipv 9")
    infos = [Info.parse(line) for line in reports(lines)]
    assert infos and all(info.solved and info.se == 0 for info in infos)
    assert "info string solved" not in lines
    without = talk.ask("setoption name Search value solver=off", "go nodes 200")
    assert not any(" solved " in line for line in without)
    hidden = talk.ask("setoption name UCI_ShowWDL value false", "go nodes 200")
    assert " se " not in hidden[-2]


def test_the_client_tells_of_both():
    async def session():
        async with Engine.open(ENGINE) as engine:
            await engine.configure({"Search": "solver=on"})
            reply = await engine.play(f"position view {LATE}", Limit(nodes=2000))
            assert reply.infos[0].solved and reply.infos[0].se == 0
            reply = await engine.play(f"position view {CHOICE}", Limit(nodes=200))
            assert not reply.infos[0].solved and reply.infos[0].se > 0

    asyncio.run(session())


def test_reports_of_strangers():
    assert Info.parse("info depth 1 se x pv a") == Info(depth=1, pv=("a",))
    assert Info.parse("info se 7 solved 0 pv a") == Info(se=7, pv=("a",))
