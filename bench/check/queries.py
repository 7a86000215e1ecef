"""Steps: queries, each answered by one word."""

import re

from bench.check.grammar import without_remarks
from bench.check.material import Moment
from bench.check.steps import expect, fail, step
from bench.check.subject import Subject
from engine.errors import EngineError
from protocol.messages import QUERIES


def _moments(subject: Subject) -> list[Moment]:
    material = subject.material
    return [*material.decisions[:6], *material.waits[:4], *material.overs[: subject.game.num_seats]]


@step("query-turn", 9, queries=("turn", "p1turn", "gameover"))
async def query_turn(subject: Subject) -> None:
    """Tell by `turn`, `p1turn` and `gameover` who is to decide."""
    for moment in _moments(subject):
        talk = await subject.at(moment)
        over = moment.turn == "none"
        for word, wanted in (
            ("turn", moment.turn),
            ("p1turn", str(moment.turn == "p1").lower()),
            ("gameover", str(over).lower()),
        ):
            answer = await talk.ask(word)
            expect(answer == wanted, f"response {wanted} to `query {word}`", answer)


@step("query-players", 9, queries=("players",))
async def query_players(subject: Subject) -> None:
    """Tell the number of seats by `players`."""
    talk = await subject.at(subject.material.start)
    answer = await talk.ask("players")
    expect(answer == str(subject.game.num_seats), f"response {subject.game.num_seats}", answer)


@step("query-legal", 9, queries=("legal",))
async def query_legal(subject: Subject) -> None:
    """List by `legal` exactly the legal moves, each once, or `-`."""
    for moment in _moments(subject):
        talk = await subject.at(moment)
        await subject.stands_at(talk, moment)


@step("query-view", 9, queries=("view",))
async def query_view(subject: Subject) -> None:
    """Tell by `view` the position text of what the seat knows."""
    for moment in _moments(subject):
        talk = await subject.at(moment)
        answer = (await talk.ask("view")).replace(";", " ")
        try:
            view = subject.game.from_text(answer)
        except EngineError as error:
            fail("a position text that can be read", f"{answer}: {error}")
        expect(view == subject.game.from_text(moment.text), moment.text, answer)


@step("view-taken-back", 9, queries=("view",))
async def view_taken_back(subject: Subject) -> None:
    """Take your own answer to `query view` for a position that is the same."""
    for moment in subject.material.decisions[:8]:
        talk = await subject.at(moment)
        answer = await talk.ask("view")
        await talk.place(f"position view {answer.replace(';', ' ')}")
        await subject.stands_at(talk, moment)
        again = await talk.ask("view")
        expect(again == answer, f"the same view as before, {answer}", again)


@step("query-hash", 9, queries=("hash",))
async def query_hash(subject: Subject) -> None:
    """Give by `hash` 16 hexadecimal digits, equal ones for equal knowledge."""
    for moment in subject.material.decisions[:8]:
        hashes = []
        other = moment.line if subject.profile.has_views_only else moment.open_line
        for line in (moment.line, other, moment.line):
            talk = await subject.talk()
            await talk.place(line)
            hashes.append(await talk.ask("hash"))
        good = all(re.fullmatch("[0-9a-f]{16}", text) for text in hashes)
        expect(good, "16 hexadecimal digits", str(hashes))
        same = len(set(hashes)) == 1
        expect(same, "equal digits for the view, the open log and the view again", str(hashes))


@step("query-game", 9, queries=("game",))
async def query_game(subject: Subject) -> None:
    """Tell by `game` which game it is, with its settings."""
    talk = await subject.at(subject.material.start)
    answer = await talk.ask("game")
    wanted = subject.game.identity
    expect(sorted(answer.split(";")) == sorted(wanted.split()), wanted.replace(" ", ";"), answer)


@step("result-before-end", 9, queries=("result", "ranks", "scores"))
async def result_before_end(subject: Subject) -> None:
    """Answer `result` and `ranks` by `none` before the end, `scores` by a value for each seat."""
    for moment in [*subject.material.decisions[:4], *subject.material.waits[:2]]:
        talk = await subject.at(moment)
        for word in ("result", "ranks"):
            answer = await talk.ask(word)
            expect(answer == "none", f"response none to `query {word}`", answer)
        await _check_scores(await talk.ask("scores"), None)


@step("result-at-end", 9, queries=("result", "ranks", "scores"), is_open=True)
async def result_at_end(subject: Subject) -> None:
    """Tell `result`, `ranks` and `scores` of a finished game, all cards shown."""
    for moment in subject.material.overs[:: subject.game.num_seats]:
        talk = await subject.talk()
        await talk.place(moment.open_line)
        returns = moment.state.returns()
        ranks = [1 + sum(other > value for other in returns) for value in returns]
        best = [seat for seat, rank in enumerate(ranks) if rank == 1]
        result = f"p{best[0] + 1}win" if len(best) == 1 else "draw"
        for word, wanted in (("result", result), ("ranks", ",".join(map(str, ranks)))):
            answer = await talk.ask(word)
            expect(answer == wanted, f"response {wanted} to `query {word}`", answer)
        await _check_scores(await talk.ask("scores"), moment, all_known=True)


@step("result-of-view", 9, queries=("result", "scores"))
async def result_of_view(subject: Subject) -> None:
    """Tell of a finished game no more than the seat can know, and nothing wrong."""
    for moment in subject.material.overs[: 3 * subject.game.num_seats]:
        talk = await subject.at(moment)
        returns = moment.state.returns()
        best = [seat for seat, value in enumerate(returns) if value == max(returns)]
        truth = f"p{best[0] + 1}win" if len(best) == 1 else "draw"
        answer = await talk.ask("result")
        expect(answer in (truth, "none"), f"response {truth} or none", answer)
        await _check_scores(await talk.ask("scores"), moment)


async def _check_scores(answer: str, moment: Moment | None, all_known: bool = False) -> None:
    """Fail unless scores are numbers or `?`, and those of a moment where they are known."""
    for seat, text in enumerate(answer.split(",")):
        number = bool(re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", text))
        expect(number or (text == "?" and not all_known), "points, or `?`", answer)
        if moment is not None and number:
            true = moment.state.scores()
            expect(len(answer.split(",")) == len(true), f"{len(true)} values", answer)
            right = abs(float(text) - true[seat]) < 1e-3
            expect(right, f"the scores {','.join(f'{x:g}' for x in true)}", answer)


@step("query-no-position", 9)
async def query_no_position(subject: Subject) -> None:
    """Answer every query but `game` by an error and `response none` without a position."""
    talk = await subject.talk()
    await talk.silent(f"{subject.dialect}newgame")
    for word in filter(subject.knows, QUERIES):
        await talk.send(f"query {word}")
        lines = without_remarks(await talk.sync(), talk.dialect)
        responses = [line for line in lines if line.startswith("response ")]
        if word == "game":
            good = len(lines) == len(responses) == 1 and responses != ["response none"]
            expect(good, "the game of the options", "; ".join(lines))
            continue
        expect(responses == ["response none"], f"response none to `query {word}`", str(responses))
        rest = [line for line in lines if line not in responses]
        talk.one_error(rest, f"query {word}", "no-position")


@step("query-unknown", 9)
async def query_unknown(subject: Subject) -> None:
    """Answer a query that you do not know by an error `bad-value` and `response none`."""
    moment = subject.material.start
    talk = await subject.at(moment)
    for line in ("query", "query xyzzy", "query TURN", "query legal,turn"):
        await talk.send(line)
        lines = await talk.sync()
        responses = [x for x in lines if x.startswith("response")]
        expect(responses == ["response none"], f"response none to `{line}`", str(responses))
        talk.one_error([x for x in lines if x not in responses], line, "bad-value")
    await subject.stands_at(talk, moment)
