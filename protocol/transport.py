"""One process of an engine and the lines between it and us (asyncio).

    wire = await Transport.open(["drakkar"])
    await wire.send("uhi")
    while await wire.read_line() != "uhiok":
        pass
    await wire.quit()

What the lines mean is the business of `protocol.client`. The process runs in a group of its own, so
that its children can be ended with it. What `asyncio.run` leaves running it ends; a loop that is
closed by hand ends nothing, so call `quit` or `kill` before. On Linux the kernel kills the process
when the thread that opened it ends. Whatever it prints is held in bounded memory, and `quit` and
`kill` always end it.
"""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from protocol.faults import EngineDied, EngineError, EngineProtocolError, EngineTimeout

LINE_LIMIT = 16 << 20
"""Longest line in bytes that is read from an engine."""

STDERR_TAIL = 64 << 10
"""Bytes of standard error that are kept for reports."""

SEND_PATIENCE_S = 10.0
"""Seconds that an engine may leave its input unread before that counts as a fault."""

_PR_SET_PDEATHSIG = 1
_NEWLINE = ord("\n")
_POLL_S = 0.02
_WATCH_S = 0.1
_GRACE_POLLS = 5
_READ_SLICE_S = 0.005
# Bytes that are read ahead: what waits for us delays each answer of the process.
_MOST_AHEAD = 256 << 10
_LAST_WORDS_S = 0.3
_KILL_PATIENCE_S = 5.0


class Transport:
    """A running process. Make it with `await Transport.open(argv)`; end it with `await quit()`."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self.name = name
        """What error texts call the engine."""
        self.garbled = 0
        """Lines with bytes that are no UTF-8."""
        self.is_torn = False
        """True if the last line that was read had no end: more of it may have been meant."""
        self._process = process
        self._is_buried = False
        self._is_ending = False
        self._slice_end = 0.0
        self._skips_rest = False
        self._is_paused = False
        self._stderr: deque[bytes] = deque()
        self._stderr_size = 0
        loop = asyncio.get_running_loop()
        if loop.get_exception_handler() is None:
            loop.set_exception_handler(_on_loop_error)
        self._stderr_task = asyncio.ensure_future(self._drain_stderr())
        self._guard_task = asyncio.ensure_future(self._guard())

    @classmethod
    async def open(
        cls, argv: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: str | None = None
    ) -> Self:
        """Start a process.

        Args:
            argv: the program and its arguments.
            env: the environment, if not that of this process.
            cwd: the working directory, if not that of this process.

        Raises:
            EngineDied: it could not be started.
            TypeError, ValueError: `argv` is no list, or it is empty.
        """
        check_argv(argv)
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LINE_LIMIT,
                start_new_session=True,
                preexec_fn=_die_with_parent(),
                env=env,
                cwd=cwd,
            )
        )
        name = os.path.basename(argv[0])
        try:
            process = await asyncio.shield(starting)
        except (OSError, ValueError) as error:
            raise EngineDied(f"cannot start {argv[0]!r}: {error}", None) from error
        except asyncio.CancelledError:
            # Left alone, asyncio would end the process but not its children.
            with contextlib.suppress(OSError, ValueError):
                await cls(await starting, name).kill()
            raise
        return cls(process, name)

    @property
    def pid(self) -> int:
        """The process id, which is also the id of the process group."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._process.returncode

    @property
    def stderr_tail(self) -> str:
        """The end of what the process has written to standard error."""
        return b"".join(self._stderr)[-STDERR_TAIL:].decode("utf-8", "replace")

    @property
    def is_at_end(self) -> bool:
        """True if the process has closed its output and all of it has been read."""
        assert self._process.stdout is not None
        return self._process.stdout.at_eof()

    # ---- lines ----

    def post(self, *lines: str) -> None:
        """Send lines without waiting until they are read; what they lack is the line end.

        Raises ValueError, and sends nothing, if a line holds a line end.
        """
        if any("\n" in line for line in lines):
            raise ValueError("a command is one line")
        self.post_bytes("".join(f"{line}\n" for line in lines).encode())

    def post_bytes(self, data: bytes) -> None:
        """Send bytes as they are without waiting until they are read."""
        assert self._process.stdin is not None
        # A pipe that is closed already is told of by `drain` and by the end of the output.
        with contextlib.suppress(OSError, RuntimeError):
            self._process.stdin.write(data)

    async def drain(self) -> None:
        """Wait until the process has read most of what was sent.

        Raises:
            EngineDied: the process has ended or closed its input.
            EngineTimeout: the process does not read.
        """
        stdin = self._process.stdin
        assert stdin is not None
        if not stdin.transport.get_write_buffer_size() and not stdin.is_closing():
            return
        try:
            async with asyncio.timeout(SEND_PATIENCE_S):
                await stdin.drain()
        except TimeoutError:
            raise EngineTimeout(f"{self.name} does not read its input") from None
        except (OSError, RuntimeError):
            raise await self._died() from None

    async def send(self, *lines: str) -> None:
        """Send lines; errors as those of `post` and `drain`."""
        self.post(*lines)
        await self.drain()

    async def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are; errors as those of `drain`."""
        self.post_bytes(data)
        await self.drain()

    async def read_raw(self) -> bytes:
        """Return the next line as it came, with its end; b"" when no further one will come.

        Raises:
            EngineProtocolError: the line is longer than LINE_LIMIT.
        """
        stdout = self._process.stdout
        assert stdout is not None
        # A stream with a line at hand does not let go of the event loop by itself.
        if time.monotonic() > self._slice_end:
            if len(_waiting(stdout)) > _MOST_AHEAD:
                self.pause_output(True)
            await asyncio.sleep(0)
            self._slice_end = time.monotonic() + _READ_SLICE_S
        if self._is_paused and b"\n" not in _waiting(stdout):
            self.pause_output(False)
        while True:
            try:
                raw = await stdout.readline()
            except ValueError as error:
                # Of a line without an end in sight the rest is still to come; it is no other line.
                is_rest, self._skips_rest = self._skips_rest, "not found" in str(error)
                if is_rest:
                    continue
                raise EngineProtocolError(
                    f"{self.name} printed a line longer than {LINE_LIMIT} bytes"
                ) from None
            except OSError:
                return b""
            if not self._skips_rest:
                return raw
            self._skips_rest = False

    async def read_line(self) -> str:
        """Return the next line without its end; bytes that are no UTF-8 become U+FFFD.

        Raises:
            EngineDied: no further line will come.
            EngineProtocolError: the line is longer than LINE_LIMIT.
        """
        raw = await self.read_raw()
        if not raw:
            raise await self._died()
        self.is_torn = raw[-1] != _NEWLINE
        try:
            return raw.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            self.garbled += 1
            return raw.decode("utf-8", "replace").rstrip("\r\n")

    def pause_output(self, paused: bool) -> None:
        """Leave in the pipe what the process prints, so that it waits; or read on."""
        pipe = self._process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
        self._is_paused = paused
        if paused:
            pipe.pause_reading()
        else:
            pipe.resume_reading()

    def close_input(self) -> None:
        """Close the pipe to the process: it sees the end of its input."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):
            self._process.stdin.close()

    def close_output(self) -> None:
        """Close our end of the pipe that the process writes to."""
        pipe = self._process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
        pipe.close()

    # ---- the end ----

    async def wait_ended(self, timeout_s: float) -> bool:
        """Wait for the process to end; return whether it has."""
        deadline = time.monotonic() + timeout_s
        waiter = asyncio.ensure_future(self._process.wait())
        # wait() also waits for the pipes, which a grandchild may hold open for ever; therefore the
        # exit code is looked at in between.
        try:
            while self._process.returncode is None and time.monotonic() < deadline:
                await asyncio.wait({waiter}, timeout=min(_POLL_S, timeout_s))
        finally:
            waiter.cancel()
        return self._process.returncode is not None

    def signal(self, number: int) -> None:
        """Send a signal to the process and its children; nothing after `quit` or `kill`."""
        if not self._is_buried:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    async def quit(self, timeout_s: float = 2.0) -> int | None:
        """End the process by `quit`, else by SIGTERM, else by SIGKILL; return its exit code.

        It has `timeout_s` seconds for each. Its children end in any case, and so does the process
        if the caller is cancelled.
        """
        try:
            self.post("quit")
            self.close_input()
            if not await self.wait_ended(timeout_s):
                self.signal(signal.SIGTERM)
                await self.wait_ended(timeout_s)
        except BaseException:
            self._abandon()
            raise
        # Children that the engine left behind are in its group.
        return await self.kill()

    async def kill(self) -> int | None:
        """End the process and its children at once; return the exit code."""
        self.signal(signal.SIGKILL)
        try:
            if await self.wait_ended(_KILL_PATIENCE_S):
                self._is_buried = True
            # What the engine has written last is still in the pipe.
            await asyncio.wait({self._stderr_task}, timeout=_LAST_WORDS_S)
        finally:
            self._abandon()
        return self._process.returncode

    def _abandon(self) -> None:
        """Kill what still runs, and let go of pipes and tasks."""
        self.signal(signal.SIGKILL)
        self._is_ending = True
        self._stderr_task.cancel()
        self._guard_task.cancel()
        # Closing the transport frees the pipes also when a grandchild holds them open.
        self._process._transport.close()  # type: ignore[attr-defined]

    async def _guard(self) -> None:
        """End the output with the process, and the process with the event loop."""
        try:
            while self._process.returncode is None:
                await asyncio.sleep(_WATCH_S)
            # What it wrote last is still in the pipe, which a child of it may hold open for ever.
            for _ in range(_GRACE_POLLS):
                await asyncio.sleep(_WATCH_S)
            self.close_output()
            await asyncio.Event().wait()
        finally:
            if not self._is_ending:
                self.signal(signal.SIGKILL)
                await self.wait_ended(_KILL_PATIENCE_S)
                self._abandon()

    async def _died(self) -> EngineDied:
        """Return the error for a process whose pipe is closed, once its exit code is known."""
        await self.wait_ended(1.0)
        return self.death()

    def death(self) -> EngineDied:
        """Return the error that tells how the process ended."""
        code = self._process.returncode
        if code is None:
            return EngineDied(f"{self.name} closed a pipe but runs on", None)
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return EngineDied(f"{self.name} ended: {how}", code)

    def late(self, what: str, timeout_s: float | None) -> EngineError:
        """Return the error for an answer that did not come in time."""
        assert self._process.stdin is not None
        is_cut = self.is_at_end or self._process.stdin.is_closing()
        if is_cut or self.exit_code is not None:
            return self.death()
        return EngineTimeout(f"{self.name}: no {what} within {timeout_s:g} s")

    async def _drain_stderr(self) -> None:
        """Read standard error for ever and keep its end, so that the engine is never blocked."""
        stderr = self._process.stderr
        assert stderr is not None
        while chunk := await stderr.read(1 << 16):
            self._stderr.append(chunk)
            self._stderr_size += len(chunk)
            while self._stderr_size - len(self._stderr[0]) >= STDERR_TAIL:
                self._stderr_size -= len(self._stderr.popleft())


def check_argv(argv: Sequence[str]) -> None:
    """Raise TypeError for a command that is no list of words, ValueError for one without words.

    >>> check_argv("my-engine --fast")
    Traceback (most recent call last):
    TypeError: argv: 'my-engine --fast' is no list of words; write ['my-engine', '--fast']
    """
    if isinstance(argv, str):
        raise TypeError(f"argv: {argv!r} is no list of words; write {argv.split()}")
    if isinstance(argv, bytes) or not isinstance(argv, Sequence):
        raise TypeError(f"argv: {argv!r} is no list of words, the program first")
    if not argv:
        raise ValueError("argv is empty: the program is missing")


class _Quits(Protocol):
    async def quit(self) -> int | None:
        """End it, whatever it does, and return its exit code; None if it has not ended."""


_Opened = TypeVar("_Opened", bound=_Quits)


class Opening(Generic[_Opened]):
    """An engine that is about to be started: await it, or enter it by `async with`."""

    def __init__(self, start: Callable[[], Coroutine[Any, Any, _Opened]]) -> None:
        self._start = start
        self._engine: _Opened | None = None

    def __await__(self) -> Generator[Any, Any, _Opened]:
        return self._start().__await__()

    async def __aenter__(self) -> _Opened:
        self._engine = await self._start()
        return self._engine

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._engine is not None
        await self._engine.quit()


def _waiting(stream: asyncio.StreamReader) -> bytearray:
    """Return what has been received and not been read."""
    return stream._buffer  # type: ignore[attr-defined,no-any-return]


def _die_with_parent() -> Callable[[], None] | None:
    """Return what a child calls before it becomes the engine; None where it is not supported."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return None
    return partial(_set_death_signal, prctl, os.getpid())


def _set_death_signal(prctl: Callable[[int, int], int], parent: int) -> None:
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before the signal was armed


__all__ = [
    "LINE_LIMIT",
    "SEND_PATIENCE_S",
    "STDERR_TAIL",
    "EngineDied",
    "EngineError",
    "EngineProtocolError",
    "EngineTimeout",
    "Opening",
    "Transport",
    "check_argv",
]


def _on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say nothing of a pipe that a process closed before all was written; tell of all else.

    The end of the process tells of it; the event loop would print a traceback besides.
    """
    if not isinstance(context.get("exception"), BrokenPipeError | ConnectionResetError):
        loop.default_exception_handler(context)
