"""Which sources are at work."""

import subprocess
from pathlib import Path


def commit() -> str:
    """Return the commit of the sources, `-changed` behind it if they differ; `unknown` without git.

    A tree that was installed without its history has no commit.
    """
    words = ["git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=-changed"]
    root = Path(__file__).resolve().parent
    try:
        done = subprocess.run(words, capture_output=True, text=True, cwd=root, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"
