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
# A pipe that is ready takes so many bytes without a wait (PIPE_BUF).
_PIECE = 4096
_IN, _OUT = 1, 4  # select.POLLIN, select.POLLOUT
_HANGS_UP = 0x2000  # POLLRDHUP of Linux: a socket whose other side sends no more
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# How long a reader that takes nothing is waited for after the end of the input, and how often the
# input is looked at meanwhile.
_PATIENCE_MS, _LOOK_MS = 600, 50
_LOG_FULL = b"info string the log file takes no more and is closed\n"
_TYPE_OF_FILE, _REGULAR = 0o170000, 0o100000


def read_lines(fd: int, out_fd: int = -1) -> "Iterator[str | None]":
    """Yield each line without its end; TOO_LONG for a dropped one.

    Ends with the input, or when nobody reads `out_fd` any more. Bytes that are no UTF-8 become
    replacement characters. The last line may lack its end.
    """
    parts: list[bytes] = []
    size = 0
    is_first = True
    while chunk := _read(fd, out_fd):
        if is_first:
            chunk, is_first = chunk.removeprefix(_BYTE_ORDER_MARK), False
        lines = chunk.split(b"\n")
        for piece in lines[:-1]:
            size += len(piece)
            parts.append(piece)
            yield _decode(parts, size)
            parts, size = [], 0
        size += len(lines[-1])
        parts.append(lines[-1])
        if size > MAX_LINE + 1:
            # A line that is too long is only counted, so that memory stays bounded.
            parts.clear()
    if size:
        yield _decode(parts, size)


def _read(fd: int, out_fd: int) -> bytes:
    """Return what has come; nothing at the end of the input, or when the output has no reader."""
    while True:
        if any(ready == out_fd for ready, _ in _poll([(fd, _IN), (out_fd, 0)], -1)):
            return b""
        try:
            return os.read(fd, _CHUNK)
        except BlockingIOError:
            pass  # somebody else has set the descriptor so; the next poll waits
        except OSError:
            return b""


def _decode(parts: list[bytes], size: int) -> str | None:
    line = b"".join(parts)
    if len(line) < size or len(line.removesuffix(b"\r")) > MAX_LINE:
        return TOO_LONG
    return line.decode("utf-8", "replace")


class Writer:
    """Writes whole lines at once, from any thread. When nobody reads any more, the process ends.

    `in_fd` is where the commands come from, -1 if from nowhere: once that has ended, a reader that
    takes nothing is not waited for either. A log file, if one is open, gets every line in (`> `)
    and out (`< `).
    """

    def __init__(self, fd: int, in_fd: int = -1) -> None:
        self._fd, self._in_fd = fd, in_fd
        self._lock = allocate_lock()
        self._log_fd = -1

    def write(self, *lines: str) -> None:
        """Write lines, each with its LF, none of another thread between them."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        with self._lock:
            if self._log_fd >= 0 and not self._log("< ", lines):
                data += _LOG_FULL
            try:
                while data:
                    if not self.is_ready():
                        self._wait_for_reader()
                    data = data[os.write(self._fd, data[:_PIECE]) :]
            except OSError:
                os._exit(0)

    def is_ready(self) -> bool:
        """Return False if a line written now might have to wait for the reader."""
        return bool(_poll([(self._fd, _OUT)], 0))

    def _wait_for_reader(self) -> None:
        """Wait until the reader takes something; leave if it does not and the input has ended."""
        patience = _PATIENCE_MS
        while not self.is_ready():
            if not _poll([(self._fd, _OUT)], _LOOK_MS):
                # A file or a terminal never hangs up.
                has_ended = _poll([(self._in_fd, _HANGS_UP)], 0)
                patience = patience - _LOOK_MS if has_ended else _PATIENCE_MS
                if patience <= 0:
                    os._exit(0)

    # ---- the log file ----

    def note_input(self, line: str) -> None:
        """Tell the log file of a line that was read."""
        if self._log_fd >= 0:
            with self._lock:
                is_well = self._log("> ", (line.rstrip("\r"),))
            if not is_well:
                self.write(_LOG_FULL.decode().rstrip())

    def open_log(self, path: str) -> None:
        """Add to a log file from now on; the empty path ends that.

        Raises OSError or ValueError, and changes nothing, for a path that cannot be a log.
        """
        log_fd = self._open_log(path) if path else -1
        with self._lock:
            if self._log_fd >= 0:
                os.close(self._log_fd)
            self._log_fd = log_fd

    def _open_log(self, path: str) -> int:
        # Whoever reads it knows what the engine's seat knows, so it belongs to its owner alone. A
        # pipe without a reader is refused rather than waited for.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
        log_fd = os.open(path, flags, 0o600)
        try:
            found = os.fstat(log_fd)
            if found.st_mode & _TYPE_OF_FILE != _REGULAR:
                raise ValueError("no regular file")
            if any(_is_same(found, fd) for fd in (self._in_fd, self._fd)):
                raise ValueError("the engine itself reads or writes it")
        except BaseException:
            os.close(log_fd)
            raise
        return log_fd

    def _log(self, mark: str, lines: "Sequence[str]") -> bool:
        """Write to the log; one that takes no more is given up (False), since the game goes on."""
        data = "".join(f"{mark}{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            while data:
                data = data[os.write(self._log_fd, data) :]
        except OSError:
            os.close(self._log_fd)
            self._log_fd = -1
            return False
        return True


def _is_same(found: os.stat_result, fd: int) -> bool:
    """Return True if a descriptor, where it is one, is open to this file."""
    try:
        return os.path.samestat(found, os.fstat(fd))
    except OSError:
        return False


def _poll(wanted: "Sequence[tuple[int, int]]", timeout_ms: int) -> "list[tuple[int, int]]":
    """Return the descriptors with an event; those that nobody can wait for count as ready.

    Descriptors below 0 are left out.
    """
    from select import poll

    poller = poll()
    for fd, events in wanted:
        if fd >= 0:
            poller.register(fd, events)
    return poller.poll(timeout_ms)
