"""Files that people write, read without trust: bounded, and with every fault as one exception."""

import tomllib
from pathlib import Path
from typing import Any

TEXT_MAX, TOML_MAX = 64 << 20, 1 << 20
"""Bytes that such a file may have: more are another file, or a device without an end."""


class BadText(ValueError):
    """A file that is no text, no TOML, too long or not there; the message does not name it."""


def read_text(path: Path, most: int = TEXT_MAX) -> str:
    """Return the text of a file; see `decode_text`. Raises BadText."""
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise BadText(error.strerror) from None
    return decode_text(content, most)


def decode_text(content: bytes, most: int = TEXT_MAX) -> str:
    """Return a text in UTF-8 without the mark that some editors begin it with. Raises BadText."""
    if len(content) > most:
        raise BadText(f"it is longer than {most >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(str(error)) from None


def parse_toml(text: str) -> dict[str, Any]:
    """Return the content of TOML. Raises BadText."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadText("tables or lists in each other, too deep to be read") from None
    except ValueError as error:  # no TOML, or a number of thousands of digits
        raise BadText(str(error)) from None


__all__ = ["TOML_MAX", "BadText", "decode_text", "parse_toml", "read_text"]
