"""Bytes in and out: whole lines read from a descriptor, whole lines written to one."""

import os
from _thread import allocate_lock

from protocol.messages import MAX_LINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    """Writes whole lines at once, from any thread. When nobody reads any more, the process ends.

    A log file, if one is open, gets every line in (`> `) and out (`< `).
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = allocate_lock()
        self._log_fd = -1

    def write(self, *lines: str) -> None:
        """Write lines, each with its LF, none of another thread between them."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        with self._lock:
            if self._log_fd >= 0:
                self._log("< ", lines)
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
            except OSError:
                os._exit(0)

    def note_input(self, line: str) -> None:
        """Tell the log file of a line that was read."""
        if self._log_fd >= 0:
            with self._lock:
                self._log("> ", (line.rstrip("\r"),))

    def open_log(self, path: str) -> None:
        """Add to a log file from now on; the empty path ends that. OSError or ValueError: no."""
        # Whoever reads it knows what the engine's seat knows, so it belongs to its owner alone. A
        # pipe without a reader is refused rather than waited for.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
        log_fd = os.open(path, flags, 0o600) if path else -1
        with self._lock:
            if self._log_fd >= 0:
                os.close(self._log_fd)
            self._log_fd = log_fd

    def _log(self, mark: str, lines: "Sequence[str]") -> None:
        """Write to the log; one that takes no more is given up, since the game goes on."""
        data = "".join(f"{mark}{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            while data:
                data = data[os.write(self._log_fd, data) :]
        except OSError:
            os.close(self._log_fd)
            self._log_fd = -1

    def is_ready(self) -> bool:
        """Return False if a line written now might have to wait for the reader."""
        from select import select

        try:
            return bool(select([], [self._fd], [], 0)[1])
        except (OSError, ValueError):
            return True
