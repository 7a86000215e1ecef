"""Figures that a script of the tests measures; it prints one JSON object as its last line."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# The longest a script may take, seconds.
TIMEOUT_SECONDS = 4 * 3600


def run(out: dict[str, Any], command: str) -> None:
    """Run a script of the source tree with its arguments and write what it tells into `out`."""
    script, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, str(ROOT / script), *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    lines = done.stdout.strip().splitlines()
    if not lines or not lines[-1].startswith("{"):
        raise RuntimeError(f"{command} ended with code {done.returncode} and told no figures")
    out.update(json.loads(lines[-1]))
    out["exit_code"] = done.returncode
