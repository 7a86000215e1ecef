"""Deliberate faults in scoring and in the modules of Lofoten, in the order of RULES.md."""

from faults import FOLDER, HIDDEN, MOVES, RULES, Fault

JARLS = FOLDER + "jarls.pyx"
POINTS = FOLDER + "scoring.pyx"
SCORINGS = FOLDER + "scorings.pyx"
SHIPS = FOLDER + "ships.pyx"

WAREHOUSES = (
    Fault(
        "level_2_among_level_1",
        "cards of both levels are drawn for every warehouse",
        MOVES,
        "if (card >= 8) != (s.step >= NUM_HOUSES - rules.level2):",
        "if card >= 8 and not rules.level2:",
    ),
    Fault(
        "tie_scored_for_both",
        "a tie at a warehouse of level 1 pays both",
        POINTS,
        "cdef bint tie_pays = rules.tie_both if number < 8 else rules.level2_tie_both",
        "cdef bint tie_pays = number < 8 or rules.level2_tie_both",
    ),
    Fault(
        "level_2_ties_by_the_setting_of_level_1",
        "the setting `tie` decides at warehouses of level 2 too",
        POINTS,
        "rules.tie_both if number < 8 else rules.level2_tie_both",
        "rules.tie_both",
    ),
    Fault(
        "nothing_each_is_a_tie",
        "where ties pay, 0 to 0 pays too",
        SCORINGS,
        "(tie_pays and mine == others and mine > 0)",
        "(tie_pays and mine == others)",
    ),
    Fault(
        "bucklers_of_the_wrong_clan",
        "bucklers of the rival's clan count as the own ones",
        POINTS,
        "cdef int kind = t.type_of[house], clan = rules.clan[seat]",
        "cdef int kind = t.type_of[house], clan = 1 - rules.clan[seat]",
    ),
    Fault(
        "first_clan_ignored",
        "the first seat has clan x at warehouses whatever first-clan says",
        POINTS,
        "cdef int kind = t.type_of[house], clan = rules.clan[seat]",
        "cdef int kind = t.type_of[house], clan = seat",
    ),
    Fault(
        "difference_without_limit",
        "a difference pays more than its limit",
        SCORINGS,
        "min(me.units - rival.units, <int>card.a) if",
        "me.units - rival.units if",
    ),
    Fault(
        "runner_up_without_a_tile",
        "the second amount goes to a player without a tile",
        SCORINGS,
        "if me.units < rival.units and me.tiles else 0",
        "if me.units < rival.units else 0",
    ),
    Fault(
        "threshold_has_to_be_passed",
        "a threshold pays only for more than its merchandise",
        SCORINGS,
        "if me.units >= card.a else 0",
        "if me.units > card.a else 0",
    ),
    Fault(
        "fewest_against_nobody",
        "the fewest merchandise pays although the other player has no tile",
        SCORINGS,
        "if not me.tiles or not rival.tiles:",
        "if not me.tiles:",
    ),
    Fault(
        "pairs_of_any_bucklers",
        "two bucklers alike are a pair",
        SCORINGS,
        "min(card.a * min(me.own, me.other), card.b)",
        "min(card.a * ((me.own + me.other) // 2), <int>card.b)",
    ),
)

CLAIMS = (
    Fault(
        "both_sides_of_a_requirement_card",
        "both requirements may be the two sides of one card",
        MOVES,
        "b >> 1 != s.requirement[0] >> 1",
        "b != s.requirement[0]",
    ),
    Fault(
        "both_jarls_for_one_seat",
        "a seat may claim the second Jarl as well",
        JARLS,
        "if s.jarl_owner[which] or s.jarl_owner[1 - which] == seat + 1:",
        "if s.jarl_owner[which]:",
    ),
    Fault(
        "requirement_counts_the_rivals_tiles",
        "tiles of both seats meet a requirement of tiles of one type",
        JARLS,
        "return s.stored_tiles[seat][side.type] >= side.a",
        "return s.stored_tiles[0][side.type] + s.stored_tiles[1][side.type] >= side.a",
    ),
    Fault(
        "one_type_need_not_be_there",
        "a requirement of each type does not look at coffers",
        JARLS,
        "    for kind in range(4):\n        if s.stored_tiles[seat][kind] < side.a:",
        "    for kind in range(3):\n        if s.stored_tiles[seat][kind] < side.a:",
    ),
    Fault(
        "turned_tile_one_too_many",
        "under turned=scoring a turned tile counts one merchandise too many for a requirement",
        JARLS,
        "units += s.down[seat][tile] * (tile_value(tile) - 1)",
        "units += s.down[seat][tile] * tile_value(tile)",
    ),
    Fault(
        "bucklers_alike_of_both_clans",
        "bucklers of both clans are added up where so many of one are required",
        JARLS,
        "            or bucklers_of(s, rules, seat, 1) >= side.a)",
        "            or bucklers_of(s, rules, seat, 0) + bucklers_of(s, rules, seat, 1)\n"
        "            >= side.a)",
    ),
    Fault(
        "give_coins_to_the_reserve",
        "coins given for a Jarl go to the reserve",
        JARLS,
        "s.coins[1 - seat] += side.a",
        "s.coins[2] += side.a",
    ),
    Fault(
        "own_coins_paid",
        "coins that have only to be owned are given away too",
        JARLS,
        "    if side.kind == GIVE_COINS:\n",
        "    if MET[side.kind] == coins:\n",
    ),
    Fault(
        "jarl_first_ignored",
        "under turn-end=jarl-first a Jarl may be claimed after an upgrade",
        JARLS,
        "if rules.jarl_first and s.upgraded:",
        "if rules.jarl_first and s.upgraded > 1:",
    ),
)

ABILITIES = (
    Fault(
        "tribute_from_the_opponent",
        "a tribute takes from the opponent once the reserve is empty",
        JARLS,
        "elif rules.tribute_coffer and s.coins[1 - seat]:",
        "elif s.coins[1 - seat]:",
    ),
    Fault(
        "harbour_declined",
        "the ship of a harbour need not be unloaded",
        MOVES,
        "if s.phase == PHASE_UNLOAD or rules.harbour_may:",
        "if True:",
    ),
    Fault(
        "harbour_of_one_tile",
        "final-b=one holds for the harbour too",
        MOVES,
        "if (rules.final_b_one and s.phase == PHASE_UNLOAD and s.more",
        "if (rules.final_b_one and s.more",
    ),
    Fault(
        "no_rowers_for_value_3",
        "rowers have no additional move with a side card of value 3",
        RULES,
        "if not (rules.rowers_low and s.moves_left == 3):",
        "if s.moves_left != 3:",
    ),
    Fault(
        "traders_before_without_the_least_use",
        "under traders=before the additional use replaces the use that every card has",
        RULES,
        "    if count == 0:\n        count = 1\n",
        "    if count == 0 and not rules.traders_before:\n        count = 1\n",
    ),
    Fault(
        "swift_price_ignored_at_the_end",
        "once the end is triggered an extra turn is offered only for three coins",
        MOVES,
        "if s.coins[s.seat] < s.extra_price[s.seat] or",
        "if s.coins[s.seat] < (3 if s.triggered else s.extra_price[s.seat]) or",
    ),
    Fault(
        "swift_pays_the_full_price",
        "an extra turn is offered for the lower price and costs three coins",
        RULES,
        "pay(s, s.extra_price[s.seat])",
        "pay(s, 3)",
    ),
    Fault(
        "banners_of_the_rivals_clan",
        "banners count the bucklers of the other clan",
        POINTS,
        "[kind][rules.clan[seat]]\n    return",
        "[kind][1 - rules.clan[seat]]\n    return",
    ),
    Fault(
        "storehouse_is_a_tile",
        "the merchandise of a storehouse counts as a tile",
        POINTS,
        "            side.units += t.storehouse[seat]\n",
        "            side.units += t.storehouse[seat]\n"
        "            side.tiles += t.storehouse[seat] != 0\n",
    ),
    Fault(
        "storehouse_needs_a_tile",
        "a storehouse counts only where its owner has a tile",
        POINTS,
        "if side.tiles or not rules.storehouse_with_tile:",
        "if side.tiles:",
    ),
    Fault(
        "key_forgets_the_storehouse",
        "the key does not know where a storehouse is attached, nor the Jarls",
        HIDDEN,
        "hash_words(&s.ship_kind, MODULE_WORDS, SALT_MODULES)",
        "hash_words(&s.ship_kind, MODULE_WORDS - 1, SALT_MODULES)",
    ),
)

UPGRADES = (
    Fault(
        "upgrade_without_payment",
        "the tile that pays for an upgrade stays face up",
        RULES,
        "        turn_down(s, s.seat, b)\n",
        "",
    ),
    Fault(
        "two_upgrades_in_a_turn",
        "a seat may upgrade more than one longship in a turn",
        MOVES,
        "if not rules.upgrades or s.upgraded or not has_plain_ship(s, s.seat):",
        "if not rules.upgrades or not has_plain_ship(s, s.seat):",
    ),
    Fault(
        "second_upgrade_in_the_last_turn",
        "an extra turn bought in the last turn allows this turn another upgrade",
        RULES,
        "    if s.phase == PHASE_LAST:\n        enter_draw(s, PHASE_DRAW)\n",
        "    if s.phase == PHASE_LAST:\n        s.upgraded = 0\n"
        "        enter_draw(s, PHASE_DRAW)\n",
    ),
    Fault(
        "turned_tile_counted_full",
        "a tile turned face down keeps its merchandise",
        SHIPS,
        "    s.stored_units[seat][tile_type(tile)] -= tile_value(tile) - 1\n",
        "",
    ),
    Fault(
        "turned_tile_keeps_its_buckler",
        "a tile turned face down keeps its buckler for the requirements",
        SHIPS,
        "    s.bucklers[seat][tile_clan(tile)] -= 1\n",
        "",
    ),
    Fault(
        "ship_a_or_the_number_of_ships",
        "the points of ship A replace those for the number of upgraded ships",
        POINTS,
        "return total + rules.upgrade_points[upgraded]",
        "return total if total else rules.upgrade_points[upgraded]",
    ),
    Fault(
        "ship_b_holds_five",
        "ship B holds a total of 5",
        SHIPS,
        "return total <= rules.ship_b_total",
        "return total <= rules.ship_b_total + 1",
    ),
    Fault(
        "ship_b_holds_two_tiles",
        "ship B holds two tiles at most",
        SHIPS,
        "or s.more[seat][1] != TILE_NONE:",
        "or s.more[seat][0] != TILE_NONE:",
    ),
    Fault(
        "ship_b_leaves_its_further_tiles",
        "only the first tile of ship B is unloaded",
        FOLDER + "fleet.pxd",
        "    if s.ship_kind[seat][place] == SHIP_B + SHIP_UPGRADED:\n        put_more(s, seat)\n",
        "",
    ),
    Fault(
        "ship_b_leaves_them_at_a_new_warehouse",
        "where a warehouse is chosen only the first tile of ship B is stored",
        RULES,
        "    if rules.upgrades and not b_is_loaded(s, s.seat):\n        put_more(s, s.seat)\n",
        "",
    ),
    Fault(
        "ship_d_works_before_its_upgrade",
        "ship D gives its uses without an upgrade",
        RULES,
        "s.on_d = s.ship_kind[seat][PLACE_DOCK] == SHIP_D + SHIP_UPGRADED",
        "s.on_d = rules.upgrades and s.ship_kind[seat][PLACE_DOCK] & 3 == SHIP_D",
    ),
    Fault(
        "ship_d_is_a_cap",
        "ship D limits the uses of a card instead of raising them",
        RULES,
        "return (count if count > least else least) + s.more_uses[seat]",
        "return (min(count, least) if s.on_d else count) + s.more_uses[seat]",
    ),
    Fault(
        "ship_d_gives_four",
        "a card in ship D has four uses even where more tiles are stored",
        RULES,
        "return (count if count > least else least) + s.more_uses[seat]",
        "return (least if s.on_d else count) + s.more_uses[seat]",
    ),
    Fault(
        "ship_c_loads_compulsorily",
        "the owner of ship C is not asked",
        SHIPS,
        "if not rules.ship_c_must:",
        "if rules.upgrades == 0:",
    ),
    Fault(
        "ship_c_loads_without_an_order",
        "under ship-c-asks=uses ship C may load without an order",
        SHIPS,
        "and s.ship_card[seat][0] != CARD_NONE and s.ship_tile[seat][0] == TILE_NONE\n",
        "and s.ship_tile[seat][0] == TILE_NONE\n",
    ),
    Fault(
        "ship_c_asked_too_late",
        "the owner of ship C is asked after the unloading of a step",
        RULES,
        "        interrupt(s, PHASE_LOAD)\n        return\n",
        "        if unload(s, s.seat, PLACE_DOCK):\n            interrupt(s, PHASE_STORE)\n"
        "        else:\n            interrupt(s, PHASE_LOAD)\n        return\n",
    ),
    Fault(
        "ship_c_asked_after_uses",
        "the owner of ship C is asked after coins and discarded tiles under every setting",
        RULES,
        "if rules.ask_after_uses and may_load(s, s.seat):",
        "if not rules.ship_c_must and may_load(s, s.seat):",
    ),
    Fault(
        "one_tile_of_ship_b_and_the_rest_lost",
        "under final-b=one the tile behind the one taken is lost",
        SHIPS,
        "        s.ship_tile[seat][place] = s.more[seat][0]\n"
        "        s.more[seat][0] = s.more[seat][1]\n",
        "        s.ship_tile[seat][place] = s.more[seat][1]\n        s.more[seat][0] = TILE_NONE\n",
    ),
    Fault(
        "key_forgets_the_tiles_of_ship_b",
        "the key does not know the further tiles of ship B, nor who owns a Jarl",
        HIDDEN,
        "hash_words(&s.phase, KEY_WORDS, SALT_WORDS)",
        "hash_words(&s.phase, KEY_WORDS - 1, SALT_WORDS)",
    ),
    Fault(
        "key_forgets_the_longships",
        "the key does not know which longship lies where",
        HIDDEN,
        "hash_words(&s.ship_kind, MODULE_WORDS, SALT_MODULES)",
        "hash_words(&s.jarl_card, MODULE_WORDS - 1, SALT_MODULES)",
    ),
)

MODULES = WAREHOUSES + CLAIMS + ABILITIES + UPGRADES
