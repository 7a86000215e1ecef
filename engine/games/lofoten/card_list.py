"""Tells in words what is in a card set, with the status of each figure."""

from collections.abc import Iterator

from engine.card_file import STATUSES
from engine.games.lofoten.data import CLANS, EFFECTS, LEVEL_1, TYPES, Card, Data

_SET_WORDS = {
    "stand-in": "a stand-in set of our own, NOT the published cards",
    "mixed": "partly a stand-in: what is marked guess is NOT as published",
    "printed": "entered as the printed cards",
}
_EFFECT_WORDS = {
    "discard": "a tile of the market leaves the game",
    "rotate": "the fleet turns a quarter",
    "move": "the fleet moves one area along the market",
    "coin": "a coin from the reserve",
}


def list_cards(data: Data) -> Iterator[str]:
    """Yield the lines of a listing."""
    name = f" {data.name!r}" if data.name else ""
    yield f"cards {data.hash}{name}: {_SET_WORDS[data.status]}"
    words = list(data.statuses.values())
    counts = [f"{words.count(word)} {word}" for word in STATUSES if word in words]
    yield f"where the {len(words)} figures come from: {', '.join(counts)}"
    yield from _common(data)
    yield from ["", "warehouse cards"]
    for i, card in enumerate(data.houses):
        yield _row(f"w{i + 1}", f"level {1 if i < LEVEL_1 else 2}, {_sentence(card)}", card)
    yield from ["", "Jarls"]
    for i, card in enumerate(data.jarls):
        yield _row(f"j{i + 1}", _sentence(card), card)
    yield from ["", "requirement cards, sides a and b"]
    for i, card in enumerate(data.requirements):
        yield _row(f"q{i // 2 + 1}{'ab'[i % 2]}", _sentence(card), card)
    pairs = {data.statuses[f"requirement {i}", key] for i in range(1, 8) for key in "ab"}
    yield f"  which sides share a card: {', '.join(w for w in STATUSES if w in pairs)}"
    yield from _longships(data)


def _common(data: Data) -> Iterator[str]:
    """Yield types, order cards, tiles and coins."""
    width = max(map(len, data.names))
    yield from ["", "middle effects of the types"]
    for i, letter in enumerate(TYPES):
        effect = EFFECTS[data.effects[i]]
        status = data.statuses[f"type {i + 1}", "effect"]
        yield f"  {letter} {data.names[i]:{width}}  {effect}: {_EFFECT_WORDS[effect]}  ({status})"
    yield from ["", "order cards of value 1, 2, 3"]
    for i, letter in enumerate(TYPES):
        counts = _counts(data.orders[3 * i : 3 * i + 3])
        yield f"  {letter} {data.names[i]:{width}}  {counts}  ({data.statuses['orders', letter]})"
    yield from ["", "tiles of value 1, 2, 3 with the buckler of each clan"]
    for i, letter in enumerate(TYPES):
        parts = [f"  {letter} {data.names[i]:{width}}"]
        for j, clan in enumerate(CLANS):
            counts = _counts(data.tiles[6 * i + j : 6 * i + 6 : 2])
            parts.append(f"{clan}: {counts}  ({data.statuses['tiles', letter + clan]})")
        yield "  ".join(parts)
    first, second, reserve = data.coins
    status = _statuses({key: data.statuses["coins", key] for key in ("first", "second")})
    yield from ["", f"coins: first player {first}, second {second}, reserve {reserve}  ({status})"]


def _longships(data: Data) -> Iterator[str]:
    ships = data.longships
    rows = {
        "a_points": f"A  at the end: {ships.a_points} points",
        "b_total": f"B  holds several tiles of its order's type, at most {ships.b_total} in all",
        "d_uses": f"D  a middle card has at least {ships.d_uses} uses",
        "points": f"points for one to four upgraded longships: {_counts(ships.points)}",
    }
    yield from ["", "upgraded longships"]
    for key, text in rows.items():
        yield f"  {text}  ({ships.statuses[key]})"


def _row(label: str, text: str, card: Card) -> str:
    return f"  {label:3}  {text}  ({_statuses(card.statuses)})"


def _sentence(card: Card) -> str:
    return f"{card.name!r}: {card.words()}" if card.name else card.words()


def _statuses(statuses: dict[str, str]) -> str:
    """Return one word if all figures have the same status, else each with its own."""
    words = set(statuses.values())
    if len(words) == 1:
        return words.pop()
    return ", ".join(f"{key} {word}" for key, word in statuses.items())


def _counts(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
