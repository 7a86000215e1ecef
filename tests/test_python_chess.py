"""A client of UCI that knows nothing of these games: the engine module of python-chess."""

import asyncio
import logging
import os
import re
import threading

import chess.engine
import pytest
from talking import ENGINE, HANG_S, Process

# Python-chess sets these itself and refuses them in `configure`.
MANAGED = {"MultiPV", "Ponder"}
SETTINGS = {
    "Strict Views": True,
    "Hash": 8,
    "Move Overhead": "25",
    "Preset": "vanilla",
    "Game": "kuhn",
    "CardFile": "",
    "Clear Hash": None,
}


@pytest.fixture(scope="module")
def declared():
    """Return the `option` lines of the engine by name."""
    with Process() as process:
        lines = process.ask("uci", "uciok")
    names = {re.match(r"option name (.+?) type ", x)[1]: x for x in lines if x.startswith("option")}
    assert len(names) > 20
    return names


def check_ended(pid):
    """Wait for the client's thread, if any; no process may have the id any more."""
    for thread in threading.enumerate():
        if thread.name.startswith("SimpleEngine"):
            thread.join(HANG_S)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def check_options(options, declared):
    """Compare what python-chess has read with what was declared."""
    assert set(options) == set(declared)
    types = {"check": bool, "spin": int, "combo": str, "string": str}
    for name, option in options.items():
        assert f" type {option.type}" in declared[name]
        if option.type == "button":
            assert option.default is None
            continue
        assert type(option.default) is types[option.type]
        if option.type == "spin":
            assert option.min <= option.default <= option.max
        if option.type == "combo":
            assert option.default in option.var
        assert option.parse(option.default) == option.default
    assert {option.type for option in options.values()} == {*types, "button"}
    assert options["Hash"].default == 64
    assert options["Strict Views"].default is False
    assert options["CardFile"].default in ("", "<empty>")
    assert options["Preset"].default == "drakkar"


def test_blocking_client(declared):
    engine = chess.engine.SimpleEngine.popen_uci(ENGINE, timeout=HANG_S)
    with engine:
        pid = engine.transport.get_pid()
        assert engine.id["name"].startswith("Drakkar ")
        assert engine.id["author"]
        check_options(engine.options, declared)
        engine.configure(SETTINGS)
        engine.ping()
        with pytest.raises(chess.engine.EngineError, match="does not support option"):
            engine.configure({"Nonsense": 1})
        with pytest.raises(chess.engine.EngineError, match="expected value"):
            engine.configure({"Hash": 0})
        assert all(engine.options[name].is_managed() for name in MANAGED)
        engine.ping()
        engine.quit()
    assert engine.returncode.result(timeout=HANG_S) == 0
    check_ended(pid)


def test_leaving_without_quit():
    """To close the client closes the pipes."""
    engine = chess.engine.SimpleEngine.popen_uci(ENGINE, timeout=HANG_S)
    pid = engine.transport.get_pid()
    engine.ping()
    engine.close()
    assert engine.returncode.result(timeout=HANG_S) is not None
    check_ended(pid)


def test_asyncio_client(declared, caplog):
    async def session():
        transport, engine = await chess.engine.popen_uci(ENGINE)
        check_options(engine.options, declared)
        engine.debug(True)
        await engine.configure(SETTINGS)
        await engine.ping()
        await engine.quit()
        transport.close()
        return transport.get_pid(), await engine.returncode

    with caplog.at_level(logging.DEBUG, logger="chess.engine"):
        pid, code = asyncio.run(session())
    assert code == 0
    check_ended(pid)
    lines = [line.partition(" >> info string ")[2] for line in caplog.messages]
    shown = {True: "true", "": "<empty>", None: "<empty>"}
    assert [x for x in lines if x] == [
        f"option {name} = {shown.get(word, word)}" for name, word in SETTINGS.items()
    ]
