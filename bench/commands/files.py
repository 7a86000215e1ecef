"""No file is written by two outputs, and neither what is read nor a journal is written over."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import click

_JOURNAL = re.compile(rb'\{"drakkar-record":\d+,"form":"journal"')


def check_apart(written: Mapping[str, Path | None], read: Mapping[str, Path | None]) -> None:
    """Raise UsageError if a file to be written is one of the others, by whatever path.

    The keys are for the message, such as `--record`. Devices and pipes may be named twice.
    """
    seen: dict[object, str] = {}
    named = [*read.items(), *written.items()]
    for place, (name, path) in enumerate(named):
        key = None if path is None else _identity(path)
        if key is None:
            continue
        if key in seen and place >= len(read):
            raise click.UsageError(f"{seen[key]} and {name} are the same file: {path}")
        seen.setdefault(key, name)


def check_no_journal(written: Mapping[str, Path | None]) -> None:
    """Raise UsageError if a file to be written over is the journal of some run."""
    for name, path in written.items():
        if path is None or not path.is_file():
            continue
        try:
            with path.open("rb") as file:
                is_journal = _JOURNAL.match(file.read(64)) is not None
        except OSError:
            continue  # told of when it is opened to be written
        if is_journal:
            raise click.UsageError(
                f"{name}: {path} is the journal of a run; it is not written over"
            )


def _identity(path: Path) -> object:
    """Return what is the same for all names of a file; None for what is no plain file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return os.path.realpath(path)
    return (status.st_dev, status.st_ino) if path.is_file() else None
