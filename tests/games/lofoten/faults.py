"""Deliberate faults in the rules of Lofoten, each one text replaced by another; see mutations.py.

Here those of the base game, in the order of RULES.md, and of what is hidden.
"""

from typing import NamedTuple

FOLDER = "engine/games/lofoten/"
CARDS = FOLDER + "cards.pxd"
FLEET = FOLDER + "fleet.pxd"
HIDDEN = FOLDER + "hidden.pyx"
MOVES = FOLDER + "moves.pyx"
RENEWAL = FOLDER + "cards.pyx"
RULES = FOLDER + "rules.pyx"
SETUP = FOLDER + "setup.pyx"


class Fault(NamedTuple):
    """One fault: `old` stands in `file` exactly once, `new` compiles and behaves otherwise."""

    name: str
    fault: str
    file: str
    old: str
    new: str


SETTING_UP = (
    Fault(
        "start_orders_alike_only_by_value",
        "start orders of one type are set aside only if their values are equal too",
        SETUP,
        "elif card_type(card) == card_type(s.ship_card[seat][PLACE_LEFT]):",
        "elif card == s.ship_card[seat][PLACE_LEFT]:",
    ),
    Fault(
        "first_market_with_four_stays",
        "a first market with four of a type is not dealt again",
        SETUP,
        "if alike(s) != TYPE_NONE and not rules.first_market_play:",
        "if alike(s) > TYPE_NONE and not rules.first_market_play:",
    ),
    Fault(
        "top_may_be_the_other_piles_tile",
        "the tile that shows on the other pile is counted among those that may lie on top",
        MOVES,
        "return s.unseen_type[kind] - (s.pile_top[1 - pile] == kind)",
        "return s.unseen_type[kind]",
    ),
)

FLEETS = (
    Fault(
        "no_load_check_at_the_start",
        "nothing is loaded at the start of a turn",
        RULES,
        "    s.phase = PHASE_PLAY\n    if not rules.upgrades:\n        load(s, s.seat)\n",
        "    s.phase = PHASE_PLAY\n    if not rules.upgrades:\n        pass\n",
    ),
    Fault(
        "wrong_direction_at_the_far_seat",
        "the fleet of the second seat moves to the wrong side",
        FLEET,
        "s.area[seat] += 1 if (step == STEP_RIGHT) == (seat == 0) else -1",
        "s.area[seat] += 1 if step == STEP_RIGHT else -1",
    ),
    Fault(
        "side_card_of_the_far_seat_mirrored",
        "side cards of the second seat lead to the other side",
        MOVES,
        "cdef int step = STEP_LEFT if left else STEP_RIGHT",
        "cdef int step = STEP_LEFT if left == (s.seat == 0) else STEP_RIGHT",
    ),
    Fault(
        "clockwise_is_counterclockwise",
        "the wheels turn the other way round",
        FLEET,
        "(word << 8 | word >> 24) if clockwise else",
        "(word << 8 | word >> 24) if not clockwise else",
    ),
    Fault(
        "load_before_the_card_is_placed",
        "a ship loads before an order is placed in it",
        FLEET,
        """    if s.ship_card[seat][0] == CARD_NONE or s.ship_tile[seat][0] != TILE_NONE:
        return
    if tile_type(tile) != card_type(s.ship_card[seat][0]):
""",
        """    if tile == TILE_NONE or s.ship_tile[seat][0] != TILE_NONE:
        return
    if s.ship_card[seat][0] != CARD_NONE and tile_type(tile) != card_type(s.ship_card[seat][0]):
""",
    ),
    Fault(
        "load_before_the_step",
        "the load check comes before a step, not after it",
        RULES,
        "    move_fleet(s, s.seat, step)\n    if not rules.upgrades:\n        load(s, s.seat)\n",
        "    if not rules.upgrades:\n        load(s, s.seat)\n    move_fleet(s, s.seat, step)\n"
        "    if not rules.upgrades:\n        pass\n",
    ),
    Fault(
        "tile_just_placed_is_loaded",
        "a tile that maintenance places under a waiting ship is loaded at once",
        RULES,
        "    s.empties -= 1\n    drop_four(s, rules)\n",
        "    s.empties -= 1\n    load(s, s.seat)\n    drop_four(s, rules)\n",
    ),
    Fault(
        "unload_before_load",
        "a step unloads before it loads; the choice of a warehouse makes it forget the loading",
        RULES,
        "    move_fleet(s, s.seat, step)\n",
        "    move_fleet(s, s.seat, step)\n    if unload(s, s.seat, PLACE_DOCK):\n"
        "        interrupt(s, PHASE_STORE)\n        return\n",
    ),
    Fault(
        "order_stays_after_unloading",
        "an unloaded ship keeps its order",
        FLEET,
        "    discard_card(s, s.ship_card[seat][place])\n    s.ship_card[seat][place] = CARD_NONE\n",
        "",
    ),
)

USES_AND_COINS = (
    Fault(
        "no_use_without_tiles",
        "a middle card has no use where its owner stores no tile of its type",
        RULES,
        """    cdef int least = rules.ship_d_uses if s.on_d else 1
    if count == 0:
        count = 1
""",
        "    cdef int least = rules.ship_d_uses if s.on_d else 0\n",
    ),
    Fault(
        "uses_from_both_sides",
        "the tiles of both seats give uses of a middle card",
        RULES,
        "cdef int count = s.stored_tiles[seat][kind]",
        "cdef int count = s.stored_tiles[0][kind] + s.stored_tiles[1][kind]",
    ),
    Fault(
        "coin_from_the_opponent_first",
        "a coffer takes from the opponent while there are coins in the reserve",
        RULES,
        """    if s.coins[2]:
        s.coins[2] -= 1
    else:
        s.coins[1 - s.seat] -= 1
""",
        """    if s.coins[1 - s.seat]:
        s.coins[1 - s.seat] -= 1
    else:
        s.coins[2] -= 1
""",
    ),
    Fault(
        "coffer_with_all_coins_ends",
        "a coffer that has taken all the coins ends the action phase",
        RULES,
        "if not (rules.effect_of[s.effect] == EFFECT_COIN and s.uses_done",
        "if not (rules.effect_of[s.effect] == EFFECT_COIN and not s.uses_done",
    ),
    Fault(
        "spent_coins_go_to_the_opponent",
        "spent coins go to the opponent",
        RULES,
        "    s.coins[2] += coins\n",
        "    s.coins[1 - s.seat] += coins\n",
    ),
    Fault(
        "extra_move_before_the_own_ones",
        "a coin buys a move while the card has moves of its own",
        MOVES,
        "if s.coins[s.seat] and (s.moves_left == 0 or rules.coins_any):",
        "if s.coins[s.seat]:",
    ),
    Fault(
        "late_extra_ignored",
        "late-extra=off does not keep from buying extra turns",
        MOVES,
        "if not rules.late_extra or (not rules.last_extra and",
        "if (not rules.last_extra and",
    ),
)

DECK_AND_MARKET = (
    Fault(
        "drawn_card_at_the_wrong_end",
        "put:left puts the drawn card right and put:right puts it left",
        CARDS,
        "    if right:\n",
        "    if not right:\n",
    ),
    Fault(
        "drawn_card_in_the_middle",
        "put:right puts the drawn card in the middle",
        CARDS,
        """        hand[2] = hand[SLOT_DRAWN]
        label[2] = label[SLOT_DRAWN]
""",
        """        hand[2] = hand[1]
        label[2] = label[1]
        hand[1] = hand[SLOT_DRAWN]
        label[1] = label[SLOT_DRAWN]
""",
    ),
    Fault(
        "reshuffle_including_the_hands",
        "a renewed deck holds the cards of the hands too",
        RENEWAL,
        "    s.deck_size = 0\n",
        """    for seat in range(2):
        for slot in range(3):
            if s.hand[seat][slot] < NUM_CARDS:
                change(s, GROUP_DISCARD, s.hand[seat][slot], &s.discard[s.hand[seat][slot]], 1)
    s.deck_size = 0
""",
    ),
    Fault(
        "reshuffle_too_early",
        "the deck is renewed when its last card is drawn, not when the next one is needed",
        CARDS,
        "    if card < CARD_UNKNOWN:\n        s.deck[card] -= 1\n",
        "    if card < CARD_UNKNOWN:\n        s.deck[card] -= 1\n"
        "    if s.deck_size == 0:\n        renew_deck(s)\n",
    ),
    Fault(
        "redraw_renews_before_it_discards",
        "a redraw renews an empty deck before the old hand is discarded",
        RULES,
        "    cdef int seat = s.seat, _i\n",
        "    cdef int seat = s.seat, _i\n    if s.deck_size == 0:\n        renew_deck(s)\n",
    ),
    Fault(
        "five_of_a_kind",
        "only five of a type in the market are discarded",
        FOLDER + "market.pxd",
        "& 15 >= 4:",
        "& 15 >= 5:",
    ),
    Fault(
        "wrong_two_of_four_alike",
        "of four of a type the first and the last leave the game",
        RULES,
        "if seen == 2 or seen == 3:",
        "if seen == 1 or seen == 4:",
    ),
    Fault(
        "four_short_counts_one_tile_too_few",
        "under four-short=keep four of a type leave although one tile alone can replace them",
        RULES,
        "s.pile_size[0] + s.pile_size[1] < 2:",
        "s.pile_size[0] + s.pile_size[1] < 1:",
    ),
)

THE_END = (
    Fault(
        "last_tile_triggers",
        "the end is triggered when the piles are empty, though no area stays empty",
        RULES,
        """    if s.empties:
        if s.pile_size[0] or s.pile_size[1]:
            s.phase = PHASE_PILE
            return
        s.triggered = 1
""",
        """    if not (s.pile_size[0] or s.pile_size[1]):
        s.triggered = 1
    elif s.empties:
        s.phase = PHASE_PILE
        return
""",
    ),
    Fault(
        "last_turn_missing",
        "the game ends in the turn that triggers the end, whoever's it is",
        RULES,
        "    elif s.triggered and s.seat == 1:\n",
        "    elif s.triggered:\n",
    ),
    Fault(
        "last_turn_with_maintenance",
        "the last turn has a draw phase and maintenance",
        RULES,
        "if s.triggered and s.seat == 1 and s.extra == 0:",
        "if s.triggered and s.seat > 1 and s.extra == 0:",
    ),
    Fault(
        "turn_before_an_extra_turn_cut",
        "the last turn is an action phase only, even if an extra turn is to follow",
        RULES,
        "if s.triggered and s.seat == 1 and s.extra == 0:",
        "if s.triggered and s.seat == 1:",
    ),
    Fault(
        "extra_turn_counted_as_regular",
        "extra turns are counted where both seats have to have equally many turns",
        RULES,
        "    elif s.triggered and s.seat == 1:\n",
        "    elif s.triggered and s.turns & 1 == 0:\n",
    ),
    Fault(
        "extra_turn_lost_after_the_trigger",
        "extra turns paid for are not taken once the end is triggered",
        RULES,
        "    if s.extra:\n        s.extra -= 1\n        start_turn(s, rules)\n",
        "    if s.triggered:\n        s.extra = 0\n"
        "    if s.extra:\n        s.extra -= 1\n        start_turn(s, rules)\n",
    ),
    Fault(
        "stall_counter_not_reset",
        "a tile that leaves the market does not set back the count of turns without one",
        RULES,
        "s.stall = 0 if s.moved else min(s.stall + 1, rules.stall_limit)",
        "s.stall = min(s.stall + 1, rules.stall_limit)",
    ),
    Fault(
        "mead_is_no_progress",
        "a tile discarded by mead does not count as one that leaves the market",
        RULES,
        "        take_tile(s, area)\n",
        "        s.market[area] = TILE_NONE\n        s.empties += 1\n",
    ),
    Fault(
        "final_unloading_of_one_seat",
        "the final unloading is over after the first seat",
        RULES,
        "    if s.seat == 0:\n        s.seat = 1\n    else:\n        s.phase = PHASE_OVER\n",
        "    s.seat = 1\n    s.phase = PHASE_OVER\n",
    ),
)

WHAT_IS_HIDDEN = (
    Fault(
        "card_shown_to_the_other_seat",
        "a view shows the middle card of the other hand",
        HIDDEN,
        "        if card < NUM_CARDS:\n            pool(s, s.label[other][slot])[card] += 1\n",
        "        if card < NUM_CARDS and slot != 1:\n"
        "            pool(s, s.label[other][slot])[card] += 1\n",
    ),
    Fault(
        "draw_told_to_the_other_seat",
        "the first seat is told what the second one draws",
        HIDDEN,
        "if move_kind(move) == KIND_DRAW and move_a(move) != seat:",
        "if move_kind(move) == KIND_DRAW and move_a(move) < seat:",
    ),
    Fault(
        "class_of_a_kept_card_lost",
        "a card that moves up in the hand is no longer known as one kept from the old deck",
        CARDS,
        "    if slot <= 1:\n        hand[1] = hand[2]\n        label[1] = label[2]\n",
        "    if slot <= 1:\n        hand[1] = hand[2]\n        label[1] = 0\n",
    ),
    Fault(
        "cards_alike_stay_one_class",
        "a class whose cards are all alike is not told card by card",
        RENEWAL,
        "    if kind == CARD_NONE or count[kind] == 1:\n",
        "    if kind == CARD_NONE or count[kind] >= 1:\n",
    ),
    Fault(
        "shown_card_stays_in_the_pool",
        "a card that its owner has shown stays among the hidden ones of a view",
        HIDDEN,
        "        return False\n    counts[card] -= 1\n",
        "        return False\n",
    ),
    Fault(
        "determinization_deals_low_cards",
        "the hidden cards of a determinization come from the first half of what is left",
        HIDDEN,
        "            left = rng_below(rng, left)\n",
        "            left = rng_below(rng, (left + 1) >> 1)\n",
    ),
    Fault(
        "key_forgets_the_phase",
        "the key does not know the phase, nor whether a tile has left the market this turn",
        HIDDEN,
        "hash_words(&s.phase, KEY_WORDS, SALT_WORDS)",
        "hash_words(&s.direction, KEY_WORDS - 1, SALT_WORDS)",
    ),
    Fault(
        "key_forgets_the_classes",
        "the keys do not know which cards a class consists of",
        HIDDEN,
        "        cards += CLASS_TABLE[label][s.hand[seat][slot]]\n",
        "        cards += CLASS_TABLE[label][0]\n",
    ),
)

BASE_GAME = SETTING_UP + FLEETS + USES_AND_COINS + DECK_AND_MARKET + THE_END + WHAT_IS_HIDDEN
