"""Estimates and priors: what must hold whatever the weights are, and some easy positions."""

import itertools

import pytest

from engine import RandomStream, State, load
from engine.games.lofoten import weights
from engine.games.lofoten.game import LofotenGame

MODULES = {"jarls": "on", "upgrades": "on", "level2": "2"}
SETTINGS = pytest.mark.parametrize("settings", [{}, MODULES], ids=["base", "modules"])


def positions(game: LofotenGame, seed: int, games: int, every: int = 7) -> list[State]:
    """Full states of games played by the priors, also of the set-up."""
    lots, luck = RandomStream(seed, 7), RandomStream(seed, 8)
    found = []
    for _ in range(games):
        state = game.new_state()
        for ply in itertools.count():
            if state.is_terminal:
                break
            if ply % every == 0:
                found.append(state.copy())
            if state.is_chance:
                state.apply(state.sample_chance(luck))
            else:
                state.apply(drawn(state.prior(), lots))
    return found


def drawn(prior: list[tuple[int, float]], lots: RandomStream) -> int:
    left = lots.below(10**6) / 10**6
    for move, share in prior:
        left -= share
        if left < 0:
            return move
    return prior[-1][0]


def seats_exchanged(game: LofotenGame, state: State) -> State:
    """The same position with the seats exchanged: they sit opposite, so the market is reversed."""
    f = game.fields(state)
    for name in (
        "area",
        "ship_card",
        "ship_tile",
        "hand",
        "label",
        "stored",
        "down",
        "ship_kind",
        "more",
        "storehouse_at",
    ):
        f[name] = f[name][::-1]
    f["area"] = [4 - area for area in f["area"]]
    f["market"] = f["market"][::-1]
    f["coins"] = [f["coins"][1], f["coins"][0], f["coins"][2]]
    f["seat"] = 1 - f["seat"]
    f["jarl_owner"] = [owner and 3 - owner for owner in f["jarl_owner"]]
    other = load("lofoten", **{**game.settings, "first-clan": "2"})
    return other.build(f, -1)


@SETTINGS
def test_the_seats_are_alike(settings: dict[str, str]) -> None:
    game = load("lofoten", **settings)
    seen = 0
    for state in positions(game, 1, 3):
        fields = game.fields(state)
        # In the set-up seat 1 comes first, and at the end seat 2 has the last turn.
        if fields["phase"] < 8 or fields["triggered"] or state.is_terminal:
            continue
        value, margin = state.estimate()
        other_value, other_margin = seats_exchanged(game, state).estimate()
        assert margin == pytest.approx(other_margin[::-1], abs=1e-4)
        assert value == pytest.approx(other_value[::-1], abs=1e-5)
        seen += 1
    assert seen > 50


@SETTINGS
def test_priors_of_exchanged_seats_are_alike(settings: dict[str, str]) -> None:
    game = load("lofoten", **settings)
    seen = 0
    for state in positions(game, 2, 3):
        fields = game.fields(state)
        if fields["phase"] < 8 or fields["triggered"] or state.seat_to_move < 0:
            continue
        mine = sorted(share for _, share in state.prior())
        others = sorted(share for _, share in seats_exchanged(game, state).prior())
        assert mine == pytest.approx(others, abs=1e-5)
        seen += 1
    assert seen > 50


@SETTINGS
def test_ranges(settings: dict[str, str]) -> None:
    game = load("lofoten", **settings)
    for state in positions(game, 3, 4, 3):
        value, margin = state.estimate()
        assert 0 <= value[0] <= 1 and value[0] + value[1] == pytest.approx(1)
        assert margin[0] == -margin[1] and abs(margin[0]) < 60
        assert (margin[0] > 0) == (value[0] > 0.5) or margin[0] == 0
        if state.seat_to_move >= 0:
            prior = state.prior()
            assert [move for move, _ in prior] == state.legal_moves()
            assert sum(share for _, share in prior) == pytest.approx(1, abs=1e-5)
            assert all(share > 0 for _, share in prior)


@SETTINGS
def test_copies_are_estimated_alike(settings: dict[str, str]) -> None:
    game = load("lofoten", **settings)
    for state in positions(game, 4, 2):
        assert state.copy().estimate() == state.estimate()
        if state.seat_to_move >= 0:
            assert state.copy().prior() == state.prior()


@SETTINGS
def test_priors_do_not_see_hidden_cards(settings: dict[str, str]) -> None:
    game = load("lofoten", **settings)
    stream = RandomStream(5)
    differ = 0
    for state in positions(game, 5, 3):
        seat = state.seat_to_move
        if seat < 0 or game.fields(state)["phase"] < 8:
            continue
        view = state.view(seat)
        for _ in range(3):
            world = view.determinize(stream)
            differ += world.to_bytes() != state.to_bytes()
            assert world.prior() == state.prior() == view.prior()
    assert differ > 50


def test_more_stored_is_better() -> None:
    game = load("lofoten")
    for state in positions(game, 6, 2):
        fields = game.fields(state)
        if fields["phase"] < 8 or state.is_terminal:
            continue
        for tile in range(24):
            if fields["unseen"][tile] > 1 and fields["house_type"].count(tile // 6):
                changed = dict(fields)
                changed["unseen"] = [n - (i == tile) for i, n in enumerate(fields["unseen"])]
                stored = list(fields["stored"][0])
                stored[tile] += 1
                changed["stored"] = [stored, fields["stored"][1]]
                assert game.build(changed, -1).estimate()[1][0] > state.estimate()[1][0]


def text(game: LofotenGame, **changes: str) -> State:
    """A quiet position before seat 1 plays, with some fields changed."""
    fields = {
        "phase": "play", "turn": "p1", "hand.p1": "F2.S1.C3", "hand.p2": "M1.F1.S2",
        "ships.p1": "-.-.-.-", "ships.p2": "-.-.-.-", "area.p1": "3", "area.p2": "3",
        "coins": "2.3.3", "market": "F2x.S1o.M2o.C2x.M2x", "piles": "F13.S14",
        "warehouses": "w1|w3|w5|w7",
    }  # fmt: skip
    fields.update({name.replace("__", "."): value for name, value in changes.items()})
    words = [f"{name}={value}" for name, value in fields.items()]
    return game.from_text(" ".join(["lofoten/1", *words]))


def margin(state: State) -> float:
    return state.estimate()[1][0]


def test_easy_positions_are_in_order() -> None:
    game = load("lofoten")
    empty = margin(text(game))
    waiting = margin(text(game, ships__p1="-.M1.-.-"))
    assert empty < waiting
    # With mead in the market an order can be as good as a load: the ship loads in this turn.
    dry = "F2x.S1o.S2o.C2x.F1x"
    waiting = margin(text(game, ships__p1="-.M1.-.-", market=dry))
    loaded = margin(text(game, ships__p1="-.M1+M2x.-.-", market=dry, piles="F13.S13"))
    assert margin(text(game, market=dry)) < waiting < loaded - 0.5
    assert margin(text(game, ships__p2="-.M1.-.-")) < empty
    assert margin(text(game, coins="5.0.3")) > empty > margin(text(game, coins="0.5.3"))


def test_a_step_that_unloads_is_the_first_choice() -> None:
    game = load("lofoten")
    state = text(
        game, phase="step", direction="right", moves="1", hand__p1="F2.S1", discard="C3",
        ships__p1="-.M1+M3x.-.-", piles="F13.S13",
    )  # fmt: skip
    prior = {game.move_name(move): share for move, share in state.prior()}
    assert prior["turn:cw"] == max(prior.values()) > 0.4


def test_the_file_has_all_weights_and_can_be_written(tmp_path) -> None:
    game = load("lofoten")
    assert len(game.weights) == len(game.weight_names) == len(set(game.weight_names))
    changed = game.with_weights([round(0.9 * w, 4) for w in game.weights])
    path = str(tmp_path / "weights.toml")
    changed.save_weights(path, {"games": 3})
    read = weights.read(path)
    assert read["base"] == changed.weights
    assert read["modules"] == load("lofoten", **MODULES).weights
    assert changed.identity == game.identity
    assert changed.new_state().estimate() != game.weights
    with pytest.raises(ValueError, match="weights"):
        game.with_weights([1.0])
