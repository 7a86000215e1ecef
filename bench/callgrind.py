"""Where instructions go: the counts of callgrind by function, shared out among parts of the work.

A part is a set of functions. What a function of no part costs, and all that it calls, counts for
whoever called it. What the compiler has inlined is found by its lines in the C source, where the
build left debug information; without it, it counts for the function that it was inlined into.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.instructions import MISSING, TIMEOUT_SECONDS, CannotCount, environment

_DEFINITION = re.compile(r"^(?:static|CYTHON_|__Pyx|int|void).*?\b(__pyx_f_\w+)\(.*\{\s*$")
_NAME = re.compile(r"\((\d+)\)(?: (.*))?")


class Profile:
    """Costs by function: `own` in each line of the source, and `calls` of others, all included."""

    def __init__(self) -> None:
        self.own: dict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
        self.calls: dict[str, Counter[str]] = defaultdict(Counter)

    def total(self, function: str) -> int:
        """Return what a function costs with all that it calls."""
        return sum(self.own[function].values()) + sum(self.calls[function].values())


def run(arguments: Sequence[str], root: Path) -> tuple[Profile, str]:
    """Run Python with these arguments under callgrind; return the profile and what was printed.

    Raises CannotCount.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise CannotCount(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile"
        command = [valgrind, "--tool=callgrind", f"--callgrind-out-file={file}"]
        try:
            done = subprocess.run(
                [*command, sys.executable, "-S", *arguments],
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
                env=environment(root),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise CannotCount(f"valgrind took more than {TIMEOUT_SECONDS} s") from None
        if done.returncode or not file.exists():
            raise CannotCount(f"the counting process failed:\n{done.stderr[-2000:]}")
        return read(file.read_text(encoding="utf-8", errors="replace")), done.stdout


def read(text: str) -> Profile:
    """Return the profile of a file of callgrind's format."""
    profile = Profile()
    names: dict[str, dict[str, str]] = {"file": {}, "fn": {}}
    source = function = called = ""
    line = 0
    is_call = False
    for row in text.splitlines():
        key, equals, value = row.partition("=")
        if equals and key in ("fl", "fi", "fe"):
            source = _name(names["file"], value)
        elif equals and key == "fn":
            function = _name(names["fn"], value)
        elif equals and key == "cfn":
            called = _name(names["fn"], value)
        elif equals and key in ("cfi", "cfl"):
            _name(names["file"], value)
        elif equals and key == "calls":
            is_call = True
        elif row[:1] in "0123456789+-*" and row[:1]:
            place, _, cost = row.partition(" ")
            line = _line(place, line)
            if is_call:
                profile.calls[function][called] += int(cost)
                is_call = False
            else:
                profile.own[function][source, line] += int(cost or 0)
    return profile


def _name(known: dict[str, str], value: str) -> str:
    """Return a name, of which only the number stands in the file from the second time on."""
    match = _NAME.match(value)
    if match is None:
        return value
    if match[2] is not None:
        known[match[1]] = match[2]
    return known.get(match[1], value)


def _line(place: str, before: int) -> int:
    if place == "*":
        return before
    return before + int(place) if place[0] in "+-" else int(place)


def share_out(
    profile: Profile, root: str, parts: Mapping[str, str], sources: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return the cost of each part below the function `root`, which has a part itself.

    Args:
        profile: of a run.
        root: the whole name of a function.
        parts: regular expression of whole names of functions -> part; the first that fits counts.
        sources: the lines of C sources, by the path that the profile calls them.
    """
    owners = {path: _owners(lines) for path, lines in sources.items()}
    return dict(_Sharing(profile, parts, owners).below(root))


def _owners(lines: Sequence[str]) -> list[str]:
    """Return for each line of a C source the function that it is a part of."""
    owner, owners = "", [""]
    for line in lines:
        found = _DEFINITION.match(line)
        owner = found[1] if found else "" if line.startswith("}") else owner
        owners.append(owner)
    return owners


class _Sharing:
    def __init__(
        self, profile: Profile, parts: Mapping[str, str], owners: Mapping[str, list[str]]
    ) -> None:
        self.profile, self.owners = profile, owners
        self.parts = [(re.compile(pattern), part) for pattern, part in parts.items()]
        self.known: dict[str, Mapping[str, float]] = {}

    def part(self, function: str) -> str:
        """Return the part of a function; "" if it has none of its own."""
        name = function.partition("'")[0]
        return next((part for pattern, part in self.parts if pattern.fullmatch(name)), "")

    def below(self, function: str) -> Mapping[str, float]:
        """Return costs by part; under "" what counts for the caller."""
        if function in self.known:
            return self.known[function]
        self.known[function] = {}  # a recursive call adds nothing
        mine = self.part(function)
        found: defaultdict[str, float] = defaultdict(float)
        for (source, line), cost in self.profile.own[function].items():
            found[self._inlined(function, source, line) or mine] += cost
        for called, cost in self.profile.calls[function].items():
            shares = self.below(called)
            total = sum(shares.values())
            if not total:
                found[self.part(called) or mine] += cost
            for part, share in shares.items():
                found[part or mine] += cost * share / total
        self.known[function] = found
        return found

    def _inlined(self, function: str, source: str, line: int) -> str:
        """Return the part of the function that a line stands in, if that is another one."""
        lines = self.owners.get(source, [])
        owner = lines[line] if line < len(lines) else ""
        return self.part(owner) if owner and owner != function else ""


__all__ = ["Profile", "read", "run", "share_out"]
