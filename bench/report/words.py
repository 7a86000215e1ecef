"""Numbers as people read them, and text of a known width."""

import unicodedata
from collections.abc import Mapping, Sequence


def number(value: float | None, shape: str) -> str:
    """Write a number, a dash for one that is missing."""
    return "-" if value is None else format(value, shape)


def percent(share: float | None) -> str:
    """Write a share of 0..1."""
    return "-" if share is None else f"{100.0 * share:.1f} %"


def plus_minus(value: float | None, error: float | None, shape: str) -> str:
    """Write a number with the half-width of its interval."""
    return "-" if value is None else f"{value:{shape}} ± {number(error, shape.lstrip('+'))}"


def percent_error(share: float | None, error: float | None) -> str:
    """Write a share of 0..1 with the half-width of its interval."""
    return "-" if share is None else f"{percent(share)} ± {percent(error)}"


def span(seconds: float | None) -> str:
    """Write a time in one or two units.

    >>> [span(s) for s in (0.4, 75, 3700, 200000)]
    ['0 s', '1 min 15 s', '1 h 02 min', '2 d 7 h']
    """
    if seconds is None:
        return "-"
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"


def width(text: str) -> int:
    """Return how many columns a text takes on a terminal.

    >>> width("Mädchen 海")
    10
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1
        for c in text
    )


def cut(text: str, columns: int) -> str:
    """Return a text that takes at most so many columns, with dots where something is missing."""
    if width(text) <= columns:
        return text
    kept = ""
    for letter in text:
        if width(kept + letter) > columns - 1:
            break
        kept += letter
    return kept + "…" if columns > 0 else ""


def fill(text: str, columns: int, right: bool = False) -> str:
    """Return a text with blanks around it to a number of columns."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def command_words(argv: Sequence[str]) -> str:
    """Return a command without the folders of its files, which are nobody else's business.

    >>> command_words(["/usr/bin/python3", "/home/me/engine.py", "--fast"])
    'python3 engine.py --fast'
    """
    return " ".join(word.rsplit("/", 1)[-1] or word for word in argv)


def terms_of(argv: Sequence[str], limit: object, options: Mapping[str, str]) -> dict[str, str]:
    """Return what reports tell of a contestant: `command`, `limit`, and `terms` with options."""
    told = ", ".join([str(limit), *(f"{name} {value}" for name, value in options.items())])
    return {"command": command_words(argv), "limit": str(limit), "terms": told}


def grid(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return lines of a table: the first column to the left, all others to the right."""
    widths = [max(width(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        (
            indent
            + "  ".join(
                fill(text, columns, right=place > 0)
                for place, (text, columns) in enumerate(zip(row, widths, strict=True))
            )
        ).rstrip()
        for row in rows
    ]


__all__ = [
    "command_words",
    "cut",
    "fill",
    "grid",
    "number",
    "percent",
    "percent_error",
    "plus_minus",
    "span",
    "terms_of",
    "width",
]
