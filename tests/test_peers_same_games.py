"""Games put over into OpenSpiel: with a stand-in that is our own game, and with it if installed."""

from types import SimpleNamespace

import pytest

import engine
from bench.measure.random_games import random_game
from bench.peers import games, same_games
from bench.peers.games import TRANSLATORS, PeerMissing, translator

IDENTITIES = [*TRANSLATORS, "oh_hell seats=4 suits=3 tricks=2 off-bid-penalty=on"]


class StandIn:
    """What OpenSpiel's states answer, from our own rules; a subclass may do one thing wrong."""

    def __init__(self, game):
        self.game, self.state = game, game.ours.new_state()

    def new_initial_state(self):
        return type(self)(self.game)

    def current_player(self):
        return -4 if self.state.is_terminal else self.state.seat_to_move

    def num_players(self):
        return self.game.ours.num_seats

    def rewards(self):
        over = self.state.is_terminal
        return self.game.payoffs(self.state) if over else [0.0] * self.num_players()

    def returns(self):
        return self.rewards()

    def is_terminal(self):
        return self.state.is_terminal

    def is_chance_node(self):
        return self.state.is_chance

    def legal_actions(self):
        return [self.game.action(move) for move in self.state.legal_moves()]

    def chance_outcomes(self):
        return [(self.game.action(move), p) for move, p in self.state.chance_outcomes()]

    def apply_action(self, action):
        self.state.apply(self.game.move(self.state, action))

    def information_state_string(self, seat):
        return self.state.view(seat).to_text()

    def __str__(self):
        return self.state.to_text()


class WrongSeat(StandIn):
    def current_player(self):
        seat = super().current_player()
        return 1 - seat if seat in (0, 1) else seat


class WrongPay(StandIn):
    def rewards(self):
        return [2 * won for won in super().rewards()]


class PaysEarly(StandIn):
    def rewards(self):
        return super().rewards() if self.state.is_terminal else [1.0, -1.0]

    def returns(self):
        return StandIn.rewards(self)


class FewerActions(StandIn):
    def legal_actions(self):
        return super().legal_actions()[:2]


class LoadedDice(StandIn):
    def chance_outcomes(self):
        outcomes = super().chance_outcomes()
        return [(action, p + (0.01 if i == 0 else 0)) for i, (action, p) in enumerate(outcomes)]


class Forgetful(StandIn):
    def information_state_string(self, seat):
        return super().information_state_string(seat).partition(" round1")[0]


class SeesAll(StandIn):
    def information_state_string(self, seat):
        return self.state.to_text()


class OtherStart(StandIn):
    made = 0

    def __init__(self, game):
        super().__init__(game)
        OtherStart.made += 1
        self.number = OtherStart.made

    def __str__(self):
        return str(self.number)


def stand_in(monkeypatch, kind):
    spiel = SimpleNamespace(PlayerId=SimpleNamespace(TERMINAL=-4))
    monkeypatch.setattr(games, "openspiel", lambda: spiel)
    monkeypatch.setattr(same_games, "openspiel", lambda: spiel)
    named = {t.peer_text: t for t in map(translator, TRANSLATORS)}
    monkeypatch.setattr(games, "_load_peer", lambda text: kind(named[text]))


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_game_is_the_same_as_itself(monkeypatch, name):
    stand_in(monkeypatch, StandIn)
    found = same_games.compare(name, 20, seed=3)
    assert found["differing"] == 0, found["first"]
    assert found["games"] == 20 and found["events"] > 60 and found["put_over"] >= 10
    assert found["actions"] > 2 * found["decisions"] > 40 and found["information_states"] > 10


@pytest.mark.parametrize(
    "kind, told",
    [
        (WrongSeat, "player: 0 here, 1 there"),
        (WrongPay, "rewards: "),
        (PaysEarly, "rewards: [0.0, 0.0] here, [1.0, -1.0] there"),
        (FewerActions, "actions: [0, 1, 2, 3, 4, 5] here, [0, 1] there"),
        (LoadedDice, "probability: 0.1666"),
        (Forgetful, "key: "),
        (SeesAll, "knowledge: "),
        (OtherStart, "state put over: "),
    ],
)
def test_each_difference_is_found(monkeypatch, kind, told):
    stand_in(monkeypatch, kind)
    found = same_games.compare("leduc", 60)
    assert found["differing"] > 0 and found["first"].startswith(told), found


@pytest.mark.parametrize("identity", IDENTITIES)
def test_events_lead_to_the_same_state_and_actions_to_the_same_moves(identity):
    game = translator(identity)
    for seed in range(6):
        for state in random_game(game.ours, seed):
            again = game.ours.new_state()
            for move in game.events(state):
                again.apply(move)
            assert again == state
            actions = [game.action(move) for move in state.legal_moves()]
            assert len(set(actions)) == len(actions)
            assert [game.move(state, action) for action in actions] == state.legal_moves()
            with pytest.raises(ValueError, match="999"):
                game.move(state, 999)


def test_views_and_other_games_are_refused():
    game = translator("leduc")
    with pytest.raises(ValueError, match="determinize"):
        game.peer_state(game.ours.new_state(0))
    with pytest.raises(ValueError, match="kuhn, leduc, oh_hell"):
        translator("lofoten jarls=on")
    assert translator("oh_hell/1 tricks=2").opening == (2,)
    assert translator("oh_hell/1 tricks=2").ours is engine.load("oh_hell", tricks=2)


def test_without_openspiel_the_way_to_get_it_is_told(monkeypatch, capsys):
    def missing(name):
        raise ImportError(name)

    games.openspiel.cache_clear()
    monkeypatch.setattr(games, "import_module", missing)
    with pytest.raises(PeerMissing, match=r"pip install 'drakkar\[peers\]'"):
        same_games.compare("kuhn", 1)
    assert same_games.main(["kuhn"]) == 2 and "pip install" in capsys.readouterr().err


@pytest.mark.parametrize("identity", IDENTITIES)
def test_openspiel_plays_the_same_games(identity):
    pytest.importorskip("pyspiel")
    found = same_games.compare(identity, 200, seed=5)
    assert found["differing"] == 0, found["first"]
    assert found["games"] == 200
