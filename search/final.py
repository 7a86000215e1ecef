"""Which move is played when a search has ended: the final-move policies.

`most`      most visits; then the lower move
`robust`    most visits; then the higher mean; then the lower move
`shares`    drawn: each move as likely as its share of the visits
`average`   drawn from the average strategy of the search, of those that have one; else as `shares`
`auto`      `average` for a search with an average strategy, else `robust`

A draw takes one number, the lot, which is named by the seed of the search and by what the seat
knows: the same seed gives the same move in the same position, and other positions other lots.
"""

from engine.stream import RandomStream

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import State
    from search.worker import Row

FINALS = ("auto", "most", "robust", "shares", "average")

# The streams of lots: a purpose of its own kind of choice, and an index that no thread has.
_STREAM_SELECT = 4
_LOTS = 2**40


def lot(seed: int, view: "State") -> float:
    """Return the number from 0 up to 1 with which the move of a position is drawn."""
    name = RandomStream(seed, _STREAM_SELECT, _LOTS).bits() ^ view.infoset_key(view.seat_to_move)
    return (RandomStream(name, _STREAM_SELECT, _LOTS).bits() >> 11) / 2.0**53


def in_order(
    rows: "list[Row]", final: str, lot: float, average: "Mapping[int, float] | None" = None
) -> "list[Row]":
    """Return the rows of the root moves, the move to play first.

    Args:
        rows: of `Worker.rows`, merged over the threads.
        final: a word of FINALS.
        lot: from 0 up to 1; see `lot`.
        average: the average strategy, move -> probability, if the search has one.
    """
    ordered = sorted(rows, key=lambda r: (-r[1], -r[3] / max(r[1], 1), r[0]))
    if final == "most":
        return sorted(rows, key=lambda r: (-r[1], r[0]))
    if final == "robust" or (final == "auto" and average is None):
        return ordered
    if final == "shares" or average is None:
        average = {row[0]: float(row[1]) for row in rows}
    # The lot falls on the moves in ascending order, so that a policy that shifts a little seldom
    # changes the move.
    left = lot * sum(average.get(row[0], 0.0) for row in rows)
    chosen = ordered[0][0]
    for move in sorted(row[0] for row in rows):
        share = average.get(move, 0.0)
        if share > 0.0:
            chosen = move
            left -= share
            if left < 0.0:
                break
    shares = average
    return sorted(ordered, key=lambda r: (r[0] != chosen, -shares.get(r[0], 0.0)))


__all__ = ["FINALS", "in_order", "lot"]
