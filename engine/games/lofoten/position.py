"""Position text of Lofoten, both ways: one line that holds everything in a state or a view.

    lofoten/1 stall=40 me=p1 phase=play turn=p1 hand.p1=F2.S1.C3 hand.p2=?.?a.?a held=a:M1.M2 ...

Fields that have their usual value are left out; RULES.md lists them all.
"""

from typing import Any

from engine.errors import BadPositionText, shorten
from engine.games.lofoten import notation
from engine.games.lofoten.notation import CARD_NONE, CARD_UNKNOWN, TILE_NONE, TYPE_NONE, TYPES

PHASES = (
    "tile",
    "top",
    "warehouse",
    "order",
    "side",
    "hand",
    "play",
    "step",
    "use",
    "store",
    "draw",
    "put",
    "pile",
    "flip",
    "place",
    "end",
    "last",
    "redraw",
    "unload",
    "over",
)
DIRECTIONS = ("-", "left", "right")
LABELS = ("", "a", "b", "c", "d")
HOUSE_NONE = 15

# name in the text, name in the struct, usual value, largest value
NUMBERS = (
    ("step", "step", 0, 6),
    ("extra", "extra", 0, 100),
    ("triggered", "triggered", 0, 1),
    ("moved", "moved", 0, 1),
    ("filling", "filling", 0, 1),
    ("moves", "moves_left", 0, 3),
    ("uses", "uses_left", 0, 8),
    ("used", "uses_done", 0, 8),
    ("quiet", "stall", 0, 5000),
    ("turns", "turns", 0, 2_000_000_000),
    ("shuffles", "shuffles", 0, 65535),
    ("redeals", "redeals", 0, 255),
    ("fours", "fours", 0, 255),
)


def _cards_text(cards: list[int], labels: list[int]) -> str:
    names = [notation.CARD_NAMES[c] + LABELS[k] for c, k in zip(cards, labels, strict=True)]
    return ".".join(names) or "-"


def _counts_text(counts: list[int], names: list[str]) -> str:
    return ".".join(name for name, n in zip(names, counts, strict=True) for _ in range(n)) or "-"


def _tile_text(tile: int) -> str:
    return "-" if tile == TILE_NONE else notation.TILES[tile]


def _ship_text(card: int, tile: int) -> str:
    if card == CARD_NONE:
        return "-"
    return notation.CARDS[card] + ("" if tile == TILE_NONE else "+" + notation.TILES[tile])


def _house_text(f: dict[str, Any], i: int) -> str:
    if f["house_card"][i] == HOUSE_NONE:
        return "-"
    kind = f["house_type"][i]
    if kind == TYPE_NONE:
        return f"w{f['house_card'][i] + 1}"
    own = [
        _counts_text(f["stored"][s][6 * kind : 6 * kind + 6], notation.TILES[6 * kind :][:6])
        for s in range(2)
    ]
    return f"w{f['house_card'][i] + 1}:{TYPES[kind]}:{own[0]}/{own[1]}"


def to_text(f: dict[str, Any], identity: str, observer: int) -> str:
    """Write the fields of a state."""
    out = [identity]
    if observer >= 0:
        out.append(f"me=p{observer + 1}")
    out += [f"phase={PHASES[f['phase']]}", f"turn=p{f['seat'] + 1}"]
    if f["back"]:
        out.append(f"back={PHASES[f['back']]}")
    out += [f"{name}={f[key]}" for name, key, usual, _ in NUMBERS if f[key] != usual]
    if f["direction"]:
        out.append(f"direction={DIRECTIONS[f['direction']]}")
    if f["effect"] != TYPE_NONE:
        out.append(f"effect={TYPES[f['effect']]}")
    if f["pile"]:
        out.append("pile=2")
    if f["tile"] != TILE_NONE:
        out.append(f"tile={notation.TILES[f['tile']]}")
    for s in range(2):
        cards = [c for c in f["hand"][s][:3] if c != CARD_NONE]
        out.append(f"hand.p{s + 1}={_cards_text(cards, f['label'][s][: len(cards)])}")
        if f["hand"][s][3] != CARD_NONE:
            out.append(f"drawn.p{s + 1}={_cards_text(f['hand'][s][3:], f['label'][s][3:])}")
    held = [
        f"{LABELS[k]}:{_counts_text(f['held'][k], notation.CARDS)}"
        for k in range(1, 5)
        if any(f["held"][k])
    ]
    if held:
        out.append("held=" + "/".join(held))
    for s in range(2):
        ships = zip(f["ship_card"][s], f["ship_tile"][s], strict=True)
        out.append(f"ships.p{s + 1}=" + ".".join(_ship_text(c, t) for c, t in ships))
        out.append(f"area.p{s + 1}={f['area'][s] + 1}")
    out.append("coins=" + ".".join(str(n) for n in f["coins"]))
    out.append("market=" + ".".join(_tile_text(t) for t in f["market"]))
    tops = ["?" if t == TYPE_NONE else TYPES[t] for t in f["pile_top"]]
    piles = zip(tops, f["pile_size"], strict=True)
    out.append("piles=" + ".".join(f"{t}{n}" if n else "-" for t, n in piles))
    out.append("warehouses=" + "|".join(_house_text(f, i) for i in range(4)))
    out.append("discard=" + _counts_text(f["discard"], notation.CARDS))
    out.append("out=" + _counts_text(f["out"], notation.TILES))
    return " ".join(out)


class Reader:
    """Reads the fields of a position text; every error names the field at fault."""

    def __init__(self, pairs: dict[str, str], facts: dict[str, Any]) -> None:
        self.pairs = pairs
        self.facts = facts

    def fail(self, key: str, why: str) -> BadPositionText:
        """Return the error for a field."""
        return BadPositionText(f"field {key}={shorten(self.pairs.get(key, ''))}: {why}", key)

    def need(self, key: str) -> str:
        """Return a field that must be there."""
        if key not in self.pairs:
            raise BadPositionText(f"field {key} is missing", key)
        return self.pairs[key]

    def choice(self, key: str, words: tuple[str, ...], usual: str | None = None) -> int:
        """Return the index of a field's word; `usual` is read where the field is missing."""
        word = self.need(key) if usual is None else self.pairs.get(key, usual)
        if word not in words:
            raise self.fail(key, f"use one of {', '.join(words)}")
        return words.index(word)

    def number(self, key: str, text: str, largest: int) -> int:
        """Return a number from 0 to `largest`."""
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(largest))
        if not digits or int(text) > largest:
            raise self.fail(key, f"{shorten(text)!r} is not a number from 0 to {largest}")
        return int(text)

    def name(self, key: str, text: str, table: dict[str, int], what: str) -> int:
        """Return the number of a named thing."""
        if text not in table:
            raise self.fail(key, f"{shorten(text)!r} is no {what}")
        return table[text]

    def parts(self, key: str, sep: str, count: int) -> list[str]:
        """Return the parts of a field that must have so many."""
        parts = self.need(key).split(sep)
        if len(parts) != count:
            raise self.fail(key, f"{len(parts)} parts, {count} are needed, separated by {sep}")
        return parts

    def counted(self, key: str, text: str, names: list[str], what: str) -> list[int]:
        """Return how often each name occurs in `A.B.A`; `-` is none."""
        counts = [0] * len(names)
        if text != "-":
            for part in text.split("."):
                if part not in names:
                    raise self.fail(key, f"{shorten(part)!r} is no {what}")
                counts[names.index(part)] += 1
        if max(counts) > 15:
            raise self.fail(key, "more than 15 of a kind")
        return counts

    def hand(self, key: str, most: int) -> list[tuple[int, int]]:
        """Cards with their labels: `F2.?a`."""
        text = self.pairs.get(key, "-")
        cards = []
        for part in text.split(".") if text != "-" else []:
            label = LABELS.index(part[-1]) if part[-1:] in LABELS[1:] else 0
            body = part[:-1] if label else part
            cards.append((self.name(key, body, notation.CARD_OF, "card"), label))
        if len(cards) > most:
            raise self.fail(key, f"{len(cards)} cards, at most {most}")
        return cards


def _read_hands(r: Reader, f: dict[str, Any]) -> None:
    f["hand"] = [[CARD_NONE] * 4 for _ in range(2)]
    f["label"] = [[0] * 4 for _ in range(2)]
    for s in range(2):
        for i, (card, label) in enumerate(r.hand(f"hand.p{s + 1}", 3)):
            f["hand"][s][i], f["label"][s][i] = card, label
        for card, label in r.hand(f"drawn.p{s + 1}", 1):
            f["hand"][s][3], f["label"][s][3] = card, label
    f["held"] = [[0] * 12 for _ in range(5)]
    for part in r.pairs["held"].split("/") if "held" in r.pairs else []:
        letter, _, cards = part.partition(":")
        if letter not in LABELS[1:]:
            raise r.fail("held", f"{shorten(letter)!r} is no class; use a:F2.S1/b:...")
        if any(f["held"][LABELS.index(letter)]) or cards == "-":
            raise r.fail("held", f"class {letter}: write its cards once, as in a:F2.S1")
        f["held"][LABELS.index(letter)] = r.counted("held", cards, notation.CARDS, "card")


def _read_fleets(r: Reader, f: dict[str, Any]) -> None:
    f["ship_card"], f["ship_tile"], f["area"] = [], [], []
    for s in range(2):
        key = f"ships.p{s + 1}"
        cards, tiles = [], []
        for part in r.parts(key, ".", 4):
            card, plus, tile = part.partition("+")
            known = {name: i for i, name in enumerate(notation.CARDS)} | {"-": CARD_NONE}
            cards.append(r.name(key, card, known, "order card"))
            tiles.append(r.name(key, tile, notation.TILE_OF, "tile") if plus else TILE_NONE)
        f["ship_card"].append(cards)
        f["ship_tile"].append(tiles)
        f["area"].append(r.choice(f"area.p{s + 1}", ("1", "2", "3", "4", "5")))


def _read_board(r: Reader, f: dict[str, Any]) -> None:
    f["coins"] = [r.number("coins", n, 8) for n in r.parts("coins", ".", 3)]
    tiles = notation.TILE_OF | {"-": TILE_NONE}
    f["market"] = [r.name("market", t, tiles, "tile") for t in r.parts("market", ".", 5)]
    f["pile_top"], f["pile_size"] = [], []
    for part in r.parts("piles", ".", 2):
        if part == "-":
            f["pile_top"].append(TYPE_NONE)
            f["pile_size"].append(0)
            continue
        top = r.name("piles", part[:1], {t: i for i, t in enumerate(TYPES)} | {"?": 7}, "type")
        f["pile_top"].append(top)
        f["pile_size"].append(r.number("piles", part[1:], 32))
    f["out"] = r.counted("out", r.pairs.get("out", "-"), notation.TILES, "tile")


def _read_houses(r: Reader, f: dict[str, Any]) -> None:
    f["house_card"], f["house_type"] = [], []
    f["stored"] = [[0] * 24, [0] * 24]
    types = {t: i for i, t in enumerate(TYPES)}
    for part in r.parts("warehouses", "|", 4):
        if part == "-":
            f["house_card"].append(HOUSE_NONE)
            f["house_type"].append(TYPE_NONE)
            continue
        card, colon, rest = part.partition(":")
        cards = {f"w{i + 1}": i for i in range(8)}
        f["house_card"].append(r.name("warehouses", card, cards, "warehouse card"))
        kind, _, tiles = rest.partition(":")
        if not colon:
            f["house_type"].append(TYPE_NONE)
            continue
        f["house_type"].append(r.name("warehouses", kind, types, "type"))
        sides = tiles.split("/")
        if len(sides) != 2:
            raise r.fail(
                "warehouses", f"{shorten(part)!r}: write both seats' tiles, as in w3:F:F2x.F1o/-"
            )
        for s, side in enumerate(sides):
            for i, n in enumerate(r.counted("warehouses", side, notation.TILES, "tile")):
                if n and i // 6 != f["house_type"][-1]:
                    raise r.fail(
                        "warehouses", f"{notation.TILES[i]} does not belong in {shorten(part)!r}"
                    )
                f["stored"][s][i] += n


def _count_rest(r: Reader, f: dict[str, Any]) -> None:
    """Deck and piles hold what lies nowhere else."""
    deck = list(r.facts["order_count"])
    unseen = list(r.facts["tile_count"])
    f["discard"] = r.counted("discard", r.pairs.get("discard", "-"), notation.CARDS, "card")
    for card, n in enumerate(f["discard"]):
        deck[card] -= n + sum(f["held"][k][card] for k in range(5))
    for s in range(2):
        for card in f["hand"][s] + f["ship_card"][s]:
            if card < CARD_UNKNOWN:
                deck[card] -= 1
        for tile in f["ship_tile"][s]:
            if tile != TILE_NONE:
                unseen[tile] -= 1
    for tile in f["market"] + [f["tile"]]:
        if tile != TILE_NONE:
            unseen[tile] -= 1
    for tile in range(24):
        unseen[tile] -= f["out"][tile] + f["stored"][0][tile] + f["stored"][1][tile]
    for what, counts, names in (
        ("order card", deck, notation.CARDS),
        ("tile", unseen, notation.TILES),
    ):
        for i, n in enumerate(counts):
            if n < 0:
                raise BadPositionText(f"{what} {names[i]} occurs {-n} times more than it exists")
    hidden = sum(
        f["hand"][s][i] == CARD_UNKNOWN and f["label"][s][i] == 0
        for s in range(2)
        for i in range(4)
    )
    f["deck"], f["unseen"], f["deck_size"] = deck, unseen, sum(deck) - hidden
    if f["deck_size"] < 0:
        raise BadPositionText("more cards are hidden than are left")


FIELDS = {name for name, _, _, _ in NUMBERS} | set(
    "me phase turn back direction effect pile tile hand.p1 hand.p2 drawn.p1 drawn.p2 held ships.p1"
    " ships.p2 area.p1 area.p2 coins market piles warehouses discard out".split()
)


def from_pairs(pairs: dict[str, str], facts: dict[str, Any]) -> dict[str, Any]:
    """Read all fields; BadPositionText names the one at fault."""
    r = Reader(pairs, facts)
    for key in pairs:
        if key not in FIELDS:
            raise BadPositionText(f"field {shorten(key)} is not one of this game's", key)
    f: dict[str, Any] = {"phase": r.choice("phase", PHASES)}
    f["seat"] = r.choice("turn", ("p1", "p2"))
    f["back"] = r.choice("back", PHASES, PHASES[0])
    f["direction"] = r.choice("direction", DIRECTIONS, "-")
    for name, key, usual, largest in NUMBERS:
        f[key] = r.number(name, pairs.get(name, str(usual)), largest)
    f["effect"] = r.choice("effect", (*TYPES, "-"), "-")
    if f["effect"] == len(TYPES):
        f["effect"] = TYPE_NONE
    f["pile"] = r.choice("pile", ("1", "2"), "1")
    f["tile"] = TILE_NONE
    if "tile" in pairs:
        f["tile"] = r.name("tile", pairs["tile"], notation.TILE_OF, "tile")
    _read_hands(r, f)
    _read_fleets(r, f)
    _read_board(r, f)
    _read_houses(r, f)
    _count_rest(r, f)
    return f


def split_text(text: str) -> tuple[str, dict[str, str]]:
    """Return the head (`lofoten/1`) and the fields of a position text."""
    head, *items = text.split() or [""]
    pairs: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals:
            raise BadPositionText(f"{shorten(item)!r} is no field; write key=value", item)
        if key in pairs:
            raise BadPositionText(f"field {shorten(key)} is given twice", key)
        pairs[key] = value
    return head, pairs
