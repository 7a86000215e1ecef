"""The examples of the client run: those of its docstrings and that of the README."""

import dataclasses
import doctest
import importlib
import inspect
import re
import subprocess
import sys

import pytest
from scripted import ROOT

import protocol
from protocol import Info, Limit

MODULES = ("analysis", "client", "conversation", "declared", "faults", "replies", "transport")


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Put the command `drakkar` on the path, as after an installation."""
    path = tmp_path / "drakkar"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "drakkar.py"}" "$@"\n')
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


def failures(test):
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    return "".join(report)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(command, name):
    module = importlib.import_module(f"protocol.{name}")
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert tests or name in ("analysis", "conversation", "transport")
    globs = vars(importlib.import_module("protocol.client"))
    for test in tests:
        test.globs.update({**globs, **vars(module)})
        if name == "client":
            exec("import asyncio\nfrom protocol import Engine, Limit", test.globs)
        assert failures(test) == ""


def test_the_readme_example(command):
    (session,) = re.findall(r"^```pycon\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert len(test.examples) == 4
    assert failures(test) == ""


@pytest.mark.parametrize("call", ["'protocol.client'", "protocol.client"])
def test_help_tells_of_attributes_and_fields(call):
    ask = f"import protocol; help({call})"
    told = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in (
        *("name", "author", "dialect", "options", "games", "features"),
        *(field.name for kind in (Info, Limit) for field in dataclasses.fields(kind)),
        *("move", "ponder", "infos", "errors", "time_s"),
    ):
        assert re.search(rf"\|      {name}: ", told), name
    assert "ValueError: to play with a Limit that does not end" in told
    assert "if none is legal, all moves" in told


def test_everything_public_has_a_docstring():
    for name in MODULES:
        module = importlib.import_module(f"protocol.{name}")
        for thing in [getattr(module, public) for public in module.__all__]:
            if inspect.isclass(thing):
                members = [m for n, m in vars(thing).items() if not n.startswith("_")]
                functions = [m for m in members if inspect.isfunction(m) or isinstance(m, property)]
                assert all(m.__doc__ for m in functions), thing
            assert (
                inspect.isclass(thing)
                or inspect.isfunction(thing)
                or isinstance(thing, (int, float))
            )
            assert isinstance(thing, (int, float)) or thing.__doc__
    for name in ("Engine", "Limit", "Analysis"):
        assert getattr(protocol, name).__doc__
