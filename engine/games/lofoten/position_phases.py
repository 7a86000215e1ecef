"""What each phase of Lofoten needs in its position text, and what it has no place for.

The game's invariants ask the same and more; here the field at fault has a name.
"""

from typing import TYPE_CHECKING, Any

from engine.errors import BadPositionText
from engine.games.lofoten.data import EFFECTS
from engine.games.lofoten.notation import (
    CARD_NONE,
    CARD_UNKNOWN,
    HOUSE_NONE,
    PLACES,
    SHIP_UPGRADED,
    SHIPS,
    TILE_NONE,
    TYPE_NONE,
    TYPES,
)
from engine.games.lofoten.position import LABELS, PHASES

if TYPE_CHECKING:
    from engine.games.lofoten.position_reader import Reader

Fields = dict[str, Any]

SETUP = PHASES[: PHASES.index("play")]
TURN_ENDS = ("end", "last")
# How much of its series a phase has dealt at most before the next piece; elsewhere `step` is 0.
MOST_STEPS = {
    "tile": 4,
    "warehouse": 3,
    "jarl": 3,
    "ships": 1,
    "order": 3,
    "side": 4,
    "hand": 5,
    "redraw": 2,
}


def check_phase(r: "Reader", f: Fields) -> None:
    """Refuse what does not fit the phase."""
    phase = PHASES[f["phase"]]
    if f["step"] > MOST_STEPS.get(phase, 0):
        raise r.fail("step", f"at most {MOST_STEPS.get(phase, 0)} in the phase {phase}")
    _check_counts(r, f, phase)
    _check_back(r, f, phase)
    _check_card(r, f, phase)
    _check_hands(r, f, phase)
    _check_classes(r, f)
    _check_laid_out(r, f, phase)
    _check_piles(r, f, phase)
    if phase in SETUP and not is_replacing(f):
        _check_setup(r, f, phase)
    else:
        _check_turn(r, f, phase)


def is_replacing(f: Fields) -> bool:
    """Whether a pile shows its next type in the game, not in the set-up."""
    return PHASES[f["phase"]] == "top" and HOUSE_NONE not in f["house_card"]


def _going_on(f: Fields) -> str:
    """The phase that an interruption comes back to, or the present one."""
    return PHASES[f["back"] or f["phase"]]


def _only(r: "Reader", f: Fields, key: str, wanted: bool) -> None:
    """Refuse a field that has no place in the phase, and ask for one that has."""
    given = r.pairs.get(key, "-") != "-"
    if wanted and not given:
        raise BadPositionText(f"field {key} is missing", key)
    if given and not wanted:
        raise r.fail(key, f"there is no such field in the phase {PHASES[f['phase']]}")


def _check_counts(r: "Reader", f: Fields, phase: str) -> None:
    """What counts for a turn, for the first market, and turns without progress."""
    setup = phase in SETUP and not is_replacing(f)
    if f["upgraded"] and (setup or _going_on(f) in ("unload", "over")):
        raise r.fail("upgraded", "it counts for a turn, and none is under way")
    refill = not setup and phase in ("pile", "top", "flip", "place")
    if f["filling"] and (r.settings["first-market"] != "play" or not refill):
        raise r.fail("filling", "only where the first market is refilled (first-market=play)")
    limit = int(r.settings["stall"]) if r.settings["stall"] != "off" else 5000
    if f["stall"] > limit:
        raise r.fail("quiet", f"at most {limit} by the setting stall")
    if f["stall"] == limit and not f["triggered"]:
        raise r.fail("quiet", "so many turns trigger the end: triggered=1")


def _check_back(r: "Reader", f: Fields, phase: str) -> None:
    """Which phase follows one that interrupts."""
    late = ("pile", "end") if r.settings["late-moves"] == "turn" else ()
    harbour = TURN_ENDS if r.settings["jarls"] == "on" else ()
    allowed = {
        "store": ("step", "use", *late, *harbour, "unload"),
        "redraw": ("play", "pile", "end"),
        "load": ("play", "step", "use", *late),
        "harbour": TURN_ENDS,
        "attach": TURN_ENDS,
        "ship": TURN_ENDS,
    }.get(phase)
    _only(r, f, "back", allowed is not None)
    if allowed is not None and PHASES[f["back"]] not in allowed:
        words = ", ".join(dict.fromkeys(allowed))
        raise r.fail("back", f"use one of {words} in the phase {phase}")


def _check_card(r: "Reader", f: Fields, phase: str) -> None:
    """What goes with a side card or a middle card in use, and with a tile in hand."""
    going_on = _going_on(f)
    stepping, using = going_on == "step", going_on == "use"
    _only(r, f, "effect", using)
    if stepping or r.settings["late-moves"] != "turn":
        _only(r, f, "direction", stepping)
    for key, number, fits in (
        ("moves", f["moves_left"], stepping),
        ("uses", f["uses_left"], using),
        ("used", f["uses_done"], using),
        ("on-d", f["on_d"], using),
    ):
        if number and not fits:
            raise r.fail(key, f"there is no card in use for it in the phase {phase}")
    if phase == "step" and not f["moves_left"] and not f["coins"][f["seat"]]:
        raise r.fail("moves", "neither a move nor a coin is left")
    if using:
        _check_uses(r, f, phase)
    _only(r, f, "tile", phase in ("place", "store"))
    if phase == "store":
        if f["tile"] // 6 in f["house_type"]:
            raise r.fail("tile", "this type has its warehouse, so there is nothing to choose")
    if f["pile"] and phase not in ("top", "flip", "place"):
        raise r.fail("pile", f"no pile is chosen in the phase {phase}")


def _check_uses(r: "Reader", f: Fields, phase: str) -> None:
    """The middle card lies on the docked ship, unless it turned the fleet; N uses at most."""
    seat, kind = f["seat"], f["effect"]
    effects = list(r.cards.effects)
    if r.settings["effects"] == "swapped":
        effects[1], effects[2] = effects[2], effects[1]
    card = f["ship_card"][seat][PLACES.index("dock")]
    if EFFECTS[effects[kind]] != "rotate" and (card == CARD_NONE or card // 3 != kind):
        raise r.fail("effect", f"no order of {TYPES[kind]} lies on the docked ship")
    tiles = range(6 * kind, 6 * kind + 6)
    stored = sum(f["stored"][seat][tile] + f["down"][seat][tile] for tile in tiles)
    count, more = max(1, stored), _figure(r, f, seat, "traders")
    least = r.cards.longships.d_uses if f["on_d"] else 1
    if r.settings["traders"] == "before":
        most = max(count + more, least)
    else:
        most = max(count, least) + more
    if f["uses_left"] + f["uses_done"] > most:
        raise r.fail("uses", f"this card has {most} uses in all")
    if phase == "use" and not f["uses_left"]:
        raise r.fail("uses", "no use is left")


def _figure(r: "Reader", f: Fields, seat: int, ability: str) -> int:
    """The figure of a seat's Jarl if it has this ability, else 0."""
    for card, owner in zip(f["jarl_card"], f["jarl_owner"], strict=True):
        if owner == seat + 1 and r.cards.jarls[card].key == ability:
            figure: int = r.cards.jarls[card].a
            return figure
    return 0


def _cards_wanted(f: Fields, phase: str, seat: int) -> int:
    """How many cards a hand has; -1 where two or three will do."""
    if phase in SETUP and not is_replacing(f):
        dealt: int = f["step"] if phase == "hand" else 0
        return min(dealt, 3) if seat == 0 else max(dealt - 3, 0)
    if phase == "redraw" and seat == f["seat"]:
        step: int = f["step"]
        return step
    going_on = _going_on(f)
    if going_on in ("unload", "over"):
        return -1
    return 2 if seat == f["seat"] and going_on in ("step", "use", "last", "draw", "put") else 3


def _check_hands(r: "Reader", f: Fields, phase: str) -> None:
    for seat in range(2):
        key = f"hand.p{seat + 1}"
        count = sum(card != CARD_NONE for card in f["hand"][seat][:3])
        wanted = _cards_wanted(f, phase, seat)
        if count != wanted and (wanted >= 0 or count < 2):
            needed = wanted if wanted >= 0 else "2 or 3"
            raise r.fail(key, f"{count} cards; a hand has {needed} in the phase {phase}")
        drawn = f["hand"][seat][3] != CARD_NONE
        if drawn != (phase == "put" and seat == f["seat"]):
            _only(r, f, f"drawn.p{seat + 1}", not drawn)
    if phase in ("order", "draw", "redraw") and not f["deck_size"]:
        raise r.fail("discard", "no card is left to draw")


def _check_classes(r: "Reader", f: Fields) -> None:
    """Classes are lettered from the left, and `held` names the hidden cards of each."""
    hidden = [0] * len(LABELS)
    for seat in range(2):
        seen = 0
        for card, label in zip(f["hand"][seat], f["label"][seat], strict=True):
            if label > seen + 1:
                raise r.fail(f"hand.p{seat + 1}", "classes are lettered a, b, ... from the left")
            seen = max(seen, label)
            hidden[label] += card == CARD_UNKNOWN
    for label in range(1, len(LABELS)):
        named = sum(f["held"][label])
        if named != hidden[label]:
            raise r.fail(
                "held", f"{named} cards of class {LABELS[label]}; {hidden[label]} are hidden"
            )


def _check_laid_out(r: "Reader", f: Fields, phase: str) -> None:
    """How many warehouse cards there are."""
    dealt = [card != HOUSE_NONE for card in f["house_card"]]
    count = 0 if phase == "tile" or (phase == "top" and not dealt[0]) else 4
    if phase == "warehouse":
        count = f["step"]
    if dealt != [i < count for i in range(4)]:
        raise r.fail("warehouses", f"{count} cards are laid out in the phase {phase}")


def _check_piles(r: "Reader", f: Fields, phase: str) -> None:
    """Sizes that add up, types that can show, and which pile shows none."""
    sizes, tops, left = f["pile_size"], f["pile_top"], f["unseen"]
    if sum(sizes) != sum(left):
        raise r.fail("piles", f"{sum(sizes)} tiles; {sum(left)} lie nowhere else")
    for kind in set(tops) - {TYPE_NONE}:
        if tops.count(kind) > sum(left[6 * kind : 6 * kind + 6]):
            raise r.fail("piles", "a type shows that has no tile left")
    hidden = [size > 0 and top == TYPE_NONE for size, top in zip(sizes, tops, strict=True)]
    wanted = [False, False]
    if phase in ("top", "place"):
        wanted[f["pile"]] = sizes[f["pile"]] > 0
        if phase == "top" and not is_replacing(f):
            wanted[1] = sizes[1] > 0
    elif phase == "tile":
        wanted = [size > 0 for size in sizes]
    if hidden != wanted or (phase == "top" and not wanted[f["pile"]]):
        raise r.fail("piles", f"a type shows, or does not, against the phase {phase}")
    refilling = "pile" in (phase, PHASES[f["back"]])
    if (refilling or phase in ("flip", "place")) and TILE_NONE not in f["market"]:
        raise r.fail("market", "no area is empty, so none can be refilled")
    if (refilling and not sum(sizes)) or (phase == "flip" and not sizes[f["pile"]]):
        raise r.fail("piles", "no tile is left to turn up")


def _four_alike(f: Fields) -> bool:
    types = [tile // 6 for tile in f["market"] if tile != TILE_NONE]
    return max(map(types.count, types), default=0) > 3


def _check_setup(r: "Reader", f: Fields, phase: str) -> None:
    """What the set-up has dealt up to its step, and nothing else on the ships."""
    step = f["step"]
    if phase != "tile" and _four_alike(f) and r.settings["first-market"] == "redeal":
        raise r.fail("market", "four alike in the first market are dealt again")
    if phase == "tile":
        if [tile != TILE_NONE for tile in f["market"]] != [i < step for i in range(5)]:
            raise r.fail("market", f"{step} tiles lie there, from area 1 on, as step says")
        first = step if r.settings["first-tiles"] == "pile1" else (step + 1) // 2
        if f["pile_size"] != [16 - first, 16 - step + first]:
            raise r.fail("piles", f"{16 - first} and {16 - step + first} tiles are left, face down")
    dealt = {"order": step, "side": step, "hand": 4}.get(phase, 0)
    for seat in range(2):
        wanted = {
            "left": dealt > 2 * seat,
            "right": dealt > 2 * seat + 1,
        }
        for place, card, tile in zip(
            PLACES, f["ship_card"][seat], f["ship_tile"][seat], strict=True
        ):
            if (card != CARD_NONE) != wanted.get(place, False) or tile != TILE_NONE:
                raise r.fail(f"ships.p{seat + 1}", f"start orders do not fit the phase {phase}")
    if phase == "side" and step != 2 * f["seat"] + 2:
        raise r.fail("step", f"seat {f['seat'] + 1} chooses after {2 * f['seat'] + 2} orders")
    if phase == "hand" and sum(f["discard"]):
        raise r.fail("discard", "orders set aside are back in the deck when hands are dealt")


def _check_turn(r: "Reader", f: Fields, phase: str) -> None:
    """The market in the game, and the end of the game."""
    going_on = _going_on(f)
    if _four_alike(f) and r.settings["four-short"] == "discard" and not f["filling"]:
        raise r.fail("market", "of four alike the second and third leave at once")
    _check_modules(r, f, phase)
    if going_on == "last" and not (f["triggered"] and f["seat"] == 1):
        raise r.fail("phase", "the last turn is that of seat 2 after the end is triggered")
    if going_on == "over" and f["seat"] != 1:
        raise r.fail("turn", "seat 2 is the last to unload")
    if f["extra"] and going_on in ("last", "unload", "over"):
        raise r.fail("extra", "no extra turn is left here")


def _check_modules(r: "Reader", f: Fields, phase: str) -> None:
    """What the decisions of the modules need."""
    seat = f["seat"]
    kinds, tiles, area = f["ship_kind"][seat], f["ship_tile"][seat], f["area"][seat]
    if phase == "ship":
        if f["upgraded"] or min(kinds) >= SHIP_UPGRADED:
            raise r.fail("phase", "no longship can be upgraded in this turn")
        if not sum(f["down"][seat]):
            raise r.fail("warehouses", "no tile lies face down (_) to pay for the upgrade")
    if phase == "load":
        card, tile = f["ship_card"][seat][0], f["market"][area]
        waits = kinds[0] == SHIPS.index("C") + SHIP_UPGRADED and tiles[0] == TILE_NONE
        other = card != CARD_NONE and tile != TILE_NONE and tile // 6 != card // 3
        if not (waits and other) or r.settings["ship-c"] == "must":
            raise r.fail("phase", "ship C is not asked: no tile of another type faces it")
    owned = [
        r.cards.jarls[card].key
        for card, owner in zip(f["jarl_card"], f["jarl_owner"], strict=True)
        if owner == seat + 1
    ]
    if phase == "harbour" and (owned != ["harbour"] or set(tiles) == {TILE_NONE}):
        raise r.fail("phase", "it needs the Jarl harbour and a loaded ship")
    if phase == "attach" and (owned != ["storehouse"] or f["storehouse_at"][seat] != HOUSE_NONE):
        raise r.fail("phase", "it needs the Jarl storehouse, not attached yet")
