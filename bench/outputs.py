"""Files that a run writes to: opened without waiting, written without a buffer."""

import errno
import os
from contextlib import suppress


def open_output(path: str | os.PathLike[str], flags: int) -> int:
    """Return the descriptor of a file to write to; flags such as O_TRUNC come on top.

    Raises OSError, also for a pipe that nobody reads: to wait for a reader would stop everything.
    """
    try:
        mode = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | flags
        descriptor = os.open(path, mode, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "nobody reads this pipe", os.fspath(path)) from None
        raise
    os.set_blocking(descriptor, True)
    return descriptor


class Unbuffered:
    """Text written straight to a descriptor, as UTF-8.

    A buffer has a lock: whoever waits in it for a reader that stands still would hold up the end
    of the process, which flushes all buffers.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, text: str) -> int:
        """Write all of a text. Raises OSError."""
        rest = memoryview(text.encode())
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        return len(text)

    def flush(self) -> None:
        """Do nothing: all is written."""

    def close(self) -> None:
        """Let go of the file; what a disk says only now is not of use any more."""
        with suppress(OSError):
            os.close(self._descriptor)


__all__ = ["Unbuffered", "open_output"]
