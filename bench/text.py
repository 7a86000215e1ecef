"""Text that came from elsewhere, made fit to be shown."""


def visible(text: str) -> str:
    """Return a text with its control characters and other unprintable ones escaped.

    >>> print(visible("\\x1b[2J"))
    \\x1b[2J
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def tail(text: str, lines: int, size: int) -> str:
    """Return the last lines of a text, made visible, in at most about `size` characters."""
    kept = text[-size:].splitlines()[-lines:]
    return "\n".join(visible(line) for line in kept)[-size:]
