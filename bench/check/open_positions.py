"""Steps: open positions, which show more than one seat knows, and the option that forbids them."""

from bench.check.material import Moment, reads
from bench.check.steps import Skip, expect, step
from bench.check.subject import Subject
from bench.check.talk import Talk
from engine.errors import EngineError


@step("startpos", 6, queries=("turn", "legal", "view"), is_open=True)
async def startpos(subject: Subject) -> None:
    """Deal the game yourself at `position startpos`, each time alike."""
    talk = await subject.talk()
    line = await subject.startpos(talk)
    views = []
    for form in (line, f"{line} moves", line):
        await talk.place(form)
        views.append(await _can_decide(talk))
    expect(len(set(views)) == 1, "the same deal each time", " or ".join(sorted(set(views))))


@step("seeds", 6, queries=("turn", "legal", "view"), is_open=True)
async def seeds(subject: Subject) -> None:
    """Deal by the seed in `fen GAME/1 seed=N`, the same for the same number."""
    talk = await subject.talk()
    views = []
    for seed in (0, 7, 123456789, 7, 0):
        await talk.place(f"position fen {subject.game.identity} seed={seed}")
        views.append(await _can_decide(talk))
    expect(views[0] == views[4] and views[1] == views[3], "equal deals for equal seeds", str(views))


async def _can_decide(talk: Talk) -> str:
    """Return the view of the seat to decide; fail if the engine can't decide for it."""
    turn, legal = await talk.ask("turn"), await talk.ask("legal")
    expect(turn in ("p1", "p2", "p3", "p4"), "a seat that is to decide", turn)
    answer = await talk.go("nodes 5")
    expect(answer.move in legal.split(","), f"bestmove with one of: {legal}", answer.move)
    return await talk.ask("view")


@step("startpos-moves", 6, queries=("gameover", "legal"), is_open=True)
async def startpos_moves(subject: Subject) -> None:
    """Follow `position startpos moves M...`, decisions only, with luck from your own deal."""
    talk = await subject.talk()
    line = await subject.startpos(talk)
    moves: list[str] = []
    for _ in range(6):
        await talk.place(f"{line} moves {' '.join(moves)}".rstrip())
        if await talk.ask("gameover") == "true":
            break
        legal = (await talk.ask("legal")).split(",")
        answer = await talk.go("nodes 5")
        expect(answer.move in legal, f"bestmove with one of: {' '.join(legal)}", answer.move)
        moves.append(answer.move)


@step("open-logs", 6, is_open=True)
async def open_logs(subject: Subject) -> None:
    """Take logs that the client deals, all cards shown; know what the seat to decide knows."""
    talk = await subject.talk()
    for moment in subject.material.decisions[:8]:
        await talk.place(moment.open_line)
        await _knows_as_much(subject, talk, moment)
    if subject.game.new_state().is_chance and subject.knows("game"):
        moment = subject.material.start
        line = await subject.startpos(talk)
        await talk.place(f"{line} moves {' '.join(moment.events)}")
        await _knows_as_much(subject, talk, moment)


@step("open-texts", 6, is_open=True)
async def open_texts(subject: Subject) -> None:
    """Take full position texts; know what the seat to decide knows."""
    talk = await subject.talk()
    for moment in subject.material.decisions[:8]:
        for word in ("fen", "view"):
            await talk.place(f"position {word} {moment.state.to_text()}")
            await _knows_as_much(subject, talk, moment)


async def _knows_as_much(subject: Subject, talk: Talk, moment: Moment) -> None:
    await subject.stands_at(talk, moment)
    await subject.plays_legally(talk, moment, "nodes 5")


@step("strict-views", 6, option="Strict Views", is_open=True)
async def strict_views(subject: Subject) -> None:
    """Refuse every open position while Strict Views is true, and take views."""
    talk = await subject.talk()
    moment = subject.material.decisions[-1]
    await talk.place(moment.open_line)
    await talk.silent("setoption name Strict Views value true")
    await subject.has_no_position(talk)
    for line in (
        f"position fen {moment.state.to_text()}",
        f"position view {moment.state.to_text()}",
        moment.open_line,
        f"position fen {subject.game.identity} seed=3",
        "position startpos",
    ):
        await talk.refused(line, "bad-position")
        await subject.has_no_position(talk)
        await talk.place(moment.line)
        await subject.stands_at(talk, moment)
    await talk.place(moment.snapshot)
    await talk.silent("setoption name Strict Views value false")
    await talk.place(moment.open_line)
    await subject.stands_at(talk, moment)


@step("views-only", 6, feature="views")
async def views_only(subject: Subject) -> None:
    """Refuse every open position if you declare `feature views=only`."""
    if not subject.profile.has_views_only:
        raise Skip("the engine does not declare feature views=only")
    talk = await subject.talk()
    moment = subject.material.decisions[-1]
    for line in (
        f"position fen {moment.state.to_text()}",
        f"position view {moment.state.to_text()}",
        moment.open_line,
        f"position fen {subject.game.identity} seed=3",
        "position startpos",
    ):
        await talk.refused(line, "bad-position")
        await subject.has_no_position(talk)
    await talk.place(moment.line)
    await subject.stands_at(talk, moment)


@step("impossible-luck", 6, is_open=True)
async def impossible_luck(subject: Subject) -> None:
    """Refuse an impossible event of luck in an open position with `bad-position`."""
    talk = await subject.talk()
    for moment in subject.material.decisions:
        line = _impossible(subject, moment)
        if line:
            await talk.refused(line, "bad-position")
            await subject.has_no_position(talk)
            return
    raise Skip("no two events of luck exclude each other")


def _impossible(subject: Subject, moment: Moment) -> str:
    """Return an open line in which one event repeats what another has used up; "" if none."""
    game, events = subject.game, moment.events
    luck = [i for i, event in enumerate(events) if event.startswith("~")]
    for at in luck:
        for other in luck:
            word = f"{events[at].partition('=')[0]}={events[other].partition('=')[2]}"
            log = [*events[:at], word]
            if _is_event(subject, word) and not reads(game, game.identity, log):
                return f"position fen {game.identity} moves {' '.join(log)}"
    return ""


def _is_event(subject: Subject, word: str) -> bool:
    try:
        subject.game.parse_event(word)
    except EngineError:
        return False
    return True


@step("no-seed-in-views", 6)
async def no_seed_in_views(subject: Subject) -> None:
    """Refuse a seed in the view of one seat."""
    if not subject.game.new_state().is_chance:
        raise Skip("there is no deal in this game")
    talk = await subject.talk()
    await talk.refused(f"position view {subject.game.identity} me=p1 seed=3", "bad-position")
