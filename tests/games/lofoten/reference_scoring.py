"""Count points and requirements in the slow reference rules of Lofoten (RULES.md 9 to 12, 15)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_cards import TYPES
from reference_table import Table, Warehouse

Card = dict[str, Any]


class Side:
    """Hold what one player has at one warehouse, as the scorings see it (RULES 10.3, 10.6)."""

    def __init__(self, table: Table, house: Warehouse, at: int, seat: int) -> None:
        self.tiles = house.tile_count(seat)
        self.merchandise = sum(int(tile[1]) for tile in house.up[seat]) + len(house.down[seat])
        self.merchandise += storehouse(table, at, seat, self.tiles)
        shown = [*house.up[seat]]
        if table.settings["bucklers"] == "all":
            shown += house.up[1 - seat]
        self.own = sum(tile[2] == table.clans[seat] for tile in shown)
        self.rival = len(shown) - self.own


def storehouse(table: Table, at: int, seat: int, tiles: int) -> int:
    """Return what a Jarl adds to a seat's merchandise at the warehouse of this number."""
    for jarl in table.jarls:
        if jarl.owner == seat and jarl.attached == at:
            if tiles or table.settings["storehouse"] == "always":
                return int(table.set.jarls[jarl.card]["merchandise"])
    return 0


def more(mine: int, theirs: int, points: int, tie: bool) -> int:
    """Return `points` for strictly more, and for a tie of more than 0 where ties pay."""
    return points if mine > theirs or (tie and mine == theirs > 0) else 0


def majority(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay who has more merchandise."""
    return more(me.merchandise, you.merchandise, card["points"], tie)


def most_tiles(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay who has more tiles."""
    return more(me.tiles, you.tiles, card["points"], tie)


def own_bucklers(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay for each buckler of the own clan."""
    return min(int(card["at_most"]), me.own * int(card["points"]))


def rival_bucklers(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay who has more bucklers of the clan that is not his."""
    return more(me.rival, you.rival, card["points"], tie)


def difference(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay the difference to who has more merchandise; a tie never pays."""
    return max(0, min(int(card["at_most"]), me.merchandise - you.merchandise))


def runner_up(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay who has more merchandise, and less to who has less and a tile there."""
    if me.merchandise < you.merchandise:
        return int(card["second"]) if me.tiles else 0
    return more(me.merchandise, you.merchandise, card["points"], tie)


def threshold(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay whoever has so much merchandise."""
    return int(card["points"]) if me.merchandise >= card["merchandise"] else 0


def fewest(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay who has less merchandise, where both have a tile."""
    if not me.tiles or not you.tiles:
        return 0
    less = me.merchandise < you.merchandise
    return int(card["points"]) if less or (tie and me.merchandise == you.merchandise) else 0


def buckler_pairs(card: Card, me: Side, you: Side, tie: bool) -> int:
    """Pay for each pair of unlike bucklers."""
    return min(int(card["at_most"]), min(me.own, me.rival) * int(card["points"]))


SCORINGS: dict[str, Callable[[Card, Side, Side, bool], int]] = {
    each.__name__: each
    for each in (
        majority,
        most_tiles,
        own_bucklers,
        rival_bucklers,
        difference,
        runner_up,
        threshold,
        fewest,
        buckler_pairs,
    )
}


def warehouse_points(table: Table, at: int) -> list[int]:
    """Return what the warehouse of this number (0 to 3) pays each seat."""
    house = table.warehouses[at]
    card = table.set.warehouses[house.card]
    tie = table.settings["tie" if card["level"] == 1 else "level2-tie"] == "both"
    sides = [Side(table, house, at, seat) for seat in (0, 1)]
    score = SCORINGS[card["scoring"]]
    return [score(card, sides[seat], sides[1 - seat], tie) for seat in (0, 1)]


def jarl_points(table: Table, seat: int) -> int:
    """Return the points of a seat's Jarl (RULES 11.14)."""
    points = 0
    renown = table.ability(seat, "renown")
    if renown:
        points += renown["points"]
    banners = table.ability(seat, "banners")
    if banners:
        own = sum(up and tile[2] == table.clans[seat] for tile, up in table.stored(seat))
        points += min(banners["at_most"], own * banners["points"])
    return points


def ship_points(table: Table, seat: int) -> int:
    """Return the points for upgraded longships (RULES 12.5, R68)."""
    upgraded = [ship.letter for ship in table.wheels[seat] if ship.upgraded]
    figures = table.set.longships
    points = figures["points"][len(upgraded) - 1] if upgraded else 0
    return int(points + ("A" in upgraded) * figures["a_points"])


def scores(table: Table) -> list[int]:
    """Return the points of both seats as if all were scored now."""
    points = [jarl_points(table, seat) + ship_points(table, seat) for seat in (0, 1)]
    for at in range(len(table.warehouses)):
        for seat, more_points in enumerate(warehouse_points(table, at)):
            points[seat] += more_points
    return points


def meets(table: Table, seat: int, name: str) -> bool:
    """Tell whether a seat meets a requirement now (RULES 11.4 to 11.7, R56, R60, R82)."""
    card = table.set.requirements[name]
    keep = table.settings["turned"] == "scoring"
    tiles = list(table.stored(seat))
    # What each tile is worth here, and the bucklers that count.
    worth = [(tile[0], int(tile[1]) if up or keep else 1) for tile, up in tiles]
    clans = [tile[2] for tile, up in tiles if up or keep]
    match card["kind"]:
        case "each_type":
            return all(sum(kind == each for kind, _ in worth) >= card["tiles"] for each in TYPES)
        case "tiles_of_type":
            return [kind for kind, _ in worth].count(card["type"]) >= int(card["tiles"])
        case "bucklers_each":
            return min(clans.count("x"), clans.count("o")) >= int(card["bucklers"])
        case "bucklers_alike":
            return max(clans.count("x"), clans.count("o")) >= int(card["bucklers"])
        case "merchandise":
            return sum(n for _, n in worth) >= int(card["merchandise"])
        case "merchandise_of_type":
            return sum(n for kind, n in worth if kind == card["type"]) >= int(card["merchandise"])
        case "give_coins" | "own_coins":
            return table.coins[seat] >= int(card["coins"])
    raise ValueError(f"no requirement {card['kind']!r}")
