"""Luck adjustment: its mean is 0 whatever is played, and it cannot be chosen afterwards."""

import asyncio
import pickle
import random
import time
import tomllib
from statistics import fmean, stdev

import pytest

import engine
from bench.games import parse_game
from bench.luck.adjust import adjusted_margin, adjusted_points, luck_of, measure
from bench.luck.evaluator import FOLDER, Evaluator, NoEvaluator, load
from bench.luck.fit import fit, to_toml
from bench.luck.games import Mix
from bench.measure.pairing import collect, write_factors
from bench.measure.random_games import random_game
from bench.referee.block import Block, Job
from bench.referee.game_result import GameResult
from bench.referee.referee import Referee
from bench.referee.verdicts import Termination

LOFOTEN = engine.load("lofoten")
KUHN = engine.load("kuhn")


def some_evaluator(game, seed=1):
    """Any weights will do where only the mean is looked at."""
    numbers = random.Random(seed)
    return Evaluator(game, [numbers.uniform(-2, 2) for _ in game.feature_names], 0.05)


def play(game, seed, choose, most=10**6):
    """Play a game with a deal, so many decisions at most; `choose(state, numbers)` decides."""
    numbers = random.Random(seed)
    referee = Referee(game, seed)
    while not referee.is_over and referee.plies < most:
        move = choose(referee.state, numbers)
        referee.decide(game.move_name(move))
    return referee


def by_lot(state, numbers):
    return numbers.choice(state.legal_moves())


def by_luck(state, numbers):
    """One seat plays what luck gave it, the other by lot."""
    moves = state.legal_moves()
    if state.seat_to_move:
        return numbers.choice(moves)
    return moves[state.key() % len(moves)] if numbers.random() < 0.5 else moves[-1]


def result_of(referee, game, termination=Termination.RULES):
    job = Job(Block(0, (0, 1), 0), 0, (0, 1), 0, referee.deal_seed)
    state = referee.state
    return GameResult(
        job,
        termination,
        events=" ".join(referee.events),
        returns=state.returns(),
        margins=state.margins(),
    )


def kuhn_endings(state, probability, strategies, events):
    """Every finished game of Kuhn with its probability."""
    if state.is_terminal:
        yield probability, events
        return
    if state.is_chance:
        choices = state.chance_outcomes()
    else:
        bet = strategies[state.infoset_key(state.seat_to_move)]
        choices = list(zip(state.legal_moves(), (1 - bet, bet), strict=True))
    for move, share in choices:
        token, after = state.event_name(move), state.copy()
        after.apply(move)
        yield from kuhn_endings(after, probability * share, strategies, [*events, token])


class Profile(dict):
    """How often each seat bets, fixed by lot when it is first asked."""

    def __init__(self, numbers):
        super().__init__()
        self.numbers = numbers

    def __missing__(self, key):
        self[key] = self.numbers.choice((0.0, 1.0, self.numbers.random()))
        return self[key]


@pytest.mark.parametrize("seed", range(10))
def test_kuhn_in_all_deals_luck_sums_to_zero_for_every_strategy(seed):
    evaluator = some_evaluator(KUHN, seed)
    profile = Profile(random.Random(seed))
    endings = list(kuhn_endings(KUHN.new_state(), 1.0, profile, []))
    assert sum(p for p, _ in endings) == pytest.approx(1, abs=1e-12)
    lucks = [luck_of(evaluator, events)[0] for _, events in endings]
    assert max(map(abs, lucks)) > 0.1
    assert sum(p * x for (p, _), x in zip(endings, lucks, strict=True)) == pytest.approx(
        0, abs=1e-9
    )


def all_luck(evaluator, state, probability, events, given_up):
    """Every game in which seats decide by what they know, with its probability and its luck.

    Some information sets give up: there the game is lost by a verdict.
    """
    if state.is_chance:
        for move, share in state.chance_outcomes():
            token, after = state.event_name(move), state.copy()
            after.apply(move)
            yield from all_luck(evaluator, after, probability * share, [*events, token], given_up)
        return
    key = 0 if state.is_terminal else state.infoset_key(state.seat_to_move)
    if state.is_terminal or key % 5 == given_up:
        yield probability, luck_of(evaluator, events)
        return
    moves = state.legal_moves()
    move = moves[key % len(moves)]
    token, after = state.event_name(move), state.copy()
    after.apply(move)
    yield from all_luck(evaluator, after, probability, [*events, token], given_up)


@pytest.mark.parametrize(
    ("identity", "given_up"),
    [
        ("oh_hell suits=2 cards-per-suit=2 tricks=1", -1),
        ("oh_hell suits=2 cards-per-suit=2 tricks=1", 2),
        ("oh_hell seats=4 suits=1 cards-per-suit=5 tricks=1", 2),
    ],
)
def test_oh_hell_in_all_deals_luck_sums_to_zero_at_larger_tables(identity, given_up):
    """For each seat; also where what a seat holds makes it lose by a verdict."""
    game = parse_game(identity)
    endings = list(all_luck(some_evaluator(game), game.new_state(), 1.0, [], given_up))
    assert sum(p for p, _ in endings) == pytest.approx(1, abs=1e-12) and len(endings) >= 24
    for seat in range(game.num_seats):
        assert max(abs(luck[seat]) for _, luck in endings) > 0.1
        assert sum(p * luck[seat] for p, luck in endings) == pytest.approx(0, abs=1e-8)


def test_lofoten_each_event_has_mean_zero():
    evaluator, checked = some_evaluator(LOFOTEN), 0
    events, chances = [], []

    def before(state, move):
        if state.is_chance and len(state.legal_moves()) > 1:
            chances.append((len(events), state.chance_outcomes()))
        events.append(state.event_name(move))

    for _ in random_game(LOFOTEN, 1, before=before):
        pass
    for length, outcomes in chances[:3] + random.Random(1).sample(chances[3:80], 12):
        start = luck_of(evaluator, events[:length])[0]
        each = [
            luck_of(evaluator, [*events[:length], LOFOTEN.event_name(outcome, -1)])[0]
            for outcome, _ in outcomes
        ]
        mean = sum(p * x for (_, p), x in zip(outcomes, each, strict=True)) - start
        assert mean == pytest.approx(0, abs=1e-8)
        checked += max(each) - min(each) > 1e-3
    assert checked >= 9


@pytest.mark.parametrize("choose", [by_lot, by_luck])
def test_lofoten_the_mean_of_many_deals_is_the_same_with_and_without_luck(choose):
    evaluator = load(LOFOTEN)
    games = [play(LOFOTEN, seed, choose, 150) for seed in range(1, 61)]
    lucks = [luck_of(evaluator, referee.events)[0] for referee in games]
    assert stdev(lucks) > 0.5
    assert abs(fmean(lucks)) < 3.5 * stdev(lucks) / len(lucks) ** 0.5


def test_the_luck_of_two_seats_is_opposite_and_repeats():
    for game in (LOFOTEN, KUHN):
        evaluator = some_evaluator(game)
        events = play(game, 3, by_lot).events
        luck = luck_of(evaluator, events)
        assert luck[0] == -luck[1] != 0
        assert luck_of(evaluator, events) == luck


def test_a_game_from_an_opening_counts_from_there():
    evaluator = some_evaluator(LOFOTEN)
    whole = play(LOFOTEN, 4, by_lot)
    opening = LOFOTEN.new_state()
    for token in whole.events[:40]:
        opening.apply(LOFOTEN.parse_event(token)[1])
    first = luck_of(evaluator, whole.events[:40])[0]
    rest = luck_of(evaluator, whole.events[40:], opening)[0]
    assert first + rest == pytest.approx(luck_of(evaluator, whole.events)[0], abs=1e-8)


def test_measuring_lets_others_run_and_leaves_void_games_alone():
    evaluator = load(LOFOTEN)
    referee = play(LOFOTEN, 2, by_lot)
    result = result_of(referee, LOFOTEN)
    ticks = 0

    async def others():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    async def main():
        task = asyncio.create_task(others())
        await measure(evaluator, result)
        task.cancel()

    asyncio.run(main())
    assert result.luck == luck_of(evaluator, referee.events)
    assert ticks >= 3
    void = result_of(referee, LOFOTEN, Termination.INTERNAL)
    asyncio.run(measure(evaluator, void))
    asyncio.run(measure(None, void))
    assert void.luck is None
    assert adjusted_margin(void, 0) is None
    assert adjusted_points(evaluator, void, 0) is None
    assert adjusted_margin(result, 1) == pytest.approx(result.margin(1) - result.luck[1])
    share = evaluator.score_coefficient * result.luck[0]
    assert adjusted_points(evaluator, result, 0) == pytest.approx(result.points(0) - share)


def test_a_game_lost_by_a_verdict_is_measured_up_to_there():
    evaluator = load(LOFOTEN)
    referee = play(LOFOTEN, 2, by_lot)
    result = result_of(referee, LOFOTEN, Termination.TIME)
    result.events = " ".join(referee.events[:100])
    asyncio.run(measure(evaluator, result))
    assert result.luck == luck_of(evaluator, referee.events[:100])


@pytest.mark.serial
def test_a_whole_game_is_measured_quickly():
    evaluator, events = load(LOFOTEN), play(LOFOTEN, 2, by_lot).events
    times = []
    for _ in range(3):
        start = time.process_time()
        luck_of(evaluator, events)
        times.append(time.process_time() - start)
    # 60 ms for the usual 1,000 events, and room for a slow machine.
    assert min(times) < 0.25 * max(1, len(events) / 1000)


def test_the_shipped_evaluators_are_found_by_their_game_alone():
    evaluator = load(LOFOTEN)
    assert evaluator.hash == load(LOFOTEN, FOLDER / "lofoten.toml").hash
    assert len(evaluator.hash) == 12
    assert evaluator.score_coefficient > 0
    with pytest.raises(NoEvaluator, match=r"fit 'lofoten/1 cards=\w+ stall=40'"):
        load(engine.load("lofoten", stall=40))
    with pytest.raises(NoEvaluator, match="was fitted for lofoten/1 .*, the game is lofoten/1 "):
        load(engine.load("lofoten", jarls="on"), FOLDER / "lofoten.toml")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_each_shipped_evaluator_fits_its_game(path):
    identity = tomllib.loads(path.read_text(encoding="utf-8"))["identity"]
    assert load(parse_game(identity)).name == path.name


def test_an_evaluator_keeps_its_hash_until_it_says_something_else():
    evaluator = some_evaluator(KUHN)
    copy = pickle.loads(pickle.dumps(evaluator))
    assert copy.hash == evaluator.hash
    assert copy.weights == evaluator.weights
    assert Evaluator(KUHN, evaluator.weights, 0.06).hash != evaluator.hash
    assert some_evaluator(KUHN, 2).hash != evaluator.hash


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda text: "what?", "luck.toml: "),
        (lambda text: text.replace("weights", "heights"), "no evaluator"),
        (lambda text: text.replace("'card'", "'cart'"), "fit it again"),
        (lambda text: text.replace("probe = [\n    ", "probe = [\n    1"), "other numbers now"),
        (lambda text: text.replace("weights = [\n", "weights = [\n    1.0,\n"), "3 weights"),
        (lambda text: text.replace("kuhn/1", "kuhn/9"), "was fitted for kuhn/9"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path, edit, told):
    path = tmp_path / "luck.toml"
    text = to_toml(some_evaluator(KUHN), {"seed": 1})
    path.write_text(text)
    assert load(KUHN, path).hash == some_evaluator(KUHN).hash
    path.write_text(edit(text))
    assert path.read_text() != text
    with pytest.raises(NoEvaluator, match=told):
        load(KUHN, path)
    with pytest.raises(NoEvaluator, match="No such file"):
        load(KUHN, tmp_path / "none.toml")


def test_a_fit_repeats_and_takes_variance_away():
    mixes = (Mix("vanilla", 20, None, 150),)
    evaluator, figures = fit(KUHN, mixes, 7)
    assert fit(KUHN, mixes, 7)[0].hash == evaluator.hash
    assert figures["held_out_r2_margin"] > 0.2
    raw, adjusted = [], []
    for referee in Mix("vanilla", 20, None, 150).play(KUHN, 8, 0):
        margin = referee.state.margins()[0]
        raw.append(margin)
        adjusted.append(margin - luck_of(evaluator, referee.events)[0])
    assert stdev(adjusted) ** 2 < 0.8 * stdev(raw) ** 2


def test_factors_of_pairing_and_luck_where_they_are_known():
    numbers = random.Random(3)
    whole, evaluator = [], some_evaluator(KUHN)
    for number in range(1500):
        deal = numbers.gauss(0, 1)
        block = Block(number, (0, 1), number)
        for rotation, seats in enumerate(((0, 1), (1, 0))):
            # Seat 1 gains what the deal gives, in both games, and each game's own luck.
            luck, noise = numbers.gauss(0, 1), numbers.gauss(0, 1)
            margin = deal + luck + noise
            job = Job(block, rotation, seats, 2 * number + rotation, 1)
            returns = [float(margin > 0), float(margin <= 0)]
            result = GameResult(job, Termination.RULES, returns=returns, margins=[margin, -margin])
            result.luck = [luck, -luck]
            whole.append(result)
    numbers.shuffle(whole)
    out = {}
    write_factors(out, evaluator, collect(whole))
    assert out["blocks"] == 1500
    # Variance of a mean of two: 3/2 unpaired; paired 1, for the deal cancels; 1/2 less luck.
    assert out["margin_pairing"] == pytest.approx(1.5, rel=0.1)
    assert out["margin_luck"] == pytest.approx(2.0, rel=0.1)
    assert out["margin_both"] == pytest.approx(3.0, rel=0.15)
    assert out["margin_luck_of_games"] == pytest.approx(1.5, rel=0.1)
    assert out["margin_pairing_low"] < 1.5 < out["margin_pairing_high"]
    assert out["margin_mean"] == pytest.approx(out["margin_mean_adjusted"], abs=0.1)
    assert out["score_pairing"] > 1.2
