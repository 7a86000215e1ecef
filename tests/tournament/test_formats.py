"""Formats: who meets whom, when, and with which deals."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.plan import Schedule
from bench.referee.block import CYCLIC, Block, Job, seatings
from bench.referee.game_result import GameResult
from bench.referee.verdicts import Termination
from bench.tournament import formats, pairing
from bench.tournament.formats import BadFormat, Terms, make
from bench.tournament.lineups import all_lineups, balanced_lineups, tables_per_round

STATIC = ("match", "round_robin", "gauntlet", "tables")


def terms(contestants: int, seats: int = 2, **numbers: int) -> Terms:
    """Return terms with contestants called a, b, c ..."""
    return Terms(seats, [chr(ord("a") + number) for number in range(contestants)], **numbers)


def results(block: Block, strengths: list[float]) -> list[GameResult]:
    """Return the games of a block in which the stronger always wins, and equals draw."""
    games = []
    for rotation, seats in enumerate(seatings(block.lineup, CYCLIC)):
        returns = [strengths[contestant] for contestant in seats]
        job = Job(block, rotation, seats, block.number * len(seats) + rotation, 0)
        games.append(GameResult(job, Termination.RULES, returns=returns))
    return games


def play(schedule: Schedule, strengths: list[float]) -> list[Block]:
    """Take all blocks in order; return them."""
    blocks: list[Block] = []
    while True:
        try:
            block = schedule.block(len(blocks))
        except IndexError:
            return blocks
        assert block is not None and block.number == len(blocks)
        blocks.append(block)
        schedule.take(block, results(block, strengths))


def all_blocks(schedule: Schedule) -> list[Block]:
    """Return the blocks of a schedule that needs no results."""
    blocks = [schedule.block(number) for number in range(schedule.planned)]
    assert None not in blocks
    return [block for block in blocks if block is not None]


def pairs(blocks: list[Block]) -> Counter[tuple[int, int]]:
    """Count how often two meet."""
    return Counter(pair for b in blocks for pair in combinations(sorted(b.lineup), 2))


# ---- those that are known beforehand ----


def test_formats_are_found_by_scanning() -> None:
    """Every module of the folder is one, and tells what it is."""
    assert {*STATIC, "swiss", "knockout"} <= set(formats.available())
    for name in formats.available():
        found = formats.find(name)
        assert found.__doc__ and set(found.uses) <= {"blocks", "rounds", "challengers"}
        seats = 3 if name == "tables" else 2
        assert make(name, terms(seats, seats)).describe()["name"] == name
    with pytest.raises(BadFormat, match="do you mean swiss"):
        make("swis", terms(4))


@given(st.integers(2, 9), st.integers(2, 4))
def test_all_lineups_are_each_there_once(contestants: int, size: int) -> None:
    """In a stretch of as many line-ups as contestants all sit about equally often."""
    size = min(size, contestants)
    lineups = all_lineups(contestants, size)
    assert sorted(lineups) == list(combinations(range(contestants), size))
    sat = Counter(c for lineup in lineups[:contestants] for c in lineup)
    if comb(contestants, size) >= contestants:
        assert max(sat.values()) - min(sat[c] for c in range(contestants)) <= size


@given(st.integers(2, 7), st.integers(2, 4), st.integers(1, 20), st.data())
def test_a_round_robin_is_fair_after_any_part(
    contestants: int, seats: int, blocks: int, data: st.DataObject
) -> None:
    """No line-up is more than one block ahead; block k of all has deal k."""
    seats = min(seats, contestants)
    schedule = make("round_robin", terms(contestants, seats, blocks=blocks))
    played = all_blocks(schedule)
    assert len(played) == blocks * comb(contestants, seats)
    part = played[: data.draw(st.integers(0, len(played)))]
    counts = Counter(block.lineup for block in part)
    wanted = list(combinations(range(contestants), seats))
    assert max(counts.values(), default=0) - min(counts[w] for w in wanted) <= 1
    for lineup in wanted:
        deals = [block.deal for block in played if block.lineup == lineup]
        assert deals == list(range(blocks))


@given(st.integers(1, 4), st.integers(1, 6), st.integers(2, 4), st.integers(1, 5))
def test_a_gauntlet(challengers: int, others: int, seats: int, blocks: int) -> None:
    """One challenger sits at each table; all challengers have the same tables and deals."""
    made = terms(challengers + others, seats, blocks=blocks, challengers=challengers)
    if others < seats - 1:
        with pytest.raises(BadFormat):
            make("gauntlet", made)
        return
    played = all_blocks(make("gauntlet", made))
    seen: dict[int, list[tuple[tuple[int, ...], int]]] = {}
    for block in played:
        first, *rest = block.lineup
        assert first < challengers <= min(rest)
        seen.setdefault(first, []).append((tuple(rest), block.deal))
    assert len(seen) == challengers
    assert all(tables == seen[0] for tables in seen.values())
    assert len(seen[0]) == len(set(seen[0])) == comb(others, seats - 1) * blocks


@given(st.integers(3, 10), st.integers(3, 4), st.integers(1, 30))
def test_tables_are_balanced(contestants: int, seats: int, rounds: int) -> None:
    """Equally often at a table after each round; any two meet about equally often."""
    seats = min(seats, contestants)
    played = all_blocks(make("tables", terms(contestants, seats, rounds=rounds)))
    assert max(block.round for block in played) == rounds - 1
    sat: Counter[int] = Counter()
    for round in range(rounds):
        now = [block for block in played if block.round == round]
        assert {block.deal for block in now} == {round}
        sat.update(contestant for block in now for contestant in block.lineup)
        assert len({sat[contestant] for contestant in range(contestants)}) == 1
    met = pairs(played)
    counts = [met[pair] for pair in combinations(range(contestants), 2)]
    assert max(counts) - min(counts) <= 4


def test_tables_begin_again_without_growing() -> None:
    """10^7 rounds have a cycle in memory that stays balanced."""
    lineups = balanced_lineups(5, 4, 10**7)
    assert len(lineups) <= 1000 and len(lineups) % tables_per_round(5, 4) == 0
    schedule = make("tables", terms(5, 4, rounds=10**7))
    late = [schedule.block(5 * 10**7 - number) for number in range(1, 6)]
    assert {block.deal for block in late if block} == {10**7 - 1}


def test_millions_of_blocks_cost_nothing() -> None:
    """A block far behind is known at once; behind the last there is none."""
    for name, number in (("match", 2), ("round_robin", 6), ("gauntlet", 6)):
        schedule = make(name, terms(number, blocks=10**7))
        last = schedule.block(schedule.planned - 1)
        assert last is not None and last.deal == 10**7 - 1
        for wrong in (schedule.planned, -1):
            with pytest.raises(IndexError):
                schedule.block(wrong)


@given(st.sampled_from(STATIC), st.integers(2, 6), st.integers(2, 4), st.integers(1, 7))
def test_meetings_are_those_of_the_blocks(name: str, number: int, seats: int, many: int) -> None:
    """What a dry run tells is what is played."""
    numbers = {"rounds" if name == "tables" else "blocks": many}
    try:
        schedule = make(name, terms(number, seats, **numbers))
    except BadFormat:
        return
    assert schedule.meetings() == pairs(all_blocks(schedule))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "made", "message"),
    [
        ("match", terms(3), "as many engines as the game has seats: 2, not 3"),
        ("round_robin", terms(1), "2 seats need at least 2 engines"),
        ("round_robin", terms(2, blocks=0), "at least 1"),
        ("round_robin", terms(4, rounds=3), "the format round_robin has no rounds"),
        ("round_robin", terms(60, 4), "line-ups of 4"),
        ("match", terms(2, challengers=1), "no challengers"),
        ("tables", terms(4), "three seats or more"),
        ("tables", terms(4, 3, blocks=2), "no blocks"),
        ("swiss", terms(4, 3), "has pairs, the game has 3 seats"),
        ("knockout", terms(4, 3), "has pairs, the game has 3 seats"),
        ("gauntlet", terms(3, challengers=3), "3 challengers of 3 engines leave 0"),
    ],
)
def test_formats_that_cannot_be_played(name: str, made: Terms, message: str) -> None:
    """They are refused with the reason."""
    with pytest.raises(BadFormat, match=message):
        make(name, made)


# ---- Swiss ----


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, frozenset[tuple[int, int]]]:
    """Return a number of vertices and some edges between them."""
    size = draw(st.sampled_from((2, 4, 6, 8)))
    edges = draw(st.frozensets(st.sampled_from(list(combinations(range(size), 2)))))
    return size, edges


@given(graphs())
def test_perfect_matchings_are_found(graph: tuple[int, frozenset[tuple[int, int]]]) -> None:
    """As trying all pairings finds them."""
    size, edges = graph

    def tried(rest: tuple[int, ...]) -> bool:
        if not rest:
            return True
        first, *others = rest
        return any(
            (first, other) in edges and tried(tuple(o for o in others if o != other))
            for other in others
        )

    def joined(one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in edges

    assert pairing.has_perfect_matching(range(size), joined) == tried(tuple(range(size)))


@given(st.integers(2, 9), st.integers(1, 12), st.integers(1, 3), st.data())
def test_swiss(contestants: int, rounds: int, blocks: int, data: st.DataObject) -> None:
    """All pairs of a round have the same deals; nobody meets again before it cannot be helped."""
    strength = st.lists(st.integers(0, 3), min_size=contestants, max_size=contestants)
    strengths = [float(value) for value in data.draw(strength)]
    schedule = make("swiss", terms(contestants, rounds=rounds, blocks=blocks))
    played = play(schedule, strengths)
    assert len(played) == schedule.planned == rounds * (contestants // 2) * blocks
    met: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    for round in range(rounds):
        now = [block for block in played if block.round == round]
        drawn = {(block.lineup[0], block.lineup[1]) for block in now}
        playing = [contestant for pair in drawn for contestant in pair]
        assert len(set(playing)) == len(playing) == contestants // 2 * 2
        for pair in drawn:
            deals = [block.deal for block in now if block.lineup == pair]
            assert deals == list(range(round * blocks, (round + 1) * blocks))
        bye = set(range(contestants)) - set(playing)
        edges = {*drawn, *((contestant, contestants) for contestant in bye)}

        def joined(one: int, other: int, level: int) -> bool:
            return (met + byes)[min(one, other), max(one, other)] < level

        most = max((met + byes)[edge] for edge in edges)
        places = range(contestants + contestants % 2)
        assert not most or not pairing.has_perfect_matching(
            places, lambda one, other, most=most: joined(one, other, most)
        )
        met.update(edges)


def test_swiss_pairs_neighbours_and_counts_byes() -> None:
    """Winners meet winners; a bye is a full point and goes to the last, once each."""
    schedule = make("swiss", terms(5, rounds=3, blocks=1))
    assert [schedule.block(number).lineup for number in range(2)] == [(0, 1), (2, 3)]
    assert "bye in this round, for a full point: e" in schedule.standing_notes()
    assert schedule.block(2) is None
    for number in range(2):
        block = schedule.block(number)
        schedule.take(block, results(block, [5, 4, 3, 2, 1]))
    # a, c and e have a point; b and d have none, and d is the last of the order.
    assert "a 1, c 1, e 1, b 0, d 0" in schedule.standing_notes()[0]
    assert [schedule.block(number).lineup for number in (2, 3)] == [(0, 2), (1, 4)]
    assert "bye in this round, for a full point: d" in schedule.standing_notes()
    for number in (2, 3):
        block = schedule.block(number)
        schedule.take(block, results(block, [5, 4, 3, 2, 1]))
    play_rest = [schedule.block(number) for number in (4, 5)]
    for block in play_rest:
        schedule.take(block, results(block, [5, 4, 3, 2, 1]))
    assert schedule.standing_notes()[0].startswith("all 3 rounds are over; ")
    with pytest.raises(IndexError):
        schedule.block(6)


# ---- knockout ----


@given(st.integers(2, 12), st.integers(1, 3), st.data())
def test_knockout(contestants: int, blocks: int, data: st.DataObject) -> None:
    """The strongest wins where nobody is level; the first two meet in the last round at most."""
    order = data.draw(st.permutations(range(contestants)))
    strengths = [float(value) for value in order]
    schedule = make("knockout", terms(contestants, blocks=blocks))
    planned = schedule.planned
    played = play(schedule, strengths)
    assert len(played) == planned == schedule.planned == (contestants - 1) * blocks
    out: set[int] = set()
    rounds = max(block.round for block in played)
    for round in range(rounds + 1):
        now = [block for block in played if block.round == round]
        ties = {block.lineup for block in now}
        sitting = [contestant for tie in ties for contestant in tie]
        assert len(set(sitting)) == len(sitting) and not out & set(sitting)
        assert len({tuple(b.deal for b in now if b.lineup == tie) for tie in ties}) == 1
        assert (0, 1) not in ties or round == rounds
        out |= {min(tie, key=lambda c: strengths[c]) for tie in ties}
    winner = chr(ord("a") + strengths.index(max(strengths)))
    assert schedule.standing_notes()[-1] == f"winner of the knockout: {winner}"


def test_level_ties_play_on_and_end() -> None:
    """Block by block, only those that are level; at last the earlier seed goes on."""
    schedule = make("knockout", terms(4, blocks=2))
    equal = [1.0, 1.0, 1.0, 0.0]
    played = play(schedule, equal)
    # a-d is decided, b-c is level in all its further blocks, then a-b, too.
    assert [block.lineup for block in played[:4]] == [(0, 3), (1, 2)] * 2
    assert {block.lineup for block in played[4:20]} == {(1, 2)}
    assert [block.deal for block in played[4:20]] == list(range(2, 18))
    assert {block.lineup for block in played[20:]} == {(0, 1)}
    assert [block.deal for block in played[20:]] == list(range(18, 36))
    notes = schedule.standing_notes()
    assert "round 1: a - d 4 : 0, a goes on" in notes
    level = "as the earlier seed, level after 16 further blocks"
    assert f"round 1: b - c 18 : 18, b goes on {level}" in notes
    assert notes[-1] == "winner of the knockout: a"


def test_a_tie_is_decided_as_soon_as_it_is_not_level() -> None:
    """One more block, and the next round is known."""
    schedule = make("knockout", terms(3, blocks=1))
    block = schedule.block(0)
    assert block is not None and block.lineup == (1, 2)
    assert schedule.block(1) is None
    schedule.take(block, results(block, [1, 1, 1]))
    further = schedule.block(1)
    assert further is not None and (further.lineup, further.deal) == ((1, 2), 1)
    schedule.take(further, results(further, [1, 1, 2]))
    assert "round 1: a has a bye" in schedule.standing_notes()
    final = schedule.block(2)
    assert final is not None and (final.lineup, final.deal, final.round) == ((0, 2), 2, 1)


@given(st.sampled_from(("swiss", "knockout")), st.integers(2, 8), st.data())
def test_the_same_results_give_the_same_schedule(
    name: str, contestants: int, data: st.DataObject
) -> None:
    """What a resumed run is made from: a new schedule that takes the blocks again."""
    strength = st.lists(st.integers(0, 2), min_size=contestants, max_size=contestants)
    strengths = [float(value) for value in data.draw(strength)]
    one, other = (make(name, terms(contestants, blocks=2)) for _ in range(2))
    assert [repr(block) for block in play(one, strengths)] == [
        repr(block) for block in play(other, strengths)
    ]
    assert one.standing_notes() == other.standing_notes()
