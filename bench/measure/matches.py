"""Figures that are matches: the real command with real processes, read from its `--json`."""

import json
import shlex
import subprocess
from typing import Any

from bench.contestant import engine_argv

Out = dict[str, Any]
# The longest a match of the figures may take, seconds.
TIMEOUT_SECONDS = 6 * 3600


def play(out: Out, arguments: str) -> None:
    """Run `drakkar match` with these arguments and write its JSON object into `out`.

    Adds `points_share`, and `errors_from_even`: how many standard errors (over pairs) A's score is
    away from one half.
    """
    command = [*engine_argv(), "match", *shlex.split(arguments), "--json"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    if not done.stdout.strip():
        raise RuntimeError(f"{shlex.join(command)} ended with code {done.returncode}")
    out.update(json.loads(done.stdout))
    out["arguments"] = arguments
    out["exit_code"] = done.returncode
    out["points_share"] = out["points"] / out["games"] if out["games"] else None
    error = out["score_error"]
    if error:
        out["errors_from_even"] = abs(out["score"] - 0.5) / (error / 1.959963984540054)
