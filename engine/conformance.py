"""What every game has to do, checked on random games without knowing any of them.

    python -m engine.conformance GAME --events 20000

A check is a function of one Trial, a random game; `run` calls it with more and more seeds. The
checks see a game only through `Game` and `State`, so they are also the first test of a new game.
"""

import argparse
import math
import pickle
import re
import sys
from collections.abc import Callable, Iterator

import engine
from engine.errors import BadPositionText, IllegalMove
from engine.game import SEAT_IS_CHANCE, SEAT_IS_NONE, Game, State
from engine.stream import RandomStream

LUCK, TEST = 1, 5  # purposes of random streams, as in rng.pxd
MAX_SEATS, MAX_MOVES, MAX_STATE_SIZE = 4, 1024, 8192  # as in types.pxd
MAX_TRIALS = 100
MOVE_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9+=.:@#/()_-]{0,63}")
LUCK_TOKEN = re.compile(r"~[a-z][a-z0-9_-]*(@p[1-4])?=[^\s|]+")


class ConformanceError(AssertionError):
    """A game breaks the contract. The message says what is wrong, where, and how to get there."""


class Trial:
    """One random game, reproducible from its seed, and the report when it goes wrong."""

    def __init__(self, game: Game, seed: int, limit: int) -> None:
        self.game, self.seed, self.limit = game, seed, limit
        self.log: list[str] = []
        self.state = game.new_state()
        self.stream = RandomStream(seed, TEST, 1)

    def steps(self) -> Iterator[tuple[State, int | None]]:
        """Yield each state with the event about to happen; the last one with None.

        The walk ends with the game or after `limit` events.
        """
        luck, choice = RandomStream(self.seed, LUCK), RandomStream(self.seed, TEST)
        state = self.state = self.game.new_state()
        while not state.is_terminal and len(self.log) < self.limit:
            moves = state.legal_moves()
            self.expect(bool(moves), "nothing is legal, but the game is not over")
            pick = None if state.is_chance else moves[choice.below(len(moves))]
            event = state.sample_chance(luck) if pick is None else pick
            yield state, event
            self.log.append(state.event_name(event))
            state.apply(event)
        yield state, None

    def sparse(self, stride: int) -> Iterator[State]:
        """Yield one state in `stride` or so, and the last."""
        for state, event in self.steps():
            if event is None or self.stream.below(stride) == 0:
                yield state

    def expect(self, ok: bool, complaint: str) -> None:
        """Raise ConformanceError with the way here unless `ok`."""
        if not ok:
            raise ConformanceError(
                f"{self.game.identity}: {complaint}\n  seed {self.seed}, event {len(self.log)},"
                f" after: {' '.join(self.log[-6:]) or 'nothing'}"
            )


Check = Callable[[Trial], None]


def declared_limits(trial: Trial) -> None:
    """The declared facts are within the limits of the interface."""
    game = trial.game
    trial.expect(1 <= game.num_seats <= MAX_SEATS, f"{game.num_seats} seats")
    trial.expect(0 < game.state_size <= MAX_STATE_SIZE, f"a state has {game.state_size} bytes")
    trial.expect(0 < game.max_moves <= MAX_MOVES, f"max_moves is {game.max_moves}")
    trial.expect(game.max_plies > 0, f"max_plies is {game.max_plies}")
    trial.expect(game.margin_scale > 0, f"margin_scale is {game.margin_scale}")
    trial.expect(game.identity.split()[0] == f"{game.name}/{game.version}", "identity")
    trial.expect(game.setting_list() == engine.game_settings(game.name), "settings differ")
    trial.expect(list(game.settings) == [s.name for s in game.setting_list()], "settings")
    again = pickle.loads(pickle.dumps(game))
    trial.expect(again.identity == game.identity, f"pickled it is {again.identity}")


def legal_moves(trial: Trial) -> None:
    """Legal moves are ascending, unique, none only at the end, and the only ones accepted."""
    for state, event in trial.steps():
        moves = state.legal_moves()
        trial.expect(moves == sorted(set(moves)), "legal moves are not ascending and unique")
        trial.expect(0 not in moves, "NO_MOVE is legal")
        trial.expect(len(moves) <= trial.game.max_moves, f"{len(moves)} legal moves")
        trial.expect(bool(moves) != state.is_terminal, f"{len(moves)} legal moves at the end")
        trial.expect(event is None or event in moves, "an event happens that is not listed")
        if trial.stream.below(8):
            continue
        trial.expect(all(map(state.can_follow, moves)), "can_follow denies a legal move")
        before = state.to_bytes()
        wrong = trial.stream.bits() & 0xFFFFFFFF if trial.stream.below(2) else (event or 0) + 1
        if wrong not in moves:
            try:
                state.copy().apply(wrong)
            except IllegalMove:
                pass
            else:
                trial.expect(False, f"move number {wrong} is accepted")
        trial.expect(state.to_bytes() == before, "a refused move changes the state")


def names(trial: Trial) -> None:
    """Words and tokens are canonical, unique and inverse to parsing."""
    game = trial.game
    for state, event in trial.steps():
        moves, seat = state.legal_moves(), state.seat_to_move
        tokens = [game.event_name(m, seat) for m in moves]
        trial.expect(len(set(tokens)) == len(tokens), f"two events are named alike: {tokens}")
        for move, token in zip(moves, tokens, strict=True):
            trial.expect(game.parse_event(token) == (seat, move), f"{token} is read as another")
            if seat == SEAT_IS_CHANCE:
                trial.expect(bool(LUCK_TOKEN.fullmatch(token)), f"{token!r} is no token of luck")
                continue
            word = game.move_name(move)
            trial.expect(bool(MOVE_WORD.fullmatch(word)), f"{word!r} is no move word")
            trial.expect(game.parse_move(word) == move, f"{word} is read as another move")
            trial.expect(token == f"p{seat + 1}:{word}", f"{token!r} does not name its seat")
            trial.expect(game.parse_event(word) == (None, move), f"{word} without its seat")
        if event is not None:
            trial.expect(bool(game.describe_move(state, event)), "an event has no description")


def texts(trial: Trial) -> None:
    """Position texts of states and views are one line and read back as the same position."""
    for state in trial.sparse(4):
        for shown in [state, *(state.view(seat) for seat in range(trial.game.num_seats))]:
            _reads_back(trial, shown)
            trial.expect(bool(trial.game.picture(shown).strip()), "the picture is empty")


def _reads_back(trial: Trial, state: State) -> None:
    text = state.to_text()
    trial.expect(text.isprintable() and "moves" not in text.split(), f"bad text {text!r}")
    try:
        again = trial.game.from_text(text)
    except BadPositionText as error:
        trial.expect(False, f"{text}\n  is refused: {error}")
        return
    trial.expect(again == state, f"{text}\n  reads as {again.to_text()}")
    trial.expect(again.to_text() == text, f"{text}\n  is written {again.to_text()}")
    trial.expect(again.key() == state.key(), f"another key after {text}")


def copies(trial: Trial) -> None:
    """Copies and byte strings are equal and independent."""
    for state, event in trial.steps():
        raw, twin, other = state.to_bytes(), state.copy(), trial.game.new_state()
        trial.expect(len(raw) == trial.game.state_size, "bytes are not of the declared size")
        other.load_bytes(raw, state.observer, state.ply)
        trial.expect(twin == state == other and twin.ply == state.ply, "a copy differs")
        if event is not None:
            twin.apply(event)
            trial.expect(state.to_bytes() == raw, "a move on a copy changes the original")
            trial.expect(twin.to_bytes() != raw, "an event changes nothing")
            other.apply(event)
            trial.expect(other == twin, "the same event leads to two states")


def invariants(trial: Trial) -> None:
    """`check` is clean after every event, and the game ends within its declared length."""
    for state, _ in trial.steps():
        trial.expect(state.check() == 0, f"check reports {state.check():#x}")
        trial.expect(state.ply <= trial.game.max_plies, f"{state.ply} decisions")
        trial.expect(SEAT_IS_NONE <= state.seat_to_move < trial.game.num_seats, "seat to move")


def results(trial: Trial) -> None:
    """Returns lie in 0..1 and share out as declared; margins mirror each other."""
    seats = trial.game.num_seats
    for state, event in trial.steps():
        margins, scores = state.margins(), state.scores()
        trial.expect(len(margins) == len(scores) == seats, "one margin and one score a seat")
        trial.expect(all(map(math.isfinite, [*margins, *scores])), f"{margins} {scores}")
        trial.expect(seats != 2 or margins[0] == -margins[1], f"margins {margins}")
        if event is not None or not state.is_terminal:
            continue
        returns = state.returns()
        trial.expect(len(returns) == seats and all(0 <= r <= 1 for r in returns), f"{returns}")
        trial.expect(seats != 2 or sum(returns) == 1, f"returns {returns} do not sum to 1")
        order = sorted(range(seats), key=lambda seat: margins[seat])
        falls = any(returns[a] > returns[b] for a, b in zip(order, order[1:], strict=False))
        trial.expect(not falls or len(set(margins)) < seats, f"{returns} against {margins}")


def chance(trial: Trial) -> None:
    """Outcomes sum to 1, and samples are outcomes and as frequent as their weights say."""
    for state in trial.sparse(4):
        if not state.is_chance:
            continue
        weighed = dict(state.chance_outcomes())
        trial.expect(math.isclose(sum(weighed.values()), 1), "probabilities do not sum to 1")
        trial.expect(set(weighed) <= set(state.legal_moves()), "an outcome is not listed")
        draws = min(4000, 100 * len(weighed))
        counts = dict.fromkeys(weighed, 0)
        for _ in range(draws):
            outcome = state.sample_chance(trial.stream)
            trial.expect(outcome in counts, f"{outcome} is sampled but has no weight")
            counts[outcome] += 1
        expected = {move: draws * p for move, p in weighed.items()}
        trial.expect(fits(counts, expected), f"sampled {counts}, expected {expected}")


def fits(counts: dict[int, int], expected: dict[int, float], z: float = 5.0) -> bool:
    """Chi-square test of counts against expectations, cells below 5 pooled.

    `z` is the distance, in standard deviations of a normal variable, at which it fails; 5 is
    passed by mistake about once in three million tests (Wilson and Hilferty's approximation).
    """
    cells = [(counts[k], e) for k, e in expected.items() if e >= 5]
    small = [(counts[k], e) for k, e in expected.items() if e < 5]
    if small:
        cells.append((sum(c for c, _ in small), sum(e for _, e in small)))
    if len(cells) < 2:
        return True
    degrees = len(cells) - 1
    statistic = sum((c - e) ** 2 / e for c, e in cells)
    spread = 2 / (9 * degrees)
    return bool((statistic / degrees) ** (1 / 3) < 1 - spread + z * math.sqrt(spread))


def repeats(trial: Trial) -> None:
    """The same seed gives the same game, byte for byte."""
    first = [state.to_bytes() for state, _ in trial.steps()]
    again = [s.to_bytes() for s, _ in Trial(trial.game, trial.seed, trial.limit).steps()]
    trial.expect(first == again, "the same seed gives another game")


def deals(trial: Trial) -> None:
    """A deal answers every chance event with a possible outcome, the same one each time."""
    _follow_deal(trial, trial.game.new_state())


def later_deals(trial: Trial) -> None:
    """So does the deal of a game that starts from a later position, where the game gives one."""
    states = [state.copy() for state, _ in trial.steps() if not state.is_terminal]
    start = states[trial.stream.below(len(states))]
    try:
        trial.game.new_deal(trial.seed, start)
    except BadPositionText:
        return
    _follow_deal(trial, start)


def _follow_deal(trial: Trial, start: State) -> None:
    state, choice = start.copy(), trial.stream
    deal, twin = (trial.game.new_deal(trial.seed, start) for _ in range(2))
    while not state.is_terminal and len(trial.log) < trial.limit:
        if state.is_chance:
            spare = deal.copy()
            event = deal.outcome(state)
            trial.expect(state.can_follow(event), f"the deal gives impossible {event}")
            trial.expect(state.chance_weight(event) > 0, f"the deal gives {event} of no weight")
            trial.expect(twin.outcome(state) == event, "the same seed deals differently")
            trial.expect(spare.outcome(state) == event, "a copy of the deal differs")
            deal = spare if choice.below(2) else deal
        else:
            moves = state.legal_moves()
            event = moves[choice.below(len(moves))]
        trial.log.append(state.event_name(event))
        state.apply(event)


def views(trial: Trial) -> None:
    """A view has its seat's key and legal moves, and is the view of itself."""
    for state in trial.sparse(2):
        for seat in range(trial.game.num_seats):
            view = state.view(seat)
            trial.expect(view.observer == seat and view.ply == state.ply, "observer or ply")
            trial.expect(view.check() == 0, f"check of the view of seat {seat}: {view.check():#x}")
            same = view.infoset_key(seat) == state.infoset_key(seat)
            trial.expect(same, f"seat {seat} has another key in its view")
            trial.expect(view.view(seat) == view, f"the view of seat {seat} loses by blinding")
            trial.expect(view.seat_to_move == state.seat_to_move, "a view hides who decides")
            if state.seat_to_move == seat:
                trial.expect(view.legal_moves() == state.legal_moves(), "legal moves of a view")


def logs(trial: Trial) -> None:
    """Replaying the events that a seat sees gives exactly its view, at every step."""
    game = trial.game
    seen = [game.new_state(seat) for seat in range(game.num_seats)]
    for state, event in trial.steps():
        for seat, known in enumerate(seen):
            view = state.view(seat)
            told = f"seat {seat} knows {known.to_text()}\n  and should know {view.to_text()}"
            trial.expect(known == view, told)
            trial.expect(known.infoset_key(seat) == state.infoset_key(seat), "key after a log")
            if event is None:
                continue
            shown = state.redact(event, seat)
            token = game.event_name(shown, state.seat_to_move)
            parsed = game.parse_event(token)
            trial.expect(parsed == (state.seat_to_move, shown), f"{token} is read as {parsed}")
            trial.expect(known.can_follow(shown), f"seat {seat} cannot follow {token}")
            known.apply(shown)


def determinizations(trial: Trial) -> None:
    """A determinization is a sound full state that its seat cannot tell from the truth."""
    for state in trial.sparse(4):
        for seat in range(trial.game.num_seats):
            view = state.view(seat)
            seed = trial.stream.bits()
            world = view.determinize(RandomStream(seed, TEST))
            trial.expect(world == view.determinize(RandomStream(seed, TEST)), "not repeatable")
            trial.expect(world.observer == -1, "a determinization is no full state")
            trial.expect(world.check() == 0, f"check of a world: {world.check():#x}")
            trial.expect(world.view(seat) == view, f"seat {seat} sees another world")
            same = world.infoset_key(seat) == state.infoset_key(seat)
            trial.expect(same, f"seat {seat} has another key in a determinization")
            trial.expect(world.seat_to_move == state.seat_to_move, "another seat decides")
            if state.seat_to_move == seat:
                trial.expect(world.legal_moves() == state.legal_moves(), "legal moves of a world")
            _reads_back(trial, world)


def leaks(trial: Trial) -> None:
    """Two worlds that a seat cannot tell apart stay so while the same events are seen in both."""
    for state in trial.sparse(12):
        for seat in range(trial.game.num_seats):
            one, two = state.copy(), state.view(seat).determinize(trial.stream)
            for _ in range(16):
                pair = _same_to(trial, one, two, seat)
                if pair is None:
                    break
                one.apply(pair[0])
                two.apply(pair[1])
                mine, other = one.view(seat), two.view(seat)
                same = mine == other and mine.to_text() == other.to_text()
                trial.expect(same, f"seat {seat} can tell\n  {mine.to_text()}\n  {other.to_text()}")
                same = one.infoset_key(seat) == two.infoset_key(seat)
                trial.expect(same, f"a secret changes the key of seat {seat}")


def _same_to(trial: Trial, one: State, two: State, seat: int) -> tuple[int, int] | None:
    """Pick events of two worlds that look the same to `seat`; None if there are none."""
    mover = one.seat_to_move
    trial.expect(mover == two.seat_to_move, f"a secret of another decides who moves, to {seat}")
    if mover == SEAT_IS_NONE:
        return None
    if mover == seat:
        trial.expect(one.legal_moves() == two.legal_moves(), f"legal moves leak to seat {seat}")
    if mover != SEAT_IS_CHANCE:
        shared = sorted(set(one.legal_moves()) & set(two.legal_moves()))
        if not shared:
            return None
        move = shared[trial.stream.below(len(shared))]
        trial.expect(one.redact(move, seat) == two.redact(move, seat), "a redaction leaks")
        return move, move
    first = one.sample_chance(trial.stream)
    shown = one.redact(first, seat)
    alike = [m for m, _ in two.chance_outcomes() if two.redact(m, seat) == shown]
    return (first, alike[trial.stream.below(len(alike))]) if alike else None


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        declared_limits,
        legal_moves,
        names,
        texts,
        copies,
        invariants,
        results,
        chance,
        repeats,
        deals,
        later_deals,
        views,
        logs,
        determinizations,
        leaks,
    )
}


def run(
    check: Check, game: Game, events: int = 3000, seed: int = 1, trials: int = MAX_TRIALS
) -> int:
    """Run one check on random games of about `events` events in all; return how many there were.

    The games have the seeds `seed`, `seed + 1` and so on; there are at most `trials` of them.

    Raises:
        ConformanceError: the game breaks the contract.
    """
    seen = 0
    for trial_seed in range(seed, seed + trials):
        trial = Trial(game, trial_seed, events - seen)
        check(trial)
        seen += max(1, len(trial.log))
        if seen >= events:
            break
    return seen


def variants(name: str) -> list[Game]:
    """Return the game with its defaults, and with each other value of each setting in turn.

    A game with modules names sets of settings as VARIANTS in its settings.py; each of them is
    taken too, alone and with each other value of the other settings.
    """
    games = {}
    for base in ({}, *engine.game_variants(name)):
        choices: list[dict[str, object]] = [{}]
        choices += [
            {setting.name: word}
            for setting in engine.game_settings(name)
            for word in (*setting.values, setting.low, setting.high)
            if word is not None and str(word) != setting.default and setting.name not in base
        ]
        for choice in choices:
            game = engine.load(name, **base, **choice)
            games[game.identity] = game
    return list(games.values())


def main(argv: list[str] | None = None) -> int:
    """Check games from the command line; 1 if one breaks the contract."""
    parser = argparse.ArgumentParser(prog="python -m engine.conformance", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--events", type=int, default=3000, help="events a check and variant")
    parser.add_argument("--trials", type=int, default=MAX_TRIALS, help="most games a check")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="append", choices=list(CHECKS), help="default: all")
    parser.add_argument("--no-variants", action="store_true", help="default settings only")
    args = parser.parse_args(argv)
    checks = [CHECKS[name] for name in args.check or CHECKS]
    for name in args.games or engine.available():
        for game in variants(name)[: 1 if args.no_variants else None]:
            events = 0
            for check in checks:
                try:
                    events += run(check, game, args.events, args.seed, args.trials)
                except ConformanceError as error:
                    print(f"{check.__name__}: {error}", file=sys.stderr)
                    return 1
            print(f"{game.identity}: {len(checks)} checks passed, {events} events")
    return 0


if __name__ == "__main__":
    sys.exit(main())
