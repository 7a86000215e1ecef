"""A block of lines on a terminal that renews itself in its place."""

import os
import shutil
from typing import IO

import click

from bench.report.words import width

# Move up so many lines; clear from the cursor to the end of the screen. The cursor stays visible:
# nobody would bring it back after a kill.
UP, CLEAR = "\x1b[{}A", "\x1b[J"
USUAL = (80, 24)


def is_screen(stream: IO[str]) -> bool:
    """True for a terminal that can move its cursor."""
    try:
        return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
    except ValueError:  # closed
        return False


class Screen:
    """The block: `show` writes it anew over the old one, whatever became of the width meanwhile."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._widths: list[int] = []
        self._colours = not os.environ.get("NO_COLOR")

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of the terminal, now; COLUMNS and LINES in the environment win."""
        size = shutil.get_terminal_size()
        if "COLUMNS" not in os.environ:
            try:
                size = os.get_terminal_size(self._stream.fileno())
            except (OSError, AttributeError, ValueError):
                pass
        # A terminal that does not know its size says 0.
        return max(10, size.columns or USUAL[0]), max(4, size.lines or USUAL[1])

    def show(self, lines: list[str], above: list[str] | None = None) -> None:
        """Replace the block by these lines; lines `above` are written before it and stay.

        A terminal that was made narrower has broken the old lines, so the cursor goes up by the
        rows that they take now.
        """
        columns, _ = self.size
        rows = sum(max(1, -(-taken // columns)) for taken in self._widths)
        plain = [click.unstyle(line) for line in lines]
        shown = lines if self._colours else plain
        start = "\r" + (UP.format(rows) if rows else "") + CLEAR
        body = "".join(f"{line}\n" for line in [*(above or []), *shown])
        self._stream.write(start + fit(body, self._stream))
        self._stream.flush()
        self._widths = [width(line) for line in plain]

    def leave(self, below: list[str]) -> None:
        """Let the block stand, with lines below it."""
        self._stream.write(fit("".join(f"{line}\n" for line in below), self._stream))
        self._stream.flush()
        self._widths = []


def fit(text: str, stream: IO[str]) -> str:
    """Return a text in letters that a stream can take."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        for letter, plain in (("±", "+-"), ("…", "~"), ("█", "#"), ("░", "."), ("│", "|")):
            text = text.replace(letter, plain)
        text = text.encode("ascii", "backslashreplace").decode()
    return text


__all__ = ["Screen", "fit", "is_screen"]
