"""Positions of Lofoten's three modules for the tests, and the points that a warehouse brings."""

from pathlib import Path

from helpers import play, position

import engine
from engine.games.lofoten import data

LEVEL_1 = tuple(f"w{n}" for n in range(1, 9))
JARLS = ("tribute", "harbour", "rowers", "traders", "swift", "renown", "banners", "storehouse")
COFFERS = "w1:C:C1o.C2x.C2o/-|w4|w6|w8"
"""Three coffer tiles of seat 1: three uses of a coffer, and the requirement q4a."""
SHIP_POINTS = (0, 1, 3, 6, 13)
"""For so many upgraded ships; the fourth of `upgraded_wheel` is A with its 3 points."""


def wheel(top="-", right="-", dock="-", left="-", letters="abcd"):
    """Return the text of a wheel of module 3; a capital letter is an upgraded ship."""
    orders = (top, right, dock, left)
    return ".".join(f"{letter}:{order}" for letter, order in zip(letters, orders, strict=True))


def upgraded_wheel(number):
    """Return an empty wheel with so many upgraded ships, A the last of them."""
    upgraded = "dcba"[:number]
    return wheel(letters="".join(c.upper() if c in upgraded else c for c in "abcd"))


def with_modules(**given):
    """Return a state of a game with Jarls and longships, or with those that `given` leaves on.

    Where a longship is upgraded a turned mead tile in warehouse 4 has paid for it, unless the
    warehouses are given; two Jarls that want coffers and sheep lie there unless others are given.
    """
    given = {"jarls": "on", "upgrades": "on"} | given
    if given["jarls"] == "on":
        given.setdefault("jarl_cards", "j6:q4a|j7:q3a")
    if given["upgrades"] == "on":
        wheels = [given.setdefault(f"ships_p{seat}", wheel()) for seat in (1, 2)]
        given["ships_p1"], given["ships_p2"] = wheels
        spare = (["M2x_", "M2x_", "M2o_", "M2o_"], ["M3x_", "M3o_"])
        paid = [
            ".".join(tiles[: sum(part[0].isupper() for part in text.split("."))]) or "-"
            for tiles, text in zip(spare, wheels, strict=True)
        ]
        fourth = "w8" if paid == ["-", "-"] else f"w8:M:{paid[0]}/{paid[1]}"
        given.setdefault("warehouses", f"w1|w4|w6|{fourth}")
    return position(**given)


def upgrades_only(**given):
    """Return a state of a game with module 3, and without module 2 unless it is given."""
    return with_modules(**{"jarls": "off"} | given)


def jarls_only(**given):
    """Return a state of a game with module 2, and without module 3 unless it is given."""
    return with_modules(**{"upgrades": "off"} | given)


def jarl_pair(ability, first):
    """Return the text of two Jarls: this one, with `first` behind its name, and another."""
    number = JARLS.index(ability) + 1
    return f"j{number}:{first}|{'j7' if number == 6 else 'j6'}:q4a"


def owning(ability, seat=1, **given):
    """Return a state of a game with Jarls in which a seat has had this one before."""
    pair = jarl_pair(ability, f"q7b:p{seat}" + ("@1" if ability == "storehouse" else ""))
    return jarls_only(**{"jarl_cards": pair} | given)


def claiming(ability, **given):
    """Return a state in which seat 1 may claim this Jarl, for it owns 5 coins."""
    usual = {"phase": "end", "coins": "5.0.3", "jarl_cards": jarl_pair(ability, "q7b")}
    return jarls_only(**usual | given)


def around(house):
    """Return the text of four warehouses of which only this one stores anything."""
    if house.partition(":")[0] in LEVEL_1:
        others = [card for card in LEVEL_1 if not house.startswith(card)]
        return "|".join([house, *others[:3]]), 0
    return "|".join([*LEVEL_1[:3], house]), 1


def points(house, **given):
    """Return what both seats score in the end with this warehouse: "w9:F:F1x.F2o_/F3x".

    Points for longships are taken off again: for each turned tile there is an upgraded ship.
    """
    warehouses, level2 = around(house)
    sides = house.partition(":")[2].partition(":")[2] or "-/-"
    turned = [side.count("_") for side in sides.split("/")]
    if sum(turned):
        given |= {"upgrades": "on"}
        given |= {f"ships_p{seat}": upgraded_wheel(turned[seat - 1]) for seat in (1, 2)}
    state = final(warehouses, level2=level2, **given)
    return [score - SHIP_POINTS[n] for score, n in zip(state.scores(), turned, strict=True)]


def final(warehouses, **given):
    """Return the state after the last unloading, in which nothing was unloaded."""
    given = {"phase": "unload", "market": "-.-.-.-.-", "warehouses": warehouses} | given
    return play(position(**given), "keep", "keep")


def storehouse(seat, house=4):
    """Return the Jarls with a storehouse of this seat at this warehouse, as keywords."""
    return {"jarls": "on", "jarl_cards": f"j8:q1a:p{seat}@{house}|j6:q2a"}


def read_cards(folder, *edits):
    """Return the hash of the shipped card set with some texts replaced, each given as a pair."""
    text = Path(data.DATA_FILE).read_text(encoding="utf-8")
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return engine.read_cards(str(path))[1]
