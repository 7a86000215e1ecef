"""What is asked of a search and what it tells: limits, reports, the answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from protocol.faults import EngineRefusal
from protocol.messages import (
    BLANKS,
    INT_MAX,
    INT_MIN,
    NO_MOVE_WORD,
    SEAT_WORDS,
    UHI,
    parse_go,
    parse_info,
)

_CHESS_CLOCKS = ("w", "b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What may be spent on a decision; of several limits the first one reached ends the search.

    >>> print(Limit(nodes=1000, seed=7))
    nodes 1000 seed 7
    >>> print(Limit(clocks_ms=[60000, 58000], incs_ms=[100, 100]))
    p1time 60000 p1inc 100 p2time 58000 p2inc 100
    >>> Limit(movetime_ms=50)
    Limit(movetime_ms=50)

    Attributes:
        nodes: simulations.
        worlds: worlds drawn for the hidden facts.
        movetime_ms: time for this decision, in milliseconds.
        depth: mean depth of the tree, in decisions.
        clocks_ms: what is left on the clock of each seat in milliseconds, None for a seat without.
        incs_ms: what the clock of each seat gains with a decision, in milliseconds.
        movestogo: own decisions until the clock is refilled.
        mate: a forced end within so many moves; only for games and engines that know such a thing.
        infinite: think until stopped; for analysis only.
        seed: of the random choices; no limit, but with `nodes` it makes an answer repeat.

    Raises:
        TypeError: a value is no whole number.
        ValueError: a value does not fit in 64 bits, or there are more than four clocks.
    """

    nodes: int | None = None
    worlds: int | None = None
    movetime_ms: int | None = None
    depth: int | None = None
    clocks_ms: Sequence[int | None] = ()
    incs_ms: Sequence[int | None] = ()
    movestogo: int | None = None
    mate: int | None = None
    infinite: bool = False
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "worlds", "movetime_ms", "depth", "movestogo", "mate", "seed"):
            _check_number(name, getattr(self, name))
        for name in ("clocks_ms", "incs_ms"):
            values = tuple(getattr(self, name))
            if len(values) > len(SEAT_WORDS):
                raise ValueError(f"{name}: there are at most {len(SEAT_WORDS)} seats")
            for value in values:
                _check_number(name, value)
            object.__setattr__(self, name, values)

    @property
    def ends(self) -> bool:
        """True if anything but `stop` ends the search, for a seat whose clock is among them."""
        limits = (self.nodes, self.worlds, self.movetime_ms, self.depth, self.mate, *self.clocks_ms)
        return not self.infinite and any(limit is not None for limit in limits)

    def go_words(self, dialect: str = UHI) -> str:
        """Return the words for a `go` line; outside `uhi` seats 1 and 2 have the clocks of chess.

        >>> Limit(clocks_ms=[900, 800]).go_words("uci")
        'wtime 900 btime 800'
        """
        words: list[str] = []
        for seat, name in enumerate(SEAT_WORDS):
            if dialect != UHI and seat < len(_CHESS_CLOCKS):
                name = _CHESS_CLOCKS[seat]
            for key, values in (("time", self.clocks_ms), ("inc", self.incs_ms)):
                if seat < len(values) and values[seat] is not None:
                    words.append(f"{name}{key} {values[seat]}")
        for key in ("movestogo", "nodes", "worlds", "depth", "mate", "seed"):
            if getattr(self, key) is not None:
                words.append(f"{key} {getattr(self, key)}")
        if self.movetime_ms is not None:
            words.append(f"movetime {self.movetime_ms}")
        if self.infinite:
            words.append("infinite")
        return " ".join(words)

    def __str__(self) -> str:
        return self.go_words()

    def __repr__(self) -> str:
        given = [(f.name, getattr(self, f.name)) for f in fields(self)]
        # Zero is a limit, so that only what stands for nothing is left out.
        shown = [f"{n}={v!r}" for n, v in given if v is not None and v is not False and v != ()]
        return f"Limit({', '.join(shown)})"


def go_line(
    limit: Limit | str,
    dialect: str,
    default_id: str,
    root_moves: Iterable[str] | None = None,
    multipv: int | None = None,
    ponder: bool = False,
) -> tuple[str, str]:
    """Return a `go` line and its id.

    An id is sent under `uhi` only. A limit given as words may hold one, else it is `default_id`.

    Raises:
        TypeError: the limit is neither a Limit nor a text, or `root_moves` is one text.
        ValueError: the root moves are not words of moves.

    >>> go_line(Limit(nodes=5), "uhi", "1", root_moves=["take", "end"])
    ('go nodes 5 id 1 searchmoves take end', '1')
    """
    if not isinstance(limit, (Limit, str)):
        raise TypeError(f"limit: {limit!r} is neither a Limit nor the words behind go")
    if isinstance(root_moves, str):
        raise TypeError(f"root moves: {root_moves!r} is no list of moves; write [{root_moves!r}]")
    words = limit.go_words(dialect) if isinstance(limit, Limit) else limit.strip(BLANKS)
    go = ["go", words] if words else ["go"]
    if ponder:
        go.append("ponder")
    if multipv is not None:
        go.append(f"multipv {multipv:d}")
    go_id = parse_go(words).id
    if go_id is None and dialect == UHI:
        go.append(f"id {default_id}")
    if root_moves is not None:
        moves = list(root_moves)
        chosen = f"searchmoves {' '.join(moves)}"
        if not moves or parse_go(chosen).searchmoves != moves:
            raise ValueError(f"root moves: {moves} are not one or more words of moves")
        go.append(chosen)
    return " ".join(go), go_id or default_id


def _check_number(name: str, value: object) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}: {value!r} is not a whole number")
    if not INT_MIN <= value <= INT_MAX:
        raise ValueError(f"{name}: {value} does not fit in 64 bits")


@dataclass(frozen=True, slots=True)
class Info:
    """One `info` line: a line of play with its value, or a remark. None is what was not told.

    >>> info = Info.parse("info depth 3 nodes 500 score cp -120 wdl 300 100 600 pv take end")
    >>> info.depth, info.margin, info.wdl, info.pv
    (3, -1.2, (300, 100, 600), ('take', 'end'))

    Attributes:
        depth: decisions that a simulation made inside the tree, on average.
        seldepth: decisions that the deepest simulation made inside the tree.
        multipv: rank of the line, from 1.
        nodes: simulations so far.
        worlds: worlds drawn so far.
        nps: simulations per second.
        hashfull: fill of the tree's memory, per mille.
        time_ms: time since the start of the search, in milliseconds.
        cp: hundredths of a point of final margin, for the seat that decides.
        mate: moves to a forced end, from engines that tell it.
        wdl: simulations won, drawn and lost by the seat that decides, per mille.
        se: standard error of the mean result, per mille; lost 0, drawn 500, won 1000.
        solved: the values are exact, the rest of the game was worked out.
        pv: expected decisions as words, the first one that of this line; () if none was told.
        string: a remark for people.
    """

    depth: int | None = None
    seldepth: int | None = None
    multipv: int = 1
    nodes: int | None = None
    worlds: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    time_ms: int | None = None
    cp: int | None = None
    mate: int | None = None
    wdl: tuple[int, int, int] | None = None
    se: int | None = None
    solved: bool = False
    pv: tuple[str, ...] = ()
    string: str | None = None

    @classmethod
    def parse(cls, line: str) -> Self:
        """Return what an `info` line tells; what cannot be read is left out."""
        told: dict[str, Any] = parse_info(line)
        if "time" in told:
            told["time_ms"] = told.pop("time")
        told["solved"] = bool(told.get("solved"))
        told["pv"] = tuple(told.get("pv", ()))
        return cls(**told)

    @property
    def margin(self) -> float | None:
        """Expected final margin in points over the best other seat, for the seat that decides."""
        return None if self.cp is None else self.cp / 100


class Reply:
    """The answer to one `go`.

    Attributes:
        move: the word behind `bestmove` as it came, which may be no move at all; "" if there was
            none, `0000` if there is no decision. It is cut after 65536 characters.
        ponder: the word of the move that it expects next, or None.
        infos: the last report, one Info for each line, best first; one line without multipv.
        errors: what the engine complained of meanwhile, as EngineRefusal.
        time_s: seconds from `go` or `ponderhit` to `bestmove`, as the caller's side sees them.
    """

    __slots__ = ("errors", "infos", "move", "ponder", "time_s")

    def __init__(
        self,
        move: str,
        ponder: str | None = None,
        infos: Sequence[Info] = (),
        errors: Sequence[EngineRefusal] = (),
        time_s: float = 0.0,
    ) -> None:
        self.move = move
        self.ponder = ponder
        self.infos = list(infos)
        self.errors = list(errors)
        self.time_s = time_s

    @property
    def has_move(self) -> bool:
        """False if there was nothing to decide: the game is over, or it is not this seat's turn."""
        return self.move != NO_MOVE_WORD

    def __repr__(self) -> str:
        return f"<Reply {self.move} in {self.time_s:.3f} s>"


__all__ = ["Info", "Limit", "Reply", "go_line"]
