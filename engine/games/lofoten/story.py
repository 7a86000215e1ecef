"""What an event brings about of itself, in a player's words: loading, storing, coins, the end."""

from typing import Any

from engine.games.lofoten.data import Data
from engine.games.lofoten.notation import (
    CARD_NONE,
    HOUSE_NONE,
    JARLS,
    PLACES,
    REQUIREMENTS,
    SHIP_UPGRADED,
    SHIPS,
    SIDE_OF_MARKET,
    TILE_NONE,
    TYPE_WORDS,
    counted,
    join_words,
    tile_words,
)
from engine.games.lofoten.position import PHASES, tiles_in_hand, tiles_on_ship

_PLACE, _STORE, _UNLOAD = (PHASES.index(name) for name in ("place", "store", "unload"))
_ORDER, _HAND = PHASES.index("order"), PHASES.index("hand")
_MARKET = PLACES.index("top")


def consequences(before: dict[str, Any], after: dict[str, Any], cards: Data) -> list[str]:
    """Compare the fields of a state before and after one event of a game with these cards."""
    claimed = before["jarl_owner"] != after["jarl_owner"]
    said = _claim(before, after, cards) if claimed else _coins(before, after)
    ended = after["turns"] != before["turns"]
    triggered = ["the end of the game is triggered"] * (after["triggered"] > before["triggered"])
    if ended:
        said += [*triggered, *_turn(before, after)]
    said += [*_set_up(before, after), *_market(before, after), *_stored(before, after)]
    said += [*_storehouse(before, after, cards), *_ships(before, after, cards)]
    if after["shuffles"] != before["shuffles"]:
        said.append("the deck was empty: the discarded orders become the new deck")
    return said if ended else said + triggered


def _turn(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    if after["phase"] >= _UNLOAD:
        return ["no turn is left: the final unloading begins"]
    kind = "additional turn" if after["extra"] < before["extra"] else "turn"
    return [f"-- {kind} {after['turns'] + 1}, seat {after['seat'] + 1} --"]


def _set_up(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Start orders set aside, and the first turn."""
    if before["phase"] == _ORDER and sum(after["discard"]) > sum(before["discard"]):
        return ["two orders of one type: both are set aside and two new ones drawn"]
    dealt = before["phase"] == _HAND and after["phase"] != _HAND
    if (dealt or before["filling"]) and not after["filling"]:
        return [f"-- turn 1, seat {after['seat'] + 1} --"]
    return []


def _coins(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    if after["extra"] > before["extra"]:
        return [f"it costs {counted(after['coins'][2] - before['coins'][2], 'coin')}"]
    if after["coins"][2] == before["coins"][2] and after["coins"] != before["coins"]:
        return ["the reserve is empty: the coin comes from the other seat"]
    return []


def _claim(before: dict[str, Any], after: dict[str, Any], cards: Data) -> list[str]:
    """Who has claimed a Jarl, for what, and the coins that changed hands."""
    which = next(i for i in range(2) if after["jarl_owner"][i] != before["jarl_owner"][i])
    seat = after["jarl_owner"][which] - 1
    jarl = cards.jarls[after["jarl_card"][which]]
    side = cards.requirements[after["requirement"][which]]
    name = JARLS[after["jarl_card"][which]] + (f" {jarl.name}" if jarl.name else "")
    asked = REQUIREMENTS[after["requirement"][which]]
    said = [f"Jarl {name}, {jarl.words()} - {asked}, {side.words()}"]
    if side.key == "give_coins":
        said.append(f"seat {seat + 1} gives seat {2 - seat} {counted(side.a, 'coin')}")
    taken = before["coins"][2] - after["coins"][2]
    if jarl.key == "tribute":
        said.append(f"seat {seat + 1} takes {counted(taken, 'coin')} from the reserve")
        given = side.a if side.key == "give_coins" else 0
        robbed = before["coins"][1 - seat] + given - after["coins"][1 - seat]
        if robbed:
            said.append(f"the reserve is empty: {counted(robbed, 'coin')} from the other seat")
    if jarl.key == "harbour" and PHASES[after["phase"]] != "harbour":
        said.append(f"seat {seat + 1} has no loaded ship to unload")
    return said


def _storehouse(before: dict[str, Any], after: dict[str, Any], cards: Data) -> list[str]:
    for seat, house in enumerate(after["storehouse_at"]):
        if house != before["storehouse_at"][seat] and house != HOUSE_NONE:
            jarl = cards.jarls[after["jarl_card"][after["jarl_owner"].index(seat + 1)]]
            return [f"seat {seat + 1} now has {jarl.a} more merchandise in warehouse {house + 1}"]
    return []


def _ships(before: dict[str, Any], after: dict[str, Any], cards: Data) -> list[str]:
    """A stored tile turned face down, and a longship upgraded."""
    said = []
    for seat in range(2):
        for tile, count in enumerate(after["down"][seat]):
            if count > before["down"][seat][tile]:
                house = after["house_type"].index(tile // 6) + 1
                said.append(f"in warehouse {house} it now counts 1 merchandise and no buckler")
        old, new = before["ship_kind"][seat], after["ship_kind"][seat]
        if any(old) and sorted(old) != sorted(new):
            ship = next(kind for kind in new if kind not in old)
            number = sum(kind >= SHIP_UPGRADED for kind in new)
            points = cards.longships.points[number - 1]
            said.append(
                f"longship {SHIPS[ship - SHIP_UPGRADED]}: {_ship_words(ship, cards)}; "
                f"seat {seat + 1} has {number} upgraded, {counted(points, 'point')}"
            )
    return said


def _ship_words(ship: int, cards: Data) -> str:
    """What an upgraded longship can do."""
    figures = cards.longships
    return {
        "A": f"{figures.a_points} points at the end",
        "B": f"it holds several tiles, {figures.b_total} in all",
        "C": "it may load a tile of another type",
        "D": f"a middle card on it has {figures.d_uses} uses or more",
    }[SHIPS[ship - SHIP_UPGRADED]]


def _market(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Tiles that left the market: loaded, one of four alike, or dealt again in the set-up."""
    if after["redeals"] != before["redeals"]:
        return ["four of a type in the first market: all tiles are dealt again"]
    said = []
    fours = after["fours"] != before["fours"]
    gone = 0
    for area, (old, new) in enumerate(zip(before["market"], after["market"], strict=True)):
        if old == TILE_NONE or new != TILE_NONE:
            continue
        gone += 1
        what, where = tile_words(old), f"the {SIDE_OF_MARKET[area]} area"
        if fours:
            said.append(f"four alike: {what} in {where} leaves the game")
        elif after["out"] == before["out"]:
            said.append(f"seat {after['seat'] + 1} loads {what} from {where}{_onto(after)}")
    if fours and gone == 1 and before["phase"] == _PLACE:
        # The tile itself is the other one; only the move tells in which of two areas it lay.
        said.append(f"four alike: {tile_words(before['tile'])}, just placed, leaves the game")
    return said


def _onto(f: dict[str, Any]) -> str:
    """What is special of the ship that has just loaded, if anything is."""
    seat = f["seat"]
    tiles, card = tiles_on_ship(f, seat, _MARKET), f["ship_card"][seat][_MARKET]
    if len(tiles) > 1:
        return f" onto longship B, which now holds {sum(t % 6 // 2 + 1 for t in tiles)}"
    if tiles and card != CARD_NONE and tiles[0] // 6 != card // 3:
        return f" onto longship C, on its order for {TYPE_WORDS[card // 3]}"
    return ""


def _stored(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    said = []
    for seat in range(2):
        stored = [
            tile_words(tile)
            for tile, count in enumerate(after["stored"][seat])
            for _ in range(count - before["stored"][seat][tile])
        ]
        if stored:
            kind = next(
                t for t in range(24) if after["stored"][seat][t] > before["stored"][seat][t]
            )
            house = after["house_type"].index(kind // 6) + 1
            said.append(f"seat {seat + 1} stores {join_words(stored)} in warehouse {house}")
    if after["phase"] == _STORE and before["phase"] != _STORE:
        tiles, seat = tiles_in_hand(after), after["seat"]
        what = join_words([tile_words(tile) for tile in tiles])
        said.append(f"seat {seat + 1} unloads {what}, the first {TYPE_WORDS[tiles[0] // 6]}")
    return said
