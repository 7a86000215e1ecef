"""Figures on hidden information and keys: what a seat knows, and nothing more, decides."""

from typing import Any

from bench.games import parse_game
from bench.measure.random_games import random_game
from bench.referee import Referee
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream, load
from engine.game import Game, State
from search import Limits, Searcher

Out = dict[str, Any]


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


def leak_pairs(out: Out, identity: str, pairs: int, nodes: int, seed: int = 1) -> None:
    """Compare pairs of full states that a seat can't tell apart: all it can see must be equal.

    Compared byte by byte: view, position text, information-set key, the line that a referee would
    send, the events that follow from each decision, samples of the determinizer, legal moves of
    the seat when it decides, and then the whole search result (times apart) at `nodes`.
    """
    game = parse_game(identity)
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**33)
    differing = 0
    unequal = 0
    for number, state in enumerate(positions(game, pairs, seed)):
        seat = number % game.num_seats
        one, two = (state.view(seat).determinize(stream) for _ in range(2))
        unequal += one != two
        differing += seen(one, seat, nodes) != seen(two, seat, nodes) or tells(one, two, seat)
    out.update(game=game.identity, pairs=pairs, differing=differing)
    out["pairs_with_other_secrets"] = unequal


def seen(state: State, seat: int, nodes: int) -> tuple[Any, ...]:
    """Return all that reaches a seat from a full state, and what its engine makes of it."""
    view = state.view(seat)
    decider = state.seat_to_move
    things: list[Any] = [
        view.to_bytes(),
        view.to_text(),
        state.infoset_key(seat),
        decider,
        Referee(state.game, 1, state).position_line(seat),
        view.determinize(RandomStream(1, PURPOSE_MEASURE, 2**34)).to_bytes(),
    ]
    if decider == seat:
        things += [state.legal_moves(), view.legal_moves(), search_output(state, nodes)]
    return tuple(things)


def tells(one: State, two: State, seat: int) -> bool:
    """True if a decision possible in both states would look different to a seat."""
    both = set(one.legal_moves()) & set(two.legal_moves())
    return any(one.redact(move, seat) != two.redact(move, seat) for move in both)


def search_output(state: State, nodes: int) -> tuple[Any, ...]:
    """Return a search result at a fixed seed as plain values, times left out."""
    searcher = Searcher("drakkar", threads=1, seed=1)
    result = searcher.go(state, Limits(nodes=nodes), multipv=len(state.legal_moves()))
    info = result.info
    lines = [
        (x.move, x.visits, x.availability, x.win, x.margin, x.wdl, tuple(x.pv)) for x in info.lines
    ]
    return (result.best_move, result.ponder_move, info.depth, info.seldepth, info.nodes, lines)


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
