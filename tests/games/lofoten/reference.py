"""Play Lofoten by the rulebook, slowly and readably: the base game, all modules, all settings.

An oracle for differential tests: it shares no code with the engine and favours reading over
speed. The game is a table of pieces and a phase, both named as in the position text (RULES.md
14), so that it can play on from any position. `reference_setup`, `reference_action` and
`reference_close` hold the phases in the order of play, `reference_table` the pieces,
`reference_scoring` points and requirements, `reference_text` the texts, `reference_cards` the
cards and settings.

Hidden piles are kept as multisets: what is unseen is equally likely to lie anywhere. Rulings are
cited by their numbers (R1 to R90).
"""

from __future__ import annotations

from typing import Any

from reference_close import Close
from reference_scoring import scores
from reference_text import read_position, set_up, to_text

CHANCE = "chance"

LUCK = {"tile", "top", "warehouse", "jarl", "ships", "order", "hand", "draw", "flip", "redraw"}
"""The phases in which luck decides."""


class Reference(Close):
    """Play one game; see the module text for the names.

    Raises ValueError for a setting or a word that is not allowed. `cards` is a card file as read
    by `tomllib`, the stand-in set without it; `identity` is how the texts name the set.

    >>> game = Reference({"stall": "off"})
    >>> game.to_move()
    'chance'
    >>> game.apply("~tile=F2x")
    >>> game.market
    ['F2x', None, None, None, None]
    """

    def to_move(self) -> int | str | None:
        """Return the seat that decides (0 or 1), "chance", or None when the game is over."""
        if self.phase in LUCK:
            return CHANCE
        return None if self.phase == "over" else self.seat

    def legal(self) -> list[Any]:
        """Return the sorted words of a decision, or the (token, weight) pairs of an event."""
        if self.phase == "over":
            return []
        if self.phase in LUCK:
            weights = getattr(self, f"_luck_{self.phase}")()
            return sorted((token, n) for token, n in weights.items() if n > 0)
        words: list[str] = getattr(self, f"_words_{self.phase}")()
        return sorted(words)

    def apply(self, word: str) -> None:
        """Play one of the legal words or event tokens; raise ValueError for any other.

        As in records, the seat may stand before a word: `p1:end`.
        """
        seat, colon, rest = word.partition(":")
        if colon and seat in ("p1", "p2"):
            if self.to_move() != int(seat[1]) - 1:
                raise ValueError(f"{word!r}: it is not the turn of that seat")
            word = rest
        known = self.legal()
        if self.phase in LUCK:
            known = [token for token, _ in known]
        if word not in known:
            raise ValueError(f"{word!r} is not among {known}")
        self.follow(word)

    def follow(self, word: str) -> None:
        """Play a word that is known to be legal."""
        getattr(self, f"_do_{self.phase}")(word)

    def scores(self) -> list[int]:
        """Return the points of both seats as if all were scored now."""
        return scores(self)

    def result(self) -> float:
        """Return 1, 0.5 or 0: win, draw or loss of seat 1 at these scores (R53)."""
        first, second = self.scores()
        return 0.5 if first == second else float(first > second)

    def to_text(self, observer: int | None = None) -> str:
        """Return the position text of all, or of what a seat (0 or 1) sees."""
        return to_text(self, observer)

    def facts(self) -> dict[str, str]:
        """Return the fields of the position text, and what is in the deck and in the piles."""
        fields = read_position(self.to_text())[2]
        fields["deck"] = ".".join(sorted(self.deck.elements())) or "-"
        fields["unseen"] = ".".join(sorted(self.unseen.elements())) or "-"
        return fields


def from_text(text: str, cards: dict[str, Any] | None = None) -> Reference:
    """Set up the position of a full text; raise ValueError for a text that is none."""
    settings, identity, fields = read_position(text)
    game = Reference(settings, cards, identity)
    if fields:
        set_up(game, fields)
    return game


def play_record(start: str, events: str, cards: dict[str, Any] | None = None) -> Reference:
    """Return the game after the events of a record; `start` is its game or opening."""
    game = from_text(start, cards)
    for word in events.split():
        game.apply(word)
    return game
