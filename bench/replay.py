"""Tell a recorded game in words."""

from collections.abc import Iterator

from bench.play import result_points
from bench.records import NO_MOVE, Record, RecordedGame
from bench.text import visible
from engine.game import SEAT_IS_CHANCE, State


def tell(record: Record, recorded: RecordedGame, boards: str) -> Iterator[str]:
    """Yield the lines of a game move by move.

    `boards` says when the table is drawn: `ends` after the set-up and at the end, `turns` whenever
    the decision passes to another seat, `all` before every decision.
    """
    seats = recorded.fields["seats"]
    yield f"{record.game.identity}, game {recorded.number} of {visible(record.path.name)}"
    for seat, engine in enumerate(seats):
        yield f"seat {seat + 1}: {record.engines[engine]} ({'AB'[engine]})"
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
        answer = recorded.replaced_at(ply)
        if answer is not None:
            yield f"        illegal answer {answer!a}, replaced by:"
        ply, last = ply + 1, seat
        yield f"{ply:6}  {record.game.describe_move(state, move)}"
        yield from _changes(state, move)


def _changes(state: State, move: int) -> Iterator[str]:
    """Yield what a move brings about of itself."""
    after = state.copy()
    after.apply(move)
    for sentence in state.game.describe_change(state, after):
        yield f"          {sentence}"


def _result(record: Record, recorded: RecordedGame) -> Iterator[str]:
    scores = recorded.fields["scores"]
    for seat, engine in enumerate(recorded.fields["seats"]):
        points = result_points(recorded.fields["returns"], seat)
        word = {1.0: "wins", 0.5: "draws", 0.0: "loses"}[points]
        yield f"seat {seat + 1} ({record.engines[engine]}) {word} with {scores[seat]:g} points"
    if recorded.loser is not None:
        text = visible(recorded.fields["forfeit"]["text"])
        yield f"illegal answer of seat {recorded.loser + 1}: {text}"
    deal = recorded.fields["deal"]
    yield f"{recorded.fields['plies']} decisions, deal {deal}"
