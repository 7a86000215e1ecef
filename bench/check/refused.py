"""Steps: positions that cannot be, and what holds after one."""

import re

from bench.check.material import Moment, reads
from bench.check.steps import Skip, expect, step
from bench.check.subject import Subject
from engine.errors import EngineError

NONSENSE = "!nonsense!"


async def _refuses(
    subject: Subject, line: str, *codes: str, token: int | None = None, good: Moment | None = None
) -> None:
    """Check a refusal, that there is no position then, and that a good one works again."""
    moment = good or subject.material.start
    talk = await subject.at(moment)
    text = await talk.refused(line, *codes)
    if token is not None:
        named = token in [int(digits) for digits in re.findall(r"[0-9]{1,9}", text)]
        expect(named, f"an error text that names word {token} of the line", text)
    await subject.has_no_position(talk)
    await talk.place(moment.line)
    await subject.stands_at(talk, moment)


@step("nonsense", 6)
async def nonsense(subject: Subject) -> None:
    """Refuse a position text that is none."""
    for text in ("nonsense", "=", "a=b c=d", "/1", f"{subject.game.name}", "nosuchgame/1 me=p1"):
        talk = await subject.talk()
        await talk.refused(f"position view {text}", "bad-position", "unsupported")


@step("no-position-left", 6)
async def no_position_left(subject: Subject) -> None:
    """Have no position after a refused one, until the next good one."""
    await _refuses(subject, "position view nonsense", "bad-position")


@step("position-lacks-text", 6)
async def position_lacks_text(subject: Subject) -> None:
    """Refuse `position` without a kind or a text, or with a text where none belongs."""
    for line in (
        "position",
        "position view",
        "position fen",
        "position moves",
        "position 1 2",
        "position startpos foo",
    ):
        await _refuses(subject, line, "bad-position")


@step("game-version", 6)
async def game_version(subject: Subject) -> None:
    """Refuse a version of the game's notation that you do not know."""
    game = subject.game
    line = subject.material.start.line.replace(f"{game.name}/{game.version}", f"{game.name}/987", 1)
    await _refuses(subject, line, "bad-position", "unsupported")


@step("word-in-log", 6)
async def word_in_log(subject: Subject) -> None:
    """Refuse a log with a word that is no event, and name its place in the line."""
    moment = max(subject.material.decisions[:8], key=lambda m: len(m.tokens))
    words = moment.line.split()
    for at in {len(words), len(words) - len(moment.tokens), len(words) - len(moment.tokens) // 2}:
        bad = [*words[:at], NONSENSE, *words[at:]]
        await _refuses(subject, " ".join(bad), "bad-position", "illegal-move", token=at + 1)


@step("nothing-half-done", 6)
async def nothing_half_done(subject: Subject) -> None:
    """Take the good part of a refused log as if the bad one had never been."""
    talk = await subject.talk()
    for moment in subject.material.decisions[:8]:
        await talk.place(moment.line)
        await talk.refused(f"{moment.line} p{moment.seat + 1}:{moment.legal[0]} {NONSENSE}")
        await talk.place(moment.line)
        await subject.stands_at(talk, moment)


@step("wrong-seat", 6)
async def wrong_seat(subject: Subject) -> None:
    """Refuse a decision of a seat that is not to decide with `illegal-move`."""
    if subject.game.num_seats < 2:
        raise Skip("there is one seat")
    moment = subject.material.start
    other = (moment.seat + 1) % subject.game.num_seats
    line = f"{moment.line} p{other + 1}:{moment.legal[0]}"
    await _refuses(subject, line, "illegal-move", token=len(line.split()))


@step("illegal-decision", 6)
async def illegal_decision(subject: Subject) -> None:
    """Refuse a decision that the rules do not allow there with `illegal-move`."""
    everywhere = [word for moment in subject.material.decisions for word in moment.legal]
    found = 0
    for moment in subject.material.decisions:
        word = next((word for word in everywhere if word not in moment.legal), "")
        if word and found < 3:
            found += 1
            line = f"{moment.line} p{moment.seat + 1}:{word}"
            await _refuses(subject, line, "illegal-move", token=len(line.split()))
    if not found:
        raise Skip("in this game every decision is allowed everywhere")


@step("decision-after-end", 6)
async def decision_after_end(subject: Subject) -> None:
    """Refuse a decision after the end of the game with `illegal-move`."""
    moment = subject.material.overs[0]
    for word in (subject.material.start.legal[0], f"p1:{subject.material.start.legal[0]}"):
        line = f"{moment.line} {word}"
        await _refuses(subject, line, "illegal-move", token=len(line.split()))


@step("decision-for-luck", 6)
async def decision_for_luck(subject: Subject) -> None:
    """Refuse a decision where luck decides with `illegal-move`."""
    lines = subject.material.luck()
    if not lines:
        raise Skip("there is no luck in this game")
    for line, _ in lines:
        word = subject.material.start.legal[0]
        log = f"{line} {word}" if " moves " in line else f"{line} moves {word}"
        await _refuses(subject, log, "illegal-move", token=len(log.split()))


@step("bad-value", 6)
async def bad_value(subject: Subject) -> None:
    """Refuse a snapshot with a value that its field does not allow."""
    found = 0
    for moment in subject.material.decisions[:8]:
        words = moment.text.split()
        for i, word in enumerate(words):
            key, equals, _ = word.partition("=")
            bad = [*words[:i], f"{key}={NONSENSE}", *words[i + 1 :]]
            if equals and not reads(subject.game, " ".join(bad), []) and found < 8:
                found += 1
                line = f"position view {' '.join(bad)}"
                await _refuses(subject, line, "bad-position", good=moment)
    if not found:
        raise Skip("no value of a snapshot can be wrong")


@step("missing-field", 6)
async def missing_field(subject: Subject) -> None:
    """Refuse a snapshot that lacks a field which the game needs."""
    found = 0
    for moment in subject.material.decisions[:8]:
        words = moment.text.split()
        for i in range(1, len(words)):
            text = " ".join(words[:i] + words[i + 1 :])
            if not reads(subject.game, text, []) and found < 4:
                found += 1
                await _refuses(subject, f"position view {text}", "bad-position", good=moment)
    if not found:
        raise Skip("no field of a snapshot is needed")


@step("field-twice", 6)
async def field_twice(subject: Subject) -> None:
    """Refuse a snapshot with one field given twice."""
    moment = subject.material.start
    field = moment.text.split()[-1]
    if reads(subject.game, f"{moment.text} {field}", []):
        raise Skip("the game allows that")
    await _refuses(subject, f"{moment.snapshot} {field}", "bad-position")


@step("luck-not-seen", 6)
async def luck_not_seen(subject: Subject) -> None:
    """Refuse a log that shows its seat what it did not see with `inconsistent-view`."""
    found = 0
    for moment in subject.material.decisions[:8]:
        at = _first_hidden(moment)
        if at is None or found > 2:
            continue
        log = [*moment.tokens[:at], moment.events[at], *moment.tokens[at + 1 :]]
        text = moment.head.removeprefix("position view ")
        if not reads(subject.game, text, log):
            found += 1
            token = len(moment.head.split()) + at + 2
            line = f"{moment.head} moves {' '.join(log)}"
            await _refuses(subject, line, "inconsistent-view", token=token, good=moment)
    if not found:
        raise Skip("nothing is hidden in this game's luck")


def _first_hidden(moment: Moment) -> int | None:
    """Return the place of the first event that the seat saw in part only, None if there is none."""
    if len(moment.tokens) != len(moment.events):
        return None
    pairs = enumerate(zip(moment.tokens, moment.events, strict=True))
    return next((i for i, (seen, full) in pairs if seen != full and full.startswith("~")), None)


@step("luck-against-knowledge", 6)
async def luck_against_knowledge(subject: Subject) -> None:
    """Refuse a log whose luck contradicts what its seat knows with `inconsistent-view`."""
    for moment in subject.material.decisions:
        found = _contradiction(subject, moment)
        if found is not None:
            line, token = found
            await _refuses(subject, line, "inconsistent-view", token=token, good=moment)
            return
    raise Skip("no two events of luck exclude each other")


def _contradiction(subject: Subject, moment: Moment) -> tuple[str, int] | None:
    """Return a log in which one event repeats what another one has already used up."""
    text = moment.head.removeprefix("position view ")
    tokens = moment.tokens
    known = [i for i, token in enumerate(tokens) if token.startswith("~") and "?" not in token]
    for at in known:
        name, _, _ = tokens[at].partition("=")
        for other in known:
            instead = f"{name}={tokens[other].partition('=')[2]}"
            if instead == tokens[at] or not _can_be_read(subject, instead):
                continue
            if reads(subject.game, text, tokens[:at]) and not reads(
                subject.game, text, [*tokens[:at], instead]
            ):
                log = " ".join([*tokens[:at], instead])
                return f"{moment.head} moves {log}", len(moment.head.split()) + at + 2
    return None


def _can_be_read(subject: Subject, token: str) -> bool:
    try:
        subject.game.parse_event(token)
    except EngineError:
        return False
    return True


@step("view-too-wide", 6)
async def view_too_wide(subject: Subject) -> None:
    """Refuse the view of a seat that shows what the seat can't know."""
    found = 0
    for moment in subject.material.decisions[:8]:
        words = moment.state.to_text().split()
        at = next(i for i, word in enumerate(moment.text.split()) if word.startswith("me="))
        text = " ".join([*words[:at], f"me=p{moment.seat + 1}", *words[at:]])
        if not reads(subject.game, text, []) and found < 4:
            found += 1
            line = f"position view {text}"
            await _refuses(subject, line, "bad-position", "inconsistent-view", good=moment)
    if not found:
        raise Skip("a snapshot of this game may show everything")


@step("unknown-seat", 6)
async def unknown_seat(subject: Subject) -> None:
    """Refuse the view of a seat that the game does not have."""
    identity = subject.game.identity
    for seat in ("p0", f"p{subject.game.num_seats + 1}", "P1", "1", "p1p1", ""):
        await _refuses(subject, f"position view {identity} me={seat}", "bad-position")
