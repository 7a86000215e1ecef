"""Reads the position text of Lofoten; every error names the field at fault.

What one field or a few neighbours say is checked here; what must hold between all of them is left
to the game's invariants.
"""

from typing import Any

from engine.errors import BadPositionText, shorten
from engine.games.lofoten import notation, vocabulary
from engine.games.lofoten.data import Data
from engine.games.lofoten.notation import (
    CARD_NONE,
    CARD_UNKNOWN,
    HOUSE_NONE,
    JARL_NONE,
    SHIP_UPGRADED,
    SHIPS,
    TILE_NONE,
    TYPE_NONE,
    TYPES,
)
from engine.games.lofoten.position import (
    DIRECTIONS,
    JARLS_FIELD,
    LABELS,
    NUMBERS,
    PHASES,
    place_of_b,
    ship_letter,
)
from engine.games.lofoten.position_phases import check_phase, is_replacing

FIELDS = {name for name, _, _, _ in NUMBERS} | set(
    "me phase turn back direction effect pile tile hand.p1 hand.p2 drawn.p1 drawn.p2 held ships.p1"
    f" ships.p2 area.p1 area.p2 coins market piles warehouses {JARLS_FIELD} discard out".split()
)
# Setting and value without which a field, or a phase, does not occur.
FIELD_NEEDS = {
    "upgraded": ("upgrades", "on"),
    "on-d": ("upgrades", "on"),
    JARLS_FIELD: ("jarls", "on"),
}
PHASE_NEEDS = {
    "jarl": ("jarls", "on"),
    "harbour": ("jarls", "on"),
    "attach": ("jarls", "on"),
    "ships": ("upgrades", "on"),
    "load": ("upgrades", "on"),
    "ship": ("upgrades", "on"),
    "side": ("start-orders", "choose"),
}
# Largest values where no Jarl adds to them.
WITHOUT_JARLS = {"moves": 3, "uses": 8, "used": 8}

_TYPE_OF = {name: i for i, name in enumerate(TYPES)}
_ORDER_OF = {name: i for i, name in enumerate(notation.CARDS)} | {"-": CARD_NONE}
_SPACE_OF = notation.TILE_OF | {"-": TILE_NONE}
_HOUSE_OF = {name: i for i, name in enumerate(notation.HOUSES)}
_JARL_OF = {name: i for i, name in enumerate(notation.JARLS)}
_REQUIREMENT_OF = {name: i for i, name in enumerate(notation.REQUIREMENTS)}
_SHIP_OF = {ship_letter(ship): ship for ship in range(2 * SHIP_UPGRADED)}
_STOREHOUSE = vocabulary.index_of(vocabulary.ABILITIES, "storehouse")
_SHIP_B, _SHIP_C, _SHIP_D = (_SHIP_OF[letter] for letter in "BCD")


class Reader:
    """The fields of a text as words, and ways to read one of them."""

    def __init__(self, pairs: dict[str, str], cards: Data, settings: dict[str, str]) -> None:
        self.pairs, self.cards, self.settings = pairs, cards, settings

    def fail(self, key: str, why: str) -> BadPositionText:
        """Return the error for a field."""
        given = f"={shorten(self.pairs[key])}" if key in self.pairs else ""
        return BadPositionText(f"field {key}{given}: {why}", key)

    def need(self, key: str) -> str:
        """Return a field that must be there."""
        if key not in self.pairs:
            raise BadPositionText(f"field {key} is missing", key)
        return self.pairs[key]

    def need_setting(self, key: str, what: str, name: str, value: str) -> None:
        """Refuse a field unless the game has a setting."""
        if self.settings[name] != value:
            raise self.fail(key, f"{what} only with the setting {name}={value}")

    def choice(self, key: str, words: tuple[str, ...], usual: str | None = None) -> int:
        """Return the index of a field's word; `usual` is read where the field is missing."""
        word = self.need(key) if usual is None else self.pairs.get(key, usual)
        if word not in words:
            raise self.fail(key, f"use one of {', '.join(words)}")
        return words.index(word)

    def phase(self, key: str, usual: str | None = None) -> int:
        """Return the number of a phase that this game has."""
        phase = self.choice(key, PHASES, usual)
        if PHASES[phase] in PHASE_NEEDS:
            self.need_setting(key, "there is this phase", *PHASE_NEEDS[PHASES[phase]])
        return phase

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

    def field_with(self, name: str, count: int) -> str | None:
        """Return the field in which a card or tile is named for the `count`-th time, if any."""
        import re

        labels = "".join(LABELS)
        word = re.compile(rf"(?<![A-Za-z0-9]){name}[{labels}]?(?![A-Za-z0-9])")
        for key, text in self.pairs.items():
            count -= len(word.findall(text))
            if count <= 0:
                return key
        return None

    def hand(self, key: str, most: int) -> list[tuple[int, int]]:
        """Return cards with their labels: `F2.?a`."""
        text = self.pairs.get(key, "-")
        cards = []
        for part in text.split(".") if text != "-" else []:
            label = LABELS.index(part[-1]) if part[-1:] in LABELS[1:] else 0
            body = part[:-1] if label else part
            cards.append((self.name(key, body, notation.CARD_OF, "card"), label))
        if len(cards) > most:
            raise self.fail(key, f"{len(cards)} cards, at most {most}")
        return cards

    def tiles(self, key: str, text: str) -> list[int]:
        """Return one tile, or those that ship B held together: `F2x+F1o`."""
        tiles = [self.name(key, part, notation.TILE_OF, "tile") for part in text.split("+")]
        if len(tiles) > 1:
            most = self.cards.longships.b_total
            if len({tile // 6 for tile in tiles}) > 1:
                raise self.fail(key, f"{shorten(text)!r}: ship B holds tiles of one type only")
            if len(tiles) > 3 or sum(tile % 6 // 2 + 1 for tile in tiles) > most:
                raise self.fail(key, f"{shorten(text)!r}: ship B holds at most {most} in all")
        return tiles


def _read_turn(r: Reader, f: dict[str, Any]) -> None:
    f["phase"] = r.phase("phase")
    f["seat"] = r.choice("turn", ("p1", "p2"))
    f["back"] = r.phase("back", PHASES[0])
    f["direction"] = r.choice("direction", DIRECTIONS, "-")
    for name, key, usual, largest in NUMBERS:
        if r.settings["jarls"] != "on":
            largest = WITHOUT_JARLS.get(name, largest)
        f[key] = r.number(name, r.pairs.get(name, str(usual)), largest)
    effect = r.choice("effect", (*TYPES, "-"), "-")
    f["effect"] = TYPE_NONE if effect == len(TYPES) else effect
    f["pile"] = r.choice("pile", ("1", "2"), "1")


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


def _read_board(r: Reader, f: dict[str, Any]) -> None:
    f["coins"] = [r.number("coins", n, 8) for n in r.parts("coins", ".", 3)]
    if sum(f["coins"]) != sum(r.cards.coins):
        raise r.fail("coins", "the coins are not eight in all")
    f["market"] = [r.name("market", t, _SPACE_OF, "tile") for t in r.parts("market", ".", 5)]
    f["pile_top"], f["pile_size"] = [], []
    for part in r.parts("piles", ".", 2):
        if part == "-":
            f["pile_top"].append(TYPE_NONE)
            f["pile_size"].append(0)
            continue
        f["pile_top"].append(r.name("piles", part[:1], _TYPE_OF | {"?": TYPE_NONE}, "type"))
        f["pile_size"].append(r.number("piles", part[1:], 32))
    f["out"] = r.counted("out", r.pairs.get("out", "-"), notation.TILES, "tile")


def _read_fleets(r: Reader, f: dict[str, Any]) -> None:
    f["ship_card"], f["ship_tile"], f["ship_kind"], f["area"] = [], [], [], []
    f["more"] = [[TILE_NONE] * 2 for _ in range(2)]
    for s in range(2):
        key = f"ships.p{s + 1}"
        ships = r.parts(key, ".", 4)
        f["ship_kind"].append(_read_letters(r, f, s, ships))
        f["ship_card"].append([])
        f["ship_tile"].append([])
        for place, part in enumerate(ships):
            card, tiles = _read_ship(r, f, s, place, part.rpartition(":")[2])
            f["ship_card"][s].append(card)
            f["ship_tile"][s].append(tiles[0] if tiles else TILE_NONE)
            if len(tiles) > 1:
                f["more"][s][: len(tiles) - 1] = tiles[1:]
        f["area"].append(r.choice(f"area.p{s + 1}", ("1", "2", "3", "4", "5")))


def _read_letters(r: Reader, f: dict[str, Any], seat: int, ships: list[str]) -> list[int]:
    """The longships of a wheel, in module 3, once they are laid out."""
    key = f"ships.p{seat + 1}"
    letters = [part.rpartition(":")[0] for part in ships]
    if any(letters):
        r.need_setting(key, "longships have letters", "upgrades", "on")
    phase = PHASES[f["phase"]]
    dealt = r.settings["upgrades"] == "on" and not _in_setup(f, "jarl")
    if phase == "ships":
        dealt = f["step"] > seat
    if not dealt:
        if any(letters):
            raise r.fail(key, "the longships of this wheel are not laid out yet")
        return [0] * 4
    kinds = [r.name(key, letter, _SHIP_OF, "longship, such as a: or B:") for letter in letters]
    if {kind % SHIP_UPGRADED for kind in kinds} != set(range(len(SHIPS))):
        raise r.fail(key, "each of the longships A to D must occur once")
    return kinds


def _read_ship(
    r: Reader, f: dict[str, Any], seat: int, place: int, text: str
) -> tuple[int, list[int]]:
    """The order and the tiles of a ship."""
    key = f"ships.p{seat + 1}"
    name, plus, rest = text.partition("+")
    card = r.name(key, name, _ORDER_OF, "order card")
    if not plus:
        return card, []
    tiles, kind = r.tiles(key, rest), f["ship_kind"][seat][place]
    if len(tiles) > 1 and kind != _SHIP_B:
        raise r.fail(key, f"{shorten(text)!r}: only the upgraded longship B holds several tiles")
    if card == CARD_NONE:
        raise r.fail(key, f"{shorten(text)!r}: a tile without an order")
    if tiles[0] // 6 != card // 3 and kind != _SHIP_C:
        raise r.fail(key, f"{shorten(text)!r}: a tile lies on another type's order")
    # While ship C is asked the unloading of the step is still to come.
    if notation.PLACES[place] == "dock" and PHASES[f["phase"]] != "load":
        raise r.fail(key, f"{shorten(text)!r}: a docked ship is loaded; it unloads at once")
    return card, tiles


def _read_hand_tiles(r: Reader, f: dict[str, Any]) -> None:
    """The tile turned up or unloaded; several if they come from ship B."""
    f["tile"] = TILE_NONE
    if "tile" not in r.pairs:
        return
    tiles = r.tiles("tile", r.pairs["tile"])
    f["tile"] = tiles[0]
    if len(tiles) == 1:
        return
    place, seat = place_of_b(f, f["seat"]), f["seat"]
    if PHASES[f["phase"]] != "store" or place < 0 or f["ship_tile"][seat][place] != TILE_NONE:
        raise r.fail("tile", "several tiles are in hand only after ship B was unloaded (store)")
    f["more"][seat][: len(tiles) - 1] = tiles[1:]


def _read_houses(r: Reader, f: dict[str, Any]) -> None:
    f["house_card"], f["house_type"] = [], []
    f["stored"], f["down"] = ([[0] * 24 for _ in range(2)] for _ in range(2))
    for part in r.parts("warehouses", "|", 4):
        card, colon, rest = part.partition(":")
        known = _HOUSE_OF if colon else _HOUSE_OF | {"-": HOUSE_NONE}
        f["house_card"].append(r.name("warehouses", card, known, "warehouse card"))
        if not colon:
            f["house_type"].append(TYPE_NONE)
            continue
        kind, _, tiles = rest.partition(":")
        number = r.name("warehouses", kind, _TYPE_OF, "type")
        if number in f["house_type"]:
            raise r.fail("warehouses", f"two warehouses store {kind}")
        f["house_type"].append(number)
        _read_stored(r, f, part, number, tiles)
    dealt = [card for card in f["house_card"] if card != HOUSE_NONE]
    if len(set(dealt)) < len(dealt):
        raise r.fail("warehouses", "a card occurs twice")
    low = 4 - int(r.settings["level2"])
    for i, card in enumerate(dealt):
        if (card < len(_HOUSE_OF) // 2) != (i < low):
            raise r.fail(
                "warehouses",
                f"with the setting level2={r.settings['level2']} there are {low} cards of level 1 "
                f"(w1 to w8), written first, and {4 - low} of level 2",
            )


def _read_stored(r: Reader, f: dict[str, Any], house: str, kind: int, text: str) -> None:
    """The tiles of one warehouse, of both seats."""
    sides = text.split("/")
    example = f"{shorten(house)!r}: write both seats' tiles, as in w3:F:F2x.F1o/-"
    if len(sides) != 2 or sides == ["-", "-"]:
        raise r.fail("warehouses", example)
    for s, side in enumerate(sides):
        for part in side.split(".") if side != "-" else []:
            tile = r.name("warehouses", part.removesuffix("_"), notation.TILE_OF, "tile")
            if tile // 6 != kind:
                raise r.fail("warehouses", f"{part} does not belong in {shorten(house)!r}")
            if part.endswith("_"):
                r.need_setting("warehouses", "tiles lie face down (_)", "upgrades", "on")
            f["down" if part.endswith("_") else "stored"][s][tile] += 1


def _read_jarls(r: Reader, f: dict[str, Any]) -> None:
    """The two Jarls: `j3:q5b|j8:q2a:p2@4`."""
    f["jarl_card"], f["requirement"] = [JARL_NONE] * 2, [JARL_NONE] * 2
    f["jarl_owner"], f["storehouse_at"] = [0] * 2, [HOUSE_NONE] * 2
    if r.settings["jarls"] != "on":
        return
    dealt = 0 if _in_setup(f, "warehouse") else 4
    if PHASES[f["phase"]] == "jarl":
        dealt = min(4, f["step"])
    for i, part in enumerate(r.parts(JARLS_FIELD, "|", 2)):
        card, *rest = part.split(":")
        known = {"-": JARL_NONE} if dealt <= 2 * i else _JARL_OF
        f["jarl_card"][i] = r.name(JARLS_FIELD, card, known, "Jarl here")
        if (dealt > 2 * i + 1) != bool(rest) or len(rest) > 2:
            raise r.fail(
                JARLS_FIELD, f"{shorten(part)!r}: write Jarl, requirement, owner: j3:q5b:p1"
            )
        if rest:
            f["requirement"][i] = r.name(JARLS_FIELD, rest[0], _REQUIREMENT_OF, "requirement")
        if len(rest) == 2:
            _read_owner(r, f, i, rest[1])
    one, two = f["jarl_card"]
    if one == two != JARL_NONE:
        raise r.fail(JARLS_FIELD, "a Jarl occurs twice")
    one, two = f["requirement"]
    if one // 2 == two // 2 and two != JARL_NONE:
        raise r.fail(JARLS_FIELD, "a requirement card occurs twice")


def _read_owner(r: Reader, f: dict[str, Any], i: int, text: str) -> None:
    """Who has claimed a Jarl, and where its storehouse is: `p2@4`."""
    word, sign, house = text.partition("@")
    owner = r.name(JARLS_FIELD, word, {"p1": 1, "p2": 2}, "seat")
    if owner in f["jarl_owner"]:
        raise r.fail(JARLS_FIELD, f"seat {owner} has two Jarls")
    f["jarl_owner"][i] = owner
    name = notation.JARLS[f["jarl_card"][i]]
    if r.cards.jarls[f["jarl_card"][i]].kind != _STOREHOUSE:
        if sign:
            raise r.fail(JARLS_FIELD, f"{name} is no storehouse, so it lies at no warehouse")
    elif sign:
        f["storehouse_at"][owner - 1] = r.name(
            JARLS_FIELD, house, {str(n + 1): n for n in range(4)}, "warehouse from 1 to 4"
        )
    elif PHASES[f["phase"]] != "attach" or f["seat"] != owner - 1:
        raise r.fail(JARLS_FIELD, f"say where the storehouse {name} lies, as in {name}:q5b:p1@4")


def _in_setup(f: dict[str, Any], last: str) -> bool:
    """Whether the set-up is at a phase up to `last`. Piles show new types in the game, too."""
    phase: int = f["phase"]
    return phase <= PHASES.index(last) and not is_replacing(f)


def _check_ships(r: Reader, f: dict[str, Any]) -> None:
    """What the turn says of upgraded longships."""
    kinds = f["ship_kind"][f["seat"]]
    if f["on_d"] and _SHIP_D not in kinds:
        raise r.fail("on-d", f"seat {f['seat'] + 1} has no upgraded longship D")
    if f["upgraded"] and max(kinds) < SHIP_UPGRADED:
        raise r.fail("upgraded", f"seat {f['seat'] + 1} has no upgraded longship")


def _count_rest(r: Reader, f: dict[str, Any]) -> None:
    """Deck and piles hold what lies nowhere else."""
    deck, unseen = list(r.cards.orders), list(r.cards.tiles)
    f["discard"] = r.counted("discard", r.pairs.get("discard", "-"), notation.CARDS, "card")
    for card, n in enumerate(f["discard"]):
        deck[card] -= n + sum(f["held"][k][card] for k in range(5))
    lying = [*f["market"], f["tile"]]
    for s in range(2):
        for card in f["hand"][s] + f["ship_card"][s]:
            if card < CARD_UNKNOWN:
                deck[card] -= 1
        lying += f["ship_tile"][s] + f["more"][s]
        for tile in range(24):
            unseen[tile] -= f["stored"][s][tile] + f["down"][s][tile]
    for tile in lying:
        if tile != TILE_NONE:
            unseen[tile] -= 1
    for tile in range(24):
        unseen[tile] -= f["out"][tile]
    for what, left, names, exist in (
        ("order card", deck, notation.CARDS, r.cards.orders),
        ("tile", unseen, notation.TILES, r.cards.tiles),
    ):
        for i, n in enumerate(left):
            if n < 0:
                key = r.field_with(names[i], exist[i] + 1)
                why = f"{what} {names[i]} occurs {-n} times more than it exists"
                raise r.fail(key, why) if key else BadPositionText(why)
    hidden = sum(
        f["hand"][s][i] == CARD_UNKNOWN and f["label"][s][i] == 0
        for s in range(2)
        for i in range(4)
    )
    f["deck"], f["unseen"], f["deck_size"] = deck, unseen, sum(deck) - hidden
    if f["deck_size"] < 0:
        raise BadPositionText("more cards are hidden than are left")


def from_pairs(pairs: dict[str, str], cards: Data, settings: dict[str, str]) -> dict[str, Any]:
    """Read all fields of a game with these cards and settings.

    Raises:
        BadPositionText: names the field at fault.
    """
    r = Reader(pairs, cards, settings)
    for key in pairs:
        if key not in FIELDS:
            raise BadPositionText(f"field {shorten(key)} is not one of this game's", key)
        if key in FIELD_NEEDS:
            r.need_setting(key, "there is this field", *FIELD_NEEDS[key])
    f: dict[str, Any] = {}
    _read_turn(r, f)
    _read_hands(r, f)
    _read_houses(r, f)
    _read_fleets(r, f)
    _read_board(r, f)
    _read_hand_tiles(r, f)
    _read_jarls(r, f)
    _check_ships(r, f)
    _count_rest(r, f)
    check_phase(r, f)
    return f
