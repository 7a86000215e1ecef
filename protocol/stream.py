"""Bytes in and out: whole lines read from a descriptor, whole lines written to one."""

import os
from _thread import allocate_lock

from protocol.messages import MAX_LINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TOO_LONG = None
"""Stands for a line that was longer than MAX_LINE and has been dropped."""

_CHUNK = 1 << 16


def read_lines(fd: int) -> "Iterator[str | None]":
    """Yield each line without its end; TOO_LONG for a dropped one. Ends with the input.

    Bytes that are no UTF-8 become replacement characters. The last line may lack its end.
    """
    parts: list[bytes] = []
    size = 0
    while True:
        try:
            chunk = os.read(fd, _CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            break
        lines = chunk.split(b"\n")
        for piece in lines[:-1]:
            size += len(piece)
            parts.append(piece)
            yield _decode(parts, size)
            parts, size = [], 0
        size += len(lines[-1])
        # A line that is too long is only counted, so that memory stays bounded.
        parts = [*parts, lines[-1]] if size <= MAX_LINE + 1 else []
    if size:
        yield _decode(parts, size)


def _decode(parts: list[bytes], size: int) -> str | None:
    line = b"".join(parts)
    if len(line) < size or len(line.rstrip(b"\r")) > MAX_LINE:
        return TOO_LONG
    return line.decode("utf-8", "replace")


class Writer:
    """Writes whole lines at once, from any thread. When nobody reads any more, the process ends."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = allocate_lock()

    def write(self, *lines: str) -> None:
        """Write lines, each with its LF, none of another thread between them."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            with self._lock:
                while data:
                    data = data[os.write(self._fd, data) :]
        except OSError:
            os._exit(0)

    def is_ready(self) -> bool:
        """Return False if a line written now might have to wait for the reader."""
        from select import select

        try:
            return bool(select([], [self._fd], [], 0)[1])
        except (OSError, ValueError):
            return True
