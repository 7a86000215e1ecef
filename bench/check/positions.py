"""Steps: positions as one seat sees them, by log and by snapshot."""

from bench.check.material import turn_word
from bench.check.steps import Skip, expect, step
from bench.check.subject import Subject, expect_legal

MOST_DECISIONS = 40


@step("first-decision", 6)
async def first_decision(subject: Subject) -> None:
    """Take the log of a game's beginning as one seat saw it, and decide legally."""
    moment = subject.material.start
    talk = await subject.at(moment)
    await subject.stands_at(talk, moment)
    await subject.plays_legally(talk, moment)


@step("redacted-logs", 6)
async def redacted_logs(subject: Subject) -> None:
    """Take logs from all over a game, with `?` where the seat did not see."""
    for moment in subject.material.decisions[:MOST_DECISIONS]:
        talk = await subject.at(moment)
        await subject.stands_at(talk, moment)
    moment = subject.material.decisions[-1]
    await subject.plays_legally(await subject.at(moment), moment)


@step("no-events", 6)
async def no_events(subject: Subject) -> None:
    """Take a position whose word `moves` has nothing behind it, or that lacks the word."""
    moment = subject.material.start
    talk = await subject.talk()
    for line in (moment.snapshot, f"{moment.snapshot} moves", f"{moment.snapshot} moves  "):
        await talk.place(line)
        await subject.stands_at(talk, moment)
        await subject.plays_legally(talk, moment)


@step("snapshots", 6)
async def snapshots(subject: Subject) -> None:
    """Take the same knowledge as a snapshot, with the same legal moves."""
    talk = await subject.talk()
    for moment in subject.material.decisions[:MOST_DECISIONS]:
        await talk.place(moment.snapshot)
        await subject.stands_at(talk, moment)
        await subject.plays_legally(talk, moment, "nodes 5")


@step("snapshot-goes-on", 6, queries=("turn",))
async def snapshot_goes_on(subject: Subject) -> None:
    """Take a snapshot with further events."""
    game = subject.game
    talk = await subject.talk()
    for moment in subject.material.decisions[:MOST_DECISIONS]:
        word = moment.legal[0]
        after = moment.view.copy()
        after.apply(game.parse_move(word))
        await talk.place(f"{moment.snapshot} moves p{moment.seat + 1}:{word}")
        turn = await talk.ask("turn")
        wanted = turn_word(after)
        expect(turn == wanted, f"response {wanted}", turn)


@step("seatless-decisions", 6)
async def seatless_decisions(subject: Subject) -> None:
    """Take decisions in a log without the names of their seats."""
    with_decisions = [m for m in subject.material.decisions if m.tokens[-1:] and _has_seats(m.line)]
    if not with_decisions:
        raise Skip("no log of this game has decisions before another one")
    talk = await subject.talk()
    for moment in with_decisions[:8]:
        log = " ".join(_without_seat(token) for token in moment.tokens)
        await talk.place(f"{moment.head} moves {log}")
        await subject.stands_at(talk, moment)


def _has_seats(line: str) -> bool:
    return any(_without_seat(word) != word for word in line.split())


def _without_seat(token: str) -> str:
    head, colon, rest = token.partition(":")
    return rest if colon and head in ("p1", "p2", "p3", "p4") else token


@step("growing-log", 6)
async def growing_log(subject: Subject) -> None:
    """Follow a log that grows event by event."""
    moment = max(subject.material.decisions, key=lambda m: len(m.tokens))
    talk = await subject.talk()
    tokens = moment.tokens
    first = max(0, len(tokens) - 60)
    for end in range(first, len(tokens)):
        log = " ".join(tokens[:end])
        await talk.place(f"{moment.head} moves {log}".rstrip())
    await talk.place(moment.line)
    await subject.stands_at(talk, moment)
    await subject.plays_legally(talk, moment)


@step("replaced", 6)
async def replaced(subject: Subject) -> None:
    """Replace the whole position by the next one, also by one that is shorter."""
    talk = await subject.talk()
    first, later = subject.material.start, subject.material.overs[0]
    for moment in (later, first, subject.material.later, first, later):
        await talk.place(moment.line)
        await subject.stands_at(talk, moment)


@step("latest-counts", 6)
async def latest_counts(subject: Subject) -> None:
    """Decide from the latest of several positions, not from one before it."""
    moment, over = subject.material.start, subject.material.overs[0]
    talk = await subject.talk()
    for _ in range(2):
        await talk.silent(moment.line, over.line)
        await subject.decides_nothing(talk)
        await talk.silent(over.line, moment.line)
        await subject.plays_legally(talk, moment)
    await talk.silent(moment.line, over.line)
    await subject.stands_at(talk, over)
    for other in subject.material.waits[:2]:
        await talk.silent(moment.line, other.line)
        await subject.stands_at(talk, other)


@step("long-log", 6)
async def long_log(subject: Subject) -> None:
    """Take the whole log of the longest game at once."""
    moment = max(subject.material.overs, key=lambda m: len(m.line))
    talk = await subject.talk()
    await talk.silent(f"{subject.dialect}newgame")
    await talk.place(moment.line)
    await subject.stands_at(talk, moment)


@step("all-seats", 6)
async def all_seats(subject: Subject) -> None:
    """Take the view of each seat of a finished game."""
    talk = await subject.talk()
    for moment in subject.material.overs:
        await talk.place(moment.line)
        await subject.stands_at(talk, moment)


@step("other-seat-decides", 8)
async def other_seat_decides(subject: Subject) -> None:
    """Answer 0000 and why in the view of a seat that does not decide; `legal` is empty then."""
    if not subject.material.waits:
        raise Skip("in this game one seat decides everything")
    talk = await subject.talk()
    for moment in subject.material.waits[:6]:
        await talk.place(moment.line)
        await subject.stands_at(talk, moment)
        await subject.decides_nothing(talk)


@step("luck-decides", 8)
async def luck_decides(subject: Subject) -> None:
    """Answer 0000 and why where luck decides; `turn` is chance and `legal` is empty then."""
    lines = subject.material.luck()
    if not lines:
        raise Skip("there is no luck in this game")
    talk = await subject.talk()
    for line, _ in lines:
        await talk.place(line)
        for word, wanted in (("turn", "chance"), ("legal", "-")):
            if subject.knows(word):
                answer = await talk.ask(word)
                expect(answer == wanted, f"response {wanted} to `query {word}`", answer)
        await subject.decides_nothing(talk)


@step("game-is-over", 8)
async def game_is_over(subject: Subject) -> None:
    """Answer 0000 and why when the game is over; `turn` is none and `legal` is empty then."""
    talk = await subject.talk()
    for moment in subject.material.overs[:2]:
        await talk.place(moment.line)
        await subject.stands_at(talk, moment)
        await subject.decides_nothing(talk)


@step("new-game", 4)
async def new_game(subject: Subject) -> None:
    """Forget the position at `ucinewgame`, `uginewgame` or `uhinewgame`."""
    moment = subject.material.start
    for dialect in ("uci", "ugi", "uhi"):
        talk = await subject.at(moment)
        await talk.silent(f"{dialect}newgame")
        await subject.has_no_position(talk)
    await talk.place(moment.line)
    expect_legal((await talk.go("nodes 5")).move, moment)
