"""Every setting and each of its values: whole random games, checked after every event."""

import itertools

import pytest

import engine
from engine.games.lofoten.settings import SETTINGS, STAND_IN
from engine.stream import RandomStream

ALTERNATIVES = [
    {setting.name: value}
    for setting in SETTINGS
    for value in (*setting.values, *(("1", "4") if setting.low is not None else ()))
    if value != setting.default
]
ALL_MODULES = {"level2": "2", "jarls": "on", "upgrades": "on"}
# Settings that meet in the same part of a turn.
ALTERNATIVES += [
    {"late-moves": "turn", "coin-offers": "any", "four-short": "keep"},
    {"late-extra": "off", "last-extra": "off", "coin-offers": "any", "stall": "3"},
    {"first-market": "play", "first-tiles": "pile1", "start-orders": "choose"},
    {"effects": "swapped", "count": "live", "tie": "both"},
    {"ship-c": "must", "turned": "scoring", "level2-tie": "both", "traders": "before"},
    {"ship-c-asks": "uses", "late-moves": "turn", "count": "live", "harbour": "may"},
    {"final-b": "one", "bucklers": "all", "storehouse": "with-tile", "tribute": "coffer"},
]
ALTERNATIVES += [ALL_MODULES | settings for settings in [{}, *ALTERNATIVES]]


def random_game(game, seed, prefer=()):
    """Yield (state, move) of a random game that takes preferred kinds of words half the time."""
    stream = RandomStream(seed)
    state = game.new_state()
    while not state.is_terminal:
        if state.is_chance:
            move = state.sample_chance(stream)
        else:
            moves = state.legal_moves()
            liked = [m for m in moves if game.move_name(m).startswith(prefer)] if prefer else []
            pool = liked if liked and stream.below(2) else moves
            move = pool[stream.below(len(pool))]
        yield state, move
        state.apply(move)
    yield state, None


@pytest.mark.parametrize("settings", ALTERNATIVES, ids=lambda s: ",".join(map("=".join, s.items())))
def test_random_games_keep_all_invariants(settings):
    game = engine.load("lofoten", **settings)
    games = 2 if settings.get("stall") == "off" else 8
    for seed in range(games):
        prefer = (("take", "mid:C"), ("extra", "pay"), ())[seed % 3]
        views = [game.new_state(observer=seat) for seat in range(2)]
        for state, move in random_game(game, seed, prefer):
            assert state.check() == 0, state.to_text()
            if move is None:
                break
            for seat in range(2):
                views[seat].apply(state.redact(move, seat))
        assert state.ply <= game.max_plies
        assert game.tallies(state)["stalled"] in (0, 1)
        for seat in range(2):
            assert views[seat] == state.view(seat)


def words_seen(settings, games=40, prefer=()):
    """The pairs (phase, first part of the word) of all legal moves in some random games."""
    game = engine.load("lofoten", **settings)
    seen = set()
    for seed in range(games):
        for state, _ in random_game(game, seed, prefer):
            if state.seat_to_move >= 0:
                phase = next(w for w in state.to_text().split() if w.startswith("phase="))[6:]
                words = (game.move_name(m) for m in state.legal_moves())
                seen |= {(phase, word.partition(":")[0]) for word in words}
    return seen


@pytest.mark.slow
def test_coins_are_offered_where_the_setting_says():
    """R71: `any` adds extra turns and extra moves at the other decisions of a turn."""
    few = words_seen({}, prefer=("take", "mid:C"))
    many = words_seen({"coin-offers": "any"}, 80, prefer=("take", "mid:C", "end", "stop"))
    assert {p for p, word in few if word == "extra"} <= {"play", "use", "end", "last"}
    assert {p for p, word in many if word == "extra"} >= {
        "play",
        "step",
        "use",
        "put",
        "pile",
        "end",
    }
    assert {p for p, word in few if word == "pay"} == {"step"}


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["late-extra", "last-extra"])
def test_extra_turns_are_offered_before_the_end_can_bar_them(setting):
    """R71: the maintenance of the turn may trigger the end."""
    seen = words_seen({setting: "off"}, 80, prefer=("take", "mid:C", "end", "stop"))
    assert {p for p, word in seen if word == "extra"} >= {"play", "put", "pile", "end"}


@pytest.mark.slow
def test_moves_may_be_bought_late_only_under_the_literal_reading():
    """R27."""
    late = words_seen({"late-moves": "turn"})
    assert {p for p, word in late if word == "pay"} == {"step", "pile", "end"}


def test_start_orders_may_be_placed_by_choice():
    """R5."""
    assert ("side", "order") in words_seen({"start-orders": "choose"}, games=1)
    assert ("side", "order") not in words_seen({}, games=1)


def test_last_extra_turn_can_be_ruled_out():
    """R74: under `off` nothing but `end` is offered after the last action phase."""
    coins = ("take", "mid:C")
    with_it = words_seen({"stall": "3"}, prefer=coins)
    without = words_seen({"stall": "3", "last-extra": "off"}, prefer=coins)
    assert {word for p, word in with_it if p == "last"} == {"end", "extra"}
    assert {word for p, word in without if p == "last"} == {"end"}


def test_all_first_tiles_can_come_from_pile_one():
    """R2."""
    game = engine.load("lofoten", **{"first-tiles": "pile1"})
    states = (s for s, _ in random_game(game, 1))
    after = next(s for s in itertools.islice(states, 5, None) if "phase=top" in s.to_text())
    assert "piles=?11.?16" in after.to_text()


def test_settings_are_part_of_the_identity():
    game = engine.load("lofoten", stall="40", tie="both")
    cards = f"cards={STAND_IN}"
    assert game.identity == f"lofoten/1 {cards} tie=both stall=40"
    assert game.from_text(game.new_state(1).to_text()).game.identity == game.identity
    assert engine.load("lofoten", stall=60).identity == f"lofoten/1 {cards}"


def test_unknown_settings_and_values_are_refused():
    with pytest.raises(engine.BadSetting, match="no setting 'stal'"):
        engine.load("lofoten", stal=3)
    with pytest.raises(engine.BadSetting, match="a number from 1 to 250 or off"):
        engine.load("lofoten", stall=0)
