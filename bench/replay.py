"""Tell a recorded game in words."""

from collections.abc import Iterator
from typing import Any

from bench.records import NO_MOVE, Record, RecordedGame
from bench.referee.game_result import seat_points
from bench.referee.verdicts import Termination
from bench.text import visible
from engine.game import SEAT_IS_CHANCE, State

# Of a game that did not come to its end by the rules: what happened, seat and engine before it.
_ENDINGS = {
    Termination.TIME: "was too late",
    Termination.ILLEGAL: "gave an illegal answer",
    Termination.MALFORMED: "gave an answer that nobody can read",
    Termination.STALL: "answered nothing any more",
    Termination.DISCONNECT: "broke off",
    Termination.START: "did not start",
}


def tell(record: Record, recorded: RecordedGame, boards: str) -> Iterator[str]:
    """Yield the lines of a game move by move.

    `boards` says when the table is drawn: `ends` after the set-up and at the end, `turns` whenever
    the decision passes to another seat, `all` before every decision. Behind a decision stand its
    time, simulations and score, as far as the record has them.
    """
    fields = recorded.fields
    yield f"{record.game.identity}, game {recorded.number} of {visible(record.path.name)}"
    for seat, engine in enumerate(recorded.seats):
        name = visible(fields["names"][seat])
        yield f"seat {seat + 1}: {record.labels[engine]}" + (f", {name}" if name else "")
    yield ""
    ply, last = 0, SEAT_IS_CHANCE
    for state, move in record.replay(recorded):
        if move == NO_MOVE:
            yield from ["", *record.game.picture(state).splitlines(), ""]
            yield from _result(record, recorded)
            return
        seat = state.seat_to_move
        if seat == SEAT_IS_CHANCE:
            yield f"        {record.game.describe_move(state, move)}"
            yield from _changes(state, move)
            continue
        if boards == "all" or last < 0 or (boards == "turns" and seat != last):
            yield from ["", *record.game.picture(state).splitlines(), ""]
        answer, effort = recorded.replaced_at(ply), _effort(fields, ply)
        if answer is not None:
            yield f"        illegal answer {answer!a}{effort}, replaced by:"
            effort = ""
        ply, last = ply + 1, seat
        yield f"{ply:6}  {record.game.describe_move(state, move)}{effort}"
        yield from _changes(state, move)


def _effort(fields: dict[str, Any], index: int) -> str:
    """Return time, simulations and score of a decision in brackets; "" where nothing is known."""
    if index >= len(fields["nodes"]):
        return ""
    times: list[float] = fields.get("times", {}).get("time_ms", [])
    nodes, cp = fields["nodes"][index], fields["cp"][index]
    parts = []
    if times:
        ms = times[index]
        parts.append(f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.3g} ms")
    if nodes is not None:
        parts.append(f"{nodes} nodes")
    if cp is not None:
        parts.append(f"{cp / 100:+.2f}")
    return f" ({', '.join(parts)})" if parts else ""


def _changes(state: State, move: int) -> Iterator[str]:
    """Yield what a move brings about of itself."""
    after = state.copy()
    after.apply(move)
    for sentence in state.game.describe_change(state, after):
        yield f"          {sentence}"


def _result(record: Record, recorded: RecordedGame) -> Iterator[str]:
    fields = recorded.fields
    fault = recorded.fault
    if fault is not None:
        seat, kind = fault["seat"], recorded.termination
        who = f"seat {seat + 1} ({record.labels[recorded.seats[seat]]})"
        effort = _effort(fields, recorded.fields["plies"])
        yield f"{who} {_ENDINGS[kind]}{effort}: {visible(fault['text'])}"
        if fault.get("answer"):
            yield f"        its answer: {fault['answer']!a}"
        if "exit_code" in fault:
            yield f"        its exit code: {fault['exit_code']}"
    for seat, engine in enumerate(recorded.seats):
        who, word = f"seat {seat + 1} ({record.labels[engine]})", _placing(fields["returns"], seat)
        yield f"{who} {word} with {fields['scores'][seat]:g} points"
    if "luck" in fields:
        favours = ", ".join(f"{points:+.2f}" for points in fields["luck"])
        yield f"luck favoured the seats by {favours} points"
    how = "by the rules" if fault is None else "by the referee"
    yield f"ended {how} after {fields['plies']} decisions, deal {fields['deal']}"


def _placing(returns: list[float], seat: int) -> str:
    """Return how a seat did: won, drew or lost at a table of two, its place at larger ones."""
    if len(returns) == 2:
        return {1.0: "wins", 0.5: "draws", 0.0: "loses"}[seat_points(returns, seat)]
    place = 1 + sum(value > returns[seat] for value in returns)
    is_shared = returns.count(returns[seat]) > 1
    return f"{'shares' if is_shared else 'takes'} place {place} of {len(returns)}"
