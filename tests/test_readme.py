"""The README is true: its sessions run, its commands and links exist."""

import doctest
import fnmatch
import re
import shlex
import subprocess
import sys
import threading

import click
import pytest

from bench.cli import main
from search.options import TABLE as OPTIONS
from search.presets import TABLE as PRESETS
from stale import PACKAGES, ROOT

README = (ROOT / "README.md").read_text()
HANG_SECONDS = 60


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("session", blocks("text"))
def test_engine_session(session):
    engine = subprocess.Popen(
        [sys.executable, str(ROOT / "drakkar.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    hang = threading.Timer(HANG_SECONDS, engine.kill)
    hang.start()
    assert engine.stdin is not None and engine.stdout is not None
    try:
        for line in session.splitlines():
            mark, _, text = line.partition(" ")
            if mark == ">":
                engine.stdin.write(text + "\n")
                continue
            assert mark == "<", line
            answers = iter(engine.stdout.readline, "")
            assert any(fnmatch.fnmatch(answer.rstrip("\n"), text) for answer in answers), line
        assert engine.wait(HANG_SECONDS) == 0
    finally:
        hang.cancel()
        engine.kill()
        engine.communicate()


def test_python_session():
    (session,) = blocks("python")
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 5
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_front_door_example():
    import drakkar

    assert doctest.testmod(drakkar).failed == 0


def test_commands_exist():
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    words = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("drakkar ")]
    assert {line[0] for line in words} >= {"match", "replay", "perft", "bench", "games"}
    context = click.Context(main)
    for command, *rest in words:
        found = main.get_command(context, command)
        assert found is not None, f"no command {command}"
        known = {name for option in found.params for name in option.opts}
        used = {word for word in rest if word.startswith("--")}
        assert used <= known, f"drakkar {command}: {used - known}"


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_make_targets_exist(document):
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"(?:^|`)make ([a-z-]+)", (ROOT / document).read_text(), re.MULTILINE)
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"no target {target}"


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "CONTRIBUTING.md",
        "bench/README.md",
        "bench/TOURNAMENTS.md",
        "bench/RECORDS.md",
        "bench/luck/README.md",
        "bench/fit/README.md",
        "bench/ideas/README.md",
        "search/README.md",
        "protocol/SPEC.md",
    ],
)
def test_links_lead_somewhere(document):
    path = ROOT / document
    for link in re.findall(r"\]\((?!http)([^)#]+)", path.read_text()):
        assert (path.parent / link).exists(), link


def test_the_two_commands_come_first():
    assert re.findall(r"make [a-z]+", README)[:2] == ["make match", "make test"]


def test_folders_are_listed_in_order():
    listed = re.findall(r"^\| `(\w+)/` \|", README, re.MULTILINE)
    assert listed == [*PACKAGES, "tests"]


def test_search_options_are_told_as_they_are():
    """Each option with what it may be, its default, and what `drakkar` sets."""

    def text(value):
        words = {None: "none", True: "on", False: "off"}
        is_word = value is None or isinstance(value, bool)
        return words[value] if is_word else value if isinstance(value, str) else f"{value:g}"

    ours = PRESETS["drakkar"].options
    expected = [
        f"| `{option.name}` | {option.range} | {text(option.default)} | "
        f"{text(ours[option.name]) if option.name in ours else ''} | {option.help} |"
        for option in OPTIONS
    ]
    document = (ROOT / "search" / "README.md").read_text()
    table = document.partition("| option | values |")[2].partition("\n\n")[0]
    assert table.splitlines()[2:] == expected
