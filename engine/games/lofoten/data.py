"""The cards, tiles and coins of a box: card files, read and checked. No rules here.

`data.toml` is the shipped set. What scorings, abilities and requirements there are: vocabulary.py.
"""

import os

from engine.card_file import Table
from engine.card_file import read as read_table
from engine.errors import BadSetting, shorten
from engine.games.lofoten import vocabulary
from engine.games.lofoten.notation import TYPE_WORDS
from engine.games.lofoten.vocabulary import Kind

GAME = "lofoten"
TYPES = ("M", "F", "S", "C")
CLANS = ("x", "o")
EFFECTS = ("discard", "rotate", "move", "coin")
SET_STATUSES = ("stand-in", "printed", "mixed")
DATA_FILE = os.path.join(os.path.dirname(__file__), "data.toml")

ORDERS, TILES, COINS = 36, 32, 8
TILES_OF_EACH_TYPE = [2, 4, 2]
LEVEL_1, LEVEL_2, JARLS, REQUIREMENTS = 8, 8, 8, 7
MOST_ALIKE = 15
"""Most order cards of one kind."""
LEAST_OF_A_TYPE = 2
NO_TYPE = 7


class Card:
    """A warehouse card, a Jarl or a side of a requirement card.

    Attributes:
        kind: its place in SCORINGS, ABILITIES or REQUIREMENTS of the vocabulary.
        key: the name of that kind.
        a, b: its figures in the order of the vocabulary, 0 where there is none.
        type: the type of goods it asks for, 0 to 3; NO_TYPE if none.
        name: what is printed on it, "" if the file does not say.
        statuses: where each figure comes from.
    """

    __slots__ = ("_words", "a", "b", "key", "kind", "name", "statuses", "type")

    def __init__(self, table: Table, kinds: tuple[Kind, ...], key: str) -> None:
        self.key = table.word(key, tuple(kind.name for kind in kinds))
        self.kind = vocabulary.index_of(kinds, self.key)
        kind = kinds[self.kind]
        keys = [figure.name for figure in kind.figures] + [vocabulary.TYPE] * kind.typed
        others = ("name", "level") if kinds is vocabulary.SCORINGS else ("name",)
        table.expect((key, *keys), others)
        figures = [table.number(f.name, f.low, f.high) for f in kind.figures]
        self.a, self.b = [*figures, 0, 0][:2]
        self.type = TYPES.index(table.word(vocabulary.TYPE, TYPES)) if kind.typed else NO_TYPE
        self.name = table.name("name")
        self.statuses = table.statuses
        goods = [TYPE_WORDS[self.type]] if kind.typed else []
        self._words = kind.words.format(**dict(zip(keys, [*figures, *goods], strict=True)))

    def words(self) -> str:
        """Return what the card does, in one sentence."""
        return self._words

    def canonical(self) -> str:
        """Return what of the card plays a part."""
        return f"{self.key} {self.a} {self.b} {self.type}"


class Longships:
    """The figures of module 3.

    Attributes:
        a_points: points of an upgraded ship A.
        b_total: most merchandise on an upgraded ship B.
        d_uses: least uses of a middle card on an upgraded ship D.
        points: points for one to four upgraded ships.
    """

    __slots__ = ("a_points", "b_total", "d_uses", "points", "statuses")

    def __init__(self, table: Table) -> None:
        self.a_points, self.b_total, self.d_uses, self.points = 3, 4, 4, [1, 3, 6, 10]
        figures = ("a_points", "b_total", "d_uses", "points")
        table.expect(figures)
        for figure in figures:
            table.exactly(figure, getattr(self, figure))
        self.statuses = table.statuses


class Data:
    """The cards and tiles of one box; BadCards if the table is not a whole set.

    Attributes:
        name: of the set, "" if the file does not say.
        status: stand-in, printed or mixed.
        names: the type names, in the order mead, fish, sheep, coffer.
        effects: the middle effect of each type, indices into EFFECTS.
        orders: order cards of each kind, twelve numbers (type * 3 + value - 1).
        tiles: tiles of each kind, 24 numbers (type * 6 + (value - 1) * 2 + clan).
        coins: of the first player, of the second and in the reserve.
        houses: the warehouse cards, eight of level 1, then eight of level 2.
        jarls: the eight Jarls.
        requirements: the sides of the seven requirement cards (card * 2 + side).
        longships: the figures of module 3.
        statuses: the status of each figure by table and key (`orders`, `M`).
        hash: twelve hexadecimal digits of all that plays a part.
    """

    def __init__(self, table: Table) -> None:
        table.word("game", (GAME,))
        tables = ("type", "orders", "tiles", "coins", "longships")
        table.expect((), ("game", "name", *tables, "warehouse", "jarl", "requirement"))
        self.status = table.word("status", SET_STATUSES)
        self.name = table.name("name")
        self.statuses: dict[tuple[str, str], str] = {}
        self._read_types(table.tables("type", len(TYPES)))
        self._read_orders(table.table("orders"))
        self._read_tiles(table.table("tiles"))
        self._read_coins(table.table("coins"))
        longships = table.table("longships")
        self.longships = Longships(longships)
        self._keep_statuses(longships)
        self._read_houses(table)
        self._read_jarls(table.tables("jarl", JARLS))
        self._read_requirements(table.tables("requirement", REQUIREMENTS))
        self._check_status(table)
        self.hash = _digest(self.canonical())

    def _keep_statuses(self, table: Table) -> None:
        self.statuses.update(((table.where, key), word) for key, word in table.statuses.items())

    def _read_types(self, tables: list[Table]) -> None:
        self.names: list[str] = []
        self.effects: list[int] = []
        for letter, table in zip(TYPES, tables, strict=True):
            table.expect(("id", "name", "effect"))
            table.word("id", (letter,))
            name = table.name("name")
            if not name or name in self.names:
                raise table.refuse("name", "a name that no other type has")
            self.names.append(name)
            effect = EFFECTS.index(table.word("effect", EFFECTS))
            if effect in self.effects:
                free = [word for i, word in enumerate(EFFECTS) if i not in self.effects]
                other = self.names[self.effects.index(effect)]
                allowed = f"{' or '.join(free)}, for each type has its own ({other} has this one)"
                raise table.refuse("effect", allowed)
            self.effects.append(effect)
            self._keep_statuses(table)

    def _read_orders(self, table: Table) -> None:
        table.expect(("total", *TYPES))
        table.exactly("total", ORDERS)
        self.orders: list[int] = []
        for letter in TYPES:
            counts = table.numbers(letter, 3, 0, MOST_ALIKE)
            if sum(counts) < LEAST_OF_A_TYPE:
                raise table.refuse(letter, f"at least {LEAST_OF_A_TYPE} cards of each type")
            self.orders += counts
        if sum(self.orders) != ORDERS:
            raise table.fault(
                ", ".join(TYPES), f"{sum(self.orders)} order cards in all; there must be {ORDERS}"
            )
        self._keep_statuses(table)

    def _read_tiles(self, table: Table) -> None:
        keys = [f"{letter}{clan}" for letter in TYPES for clan in CLANS]
        table.expect(("total", "of_each_type", *keys))
        table.exactly("total", TILES)
        table.exactly("of_each_type", TILES_OF_EACH_TYPE)
        self.tiles: list[int] = []
        for letter in TYPES:
            x, o = (table.numbers(f"{letter}{clan}", 3, 0, 4) for clan in CLANS)
            together = [a + b for a, b in zip(x, o, strict=True)]
            if together != TILES_OF_EACH_TYPE:
                raise table.fault(
                    f"{letter}x, {letter}o",
                    f"{together} tiles of value 1, 2 and 3 together; "
                    f"there must be {TILES_OF_EACH_TYPE}",
                )
            self.tiles += [n for pair in zip(x, o, strict=True) for n in pair]
        self._keep_statuses(table)

    def _read_coins(self, table: Table) -> None:
        table.expect(("total", "first", "second"))
        table.exactly("total", COINS)
        first = table.number("first", 0, COINS)
        second = table.number("second", 0, COINS - first)
        self.coins = [first, second, COINS - first - second]
        self._keep_statuses(table)

    def _read_houses(self, top: Table) -> None:
        tables = top.tables("warehouse", LEVEL_1 + LEVEL_2)
        levels = [table.number("level", 1, 2) for table in tables]
        if levels.count(1) != LEVEL_1:
            raise top.fault(
                "warehouse",
                f"{levels.count(1)} cards of level 1 and {levels.count(2)} of level 2; "
                f"there must be {LEVEL_1} and {LEVEL_2}",
            )
        self.houses: list[Card] = []
        for i, table in enumerate(tables):
            if levels[i] != (1 if i < LEVEL_1 else 2):
                raise table.refuse("level", f"level 1 for the first {LEVEL_1}, then level 2")
            card = Card(table, vocabulary.SCORINGS, "scoring")
            if levels[i] == 1 and card.key != "majority":
                raise table.refuse("scoring", '"majority" for a card of level 1')
            self.houses.append(card)
            self._keep_statuses(table)

    def _read_jarls(self, tables: list[Table]) -> None:
        self.jarls: list[Card] = []
        for table in tables:
            self.jarls.append(Card(table, vocabulary.ABILITIES, "ability"))
            self._keep_statuses(table)

    def _read_requirements(self, tables: list[Table]) -> None:
        self.requirements: list[Card] = []
        for table in tables:
            table.expect(("a", "b"), ("name",))
            table.name("name")
            self._keep_statuses(table)
            for key in ("a", "b"):
                side = table.table(key)
                self.requirements.append(Card(side, vocabulary.REQUIREMENTS, "kind"))
                self._keep_statuses(side)

    def _check_status(self, table: Table) -> None:
        """Nothing that is guessed may pass for a set of printed cards."""
        if self.status != "printed":
            return
        for (where, key), word in self.statuses.items():
            if word == "guess":
                allowed = f'"mixed" or "stand-in", for {where}: {key} is a guess'
                raise table.refuse("status", allowed)

    def canonical(self) -> str:
        """Return all that plays a part, so neither names nor statuses, as one text."""
        numbers = (self.effects, self.orders, self.tiles, self.coins)
        ships = self.longships
        lines = [
            f"{GAME} cards 1",
            *(" ".join(map(str, row)) for row in numbers),
            f"{ships.a_points} {ships.b_total} {ships.d_uses} {' '.join(map(str, ships.points))}",
            *(card.canonical() for card in (*self.houses, *self.jarls, *self.requirements)),
        ]
        return "\n".join(lines)


def _digest(text: str) -> str:
    from hashlib import blake2b

    return blake2b(text.encode(), digest_size=6).hexdigest()


SETS: dict[str, Data] = {}
"""All sets that this process has read, by hash."""

_shipped: list[Data] = []


def register(table: Table) -> Data:
    """Check the table of a card file and keep its set; BadCards if it is none."""
    data = Data(table)
    return SETS.setdefault(data.hash, data)


def shipped() -> Data:
    """Return the shipped set, which is read when it is first needed."""
    if not _shipped:
        _shipped.append(register(read_table(DATA_FILE)))
    return _shipped[0]


def find(digits: str) -> Data:
    """Return the set of a hash; BadSetting if no file with it has been read."""
    if digits not in SETS:
        shipped()
    if digits not in SETS:
        raise BadSetting(
            f"setting cards: no card set {shorten(digits, 40)} is loaded; "
            "give its file with the option CardFile or --cards"
        )
    return SETS[digits]
