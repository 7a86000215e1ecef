"""Do both programs play the same games? Random games, step by step in both.

After every event are compared: who decides, the legal actions or the chance outcomes in their
order with their probabilities, and what has been won. Every few events the state is put over anew
(`Translator.peer_state`) and must be OpenSpiel's again. What is known must be told apart alike: a
key of ours belongs to one information state of OpenSpiel and the other way round.

    python -m bench.peers.same_games [GAME ...]
"""

import argparse
import json
import sys
from collections import Counter
from typing import Any

from bench.peers.games import TRANSLATORS, PeerMissing, Translator, openspiel, translator
from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream
from engine.game import SEAT_IS_NONE, State

# Information states of a small game are all met; of a large one so many are remembered.
MOST_KNOWN = 100_000
# Events from one state put over to the next.
EVERY = 8
_TOLERANCE = 1e-12


class _Comparison:
    """What is counted while games are played in both programs."""

    def __init__(self, game: Translator) -> None:
        self.game = game
        self.counts: Counter[str] = Counter()
        self.first = ""
        self._texts: dict[int, str] = {}
        self._keys: dict[str, int] = {}

    def expect(self, what: str, ours: object, theirs: object, state: State) -> None:
        """Count a difference; the first is kept in words."""
        if ours == theirs:
            return
        self.counts["differing"] += 1
        if not self.first:
            self.first = f"{what}: {ours} here, {theirs} there, in {state.to_text()}"

    def play(self, stream: RandomStream) -> None:
        """Play one random game; it ends where a move of ours has no counterpart."""
        state, peer = self.game.ours.new_state(), self.game.peer_start()
        first, step = stream.below(EVERY), 0
        while self._step(state, peer) and not (state.is_terminal or peer.is_terminal()):
            if step % EVERY == first:
                self._put_over(state, peer)
            step += 1
            if state.is_chance:
                move = state.sample_chance(stream)
            else:
                moves = state.legal_moves()
                move = moves[stream.below(len(moves))]
            peer.apply_action(self.game.action(move))
            state.apply(move)
        self.counts["games"] += 1
        self.counts["events"] += step

    def _step(self, state: State, peer: Any) -> bool:
        """Compare all that can be asked; False if the game cannot go on in both."""
        spiel = openspiel()
        turn = state.seat_to_move
        expected = spiel.PlayerId.TERMINAL if turn == SEAT_IS_NONE else turn
        self.expect("player", int(expected), int(peer.current_player()), state)
        won = self.game.payoffs(state) if turn == SEAT_IS_NONE else [0.0] * peer.num_players()
        self.expect("rewards", won, list(peer.rewards()), state)
        if turn == SEAT_IS_NONE:
            self.expect("returns", won, list(peer.returns()), state)
            return True
        actions = [self.game.action(move) for move in state.legal_moves()]
        theirs = list(peer.legal_actions())
        self.expect("actions", actions, theirs, state)
        self.counts["actions"] += len(actions)
        if state.is_chance and peer.is_chance_node():
            self._chance(state, peer)
        elif turn >= 0:
            self.counts["decisions"] += 1
            self._knowledge(state, peer)
        return actions == theirs

    def _chance(self, state: State, peer: Any) -> None:
        self.counts["chance_events"] += 1
        theirs = dict(peer.chance_outcomes())
        for move, probability in state.chance_outcomes():
            other = theirs.get(self.game.action(move), 0.0)
            if abs(probability - other) > _TOLERANCE:
                self.expect("probability", probability, other, state)

    def _knowledge(self, state: State, peer: Any) -> None:
        """What one of the two tells apart, the other has to tell apart, too."""
        if len(self._texts) >= MOST_KNOWN:
            return
        seat = state.seat_to_move
        key, text = state.infoset_key(seat), self.game.knowledge(peer, seat)
        self.expect("knowledge", text, self._texts.setdefault(key, text), state)
        self.expect("key", key, self._keys.setdefault(text, key), state)

    def _put_over(self, state: State, peer: Any) -> None:
        self.counts["put_over"] += 1
        again = self.game.peer_state(state)
        self.expect("state put over", str(again), str(peer), state)
        self.expect("actions after that", again.legal_actions(), peer.legal_actions(), state)

    def result(self) -> dict[str, Any]:
        """Return the counts, and the first difference if there is one."""
        out: dict[str, Any] = {"peer": self.game.peer_text}
        names = ("games", "events", "decisions", "chance_events", "actions", "put_over")
        out |= {name: self.counts[name] for name in names}
        out |= {"information_states": len(self._texts), "differing": self.counts["differing"]}
        return out | ({"first": self.first} if self.first else {})


def compare(game_name: str, games: int, seed: int = 1) -> dict[str, Any]:
    """Play random games of ours and OpenSpiel's together and return what was counted.

    `game_name` may have settings: `oh_hell seats=4`. `differing` counts what is not the same, and
    `first` tells the first of it. Raises PeerMissing without OpenSpiel.
    """
    comparison = _Comparison(translator(game_name))
    for index in range(games):
        comparison.play(RandomStream(seed, PURPOSE_MEASURE, index))
    return comparison.result()


def run(out: Out, games: int, names: tuple[str, ...] = tuple(TRANSLATORS)) -> None:
    """Compare so many games of each and write the counts of each, their least and their sum."""
    found = {name: compare(name, games) for name in names}
    out["games_each"] = min(counts["games"] for counts in found.values())
    out["differing"] = sum(counts["differing"] for counts in found.values())
    out["games"] = found


def main(arguments: list[str]) -> int:
    """Compare 10,000 games of each named game, of all without names."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers.same_games", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="name and settings, in quotes")
    games = parser.parse_args(arguments).games
    out: Out = {}
    try:
        run(out, 10_000, tuple(games) or tuple(TRANSLATORS))
    except PeerMissing as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(out, indent=1))
    return 1 if out["differing"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
