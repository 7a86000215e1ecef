"""Counts how often a game comes across each special ruling."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.game import State
from engine.games.lofoten import notation as n
from engine.games.lofoten.data import EFFECTS
from engine.games.lofoten.position import PHASES, place_of_b, tiles_on_ship

if TYPE_CHECKING:
    from engine.games.lofoten.game import LofotenGame

_UNLOAD, _LAST = PHASES.index("unload"), PHASES.index("last")
_MARKET, _DOCK = n.PLACES.index("top"), n.PLACES.index("dock")
_B, _C, _D = (n.SHIPS.index(letter) + n.SHIP_UPGRADED for letter in "BCD")
# Kinds of moves before which the state is looked at more closely.
_WATCHED = (
    n.PLAY,
    n.REDRAW,
    n.EXTRA,
    n.PAY_STEP,
    n.TAKE,
    n.STORE,
    n.FLIP,
    n.END,
    n.UNLOAD,
    n.ORDER,
    n.LOAD,
    n.CLAIM,
    n.ATTACH,
    n.UPGRADE,
)
# After these the ship that faces the market loads: with module 3 the state after them counts, too.
_LOADING = (n.STEP, n.PAY_STEP, n.END)
# Scorings in which one seat has more of something than the other.
_COMPARING = ("majority", "most_tiles", "rival_bucklers", "difference", "runner_up", "fewest")


class Census:
    """Follows one game: `before(state, move)` for every event, then `finish(state)`."""

    def __init__(self, game: "LofotenGame") -> None:
        self.game = game
        self.counts: Counter[str] = Counter()
        self.first_order = -1
        self.triggered_by = -1
        self.fours = 0
        self.claimed_in = -1
        self.upgrades = game.settings["upgrades"] == "on"
        effects = list(game.cards.effects)
        if game.settings["effects"] == "swapped":
            effects[1], effects[2] = effects[2], effects[1]
        self.discarding = effects.index(EFFECTS.index("discard"))

    def before(self, state: State, move: int) -> None:
        """Count what the move, about to be applied, brings about."""
        kind = move >> 24
        loading = self.upgrades and kind in _LOADING
        if kind not in _WATCHED and not loading:
            return
        f, b = self.game.fields(state), move & 0xFF
        if loading:
            after = state.copy()
            after.apply(move)
            self._loading(f, self.game.fields(after))
        if kind == n.PLAY:
            self._play(f, move >> 8 & 0xFF, b)
        elif kind in (n.REDRAW, n.EXTRA, n.PAY_STEP, n.TAKE):
            self._coins(f, kind)
        elif kind == n.STORE:
            self._store(f)
        elif kind == n.FLIP and f["pile_size"][1 - f["pile"]] == 0:
            self.counts["R37 tile from the only pile left"] += 1
        elif kind == n.UNLOAD:
            self._unload(f, b)
        elif kind == n.END:
            self._end(f)
        elif kind == n.ORDER:
            self._order(f["step"], b)
        elif kind == n.LOAD:
            self.counts["R65 ship C loads another type" if b else "R84 ship C leaves a tile"] += 1
        elif kind == n.CLAIM:
            self._claim(f, b)
        elif kind == n.ATTACH and f["house_type"][b] == n.TYPE_NONE:
            self.counts["R86 storehouse at an empty warehouse"] += 1
        elif kind == n.UPGRADE:
            self._upgrade(f, b)

    def _order(self, step: int, card: int) -> None:
        if step % 2 == 0:
            self.first_order = card
        elif card // 3 == self.first_order // 3:
            self.counts["R4 start orders drawn anew"] += 1

    def _play(self, f: dict[str, Any], slot: int, card: int) -> None:
        seat, counts, kind = f["seat"], self.counts, card // 3
        self.fours = f["fours"]
        if _is_dead(f):
            counts["R70 turn in which no ship can load or be used"] += 1
        ability = self._ability(f, seat)
        if slot != 1:
            counts["R90 side card with rowers"] += ability == "rowers"
            return
        if kind == self.discarding and min(f["market"]) == n.TILE_NONE:
            counts["R24 mead with an empty market"] += 1
        counts["R90 middle card with traders"] += ability == "traders"
        face_up = sum(f["stored"][seat][6 * kind : 6 * kind + 6])
        stored = f["stored_tiles"][seat][kind]
        counts["R21 tile turned face down adds a use"] += stored > max(1, face_up)
        if f["ship_kind"][seat][_DOCK] == _D and stored < self.game.cards.longships.d_uses:
            counts["R67 ship D adds uses"] += 1

    def _coins(self, f: dict[str, Any], kind: int) -> None:
        counts = self.counts
        if kind == n.REDRAW:
            counts["R29 redraw for 2 coins"] += 1
        elif kind == n.PAY_STEP:
            counts["R26 extra move for a coin"] += 1
        elif kind == n.TAKE:
            counts["R22 coin from the opponent"] += f["coins"][2] == 0
        else:
            counts["R31 extra turn for 3 coins"] += 1
            counts["R48 extra turn bought after the trigger"] += f["triggered"]
            counts["R74 extra turn bought after the last action phase"] += f["phase"] == _LAST
            counts["R90 extra turn with swift"] += self._ability(f, f["seat"]) == "swift"

    def _store(self, f: dict[str, Any]) -> None:
        open_houses = f["house_type"].count(n.TYPE_NONE)
        self.counts["R33d warehouse chosen" if open_houses > 1 else "R33d last warehouse"] += 1
        if f["back"] == _UNLOAD:
            self.counts["R50 warehouse opened in the final unloading"] += 1

    def _unload(self, f: dict[str, Any], place: int) -> None:
        if f["phase"] != _UNLOAD:
            self.counts["R89 ship unloaded by harbour"] += 1
            return
        self.counts["R49 final unloading"] += 1
        if len(tiles_on_ship(f, f["seat"], place)) > 1:
            self.counts["R51 final unloading of several tiles"] += 1

    def _end(self, f: dict[str, Any]) -> None:
        seat = f["seat"]
        self.counts["R40 four of a kind again in one turn"] += f["fours"] - self.fours > 1
        if f["phase"] == _LAST:
            self.counts["R47 last turn without draw"] += 1
        elif self.triggered_by < 0 and sum(f["pile_size"]) == 0 and n.TILE_NONE in f["market"]:
            self.triggered_by = seat
            self.counts[f"R43 piles empty in the turn of seat {seat + 1}"] += 1

    # ---- modules ----

    def _ability(self, f: dict[str, Any], seat: int) -> str:
        """The ability of the Jarl that a seat has claimed, "" if none."""
        if seat + 1 not in f["jarl_owner"]:
            return ""
        card: int = f["jarl_card"][f["jarl_owner"].index(seat + 1)]
        return self.game.cards.jarls[card].key

    def _claim(self, f: dict[str, Any], which: int) -> None:
        counts, cards = self.counts, self.game.cards
        jarl, side = cards.jarls[f["jarl_card"][which]], cards.requirements[f["requirement"][which]]
        self.claimed_in = f["turns"]
        counts[f"R56 Jarl claimed: {jarl.key}"] += 1
        counts[f"R56 requirement met: {side.key}"] += 1
        counts["R47 Jarl claimed after the last action phase"] += f["phase"] == _LAST
        counts["R62 Jarl claimed after the upgrade"] += f["upgraded"]
        if jarl.key == "tribute" and f["coins"][2] < jarl.a:
            counts["R90 tribute with too few coins in the reserve"] += 1
        if jarl.key == "harbour" and set(f["ship_tile"][f["seat"]]) == {n.TILE_NONE}:
            counts["R89 harbour without a loaded ship"] += 1

    def _upgrade(self, f: dict[str, Any], ship: int) -> None:
        seat, counts = f["seat"], self.counts
        place = f["ship_kind"][seat].index(ship)
        counts[f"R63 ship {n.SHIPS[ship]} upgraded"] += 1
        counts["R63 loaded ship upgraded"] += f["ship_tile"][seat][place] != n.TILE_NONE
        counts["R47 ship upgraded after the last action phase"] += f["back"] == _LAST
        counts["R62 ship upgraded after the claim"] += self.claimed_in == f["turns"]

    def _loading(self, f: dict[str, Any], after: dict[str, Any]) -> None:
        """What ship B and, where it is not asked, ship C do in a step or at the start of a turn."""
        seat, counts = after["seat"], self.counts
        if after["phase"] >= _UNLOAD:
            return
        held, holds = (len(_tiles_on_b(fields, seat)) for fields in (f, after))
        counts["R64 ship B loads a further tile"] += holds > max(1, held)
        counts["R64 ship B holds three tiles"] += held < holds == 3
        counts["R64 ship B unloads several tiles"] += held > 1 and holds == 0
        kind, card = after["ship_kind"][seat][_MARKET], after["ship_card"][seat][_MARKET]
        facing, tile = after["market"][after["area"][seat]], after["ship_tile"][seat][_MARKET]
        if card == n.CARD_NONE:
            return
        if kind == _B and facing != n.TILE_NONE and facing // 6 == card // 3:
            counts["R85 tile too big for ship B"] += 1
        if kind == _C and f["market"] != after["market"] and tile // 6 != card // 3:
            counts["R65 ship C has to load another type"] += 1

    # ---- the end ----

    def _house_points(self, f: dict[str, Any]) -> list[tuple[float, float]]:
        """The points of both seats at each warehouse, each found with that card alone."""
        alone = [[n.HOUSE_NONE] * 4 for _ in range(5)]
        for house in range(4):
            alone[house][house] = f["house_card"][house]
        *there, (one, two) = (
            self.game.scores(self.game.build(f | {"house_card": cards}, -1)) for cards in alone
        )
        return [(points[0] - one, points[1] - two) for points in there]

    def _houses(self, f: dict[str, Any]) -> None:
        """Ties, and whom each scoring of level 2 pays."""
        counts = self.counts
        for house, points in enumerate(self._house_points(f)):
            card, kind = f["house_card"][house], f["house_type"][house]
            key = self.game.cards.houses[card].key
            if kind == n.TYPE_NONE:
                counts["R52 warehouse never opened"] += 1
                continue
            tied = key in _COMPARING and points[0] == points[1]
            if key == "fewest":
                tied = tied and all(f["stored_tiles"][seat][kind] for seat in range(2))
            if card < len(n.HOUSES) // 2:
                counts["R52 warehouse tied"] += tied
                continue
            paid = ("nobody", "one seat", "both seats")[(points[0] > 0) + (points[1] > 0)]
            counts[f"R87 {key} tied" if tied else f"R87 {key} pays {paid}"] += 1

    def finish(self, state: State) -> Counter[str]:
        """Return the counts of the finished game; `turns` is one of them."""
        f, counts = self.game.fields(state), self.counts
        counts["turns"] = f["turns"]
        counts["R3 first market dealt anew"] = f["redeals"]
        counts["R35 order deck renewed"] = f["shuffles"]
        counts["R38 four of a kind"] = f["fours"]
        if self.triggered_by < 0:
            counts["R70 ended by the stall rule"] = 1
        self._houses(f)
        for seat, house in enumerate(f["storehouse_at"]):
            if house != n.HOUSE_NONE:
                kind = f["house_type"][house]
                empty = kind == n.TYPE_NONE or f["stored_tiles"][seat][kind] == 0
                counts["R86 storehouse where its owner has no tile"] += empty
        scores = self.game.scores(state)
        if scores[0] == scores[1]:
            counts["R53 draw"] = 1
        return +counts


def _tiles_on_b(f: dict[str, Any], seat: int) -> list[int]:
    place = place_of_b(f, seat)
    return tiles_on_ship(f, seat, place) if place >= 0 else []


def _is_dead(f: dict[str, Any]) -> bool:
    """Whether all eight ships wait for types that the market lacks; only an upgrade helps then."""
    offered = {tile // 6 for tile in f["market"] if tile != n.TILE_NONE}
    return all(
        card != n.CARD_NONE and tile == n.TILE_NONE and card // 3 not in offered and kind != _C
        for seat in range(2)
        for card, tile, kind in zip(
            f["ship_card"][seat], f["ship_tile"][seat], f["ship_kind"][seat], strict=True
        )
    )
