"""The engine inside this process: told lines, asked what it printed."""

import os
import re
from typing import IO

from protocol.server import Server

# The only words that may differ from run to run: they come from a clock.
_TIMES = re.compile(rb"\b(time|nps) \d+")


class Talk:
    """One engine; `file`, an open file of its own, takes what it prints."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._server = Server(file.fileno())

    def ask(self, *lines: str) -> list[bytes]:
        """Send lines and return what was printed to each, times masked.

        A search that ends by itself is waited for before the next line is sent.
        """
        file, server = self._file, self._server
        file.seek(0)
        file.truncate()
        ends = [0]
        for line in lines:
            server.handle(line)
            if server.job is not None and not server.job.holds_back:
                server.job.done.wait(60)
            ends.append(os.lseek(file.fileno(), 0, os.SEEK_CUR))
        file.seek(0)
        printed = file.read(ends[-1])
        return [
            _TIMES.sub(rb"\1 *", printed[start:end])
            for start, end in zip(ends, ends[1:], strict=False)
        ]
