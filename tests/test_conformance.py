"""Every game keeps the contract, and the checks notice when one does not."""

import itertools
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import conformance
from engine.conformance import CHECKS, ConformanceError, Trial

VARIANTS = [
    pytest.param(game, id=game.identity)
    for name in engine.available()
    for game in conformance.variants(name)[1:]
]


@pytest.mark.parametrize("check", list(CHECKS.values()), ids=list(CHECKS))
def test_conformance(game, check):
    assert conformance.run(check, game, events=3000) > 0


@pytest.mark.parametrize("events", [50, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", VARIANTS)
def test_every_setting_conforms(game, events):
    for check in CHECKS.values():
        conformance.run(check, game, events=events)


@given(st.sampled_from(engine.available()), st.lists(st.integers(0, 999), max_size=200))
def test_legal_is_membership_and_keys_are_kept(name, picks):
    state = engine.load(name).new_state()
    for pick in picks:
        moves = state.legal_moves()
        assert state.check() == 0
        assert all(map(state.can_follow, moves))
        assert not state.can_follow(pick) or pick in moves
        if not moves:
            break
        state.apply(moves[pick % len(moves)])
        assert engine.load(name).from_text(state.to_text()).key() == state.key()


@given(st.sampled_from(engine.available()), st.text(max_size=40))
def test_wild_texts_are_refused_by_name(name, text):
    game = engine.load(name)
    for read in (game.from_text, game.parse_move, game.parse_event):
        try:
            read(text)
        except engine.EngineError as error:
            assert str(error)


class Flawed:
    """A game or state that answers some questions wrongly and all others as the real one."""

    def __init__(self, real, flaws):
        self.real, self.flaws = real, flaws

    def __getattr__(self, name):
        flaw = self.flaws.get(name)
        if flaw is not None:
            return partial(flaw, self.real) if callable(flaw) else flaw
        value = getattr(self.real, name)
        if name in ("copy", "view", "determinize", "new_state"):
            return lambda *args: Flawed(value(*args), self.flaws)
        if name == "new_deal":
            return lambda seed, start=None: value(seed, getattr(start, "real", start))
        return value

    def __eq__(self, other):
        return self.real == getattr(other, "real", other)


def unfilled(view):
    """Return a view's content as if it were a full state."""
    world = view.game.new_state()
    world.load_bytes(view.to_bytes(), -1, view.ply)
    return world


COUNTER = itertools.count()
FLAWS = {
    "declared_limits": {"margin_scale": 0.0},
    "legal_moves": {"legal_moves": lambda state: state.legal_moves()[::-1]},
    "names": {"move_name": lambda game, move: "pass"},
    "texts": {"to_text": lambda state: "kuhn/1"},
    "copies": {"copy": lambda state: state},
    "invariants": {"check": lambda state: 4 * (state.ply == 2)},
    "results": {"returns": lambda state: [1.0, 1.0]},
    "chance": {"sample_chance": lambda state, stream: state.legal_moves()[stream.below(9) // 8]},
    "repeats": {"sample_chance": lambda state, stream: state.legal_moves()[next(COUNTER) // 2 % 2]},
    "deals": {"chance_weight": lambda state, move: 0},
    "later_deals": {"chance_weight": lambda state, move: 0},
    "views": {"check": lambda state: 4 * (state.observer == 1)},
    "logs": {"redact": lambda state, move, seat: move},
    "determinizations": {"determinize": lambda view, stream: unfilled(view)},
    "leaks": {"infoset_key": lambda state, seat: state.key()},
}


@pytest.mark.parametrize("name", list(CHECKS))
def test_a_broken_game_is_found(kuhn, name):
    game = Flawed(kuhn, FLAWS[name])
    with pytest.raises(ConformanceError, match="kuhn/1: .*\n"):
        conformance.run(CHECKS[name], game, events=500)


def test_the_complaint_leads_back_to_the_fault(kuhn):
    trial = Trial(kuhn, seed=17, limit=100)
    for _ in trial.steps():
        pass
    with pytest.raises(ConformanceError, match=rf"seed 17, event {len(trial.log)}, after: ~deal"):
        trial.expect(False, "wrong")


def test_a_check_that_crashes_is_not_passed(kuhn):
    with pytest.raises(ZeroDivisionError):
        conformance.run(lambda trial: 1 // 0, kuhn)


def test_command_line(capsys):
    assert conformance.main(["kuhn", "--events", "50"]) == 0
    assert "kuhn/1: 15 checks passed, " in capsys.readouterr().out
