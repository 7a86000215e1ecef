"""What the fields of a game line must be, before any of its events is looked at."""

from typing import Any

from bench.records.head import Head
from bench.records.lines import BadRecord, Fields
from bench.referee.block import seatings
from bench.referee.verdicts import VOID, Termination
from bench.seeds import SEED_BITS, deal_seed

NUMBER_MAX = 2**62
"""The largest number that a file may hold: it fits 64 bits wherever it is kept."""

_COUNTS = ("number", "block", "game", "round", "deal_number")
_BY_SEAT = ("returns", "scores", "margins")
_TIMES = ("time_ms", "lag_ms", "reported_ms")


def check_game(fields: Fields, head: Head, where: str) -> None:
    """Raise BadRecord at the first field of a game line that cannot be; unknown ones may stand."""
    for name in _COUNTS:
        if type(fields.get(name)) is not int or not 1 <= fields[name] <= NUMBER_MAX:
            raise BadRecord(f"{where}: {name}: a whole number from 1 is expected")
    _check_seats(fields, head, where)
    deal = fields.get("deal")
    if type(deal) is not int or not 0 <= deal < 2**SEED_BITS:
        raise BadRecord(f"{where}: deal: a whole number below 2**{SEED_BITS} is expected")
    opening = fields.get("opening")
    if opening is not None and type(opening) is not str:
        raise BadRecord(f"{where}: opening: a position text or null is expected")
    if opening is not None and not head.openings:
        raise BadRecord(f"{where}: opening: the run has no openings")
    termination = _termination(fields.get("termination"), "termination", where)
    _check_numbers(fields, head, termination, where)
    _check_texts(fields, head, where)
    _check_faults(fields, head, termination, where)
    _check_decisions(fields, head, termination, where)


def check_deal(fields: Fields, head: Head, seed: int, where: str) -> None:
    """Raise BadRecord if the deal is not that of the seed of the run."""
    if head.openings and fields["opening"] is None:
        return  # the openings may have named the deal
    deal = deal_seed(seed, fields["deal_number"] - 1)
    if fields["deal"] != deal:
        raise BadRecord(f"{where}: deal: {fields['deal']}, the seed of the run gives {deal}")


def lineup_of(fields: Fields, head: Head) -> tuple[int, ...]:
    """Return the line-up of the block of a game, whose number and seats have been checked."""
    seats: list[int] = fields["seats"]
    places = tuple(range(len(seats)))
    order = seatings(places, head.rotation)[fields["game"] - 1]
    return tuple(seats[order.index(place)] for place in places)


def check_block(one: Fields, other: Fields, head: Head, where: str) -> None:
    """Raise BadRecord if the second of two games of a block does not fit the first."""
    for name in ("round", "deal", "deal_number", "opening"):
        if one.get(name) != other.get(name):
            raise BadRecord(f"{where}: {name}: not that of game {one['number']}, of the same block")
    if lineup_of(one, head) != lineup_of(other, head):
        raise BadRecord(f"{where}: seats: no seating of the block of game {one['number']}")


def _check_seats(fields: Fields, head: Head, where: str) -> None:
    size = head.games_per_block
    if fields["game"] > size:
        raise BadRecord(f"{where}: game: {fields['game']}, a block has {size}")
    number = (fields["block"] - 1) * size + fields["game"]
    if fields["number"] != number:
        raise BadRecord(
            f"{where}: number: {fields['number']}, "
            f"game {fields['game']} of block {fields['block']} is {number}"
        )
    seats, num_seats = fields.get("seats"), head.game.num_seats
    if (
        type(seats) is not list
        or len(seats) != num_seats
        or any(type(seat) is not int or not 0 <= seat < len(head.labels) for seat in seats)
        or len(set(seats)) < num_seats
    ):
        most = len(head.labels) - 1
        raise BadRecord(f"{where}: seats: {num_seats} different numbers from 0 to {most} expected")


def _termination(word: object, name: str, where: str) -> Termination:
    try:
        return Termination(str(word))
    except ValueError:
        words = ", ".join(Termination)
        raise BadRecord(f"{where}: {name}: one of {words} is expected") from None


def _check_numbers(fields: Fields, head: Head, termination: Termination, where: str) -> None:
    num_seats = head.game.num_seats
    for name in _BY_SEAT:
        values = fields.get(name)
        if termination in VOID and values == []:
            continue
        if not _are_numbers(values, num_seats):
            raise BadRecord(f"{where}: {name}: a list of {num_seats} numbers is expected")
    if "luck" in fields and not _are_numbers(fields["luck"], num_seats):
        raise BadRecord(f"{where}: luck: a list of {num_seats} numbers is expected")
    plies, most = fields.get("plies"), head.game.max_plies
    if type(plies) is not int or not 0 <= plies <= most:
        raise BadRecord(f"{where}: plies: a whole number from 0 to {most} is expected")
    tallies = fields.get("tallies")
    if type(tallies) is not dict or any(type(count) is not int for count in tallies.values()):
        raise BadRecord(f"{where}: tallies: an object of whole numbers is expected")


def _check_texts(fields: Fields, head: Head, where: str) -> None:
    if type(fields.get("events")) is not str:
        raise BadRecord(f"{where}: events: a text is expected")
    names = fields.get("names")
    if type(names) is not list or any(type(name) is not str for name in names):
        raise BadRecord(f"{where}: names: a list of texts is expected")
    if len(names) != head.game.num_seats:
        raise BadRecord(f"{where}: names: {len(names)}, one for each seat is expected")


def _check_faults(fields: Fields, head: Head, termination: Termination, where: str) -> None:
    fault, has_verdict = fields.get("fault"), termination not in (Termination.RULES, *VOID)
    if has_verdict and fault is None:
        raise BadRecord(f"{where}: fault: missing in a game that ended by {termination}")
    if termination == Termination.RULES and fault is not None:
        raise BadRecord(f"{where}: fault: not in a game that ended by its rules")
    if fault is not None:
        _check_fault(fault, "fault", head, where)
        if fault["kind"] != termination:
            raise BadRecord(
                f"{where}: fault: kind {fault['kind']}, the game ended by {termination}"
            )
        if fault["ply"] != fields["plies"]:
            raise BadRecord(f"{where}: fault: ply {fault['ply']}, the game has {fields['plies']}")
    replaced = fields.get("replaced", [])
    if type(replaced) is not list:
        raise BadRecord(f"{where}: replaced: a list is expected")
    if replaced and not head.substitutes:
        raise BadRecord(f"{where}: replaced: the policy of the run replaces no answers")
    last = -1
    for answer in replaced:
        _check_fault(answer, "replaced", head, where)
        if answer["kind"] not in (Termination.ILLEGAL, Termination.MALFORMED):
            raise BadRecord(f"{where}: replaced: kind {answer['kind']} is no answer")
        if not last < answer["ply"] < fields["plies"]:
            raise BadRecord(f"{where}: replaced: ply {answer['ply']} is out of order")
        last = answer["ply"]


def _check_fault(fault: Any, name: str, head: Head, where: str) -> None:
    if type(fault) is not dict:
        raise BadRecord(f"{where}: {name}: an object is expected")
    seat, ply, most = fault.get("seat"), fault.get("ply"), head.game.num_seats - 1
    if type(seat) is not int or not 0 <= seat <= most:
        raise BadRecord(f"{where}: {name}: seat: a whole number from 0 to {most} is expected")
    if type(ply) is not int or ply < 0:
        raise BadRecord(f"{where}: {name}: ply: a whole number from 0 is expected")
    _termination(fault.get("kind"), f"{name}: kind", where)
    texts = [fault.get("text"), fault.get("answer", ""), fault.get("stderr", "")]
    if any(type(text) is not str for text in texts):
        raise BadRecord(f"{where}: {name}: text, answer and stderr are texts")
    if type(fault.get("exit_code", 0)) is not int:
        raise BadRecord(f"{where}: {name}: exit_code: a whole number is expected")
    if not _are_numbers([fault.get("overrun_ms", 0)], 1):
        raise BadRecord(f"{where}: {name}: overrun_ms: a number is expected")


def _check_decisions(fields: Fields, head: Head, termination: Termination, where: str) -> None:
    plies = fields["plies"]
    most = plies if termination == Termination.RULES else plies + 1
    for name in ("nodes", "cp"):
        values = fields.get(name)
        if type(values) is not list or not all(v is None or _is_whole(v) for v in values):
            raise BadRecord(f"{where}: {name}: a list of whole numbers and nulls is expected")
        if not plies <= len(values) <= most:
            raise BadRecord(f"{where}: {name}: {len(values)} for {plies} decisions")
    size = len(fields["nodes"])
    if len(fields["cp"]) != size:
        raise BadRecord(f"{where}: cp: {len(fields['cp'])}, but there are {size} nodes")
    times = fields.get("times", {})
    if type(times) is not dict:
        raise BadRecord(f"{where}: times: an object is expected")
    for name in _TIMES:
        values = times.get(name, [None] * size)
        if type(values) is not list or len(values) != size:
            raise BadRecord(f"{where}: times: {name}: a list of {size} is expected")
        if not all(v is None or _are_numbers([v], 1) for v in values) or (
            name in times and name != "reported_ms" and None in values
        ):
            raise BadRecord(f"{where}: times: {name}: numbers are expected")
    strikes = times.get("strikes", [])
    if type(strikes) is not list or any(type(count) is not int for count in strikes):
        raise BadRecord(f"{where}: times: strikes: a list of whole numbers is expected")
    if not _are_numbers([times.get("seconds", 0)], 1) or type(times.get("worker", "")) is not str:
        raise BadRecord(f"{where}: times: seconds is a number and worker a text")


def _is_whole(value: object) -> bool:
    return type(value) is int and -NUMBER_MAX <= value <= NUMBER_MAX


def _are_numbers(values: object, size: int) -> bool:
    """Return True for a list of that many numbers, none of them beyond all use."""
    return (
        type(values) is list
        and len(values) == size
        and all(type(v) in (int, float) and -NUMBER_MAX <= v <= NUMBER_MAX for v in values)
    )


__all__ = ["NUMBER_MAX", "check_block", "check_deal", "check_game", "lineup_of"]
