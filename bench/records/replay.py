"""Play a recorded game again, and compare everything that the line tells of it."""

from collections.abc import Iterator
from typing import Any

from bench.records.head import Head
from bench.records.lines import BadRecord, Fields
from bench.referee.game_result import verdict_returns
from bench.referee.referee import count_tallies
from bench.referee.verdicts import VOID, Termination
from bench.seeds import substitute_seed
from engine import EngineError
from engine.game import SEAT_IS_CHANCE, State

NO_MOVE = -1
"""Stands for the move behind the last state of a replayed game."""

# An engine does these when it is asked for a decision, and at no other time.
_AT_A_DECISION = (Termination.ILLEGAL, Termination.TIME)
# It can do these also before the first decision, when it is told of the new game.
_ALSO_BEFORE = (Termination.MALFORMED, Termination.STALL)


def opening_of(fields: Fields, head: Head, where: str) -> State | None:
    """Return the position that a game started from; None if from the empty table."""
    text = fields.get("opening")
    if text is None:
        return None
    try:
        state = head.game.from_text(text)
    except EngineError as error:
        raise BadRecord(f"{where}: opening: {error}") from None
    if state.observer >= 0 or state.game.identity != head.game.identity:
        raise BadRecord(f"{where}: opening: no full state of {head.game.identity}")
    return state


def replay(fields: Fields, head: Head, seed: int | None, where: str) -> Iterator[tuple[State, int]]:
    """Yield (state before it, move) for each event, then (last state, NO_MOVE).

    The fields have been checked by themselves; `seed` is that of the run, if it is known. Raises
    BadRecord at an event that is not possible or not the luck of the deal, and at the end at what
    the line tells differently.
    """
    game = head.game
    opening = opening_of(fields, head, where)
    state = game.new_state() if opening is None else opening.copy()
    try:
        deal = game.new_deal(fields["deal"], opening)
    except EngineError as error:
        raise BadRecord(f"{where}: opening: {error}") from None
    replaced = {fault["ply"]: fault["seat"] for fault in fields.get("replaced", [])}
    plies = changes = 0
    last_decider = SEAT_IS_CHANCE
    for index, token in enumerate(fields["events"].split(), 1):
        at = f"{where}, event {index} ({token[:64]!a})"
        try:
            seat, move = game.parse_event(token)
        except EngineError as error:
            raise BadRecord(f"{at}: {error}") from None
        if seat != state.seat_to_move:
            raise BadRecord(f"{at}: {who(state.seat_to_move)} decides here")
        if seat == SEAT_IS_CHANCE and deal.outcome(state) != move:
            raise BadRecord(f"{at}: the luck of deal {fields['deal']} differs")
        before = state.copy()
        try:
            state.apply(move)
        except EngineError as error:
            raise BadRecord(f"{at}: {error}") from None
        if seat != SEAT_IS_CHANCE:
            if plies in replaced:
                if replaced[plies] != seat:
                    text = f"seat {replaced[plies] + 1} does not decide at ply {plies}"
                    raise BadRecord(f"{where}: replaced: {text}")
                if seed is not None and move != _by_lot(before, seed, fields["number"] - 1, plies):
                    raise BadRecord(f"{at}: not the move that the lot puts in the place of another")
            plies += 1
            changes += seat != last_decider
            last_decider = seat
        yield before, move
    _check_end(fields, state, where)
    _check_result(fields, state, plies, changes, where)
    yield state, NO_MOVE


def _by_lot(state: State, seed: int, game: int, ply: int) -> int:
    """Return the move that the referee puts in the place of an illegal answer."""
    moves = state.legal_moves()
    return moves[substitute_seed(seed, game, ply) % len(moves)]


def _check_end(fields: Fields, state: State, where: str) -> None:
    """Check that the game can have ended where it did, as it did."""
    termination, seat = Termination(fields["termination"]), state.seat_to_move
    if termination == Termination.RULES:
        if not state.is_terminal:
            raise BadRecord(f"{where}: events: the game is not over after the last one")
        return
    if seat == SEAT_IS_CHANCE and fields["events"].strip():
        raise BadRecord(f"{where}: events: luck decides after the last one")
    if termination in VOID:
        return
    if state.is_terminal:
        raise BadRecord(f"{where}: termination: {termination}, but the rules ended the game")
    loser = fields["fault"]["seat"]
    is_bound = termination in _AT_A_DECISION or (
        termination in _ALSO_BEFORE and fields["plies"] > 0
    )
    if is_bound and loser != seat:
        raise BadRecord(f"{where}: fault: seat {loser + 1}, but {who(seat)} decides there")


def _check_result(fields: Fields, state: State, plies: int, changes: int, where: str) -> None:
    truth: dict[str, Any] = {"plies": plies, "tallies": count_tallies(state, changes)}
    truth |= {"scores": state.scores(), "margins": state.margins()}
    termination = fields["termination"]
    if termination == Termination.RULES:
        truth["returns"] = state.returns()
    elif termination not in VOID:
        truth["returns"] = verdict_returns(len(fields["seats"]), fields["fault"]["seat"])
    for name, value in truth.items():
        told = fields[name]
        if told != value and not (termination in VOID and not told):
            raise BadRecord(f"{where}: {name}: {told}, replayed {value}")


def who(seat: int) -> str:
    """Return the words for who decides."""
    return f"seat {seat + 1}" if seat >= 0 else "luck" if seat == SEAT_IS_CHANCE else "nobody"


__all__ = ["NO_MOVE", "opening_of", "replay", "who"]
