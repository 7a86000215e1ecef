"""Who plays a match: the command of an engine, its options and its limits."""

import importlib.util
import shlex
import sys

from search.presets import PRESETS

# Answer later than this without any clock and the engine counts as hung, seconds.
HANG_SECONDS = 60.0
# Overrun of a clock or move time that is forgiven, milliseconds.
MARGIN_MS = 1000


class BadContestant(ValueError):
    """A limit or option that cannot be understood; the text says what is allowed."""


class Limit:
    """What an engine may spend on a decision; several limits hold together, the first one ends it.

    `nodes` simulations, `movetime_ms` of thinking, `depth` of the tree; `base_ms` and `inc_ms` make
    a clock for the whole game. `margin_ms` is the overrun forgiven before an answer counts as too
    late, `hang_s` the patience where no clock runs.
    """

    __slots__ = ("base_ms", "depth", "hang_s", "inc_ms", "margin_ms", "movetime_ms", "nodes")

    def __init__(
        self,
        nodes: int | None = None,
        movetime_ms: int | None = None,
        depth: int | None = None,
        base_ms: int | None = None,
        inc_ms: int = 0,
        margin_ms: int = MARGIN_MS,
        hang_s: float = HANG_SECONDS,
    ) -> None:
        self.nodes, self.movetime_ms, self.depth = nodes, movetime_ms, depth
        self.base_ms, self.inc_ms = base_ms, inc_ms
        self.margin_ms, self.hang_s = margin_ms, hang_s

    def __str__(self) -> str:
        parts = []
        if self.nodes is not None:
            parts.append(f"nodes {self.nodes}")
        if self.movetime_ms is not None:
            parts.append(f"movetime {self.movetime_ms} ms")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        if self.base_ms is not None:
            parts.append(f"clock {self.base_ms / 1000:g}+{self.inc_ms / 1000:g} s")
        return ", ".join(parts)

    @property
    def has_bound(self) -> bool:
        """True if anything ends a search."""
        return any(v is not None for v in (self.nodes, self.movetime_ms, self.depth, self.base_ms))

    def patience_s(self, clock_ms: float | None) -> float:
        """Return how long to wait for an answer, with `clock_ms` left on the clock if one runs."""
        bounds = [ms for ms in (self.movetime_ms, clock_ms) if ms is not None]
        if not bounds:
            return self.hang_s
        return (max(0.0, min(bounds)) + self.margin_ms) / 1000.0


class Contestant:
    """One side of a match. `name` is what was asked for; `argv` starts its process."""

    __slots__ = ("argv", "limit", "name", "options")

    def __init__(self, name: str, argv: list[str], options: dict[str, str], limit: Limit) -> None:
        self.name, self.argv, self.options, self.limit = name, argv, options, limit


def parse_clock(text: str) -> tuple[int, int]:
    """Return (base, increment) in milliseconds of `SECONDS` or `SECONDS+INC`."""
    base, plus, inc = text.partition("+")
    try:
        base_ms = round(float(base) * 1000)
        inc_ms = round(float(inc) * 1000) if plus else 0
    except (ValueError, OverflowError):
        base_ms, inc_ms = 0, 0
    if base_ms <= 0 or inc_ms < 0:
        raise BadContestant(f"{text!r} is no clock; use seconds and increment, such as 10+0.1")
    return base_ms, inc_ms


def parse_side(text: str) -> dict[str, str]:
    """Return the pairs of `nodes=100,Threads=2`; a name may hold blanks."""
    pairs: dict[str, str] = {}
    for item in text.split(","):
        name, equals, value = item.partition("=")
        if not name.strip() or not equals:
            raise BadContestant(
                f"{item!r} should be name=value, such as nodes=100 or Threads=2; commas separate"
            )
        pairs[name.strip()] = value.strip()
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
            raise BadContestant(f"engine {text!r}: {error}") from None
        if not argv:
            raise BadContestant("an engine is a preset or a command line, not an empty text")
        if len(argv) == 1 and "/" not in text and not _is_command(text):
            presets = ", ".join(PRESETS)
            raise BadContestant(f"no preset and no command {text!r}; the presets are: {presets}")
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
            limit.base_ms, limit.inc_ms = parse_clock(value)
            continue
        if not (value.isascii() and value.isdigit() and int(value) > 0):
            raise BadContestant(f"{key}={value}: use a whole number above 0")
        field = "movetime_ms" if key == "movetime" else key
        setattr(limit, field, int(value))
    return limit


def _is_command(word: str) -> bool:
    import shutil

    return shutil.which(word) is not None
