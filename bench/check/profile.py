"""What an engine says of itself when it is first asked, and how it fails to answer."""

import asyncio
from collections.abc import Sequence

from bench.check.grammar import Declared, errors_among, handshake_end, readable_options
from bench.check.steps import Failure
from bench.check.talk import Talk, Transcript
from bench.text import tail
from protocol.messages import DIALECTS, QUERIES
from protocol.transport import EngineDied, Transport

CHECKLIST = (
    "is standard output flushed after every line? do lines end with LF alone? does all that is no "
    "line of the protocol, such as a banner, go to standard error? are single lines read from "
    "standard input, as soon as they are there?"
)
"""What to look at in an engine that starts and answers no handshake."""

GREETING_WORDS = ("id", "option", "feature", "game")
"""Words that the lines of a handshake begin with, besides its last one."""

LATE_S = 1.0
"""Seconds for which the rest of the output is waited for once the input has been closed."""


class StartError(Exception):
    """The process cannot be started, or is gone before it says a word.

    `stderr` is the end of what it wrote there.
    """

    def __init__(self, text: str, stderr: str = "") -> None:
        super().__init__(text)
        self.stderr = stderr


class Silence:
    """A handshake without an answer: what was expected and came instead, with transcript."""

    def __init__(self, dialect: str, failure: Failure, talk: Talk, transcript: Transcript) -> None:
        self.dialect = dialect
        self.expected, self.got = failure.expected, failure.got
        self.is_dead = talk.wire.exit_code is not None
        """True if the process ended by itself."""
        self.has_output = talk.num_lines > 0
        """True if anything came on standard output."""
        self.is_unspoken = False
        """True if the engine seems not to know the dialect: it is silent, and still ready."""
        self.is_late = False
        """True if all output came only after the input had been closed."""
        self.stderr = ""
        self._transcript = transcript

    @property
    def reason(self) -> str:
        """What happened, in one text."""
        return f"expected {self.expected}, got {self.got}"

    @property
    def transcript(self) -> list[str]:
        """All that was sent and received."""
        return self._transcript.lines()

    @property
    def hint(self) -> str:
        """What may be wrong with the engine."""
        if self.is_late:
            return f"output came only when the input was closed: no flush, or no LF; {CHECKLIST}"
        return CHECKLIST


class Profile:
    """What an engine says of itself under the dialects that it answers."""

    def __init__(self) -> None:
        self.greetings: dict[str, list[str]] = {}
        """The lines of the handshake by dialect; only dialects that are answered."""
        self.lacking: dict[str, set[str]] = {}
        """Queries that the engine does not know, by dialect."""
        self.silent: dict[str, Silence] = {}
        """Dialects whose handshake is not answered, and what happened instead."""
        self.features: dict[str, str] = {}
        """The `feature` lines, known once the dialect uhi has been tried."""

    @property
    def options(self) -> dict[str, Declared]:
        """The options that can be read, by lower-case name."""
        return readable_options(next(iter(self.greetings.values()), []))

    @property
    def games(self) -> list[str]:
        """The names in the `game` lines."""
        lines = [line.split() for lines in self.greetings.values() for line in lines]
        return [words[1].partition("/")[0] for words in lines if words[0] == "game" and words[1:]]

    @property
    def has_views_only(self) -> bool:
        """True if the engine refuses open positions by design."""
        return self.features.get("views") == "only"

    def worst(self, dialects: Sequence[str]) -> Silence:
        """Return the silence that tells most, of some dialects that are not answered.

        Raises:
            StartError: each process was dead before it had said a word.
        """
        found = [self.silent[dialect] for dialect in dialects]
        alive = [silence for silence in found if silence.has_output or not silence.is_dead]
        if not alive:
            reasons = "; ".join(dict.fromkeys(silence.got for silence in found))
            text = f"no answer to the handshake {' or '.join(dialects)}: {reasons}"
            raise StartError(text, found[0].stderr)
        return max(alive, key=lambda silence: silence.has_output)


async def start(argv: Sequence[str]) -> Transport:
    """Start a process; StartError if there is no such program."""
    try:
        return await Transport.open(argv)
    except EngineDied as error:
        raise StartError(str(error)) from None


async def probe(argv: Sequence[str], dialects: Sequence[str], patience_s: float) -> Profile:
    """Ask an engine for its handshakes, each of a fresh process; StartError if none can start."""
    profile = Profile()
    await asyncio.gather(*(_greet(argv, dialect, profile, patience_s) for dialect in dialects))
    for line in profile.greetings.get("uhi", []):
        if line.startswith("feature "):
            key, _, value = line.removeprefix("feature ").partition("=")
            profile.features[key] = value
    for dialect in profile.features.get("dialects", "").split(","):
        if dialect in profile.silent:
            profile.silent[dialect].is_unspoken = False
    return profile


async def _greet(argv: Sequence[str], dialect: str, profile: Profile, patience_s: float) -> None:
    wire = await start(argv)
    transcript = Transcript()
    talk = Talk(wire, dialect, transcript, patience_s=patience_s)
    try:
        await talk.send(dialect)
        profile.greetings[dialect] = await talk.until(handshake_end(dialect))
        profile.lacking[dialect] = await _lacking_queries(talk)
    except Failure as failure:
        silence = Silence(dialect, failure, talk, transcript)
        profile.silent[dialect] = silence
        if not silence.is_dead:
            is_ready = await talk.still_ready()
            silence.has_output = silence.has_output or is_ready
            await talk.close_and_drain(LATE_S)
            silence.is_unspoken = is_ready and not talk.first_words & {
                *GREETING_WORDS,
                *map(handshake_end, DIALECTS),
            }
            silence.is_late = talk.num_lines > 0 and not silence.has_output
            silence.has_output = talk.num_lines > 0
        await wire.kill()
        silence.stderr = tail(wire.stderr_tail, 20, 2000)
    finally:
        await wire.kill()


async def _lacking_queries(talk: Talk) -> set[str]:
    """Return the queries that an engine does not know; it says so even without a position."""
    lacking = set()
    try:
        for word in QUERIES:
            await talk.send(f"query {word}")
            lines = await talk.sync()
            answered = any(line.startswith("response ") for line in lines)
            codes = {error.code for error in errors_among(lines, talk.dialect)}
            if not answered or "bad-value" in codes:
                lacking.add(word)
    except Failure:
        pass  # the steps will tell
    return lacking
