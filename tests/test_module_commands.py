"""The commands that are modules: `python -m bench.figures` and others."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Started by the manager alone, with a pipe as its argument.
INTERNAL = {"bench.referee.guardian"}
COMMANDS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for folder in ("engine", "search", "protocol", "gui_adapter", "bench")
    for path in (ROOT / folder).rglob("*.py")
    if "__main__" in path.read_text(encoding="utf-8").partition("\nif __name__")[2]
)


@pytest.mark.parametrize("module", [name for name in COMMANDS if name not in INTERNAL])
def test_a_command_does_nothing_it_was_not_asked_for(module: str) -> None:
    """It explains itself, and refuses an option that it does not know, before any work."""
    for word, code in (("--help", 0), ("--no-such-option", 2)):
        done = subprocess.run(
            [sys.executable, "-m", module, word],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == code, done
        assert re.match("usage: ", (done.stderr or done.stdout).decode(), re.IGNORECASE)
        assert b"Traceback" not in done.stderr


def test_the_commands_are_found() -> None:
    assert {"bench.figures", "bench.ideas", "engine.playthrough"} <= set(COMMANDS)
