"""The measured acceptance figures: `make figures`, or `python -m bench.figures [NAME ...]`.

Each figure is a function that fills a dictionary, with bounds on some of its values. Its result is
written to `bench/results/NAME.json` with the command that repeats it, the commit, and the machine;
no dates. A figure whose result was made from the same sources is skipped, so a run that was broken
off goes on where it stopped: commit first, then measure. `--force` measures anyway, `--list` lists.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench import registry
from bench.catalogue import (  # noqa: F401 - they register their figures
    beliefs,
    engine,
    ideas,
    kernel,
    late,
    manners,
    nash,
    opponents,
    peers,
    runs,
)
from bench.interrupts import exit_on_signal
from bench.measure.matches import JOURNALS
from bench.registry import Figure, LeftOut, Out

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).parent / "results"
# A result holds as long as these are unchanged; documents, charts and results themselves don't
# matter. Some figures run the second rules in tests/games.
SOURCES = tuple("engine search protocol gui_adapter bench tests/games drakkar.py setup.py".split())
NOT_SOURCES = (
    ":(exclude)*.md",
    ":(exclude)bench/*.svg",
    ":(exclude)bench/*.png",
    ":(exclude)bench/results",
    ":(exclude)bench/ladder/*.toml",
    ":(exclude)bench/signature.txt",
)


def measure(figure: Figure) -> dict[str, Any]:
    """Run a figure and return what goes into its file."""
    out: Out = {}
    start = time.monotonic()
    made = commit()
    figure.run(out)
    if made.isalnum() and not is_current({"commit": made}):
        made += "-changed"  # meanwhile
    return {
        "figure": figure.name,
        "summary": figure.summary,
        "command": f"python -m bench.figures --force {figure.name}",
        "commit": made,
        "machine": machine(),
        "bounds": [str(b) for b in figure.bounds],
        "holds": all(b.holds(out) for b in figure.bounds),
        "seconds": round(time.monotonic() - start, 1),
        "values": out,
    }


def machine() -> dict[str, Any]:
    """Return what the machine is, without its name and without the time."""
    model = platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def commit() -> str:
    """Return the commit of the sources, with `-changed` if the tree differs from it."""
    head = _git("rev-parse", "HEAD")
    if head is None:
        return "unknown"
    changed = _git("status", "--porcelain", "--", *SOURCES, *NOT_SOURCES)
    return head if changed == "" else f"{head}-changed"


def is_current(result: dict[str, Any]) -> bool:
    """True if a result was made from the sources as they are now."""
    made = str(result.get("commit"))
    if commit().endswith("-changed") or not made.isalnum() or made == "unknown":
        return False
    return _git("diff", "--quiet", made, "--", *SOURCES, *NOT_SOURCES) is not None


def current(name: str) -> dict[str, Any] | None:
    """Return the result of a figure if it was made from the sources as they are now, else None."""
    result = _stored(name)
    return result if result is not None and is_current(result) else None


def _git(*arguments: str) -> str | None:
    """Return what git prints; None if it fails or is not there."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _path(name: str) -> Path:
    return RESULTS / f"{name}.json"


def _stored(name: str) -> dict[str, Any] | None:
    try:
        result: dict[str, Any] = json.loads(_path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result


def main(arguments: list[str]) -> int:
    """Run the named figures, all without names; return 1 if a bound does not hold."""
    parser = argparse.ArgumentParser(prog="python -m bench.figures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="figures; default: all")
    parser.add_argument("--force", action="store_true", help="measure what was measured already")
    parser.add_argument("--list", action="store_true", help="list the figures")
    asked = parser.parse_args(arguments)
    names = asked.names or list(registry.FIGURES)
    unknown = [n for n in names if n not in registry.FIGURES]
    if unknown:
        print(
            f"no figure {', '.join(unknown)}; there are: {', '.join(registry.FIGURES)}",
            file=sys.stderr,
        )
        return 2
    if asked.list:
        for name in names:
            print(f"{name:18} {registry.FIGURES[name].summary}")
        return 0
    RESULTS.mkdir(exist_ok=True)
    failed = 0
    for name in names:
        result = None if asked.force else current(name)
        if result is None:
            print(f"{name}: {registry.FIGURES[name].summary} ...", flush=True)
            try:
                result = measure(registry.FIGURES[name])
            except LeftOut as error:
                print(f"{name}: left out: {error}", file=sys.stderr, flush=True)
                failed += 1
                continue
            # Command lines of engines name this interpreter; whoever repeats them has another.
            text = json.dumps(result, indent=1).replace(sys.executable, "python")
            _path(name).write_text(text + "\n", encoding="utf-8")
            # Now that it is kept, the match that it came from is not gone on with.
            for journal in JOURNALS.glob(f"*/{name}.journal"):
                journal.unlink()
        failed += not result["holds"]
        state = "holds" if result["holds"] else "DOES NOT HOLD"
        shown = {b.key: result["values"].get(b.key) for b in registry.FIGURES[name].bounds}
        print(f"{name}: {state} {shown} ({result['seconds']} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    exit_on_signal()
    sys.exit(main(sys.argv[1:]))
