"""One run of the checker: what is checked, how it is told, which exit code."""

import difflib
import shlex
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from bench.check.grammar import shown
from bench.check.material import Material
from bench.check.profile import Profile, Silence, StartError, probe
from bench.check.runner import FAILED, OK, SKIPPED, Outcome, run_steps
from bench.check.steps import PATIENCE_S, Step, all_steps, choose_steps
from bench.check.subject import Subject
from bench.contestant import BadContestant, Limit, make_contestant
from bench.games import parse_game
from bench.text import visible
from engine import available
from engine.errors import EngineError as RulesError
from protocol.messages import DIALECTS
from search.presets import PRESETS

if TYPE_CHECKING:
    from engine.game import Game

EXIT_FAILED = 1

SCHEMA = 1
"""Version of the JSON object."""

EVERY_DIALECT = "all"

LEGEND = (
    "     seconds and lines: > sent, < answered, ! happened beside the lines; a number before it",
    "     is that of a further process, and (process N: ...) tells how N was started and set up:",
)
"""What the marks of a transcript mean."""

OPTIONS = "--dialect --game --step --list --keep-going --timeout --json --help".split()
"""What the command takes, to find the nearest of."""


class BadUsage(Exception):
    """Arguments that make no check; the text says why."""


class Check:
    """One run of the checker over some dialects."""

    def __init__(
        self,
        words: Sequence[str],
        dialect: str = EVERY_DIALECT,
        game_text: str = "",
        wanted: Sequence[str] = (),
        keep_going: bool = False,
        quiet: bool = False,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.argv, self.options = read_engine(words)
        try:
            self.steps = choose_steps(wanted)
            self.game = parse_game(game_text) if game_text else None
        except (RulesError, ValueError) as error:
            raise BadUsage(str(error)) from None
        self.dialects = list(DIALECTS[::-1]) if dialect == EVERY_DIALECT else [dialect]
        self.keep_going, self.quiet, self.patience_s = keep_going, quiet, patience_s
        self.profile = Profile()
        self.outcomes: list[Outcome] = []
        self.seconds = 0.0

    async def run(self) -> int:
        """Check, tell of each step on standard output, and return the exit code."""
        start = time.perf_counter()
        # Features are told under uhi only, and hold for the other dialects too.
        tried = self.dialects if "uhi" in self.dialects else [*self.dialects, "uhi"]
        self.profile = await probe(self.argv, tried, self.patience_s)
        spoken = [dialect for dialect in self.dialects if dialect in self.profile.greetings]
        if not spoken:
            self._tell_silence(self.profile.worst(self.dialects))
            self.seconds = time.perf_counter() - start
            self._sum_up(spoken)
            return EXIT_FAILED
        if self.game is not None:
            _expect_played(self.game.name, self.profile)
        material = Material(self.game or choose_game(self.profile))
        self.game = material.game
        for dialect in self.dialects:
            silence = self.profile.silent.get(dialect)
            if silence is not None:
                if not silence.is_unspoken:
                    self._tell_silence(silence)
                    if not self.keep_going:
                        break
                continue
            subject = Subject(
                self.argv, dialect, self.profile, self.options, material, self.patience_s
            )
            self._say(f"{dialect}: {self._name} plays {material.game.identity}")
            found = await run_steps(subject, self.steps, self._tell, self.keep_going)
            self.outcomes += found
            if self._failed and not self.keep_going:
                break
        self.seconds = time.perf_counter() - start
        self._sum_up(spoken)
        return EXIT_FAILED if self._failed else 0

    def _tell_silence(self, silence: Silence) -> None:
        """Fail at the first step: the engine runs, and answers no handshake that was asked for."""
        outcome = Outcome(all_steps()[0], silence.dialect)
        outcome.status = FAILED
        outcome.expected, outcome.got, outcome.hint = silence.expected, silence.got, silence.hint
        outcome.transcript, outcome.stderr = silence.transcript, silence.stderr
        self.outcomes.append(outcome)
        self._say(f"{silence.dialect}: no good answer to this handshake")
        self._tell(outcome)

    @property
    def _name(self) -> str:
        lines = next(iter(self.profile.greetings.values()))
        names = [line for line in lines if line.startswith("id name ")]
        return shown(names[0].removeprefix("id name "), 60) if names else "an engine without a name"

    @property
    def _failed(self) -> int:
        return sum(outcome.status == FAILED for outcome in self.outcomes)

    # ---- telling ----

    def _say(self, *lines: str) -> None:
        if not self.quiet:
            code = getattr(sys.stdout, "encoding", None) or "utf-8"
            for line in lines:
                click.echo(line.encode(code, "backslashreplace").decode(code))

    def _tell(self, outcome: Outcome) -> None:
        step = outcome.step
        head = f"{step.number:4} {step.name:24}"
        if outcome.status == OK:
            self._say(f"{head} ok    {outcome.seconds:6.2f} s  {step.sentence}")
        elif outcome.status == SKIPPED:
            self._say(f"{head} skip  {outcome.reason}")
        else:
            self._say(
                f"{head} FAIL  {outcome.seconds:6.2f} s  {step.sentence}",
                f"     asked for by: {step.source}",
                f"     expected:     {visible(outcome.expected)}",
                f"     got:          {visible(outcome.got) or 'something else'}",
                *([f"     hint:         {outcome.hint}"] if outcome.hint else []),
                *LEGEND,
                *(f"    {line}" for line in outcome.transcript),
            )
            if outcome.stderr:
                self._say("     end of its standard error:")
                self._say(*(f"         {line}" for line in outcome.stderr.splitlines()))

    def _sum_up(self, spoken: list[str]) -> None:
        for dialect in self.dialects:
            counts = {
                status: sum(x.status == status for x in self.outcomes if x.dialect == dialect)
                for status in (OK, FAILED, SKIPPED)
            }
            silence = self.profile.silent.get(dialect)
            if silence is not None and silence.is_unspoken and spoken:
                told = f"skipped, no answer to this handshake ({shown(silence.reason, 200)})"
                self._say(f"{dialect}: {told}")
            elif any(counts.values()):
                self._say(
                    f"{dialect}: {counts[OK]} ok, {counts[FAILED]} failed, "
                    f"{counts[SKIPPED]} skipped"
                )
        self._say(f"{'failed' if self._failed else 'passed'} in {self.seconds:.1f} s")

    def to_json(self) -> dict[str, object]:
        """Return everything as one JSON-ready object."""
        return {
            "schema": SCHEMA,
            "engine": self.argv,
            "name": self._name if self.profile.greetings else None,
            "game": self.game.identity if self.game is not None else None,
            "dialects": list(dict.fromkeys(outcome.dialect for outcome in self.outcomes)),
            "passed": bool(self.outcomes) and not self._failed,
            "seconds": round(self.seconds, 3),
            "steps": [outcome.to_json() for outcome in self.outcomes],
        }


def not_started(words: Sequence[str], error: StartError) -> dict[str, object]:
    """Return the JSON-ready object for an engine that could not be started."""
    return {
        "schema": SCHEMA,
        "engine": list(words),
        "passed": False,
        "error": str(error),
        "stderr": error.stderr,
        "steps": [],
    }


def read_engine(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return command line and options of an engine: a preset, one quoted text, or its words.

    Raises BadUsage.
    """
    # Unknown options are those of the engine's command, and our own engine has none.
    wrong = [word for word in words if word.startswith("-")]
    if wrong and (words[0] == wrong[0] or words[0] in PRESETS):
        close = difflib.get_close_matches(wrong[0], OPTIONS, 1, 0.5)
        raise BadUsage(f"no such option: {wrong[0]}{f'; do you mean {close[0]}?' if close else ''}")
    try:
        engine = make_contestant(words[0] if len(words) == 1 else shlex.join(words), Limit(), {})
    except BadContestant as error:
        raise BadUsage(str(error)) from None
    return engine.argv, engine.options


def _expect_played(name: str, profile: Profile) -> None:
    """Raise BadUsage if an engine that lists its games lacks one."""
    games = list(dict.fromkeys(profile.games))
    if games and name not in games:
        plays = ", ".join(visible(game) for game in games)
        raise BadUsage(f"the engine has no `game` line for {name}, it plays: {plays}")


def choose_game(profile: Profile) -> "Game":
    """Return the first game that both the engine and we know; BadUsage if it can't be found out."""
    known = available()
    declared = profile.options.get("game")
    names = profile.games
    if declared is not None:
        names = [declared.default or "", *declared.choices, *names]
    lower = [name.lower() for name in names]
    for name in lower:
        if name in known:
            return parse_game(name)
    told = f"it tells of {', '.join(dict.fromkeys(lower))}" if lower else "it does not tell"
    raise BadUsage(f"which game does the engine play? {told}; use --game with {', '.join(known)}")


def listed(steps: Sequence[Step]) -> list[str]:
    """Return one line for each step."""
    return [
        f"{step.number:4} {step.name:24} part {step.part}  {step.sentence}"
        + ("" if step.dialects == DIALECTS else f" ({', '.join(step.dialects)})")
        for step in steps
    ]
