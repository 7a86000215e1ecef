"""Batches of bytes for the fuzzer: sessions broken, spliced and cut into packets, from a seed."""

from collections.abc import Callable, Iterator, Sequence

from bench.measure.fuzz_lines import (
    COMMANDS,
    ENDS,
    GO_WORDS,
    LOG_FILES,
    MAX_LINE,
    NUMBER,
    NUMBERS,
    QUERIES,
    WILD,
    Chance,
    Grammar,
    command_of,
    words_of,
)

LINES_PER_GO = 50
LINES_PER_RESET = 1500
BIG = (MAX_LINE, MAX_LINE + 1, MAX_LINE - 1, MAX_LINE + 70000, 3 * MAX_LINE, 70000, 300000)
BIG_HEADS = (
    b"|go |go nodes 3 searchmoves |go nodes 3 id |go nodes |query |uhi |debug |setoption name |"
    b"setoption name Hash value |position startpos moves |position view kuhn/1 me=p1 moves |"
    b"position fen kuhn/1 x=|position fen lofoten/1 seed="
).split(b"|")
BIG_FILLS = (b"x", b" ", b"a ", b"\t\r", b"\xff", b"9", b"\xc3\xa9", b"pass ", b"\0", b"go ", b"?.")
HANDSHAKES = (b"uci", b"ugi", b"uhi")
ANSWERS = {
    b"isready": "readyok",
    b"query": "response",
    b"go": "bestmove",
    b"uci": "uciok",
    b"ugi": "ugiok",
}
ALLOWED_LOGS = frozenset(name.strip().encode() for name in LOG_FILES)


def coded(text: str) -> bytes:
    """Return the bytes of a line; lone surrogates become bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape")


class Batch:
    """What is sent before the next probe.

    `lines` are without their ends, `packets` what is written in one go each. `commands` are those
    in the lines, each with the words behind it.
    """

    __slots__ = ("commands", "lines", "packets")

    def __init__(self, lines: Sequence[bytes] = ()) -> None:
        self.lines: list[bytes] = []
        self.packets: list[bytes] = []
        self.commands: list[tuple[bytes, list[bytes]]] = []
        for line in lines:
            self.add(line)
        if lines:
            self.packets = [b"".join(line + b"\n" for line in lines)]

    def add(self, line: bytes) -> bytes:
        """Add a line; return its command."""
        self.lines.append(line)
        command, words = command_of(line)
        self.commands.append((command, words[:1]))
        return command


def answered_by(command: bytes, words: list[bytes]) -> str:
    """Return the first word of the line that answers a command just once; "" if there is none."""
    if command == b"uhi":
        major = words[0].removeprefix(b"uhi/").partition(b".")[0] if words else b"1"
        return "uhiok" if major == b"1" else ""
    return ANSWERS.get(command, "")


class Mixer:
    """Makes batches without end."""

    def __init__(self, seed: int, sessions: list[list[bytes]]) -> None:
        self.chance = Chance(seed)
        self.grammar = Grammar(self.chance, seed)
        self.sessions = sessions
        self.lines = self.gos = 0
        words = {word for session in sessions for line in session for word in words_of(line)}
        self.words: list[bytes] = [
            *sorted(words),
            *(word.encode() for word in (*NUMBERS, *QUERIES, *GO_WORDS)),
            *COMMANDS,
        ]
        self._source = self._endless()

    def verbatim(self) -> Iterator[Batch]:
        """Yield each session of the corpus as it is."""
        for session in self.sessions:
            batch = Batch()
            data = b"".join([self._add(batch, line, b"\n") for line in [*session, b"stop"]])
            yield self._closed(batch, data)

    def batch(self) -> Batch:
        """Return the next batch."""
        size = 50 + self.chance.below(250)
        batch = Batch()
        parts = []
        while len(batch.lines) < size:
            for piece in next(self._source).split(b"\n"):
                if self._is_allowed(piece):
                    is_odd = self.chance.once_in(12) and len(piece) < MAX_LINE // 2
                    end = self.chance.pick(ENDS) if is_odd else b"\n"
                    parts.append(self._add(batch, piece, end))
        if self.lines % LINES_PER_RESET < len(batch.lines):
            parts += [self._add(batch, line.encode(), b"\n") for line in self.grammar.reset()]
        return self._closed(batch, b"".join(parts))

    def _add(self, batch: Batch, line: bytes, end: bytes) -> bytes:
        """Count a line in and return the bytes that are sent for it."""
        self.gos += batch.add(line) == b"go"
        self.lines += 1
        return line + end

    def _closed(self, batch: Batch, data: bytes) -> Batch:
        """Add the probe and cut the data into packets."""
        data += self._add(batch, b"isready", b"\n")
        cuts = [0, len(data)]
        if self.chance.once_in(4):
            cuts += [self.chance.below(len(data)) for _ in range(self.chance.below(30))]
            at = self.chance.below(len(data))
            cuts += range(at, min(at + self.chance.below(40), len(data)))
        cuts = sorted(set(cuts))
        batch.packets = [data[a:b] for a, b in zip(cuts, cuts[1:], strict=False)]
        return batch

    def _is_allowed(self, line: bytes) -> bool:
        """Return False for `quit`, for a `go` too many, and for a log file in a strange place."""
        command, words = command_of(line)
        if command == b"quit":
            return False
        if command == b"go":
            return self.gos * LINES_PER_GO <= self.lines
        if command == b"setoption" and b"debug log file" in b" ".join(words).lower():
            value = line.partition(b"value")[2].strip(b" \t\r")
            return value in ALLOWED_LOGS
        return True

    # ---- where lines come from ----

    def _endless(self) -> Iterator[bytes]:
        chance, grammar = self.chance, self.grammar
        while True:
            session = self._session()
            breaking = chance.pick((0, 0, 0, 6, 3, 1))
            ends_search = -1
            for line in session:
                yield self._broken(line, breaking)
                if chance.once_in(6):
                    yield self._broken(coded(grammar.line()), breaking)
                if self.gos * LINES_PER_GO <= self.lines:
                    if chance.below(3):
                        yield coded(grammar.valid_position())
                    yield self._broken(coded(grammar.go()), breaking // 2)
                    ends_search = chance.below(20)
                if ends_search == 0:
                    yield chance.pick((b"stop", b"stop", b"ponderhit", b"isready"))
                ends_search -= 1
            if chance.below(4):
                # Most sessions set it, and then most positions would be refused alike.
                yield b"setoption name Strict Views value false"

    def _session(self) -> list[bytes]:
        """Return the lines of a session, of parts of two, or of noise."""
        chance = self.chance
        kind = chance.below(12)
        if kind == 0:
            return [chance.bytes(chance.below(50)) for _ in range(1 + chance.below(8))]
        if kind == 1 and chance.once_in(25):
            return [self.big()]
        if kind < 5:
            return [coded(line) for line in self.grammar.game()]
        if kind < 7:
            return [coded(self.grammar.line()) for _ in range(1 + chance.below(15))]
        one, two = chance.pick(self.sessions), chance.pick(self.sessions)
        lines = one[chance.below(len(one)) :][:15] + two[: chance.below(15)]
        # Handshakes print much and change little, and nearly every session has one.
        return [line for line in lines if line not in HANDSHAKES or chance.once_in(8)]

    def big(self) -> bytes:
        """Return a line about as long as a line may be, or longer."""
        size, fill = self.chance.pick(BIG), self.chance.pick(BIG_FILLS)
        head = self.chance.pick(BIG_HEADS)
        tail = self.chance.pick((b"", b" isready", b" x"))
        body = fill * ((size - len(head) - len(tail)) // len(fill) + 1)
        return head + body[: size - len(head) - len(tail)] + tail

    # ---- how lines are broken ----

    def _broken(self, line: bytes, breaking: int) -> bytes:
        """Return the line, broken in some ways once in `breaking` times (0: never)."""
        if not (breaking and self.chance.once_in(breaking)):
            return line
        while True:
            line = self.chance.pick(BREAKERS)(self, line)
            if self.chance.below(3):
                return line

    def _word(self) -> bytes:
        return self.chance.pick(self.words)

    def _delete_word(self, words: list[bytes], at: int) -> list[bytes]:
        return words[:at] + words[at + 1 + self.chance.below(2) :]

    def _insert_word(self, words: list[bytes], at: int) -> list[bytes]:
        return [*words[:at], self._word(), *words[at:]]

    def _replace_word(self, words: list[bytes], at: int) -> list[bytes]:
        return [*words[:at], self._word(), *words[at + 1 :]]

    def _double_words(self, words: list[bytes], at: int) -> list[bytes]:
        return words[: at + 1 + self.chance.below(4)] + words[at:]

    def _swap_words(self, words: list[bytes], at: int) -> list[bytes]:
        to = self.chance.below(len(words))
        words[at], words[to] = words[to], words[at]
        return words

    def _join_words(self, words: list[bytes], at: int) -> list[bytes]:
        return words[:at] + [b"".join(words[at : at + 2])] + words[at + 2 :]

    def _swap_case(self, words: list[bytes], at: int) -> list[bytes]:
        return [*words[:at], words[at].swapcase(), *words[at + 1 :]]

    def _number(self, words: list[bytes], at: int) -> list[bytes]:
        value = self.chance.pick(NUMBERS).encode()
        return [*words[:at], NUMBER.sub(lambda _: value, words[at]), *words[at + 1 :]]

    def _splice(self, line: bytes, at: int) -> bytes:
        other = self.chance.pick(self.chance.pick(self.sessions))
        return line[:at] + other[self.chance.below(len(other) + 1) :]

    def _flip_bit(self, line: bytes, at: int) -> bytes:
        changed = bytes([line[at] ^ (1 << self.chance.below(8))]) if line else b""
        return line[:at] + changed + line[at + 1 :]

    def _insert_wild(self, line: bytes, at: int) -> bytes:
        return line[:at] + self.chance.pick(WILD) + line[at + self.chance.below(2) :]

    def _insert_noise(self, line: bytes, at: int) -> bytes:
        return line[:at] + self.chance.bytes(1 + self.chance.below(4)) + line[at:]

    def _lose_bytes(self, line: bytes, at: int) -> bytes:
        return line[:at] + line[at + 1 + self.chance.below(9) :]

    def _double_bytes(self, line: bytes, at: int) -> bytes:
        return line[: at + self.chance.below(30)] + line[at:]

    def _end_early(self, line: bytes, at: int) -> bytes:
        return line[:at]

    def _odd_blanks(self, line: bytes, at: int) -> bytes:
        blank = self.chance.pick((b"\t", b"  ", b" \r", b"\r\r", b" \t "))
        return line[:at] + line[at:].replace(b" ", blank)


WordBreaker = Callable[[Mixer, list[bytes], int], list[bytes]]
ByteBreaker = Callable[[Mixer, bytes, int], bytes]


def _in_words(change: WordBreaker) -> Callable[[Mixer, bytes], bytes]:
    def breaker(mixer: Mixer, line: bytes) -> bytes:
        words = line.split(b" ")
        return b" ".join(change(mixer, words, mixer.chance.below(len(words))))

    return breaker


def _in_bytes(change: ByteBreaker) -> Callable[[Mixer, bytes], bytes]:
    def breaker(mixer: Mixer, line: bytes) -> bytes:
        return change(mixer, line, mixer.chance.below(max(1, len(line))))

    return breaker


BREAKERS: Sequence[Callable[[Mixer, bytes], bytes]] = (
    *(_in_words(Mixer._delete_word), _in_words(Mixer._insert_word)),
    *(_in_words(Mixer._replace_word), _in_words(Mixer._double_words)),
    *(_in_words(Mixer._swap_words), _in_words(Mixer._join_words), _in_words(Mixer._swap_case)),
    *(_in_words(Mixer._number), _in_words(Mixer._number), _in_bytes(Mixer._splice)),
    *(_in_bytes(Mixer._flip_bit), _in_bytes(Mixer._insert_wild), _in_bytes(Mixer._insert_noise)),
    *(_in_bytes(Mixer._lose_bytes), _in_bytes(Mixer._double_bytes), _in_bytes(Mixer._end_early)),
    _in_bytes(Mixer._odd_blanks),
)
