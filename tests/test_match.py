"""Referee and matches: views only, paired deals, clocks, openings."""

import itertools
from pathlib import Path

import pytest
from fake import Fake
from runs import make_plan, play

from bench.openings import BadOpening, read_openings
from bench.referee.referee import BadAnswer, Referee
from bench.referee.verdicts import Termination
from bench.seeds import SearchSeeds, deal_seed
from engine import Game, RandomStream


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine that leaves notes."""
    return Fake(tmp_path)


# ---- the referee ----


def test_a_seat_is_told_its_card_and_the_bets_only(kuhn: Game) -> None:
    """In all 6 deals and all ways to bet, a line follows from own card and bets alone."""
    lines: dict[tuple[int, str, str], set[str]] = {}
    deals = set()
    for seed, words in itertools.product(range(40), itertools.product(("pass", "bet"), repeat=3)):
        referee = Referee(kuhn, seed)
        cards = [event[-1] for event in referee.events]
        deals.add("".join(cards))
        bets = ""
        for word in words:
            for seat in range(2):
                line = referee.position_line(seat)
                lines.setdefault((seat, cards[seat], bets), set()).add(line)
            if referee.is_over:
                break
            referee.decide(word)
            bets += word[0]
    assert len(deals) == 6
    assert {len(same) for same in lines.values()} == {1}
    assert len({min(same) for same in lines.values()}) == len(lines)
    assert lines[1, "K", "p"] == {"position view kuhn/1 me=p2 moves ~deal@p1=? ~deal@p2=K p1:pass"}


def test_the_line_gives_exactly_the_knowledge_of_the_seat(game: Game) -> None:
    """The events entered into an empty view give the seat's view of the true state, to the byte."""
    stream = RandomStream(1, 5)
    referee = Referee(game, 20)
    while not referee.is_over:
        moves = referee.state.legal_moves()
        referee.decide(game.move_name(moves[stream.below(len(moves))]))
        if referee.plies % 97 and not referee.is_over:
            continue
        for seat in range(game.num_seats):
            assert referee.position_bytes(seat).decode() == referee.position_line(seat)
            head, _, events = referee.position_line(seat).partition(" moves ")
            view = game.from_text(head.removeprefix("position view "))
            for token in events.split():
                view.apply(game.parse_event(token)[1])
            assert view == referee.state.view(seat)


def test_a_bad_answer_changes_nothing(kuhn: Game) -> None:
    """Words that are no moves and moves that are not legal are told apart."""
    referee = Referee(kuhn, 1)
    before = referee.state.copy()
    for word in ("", "\0", "0000", "Pass", "p1:pass", "bet" * 50):
        with pytest.raises(BadAnswer) as caught:
            referee.decide(word)
        is_word = word.isprintable() and word
        assert caught.value.kind == (Termination.ILLEGAL if is_word else Termination.MALFORMED)
        assert len(str(caught.value)) < 120
    assert referee.state == before
    assert referee.plies == 0


def test_an_illegal_move_is_refused(game: Game) -> None:
    """A word of the game that the rules do not allow now."""
    referee = Referee(game, 1)
    stream = RandomStream(2, 5)
    words: set[str] = set()
    refused = 0
    while not referee.is_over:
        legal = [game.move_name(m) for m in referee.state.legal_moves()]
        for word in sorted(words - set(legal))[:3]:
            with pytest.raises(BadAnswer) as caught:
                referee.decide(word)
            assert caught.value.kind == "illegal"
            refused += 1
        words.update(legal)
        referee.decide(legal[stream.below(len(legal))])
    assert refused or len(words) == 2


# ---- deals, seeds, clocks ----


def test_the_games_of_a_block_have_the_same_deal() -> None:
    """It depends on run seed and deal only; the seats are swapped."""
    plan = make_plan("random", "random", blocks=4, seed=5)
    blocks = [plan.jobs(plan.make_schedule().block(number)) for number in range(4)]
    assert [[job.number for job in jobs] for jobs in blocks] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert [jobs[0].deal for jobs in blocks] == [jobs[1].deal for jobs in blocks]
    assert [[job.seats for job in jobs] for jobs in blocks] == [[(0, 1), (1, 0)]] * 4
    assert len({jobs[0].deal for jobs in blocks}) == 4
    longer = make_plan("vanilla", "greedy", blocks=20, seed=5, nodes=7)
    again = [longer.jobs(longer.make_schedule().block(number))[0].deal for number in range(4)]
    assert again == [jobs[0].deal for jobs in blocks]
    assert deal_seed(6, 0) != deal_seed(5, 0)


def test_search_seeds_are_independent() -> None:
    """Each side and each game has a stream of its own, apart from the deals."""
    streams = [
        tuple(seeds.next() for _ in range(5))
        for seeds in (SearchSeeds(1, side, game) for side in range(2) for game in range(3))
    ]
    deals = {deal_seed(1, pair) for pair in range(30)}
    numbers = {number for stream in streams for number in stream}
    assert len(numbers) == 30
    assert not numbers & deals
    assert all(0 <= number < 2**53 for number in numbers | deals)


def test_no_seed_follows_from_others() -> None:
    """A keyed hash; these numbers pin it, for they are in records."""
    seeds = SearchSeeds(1, 0, 0)
    assert [deal_seed(1, 0), deal_seed(2**63 - 1, 7)] == [6178277086393352, 8965998576757100]
    assert [seeds.next(), seeds.next()] == [3458310343754644, 3005074095467494]


def test_the_games_of_a_pair_share_what_a_position_leaves_open(game: Game) -> None:
    """Same decisions, same luck; and the deal of the rest is that of the seed."""
    referee = Referee(game, 3)
    for _ in range(2):
        referee.decide(game.move_name(referee.state.legal_moves()[0]))
    logs = []
    for seed in (1, 1, 2, 3, 4):
        again = Referee(game, seed, referee.state)
        while not again.is_over:
            again.decide(game.move_name(again.state.legal_moves()[-1]))
        logs.append(again.events)
    assert logs[0] == logs[1]
    has_luck = any(event.startswith("~") for event in logs[0])
    assert has_luck == (game.name == "lofoten")
    assert len({" ".join(log) for log in logs}) == (4 if has_luck else 1)


# ---- whole matches ----


def test_results_do_not_depend_on_concurrency() -> None:
    """At fixed nodes the records are the same, byte for byte."""
    first = play(make_plan("vanilla", "random", blocks=10, seed=9), 1)
    second = play(make_plan("vanilla", "random", blocks=10, seed=9), 3)
    assert first.record == second.record
    assert first.outcome.counted_games == second.outcome.counted_games == 20
    assert first.standings == second.standings
    other = play(make_plan("vanilla", "random", blocks=10, seed=10), 1)
    assert other.record != first.record


def test_an_engine_is_told_only_its_view(fake: Fake) -> None:
    """All that went through the pipes: views, own cards, bets, limits; no seed of a deal."""
    plan = make_plan(fake.command("none"), "random", blocks=6, seed=4)
    played = play(plan, 1)
    assert played.outcome.counted_games == 12
    processes = fake.told()
    assert len(processes) == 2  # one for each seating
    for seat, told in enumerate(sorted(processes, key=lambda lines: "me=p2" in str(lines)), 1):
        assert told[:2] == ["uhi", "setoption name Strict Views value true"]
        positions = [line for line in told if line.startswith("position")]
        assert len(positions) >= 6
        for line in positions:
            assert line.split()[3] == f"me=p{seat}"
            assert f"~deal@p{3 - seat}=?" in line
            assert f"~deal@p{seat}=" in line and f"~deal@p{seat}=?" not in line
        rest = {line.split()[0] for line in told} - {"position"}
        assert rest == {"uhi", "setoption", "isready", "uhinewgame", "go", "quit"}
        deals = {str(result.job.deal) for result in played.results}
        assert not deals & set(" ".join(told).split())
    assert fake.alive() == []


def test_openings_serve_successive_blocks(kuhn: Game, tmp_path: Path) -> None:
    """A deal seed and a position, over and over, each with the seats swapped."""
    path = tmp_path / "openings.txt"
    text = "kuhn/1 hand.p1=K hand.p2=Q actions=p"
    path.write_text(f"# openings\n\n77\n{text}\n", encoding="utf-8")
    plan = make_plan("random", "random", blocks=4, seed=5)
    plan.openings = read_openings(path, kuhn)
    played = play(plan)
    assert [r.job.deal for r in played.results if r.job.opening is None] == [77] * 4
    placed = [r for r in played.results if r.job.opening is not None]
    assert [r.job.number for r in placed] == [2, 3, 6, 7]
    assert [r.job.seats for r in placed] == [(0, 1), (1, 0)] * 2
    for result in placed:
        assert result.job.opening_text == text
        assert result.tallies["turns"] >= 1 and result.plies <= 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("kuhn/1 me=p1 hand.p1=K hand.p2=?", "line 2: this is one seat's view"),
        ("kuhn/1 hand.p1=K hand.p2=Q actions=pp", "line 2: the game is over here"),
        ("kuhn/1 hand.p1=Z", "line 2: field hand.p1"),
        ("9007199254740992", "line 2: the seed"),
        ("", "no opening in it"),
    ],
)
def test_bad_openings(kuhn: Game, tmp_path: Path, line: str, message: str) -> None:
    """The error names file and line."""
    path = tmp_path / "openings.txt"
    path.write_text(f"# openings\n{line}\n", encoding="utf-8")
    with pytest.raises(BadOpening, match=f"openings.txt.*{message}"):
        read_openings(path, kuhn)
