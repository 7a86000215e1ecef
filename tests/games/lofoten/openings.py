"""Positions from which the differential test starts: the empty table, or one near the end.

Near the end most of the rare branches lie close together: small piles, many tiles stored, coins,
upgraded longships, a market with gaps.
"""

from __future__ import annotations

import random
from collections import Counter

from reference import Reference
from reference_cards import TILE_RANK
from reference_table import DOCK, TOP, Jarl, Ship, Warehouse


def near_the_end(game: Reference, rng: random.Random) -> None:
    """Lay out a new game's pieces so that a card is to be played and the end is near."""
    game.phase = "play"
    game.seat = rng.randrange(2)
    tiles = list(game.unseen.elements())
    cards = list(game.deck.elements())
    rng.shuffle(tiles)
    rng.shuffle(cards)
    light = rng.choice("MFSC")  # whose two tiles of value 1 stay within reach of ship B
    tiles.sort(key=lambda tile: tile[:2] != f"{light}1")
    lay_warehouses(game, rng)
    for tile in [tiles.pop() for _ in range(rng.randint(4, 20))]:
        store(game, rng, tile)
    if rng.random() < 0.03:
        lay_dead_ships(game, rng, tiles, cards)
    else:
        lay_ships(game, rng, tiles, cards)
    lay_market(game, rng, tiles)
    game.hands = [[cards.pop() for _ in range(3)] for _ in range(2)]
    game.classes = [[0] * 3, [0] * 3]
    discards = cards[: rng.choice((0, len(cards) // 2, len(cards)))]
    game.discards.update(discards)
    game.deck.subtract(discards)
    game.deck.subtract([card for hand in game.hands for card in hand])
    first, second = sorted((rng.randint(0, 8), rng.choice((*range(9), 8, 8, 8))))
    game.coins, game.reserve = [first, second - first], 8 - second
    short = max(0, game.stall_limit - rng.randint(1, 4))
    game.quiet = short if game.settings["stall"] == "off" else rng.choice((0, 0, short))
    game.extra = rng.choice((0, 0, 0, 1, 2))
    game.turns = rng.randrange(50)


def lay_warehouses(game: Reference, rng: random.Random) -> None:
    """Lay out warehouses and Jarls; each warehouse has a type, or none yet."""
    names = {
        level: [n for n, c in game.set.warehouses.items() if c["level"] == level]
        for level in (1, 2)
    }
    high = int(game.settings["level2"])
    picked = rng.sample(names[1], 4 - high) + rng.sample(names[2], high)
    game.warehouses = [Warehouse(name) for name in picked]
    for house, kind in zip(game.warehouses, rng.sample("MFSC", 4), strict=True):
        house.kind = kind if rng.random() < 0.8 else None
    if game.settings["jarls"] == "on":
        game.jarls = [Jarl(name) for name in rng.sample(list(game.set.jarls), 2)]
        for jarl, card in zip(game.jarls, rng.sample(range(1, 8), 2), strict=True):
            jarl.requirement = f"q{card}{rng.choice('ab')}"
        if rng.random() < 0.4:
            own(game, rng.choice(game.jarls), rng)


def own(game: Reference, jarl: Jarl, rng: random.Random) -> None:
    """Let a seat have claimed a Jarl already."""
    jarl.owner = rng.randrange(2)
    if game.set.jarls[jarl.card]["ability"] == "storehouse":
        jarl.attached = rng.randrange(4)


def store(game: Reference, rng: random.Random, tile: str) -> None:
    """Store a tile on one side, or put it out of the game."""
    houses = [house for house in game.warehouses if house.kind == tile[0]]
    if not houses or rng.random() < 0.15:
        game.out = sorted([*game.out, tile], key=TILE_RANK.__getitem__)
    else:
        houses[0].add(rng.randrange(2), tile)


def lay_ships(game: Reference, rng: random.Random, tiles: list[str], cards: list[str]) -> None:
    """Lay orders on ships, and matching tiles; a docked ship is never loaded."""
    for seat, wheel in enumerate(game.wheels):
        game.areas[seat] = rng.randint(1, 5)
        if game.settings["upgrades"] == "on":
            for ship, letter in zip(wheel, rng.sample("ABCD", 4), strict=True):
                ship.letter = letter
            pay_upgrades(game, rng, seat)
            if rng.random() < 0.5:  # ship B where it can load more
                wheel.sort(key=lambda ship: not ship.able("B"))
        for place, ship in enumerate(wheel):
            if rng.random() < 0.7:
                ship.card = pick_order(ship, tiles, cards)
                game.deck[ship.card] -= 1
                if place != DOCK and rng.random() < 0.6:
                    lay_load(game, rng, ship, tiles)


def lay_dead_ships(game: Reference, rng: random.Random, tiles: list[str], cards: list[str]) -> None:
    """Let all ships wait for two types, and put those last among the tiles for the market."""
    waiting = rng.sample("MFSC", 2)
    tiles.sort(key=lambda tile: tile[0] not in waiting)
    cards.sort(key=lambda card: card[0] in waiting)
    for wheel in game.wheels:
        letters = rng.sample("ABCD", 4) if game.settings["upgrades"] == "on" else [""] * 4
        for ship, letter in zip(wheel, letters, strict=True):
            ship.letter, ship.card = letter, cards.pop()
            game.deck[ship.card] -= 1


def pick_order(ship: Ship, tiles: list[str], cards: list[str]) -> str:
    """Take an order from the shuffled cards, for ship B one with light tiles left."""
    if not ship.able("B"):
        return cards.pop()
    light = Counter(tile[0] for tile in tiles if tile[1] == "1")
    return cards.pop(max(range(len(cards)), key=lambda at: light[cards[at][0]]))


def lay_load(game: Reference, rng: random.Random, ship: Ship, tiles: list[str]) -> None:
    """Lay on a ship what it can hold; the market and the piles need nine tiles."""
    assert ship.card
    kinds = "MFSC" if ship.able("C") else ship.card[0]
    light_first = sorted(tiles, key=lambda tile: tile[1])
    most = rng.randint(1, 3) if ship.able("B") else 1
    for tile in [each for each in light_first if each[0] in kinds]:
        total = sum(int(each[1]) for each in [*ship.tiles, tile])
        fits = not ship.tiles or total <= game.set.longships["b_total"]
        if fits and len(ship.tiles) < most and len(tiles) > 9:
            ship.tiles.append(tile)
            tiles.remove(tile)


def pay_upgrades(game: Reference, rng: random.Random, seat: int) -> None:
    """Upgrade some longships, each for a stored tile turned face down."""
    for ship in rng.sample(game.wheels[seat], rng.randint(0, 4)):
        shown = [(house, tile) for house in game.warehouses for tile in house.up[seat]]
        if shown:
            house, tile = rng.choice(shown)
            house.turn_down(seat, tile)
            ship.upgraded = True


def lay_market(game: Reference, rng: random.Random, tiles: list[str]) -> None:
    """Fill the market, keep a few tiles for the piles, and put the rest out of the game."""
    left = rng.choice((0, 0, 0, 0, 1, 2, 3, 4))
    game.piles = [left // 2, left - left // 2]
    rng.shuffle(game.piles)
    gaps = rng.choice((0, 1, 3, 4, 5)) if not left and rng.random() < 0.7 else 0
    hidden = [tiles.pop() for _ in range(left)]
    game.market = [None] * gaps
    while len(game.market) < 5:
        game.market.append(tiles.pop())
    rng.shuffle(game.market)
    tempt(game, rng, tiles)
    if game.discard_four():  # as it would have been in play
        game.fours, game.piles = 0, [0, 0]
        tiles += hidden
        hidden = []
    game.triggered = None in game.market
    tops = iter(hidden)
    game.tops = [next(tops)[0] if size else None for size in game.piles]
    game.out = sorted([*game.out, *tiles], key=TILE_RANK.__getitem__)
    game.unseen.clear()
    game.unseen.update(hidden)
    # A warehouse has a type only when something is stored there.
    for house in game.warehouses:
        if not any(map(house.tile_count, (0, 1))):
            house.kind = None


def tempt(game: Reference, rng: random.Random, tiles: list[str]) -> None:
    """Lay beside the area that the seat to move faces a tile that its ship there can load."""
    ship = game.wheels[game.seat][TOP]
    at = game.areas[game.seat] - 1 + rng.choice((-1, 1))
    total = sum(int(tile[1]) for tile in ship.tiles)
    most = game.set.longships["b_total"] if ship.able("B") else 3
    fit = [t for t in tiles if ship.card and t[0] == ship.card[0] and int(t[1]) + total <= most]
    if fit and 0 <= at < 5 and game.market[at]:
        tiles.remove(fit[0])
        tiles.append(game.market[at] or "")
        game.market[at] = fit[0]
