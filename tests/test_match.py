"""Referee and matches: views only, paired deals, clocks, openings."""

import io
import itertools
from pathlib import Path

import pytest
from fake import Fake, plan, play

from bench.contestant import Limit
from bench.openings import BadOpening, read_openings
from bench.play import Clock, go_words
from bench.referee import BadAnswer, Referee
from bench.report import Progress, Summary
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
            head, _, events = referee.position_line(seat).partition(" moves ")
            view = game.from_text(head.removeprefix("position view "))
            for token in events.split():
                view.apply(game.parse_event(token)[1])
            assert view == referee.state.view(seat)


def test_a_bad_answer_changes_nothing(kuhn: Game) -> None:
    """Words that are no moves and moves that are not legal are told apart."""
    referee = Referee(kuhn, 1)
    before = referee.state.copy()
    for word in ("", "0000", "Pass", "p1:pass", "bet " * 50):
        with pytest.raises(BadAnswer) as caught:
            referee.decide(word)
        assert caught.value.kind == "malformed"
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


def test_both_games_of_a_pair_have_the_same_deal() -> None:
    """It depends on run seed and pair only; the seats are swapped."""
    match = plan("random", "random", 8, 5, 1)
    jobs = [match.job(number) for number in range(8)]
    assert [job.pair for job in jobs] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [job.deal for job in jobs[::2]] == [job.deal for job in jobs[1::2]]
    assert [job.sides for job in jobs] == [(0, 1), (1, 0)] * 4
    assert len({job.deal for job in jobs}) == 4
    longer = plan("vanilla", "greedy", 20, 5, 2, nodes=7)
    assert [longer.job(number).deal for number in range(8)] == [job.deal for job in jobs]
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


def test_the_clock() -> None:
    """Time goes off, the increment comes on, and a forgiven overrun leaves no debt."""
    clock = Clock([Limit(base_ms=1000, inc_ms=100), Limit(nodes=5)])
    assert clock.words() == ["p1time", "1000", "p1inc", "100"]
    clock.spend(0, 0.25)
    assert clock.left_ms == [850.0, None]
    clock.spend(0, 5.0)
    assert clock.left_ms == [100.0, None]
    assert go_words(Limit(base_ms=1000, inc_ms=100, nodes=9), 0, clock, 3) == (
        "p1time 100 p1inc 100 nodes 9 seed 3"
    )
    assert go_words(Limit(nodes=5), 1, clock, 3) == "nodes 5 seed 3"


def test_patience() -> None:
    """The shortest clock and the margin, or the general patience."""
    assert Limit(nodes=5, hang_s=30).patience_s(None) == 30
    assert Limit(movetime_ms=200, margin_ms=100).patience_s(None) == 0.3
    assert Limit(base_ms=9000, movetime_ms=200, margin_ms=100).patience_s(50) == pytest.approx(0.15)


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
    if game.name != "kuhn":
        assert len({" ".join(log) for log in logs}) == 4


# ---- whole matches ----


def test_results_do_not_depend_on_concurrency() -> None:
    """At fixed nodes the records are the same, byte for byte."""
    one, first = play(plan("vanilla", "random", 20, 9, 1))
    three, second = play(plan("vanilla", "random", 20, 9, 3))
    assert first == second
    assert len(one.results) == len(three.results) == 20
    _, other = play(plan("vanilla", "random", 20, 10, 3))
    assert other != first


def test_an_engine_is_told_only_its_view(fake: Fake) -> None:
    """All that went through the pipe: views, own cards, bets, limits; no seed of a deal."""
    outcome, _ = play(plan(fake.command("none"), "random", 12, 4, 1))
    assert len(outcome.results) == 12
    (told,) = fake.told()
    assert told[:2] == ["uhi", "setoption name Strict Views value true"]
    positions = [line for line in told if line.startswith("position")]
    assert len(positions) >= 12
    for line in positions:
        seat = line.split()[3].removeprefix("me=p")
        assert f"~deal@p{3 - int(seat)}=?" in line
        assert f"~deal@p{seat}=" in line and f"~deal@p{seat}=?" not in line
    rest = {line.split()[0] for line in told} - {"position"}
    assert rest == {"uhi", "setoption", "isready", "uhinewgame", "go", "quit"}
    deals = {str(plan("random", "random", 12, 4, 1).job(n).deal) for n in range(12)}
    assert not deals & set(" ".join(told).split())
    assert fake.alive() == []


def test_openings_serve_successive_pairs(kuhn: Game, tmp_path: Path) -> None:
    """A deal seed and a position, over and over, each with the seats swapped."""
    path = tmp_path / "openings.txt"
    text = "kuhn/1 hand.p1=K hand.p2=Q actions=p"
    path.write_text(f"# openings\n\n77\n{text}\n", encoding="utf-8")
    match = plan("random", "random", 8, 5, 2)
    match.openings = read_openings(path, kuhn)
    outcome, _ = play(match)
    assert [r.job.deal for r in outcome.results if r.job.opening is None] == [77] * 4
    placed = [r for r in outcome.results if r.job.opening is not None]
    assert [r.job.number for r in placed] == [2, 3, 6, 7]
    assert [r.job.sides for r in placed] == [(0, 1), (1, 0)] * 2
    for result in placed:
        assert result.job.opening_text == text
        assert result.tallies["turns"] >= 1 and result.plies <= 2
    assert Summary(match, outcome).games == 8


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


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_progress_is_plain_off_a_terminal() -> None:
    """A line that renews itself is for terminals only."""
    outcome, _ = play(plan("random", "random", 40, 5, 2))
    for stream, plain in ((io.StringIO(), True), (Terminal(), False)):
        progress = Progress(40, stream)
        for finished, result in enumerate(outcome.results, 1):
            progress.add(result, finished)
        progress.close()
        text = stream.getvalue()
        assert "40 of 40 games" in text
        assert ("\r" not in text) == plain
        assert text.count("\n") == (10 if plain else 1)
