"""How commands end: their exit codes, and what they say of it on standard error."""

import sys
from contextlib import suppress

EXIT_DONE, EXIT_OUTPUT, EXIT_USAGE, EXIT_ENGINE = 0, 1, 2, 3
EXIT_INTERNAL, EXIT_WARNINGS, EXIT_INTERRUPTED = 4, 5, 130


def complain(text: str) -> None:
    """Write a message to standard error, if it takes one."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):  # full, or closed
            print(f"drakkar: {text}", file=sys.stderr, flush=True)


__all__ = [
    "EXIT_DONE",
    "EXIT_ENGINE",
    "EXIT_INTERNAL",
    "EXIT_INTERRUPTED",
    "EXIT_OUTPUT",
    "EXIT_USAGE",
    "EXIT_WARNINGS",
    "complain",
]
