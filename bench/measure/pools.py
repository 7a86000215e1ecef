"""Figures that are tournaments of several engines: the files of bench/examples, really played."""

import json
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.contestant import engine_argv
from bench.registry import Out

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
# The longest a tournament of the figures may take, seconds.
TIMEOUT_SECONDS = 6 * 3600


def tournament(out: Out, example: str, flags: str = "") -> None:
    """Play a tournament in strict mode and write its JSON object and exit code into `out`.

    `ratings` says whether `drakkar ratings` reads its journal; its report in HTML is made as well.
    """
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "games.journal"
        words = ["tournament", str(EXAMPLES / example), *shlex.split(flags)]
        words += ["--journal", str(journal), "--record", str(Path(folder) / "games.record")]
        done = _run([*words, "--strict", "--quiet", "--concurrency", "2", "--json"])
        out["exit_code"] = done.returncode
        out["arguments"] = f"{example} {flags}".strip()
        out.update(json.loads(done.stdout))
        page = Path(folder) / "report.html"
        out["ratings"] = _run(["ratings", str(journal), "--html", str(page)]).stdout
        out["report_bytes"] = page.stat().st_size


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*engine_argv(), *words],
        stdout=subprocess.PIPE,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
