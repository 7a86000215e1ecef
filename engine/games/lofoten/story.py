"""What an event brings about of itself, in a player's words: loading, storing, the end."""

from typing import Any

from engine.games.lofoten.notation import (
    SIDE_OF_MARKET,
    TILE_NONE,
    TYPE_WORDS,
    tile_words,
)
from engine.games.lofoten.position import PHASES

_PLAY, _PLACE, _STORE = (PHASES.index(name) for name in ("play", "place", "store"))


def consequences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Compare the fields of a state before and after one event."""
    said = [*_market(before, after), *_stored(before, after)]
    if after["coins"][2] == before["coins"][2] and after["coins"] != before["coins"]:
        said.append("the reserve is empty: the coin comes from the other seat")
    if after["redeals"] != before["redeals"]:
        said.append("four of a type in the first market: all tiles are dealt again")
    if after["shuffles"] != before["shuffles"]:
        said.append("the deck was empty: the discarded orders become the new deck")
    if after["triggered"] > before["triggered"]:
        said.append("the end of the game is triggered")
    if after["turns"] != before["turns"]:
        said += _turn(before, after)
    return said


def _turn(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    if after["phase"] != _PLAY:
        return ["no turn is left: the final unloading begins"]
    kind = "additional turn" if after["extra"] < before["extra"] else "turn"
    return [f"-- {kind} {after['turns'] + 1}, seat {after['seat'] + 1} --"]


def _market(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Tiles that left the market: loaded, or one of four alike."""
    said = []
    placed = before["tile"] if before["phase"] == _PLACE else TILE_NONE
    fours = after["fours"] != before["fours"]
    for area, (old, new) in enumerate(zip(before["market"], after["market"], strict=True)):
        gone = old if old != TILE_NONE else placed if fours and new == TILE_NONE else TILE_NONE
        if gone == TILE_NONE or new != TILE_NONE:
            continue
        if fours and after["out"] != before["out"]:
            if after["out"][gone] > before["out"][gone]:
                where = SIDE_OF_MARKET[area]
                said.append(f"four alike: {tile_words(gone)} in the {where} area leaves the game")
        elif after["out"] == before["out"]:
            what, where = tile_words(gone), SIDE_OF_MARKET[area]
            said.append(f"seat {after['seat'] + 1} loads {what} from the {where} area")
    return said


def _stored(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    said = []
    for seat in range(2):
        for tile, count in enumerate(after["stored"][seat]):
            if count > before["stored"][seat][tile]:
                house = after["house_type"].index(tile // 6) + 1
                said.append(f"seat {seat + 1} stores {tile_words(tile)} in warehouse {house}")
    if after["phase"] == _STORE and before["phase"] != _STORE:
        tile, seat = after["tile"], after["seat"]
        said.append(
            f"seat {seat + 1} unloads {tile_words(tile)}, the first {TYPE_WORDS[tile // 6]}"
        )
    return said
