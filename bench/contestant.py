"""Who plays a match: the command of an engine, its options and its limits."""

import importlib.util
import math
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from bench.text import visible
from search.presets import PRESETS

if TYPE_CHECKING:
    from protocol.client import Option

# Answer later than this without any clock and the engine counts as hung, seconds.
HANG_SECONDS = 60.0
# Overrun of a clock or move time that is forgiven, milliseconds.
MARGIN_MS = 1000
# The largest number of simulations, milliseconds or plies that a limit may be.
LIMIT_MAX = 10**12


class BadContestant(ValueError):
    """A limit or option that cannot be used; the text says what is allowed.

    `contestant` is its place in the list of the run where its engine has been asked, else None.
    """

    contestant: int | None = None


class Limit:
    """What an engine may spend on a decision; several limits hold together, the first one ends it.

    `nodes` simulations, `movetime_ms` of thinking, `depth` of the tree; `base_ms` and `inc_ms` make
    a clock for the whole game, or for each `period` of so many decisions. `margin_ms` is the
    overrun forgiven before an answer counts as too late, `hang_s` the patience where no time runs.
    """

    __slots__ = (
        "base_ms",
        "depth",
        "hang_s",
        "inc_ms",
        "margin_ms",
        "movetime_ms",
        "nodes",
        "period",
    )

    def __init__(
        self,
        nodes: int | None = None,
        movetime_ms: int | None = None,
        depth: int | None = None,
        base_ms: int | None = None,
        inc_ms: int = 0,
        margin_ms: int = MARGIN_MS,
        hang_s: float = HANG_SECONDS,
        period: int | None = None,
    ) -> None:
        self.nodes, self.movetime_ms, self.depth = nodes, movetime_ms, depth
        self.base_ms, self.inc_ms = base_ms, inc_ms
        self.margin_ms, self.hang_s, self.period = margin_ms, hang_s, period

    def __str__(self) -> str:
        parts = []
        if self.nodes is not None:
            parts.append(f"nodes {self.nodes}")
        if self.movetime_ms is not None:
            parts.append(f"movetime {self.movetime_ms} ms")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        if self.base_ms is not None:
            moves = "" if self.period is None else f"{self.period}/"
            parts.append(f"clock {moves}{self.base_ms / 1000:g}+{self.inc_ms / 1000:g} s")
        return ", ".join(parts)

    def to_json(self) -> dict[str, int | float]:
        """Return the object of a record; what is not set is left out."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """Return the limit of an object of a record; what is not known here is passed over."""
        return cls(**{name: fields[name] for name in cls.__slots__ if name in fields})

    @property
    def has_bound(self) -> bool:
        """True if anything ends a search."""
        return any(v is not None for v in (self.nodes, self.movetime_ms, self.depth, self.base_ms))

    @property
    def is_timed(self) -> bool:
        """True if a clock or a time for each decision runs."""
        return self.base_ms is not None or self.movetime_ms is not None


class Contestant:
    """Who plays in a run.

    `name` is what was asked for, `label` what people tell it from the others by; `argv` starts its
    process.
    """

    __slots__ = ("argv", "label", "limit", "name", "options")

    def __init__(
        self,
        name: str,
        argv: list[str],
        options: dict[str, str],
        limit: Limit,
        label: str | None = None,
    ) -> None:
        self.name, self.argv, self.options, self.limit = visible(name), argv, options, limit
        self.label = self.name if label is None else visible(label)

    @property
    def terms(self) -> str:
        """Limits and options as people read them; the preset is the name already."""
        options = [f"{k} {v}" for k, v in self.options.items() if (k, v) != ("Preset", self.name)]
        return ", ".join([str(self.limit), *options])


def label_all(contestants: Sequence[Contestant]) -> None:
    """Make the labels of a run differ: the second `vanilla` becomes `vanilla (2)`."""
    taken: set[str] = set()
    wanted = {contestant.label for contestant in contestants}
    for contestant in contestants:
        label, number = contestant.label, 1
        while label in taken or (number > 1 and label in wanted):
            number += 1
            label = f"{contestant.label} ({number})"
        contestant.label = label
        taken.add(label)


def parse_clock(text: str) -> tuple[int, int, int | None]:
    """Return base and increment in milliseconds, and the decisions of a period, of a clock.

    It is `SECONDS`, `SECONDS+INC`, or with `MOVES/` before it, for so many decisions each time.

    >>> parse_clock("40/60+0.1")
    (60000, 100, 40)
    """
    moves, slash, rest = text.rpartition("/")
    base, plus, inc = rest.partition("+")
    period = _whole(moves) if slash else None
    base_ms, inc_ms = _milliseconds(base), _milliseconds(inc) if plus else 0
    if (
        base_ms is None
        or base_ms < 1
        or inc_ms is None
        or (slash and (period is None or not 0 < period <= LIMIT_MAX))
    ):
        raise BadContestant(
            f"{_shown(text)} is no clock; use seconds and increment, such as 10+0.1 or 40/60+0.1"
        )
    return base_ms, inc_ms, period


def _milliseconds(seconds: str) -> int | None:
    try:
        value = 1000 * float(seconds)
    except ValueError:
        return None
    return round(value) if math.isfinite(value) and 0 <= value <= LIMIT_MAX else None


def parse_side(text: str) -> dict[str, str]:
    """Return the pairs of `nodes=100,Threads=2`; a name may hold blanks."""
    if not text.isprintable():
        raise BadContestant(f"{_shown(text)}: control characters cannot be told to an engine")
    pairs: dict[str, str] = {}
    for item in text.split(","):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not name or not equals:
            raise BadContestant(
                f"{_shown(item)} should be name=value, such as nodes=100 or Threads=2; "
                "commas separate"
            )
        if name.lower() in (known.lower() for known in pairs):
            raise BadContestant(f"{_shown(name)} is given twice")
        pairs[name] = value
    return pairs


def make_contestant(text: str, shared: Limit, side: dict[str, str]) -> Contestant:
    """Build a side from a preset name or command line, the shared limit and its own `name=value`s.

    Any limit among the side's own values replaces the shared limits altogether.
    """
    own = {k: v for k, v in side.items() if k in ("nodes", "movetime", "depth", "tc")}
    limit = _own_limit(own, shared) if own else shared
    options: dict[str, str] = {}
    if text in PRESETS:
        argv = engine_argv()
        options["Preset"] = text
    else:
        try:
            argv = shlex.split(text)
        except ValueError as error:
            raise BadContestant(f"engine {_shown(text)}: {error}") from None
        if not argv or "\0" in text:
            raise BadContestant("an engine is a preset or a command line, not an empty text")
        if len(argv) == 1 and "/" not in text and not _is_command(text):
            presets = ", ".join(PRESETS)
            raise BadContestant(
                f"no preset and no command {_shown(text)}; the presets are: {presets}"
            )
    options.update((k, v) for k, v in side.items() if k not in own)
    return Contestant(text, argv, options, limit)


def engine_argv() -> list[str]:
    """Return the command that starts our own engine with this interpreter."""
    spec = importlib.util.find_spec("drakkar")
    if spec is None or spec.origin is None:
        raise BadContestant("drakkar.py is not beside the packages; install drakkar again")
    return [sys.executable, spec.origin]


def _own_limit(own: dict[str, str], shared: Limit) -> Limit:
    limit = Limit(margin_ms=shared.margin_ms, hang_s=shared.hang_s)
    for key, value in own.items():
        if key == "tc":
            limit.base_ms, limit.inc_ms, limit.period = parse_clock(value)
            continue
        number = _whole(value)
        if number is None or not 0 < number <= LIMIT_MAX:
            raise BadContestant(
                f"{key}={_shown(value)}: use a whole number above 0, at most {LIMIT_MAX}"
            )
        setattr(limit, "movetime_ms" if key == "movetime" else key, number)
    return limit


def check_option(name: str, value: str, declared: Mapping[str, "Option"]) -> None:
    """Raise BadContestant if an engine declares no such option, or the option no such value.

    `declared` holds the engine's options by lower-case name.
    """
    from protocol.declared import find_option
    from protocol.faults import EngineRefusal

    try:
        find_option(name, declared).text_of(value)
    except EngineRefusal as error:
        raise BadContestant(visible(error.text)) from None


def _whole(text: str) -> int | None:
    """Return a whole number of at most 20 digits; None for any other text."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
        return None
    return int(text)


def _shown(text: str) -> str:
    """Quote a text of the command line, cut to a length fit for an error line."""
    return ascii(text if len(text) <= 64 else text[:61] + "...")


def _is_command(word: str) -> bool:
    import shutil

    return shutil.which(word) is not None
