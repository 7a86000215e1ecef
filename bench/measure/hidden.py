"""Figures on hidden information and keys: what a seat knows, and nothing more, decides."""

from bench.games import parse_game
from bench.measure.random_games import random_game
from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream, load
from engine.game import Game, State
from search import Limits, Searcher


def positions(game: Game, number: int, seed: int) -> list[State]:
    """Return copies of `number` states before decisions, a few from each of many random games."""
    found: list[State] = []
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**32)
    index = 0
    while len(found) < number:
        states = [s.copy() for s in random_game(game, seed, index) if s.seat_to_move >= 0]
        for _ in range(min(10, number - len(found))):
            found.append(states[stream.below(len(states))])
        index += 1
    return found


def determinizer(out: Out, identity: str, number: int, samples: int, seed: int = 1) -> None:
    """Sample worlds of random positions: key, observation and legal moves of the seat must stay."""
    game = parse_game(identity)
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**35)
    changed = broken = 0
    for index, state in enumerate(positions(game, number, seed)):
        seat = index % game.num_seats
        view = state.view(seat)
        for _ in range(samples):
            world = view.determinize(stream)
            broken += world.check() != 0
            changed += not (
                world.infoset_key(seat) == state.infoset_key(seat)
                and world.view(seat) == view
                and world.seat_to_move == state.seat_to_move
                and (state.seat_to_move != seat or world.legal_moves() == state.legal_moves())
            )
    out.update(game=game.identity, positions=number, samples=number * samples)
    out.update(changed=changed, broken=broken)


def kuhn_policy(out: Out, nodes: int, seed: int = 1) -> None:
    """Search the 12 information sets of Kuhn poker; count dominated moves that would be played.

    Dominated: to pass with the king against a bet, to call a bet with the jack, and for the second
    seat to pass with the king after a pass.
    """
    game = load("kuhn")
    dominated = {("K", "pb"): "pass", ("J", "pb"): "bet", ("K", "b"): "pass", ("J", "b"): "bet"}
    dominated["K", "p"] = "pass"
    played: dict[str, str] = {}
    faults = 0
    for actions in ("-", "p", "b", "pb"):
        seat = 0 if actions in ("-", "pb") else 1
        for card in "JQK":
            hands = (card, "?") if seat == 0 else ("?", card)
            text = f"kuhn/1 me=p{seat + 1} hand.p1={hands[0]} hand.p2={hands[1]} actions={actions}"
            searcher = Searcher("vanilla", threads=1, seed=seed)
            result = searcher.go(game.from_text(text), Limits(nodes=nodes))
            move = game.move_name(result.best_move)
            played[f"{card} after {actions}"] = move
            faults += dominated.get((card, actions)) == move
    out.update(nodes=nodes, played=played, information_sets=len(played), dominated=faults)
