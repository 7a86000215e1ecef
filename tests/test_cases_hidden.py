"""Cases of the field on hidden information: P33 (the engine's half), P35 and P38."""

import base64
import sys
import tempfile
from itertools import islice

import pytest
from fake import ROOT
from runs import make_plan, play
from test_rng import Reference

from bench.contestant import Limit
from bench.games import parse_game
from bench.measure.talk import Talk
from bench.measure.twins import twin_games
from bench.referee.clock import Clock, go_words
from bench.referee.referee import Referee
from bench.seeds import SearchSeeds, deal_seed
from engine import RandomStream
from protocol.messages import QUERIES

ALL_MODULES = "lofoten level2=2 jarls=on upgrades=on"
MODULES_SLOWLY = pytest.param(ALL_MODULES, marks=pytest.mark.slow)
# A run seed of 53 bits: a short one would be found by chance among the numbers of a log.
RUN_SEED = 5_846_006_549_323_611


# ---- P33: the seed never leaves the referee ----


def spellings(number):
    """Return a 64-bit number as bytes in all the ways in which one might write it."""
    raw = [number.to_bytes(8, "little"), number.to_bytes(8, "big")]
    raw.append(raw[1].lstrip(b"\0"))
    plain = [str(number).encode(), b"%x" % number, b"%X" % number, b"%016x" % number]
    codes = [
        code(text).rstrip(b"=")
        for code in (base64.b64encode, base64.urlsafe_b64encode)
        for text in (*raw, *plain)
    ]
    return {*raw, *plain, *codes, *(text.hex().encode() for text in raw)}


def random_game(game, seed):
    """Yield the referee of a random game at each decision and at its end."""
    referee, choice = Referee(game, seed), RandomStream(seed, 5)
    while not referee.is_over:
        yield referee
        moves = referee.state.legal_moves()
        referee.decide(game.move_name(moves[choice.below(len(moves))]))
    yield referee


def secrets_and_lines(game, seed, monkeypatch):
    """Play a game; return its seed with the words of each generator started, and the last lines.

    Each line that a seat is sent begins with the one before, so the last one holds them all.
    """
    started = []

    def stream(seed, purpose=1, index=0):
        started.append((seed, purpose, index))
        return RandomStream(seed, purpose, index)

    lines = ["", ""]
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules[type(game.new_deal(seed)).__module__], "RandomStream", stream)
        for referee in random_game(game, seed):
            if referee.plies % 16 and not referee.is_over:
                continue
            before, lines = lines, [referee.position_line(seat) for seat in range(2)]
            assert all(line.startswith(old) for line, old in zip(lines, before, strict=True))
    words = {seed}
    for name in started:
        words.update(Reference(*name).s)
    return words, lines


def found(words, data):
    return [number for number in words for text in spellings(number) if text in data]


def test_p33_the_check_would_find_a_seed():
    seed = 0x7048860DDF79
    raw = seed.to_bytes(8, "big")
    for text in (b"seed=7048860ddf79", b"7048860DDF79", str(seed).encode(), raw, raw[::-1]):
        assert found([seed], b"x" + text + b"7")
    assert found([seed], b"~" + base64.b64encode(raw[2:]) + b"=")
    assert found([seed], base64.urlsafe_b64encode(raw[::-1]))
    assert not found([seed], b"7048860dd 123456")


def test_p33_no_seed_reaches_an_engine_process(tmp_path, monkeypatch):
    """All bytes on the standard input of all processes in a match of 100 games of Kuhn poker."""
    engine = f"{sys.executable} {ROOT / 'drakkar.py'}"
    command = f"sh -c 'tee {tmp_path}/$$ | exec {engine}'"
    played = play(make_plan(command, command, blocks=50, seed=RUN_SEED, nodes=5), 1)
    assert len(played.results) == 100 and played.outcome.failure is None
    told = [path.read_bytes() for path in tmp_path.iterdir()]
    assert len(told) == 4 and all(data.count(b"\ngo ") >= 50 for data in told)
    words = {RUN_SEED}
    for pair in range(50):
        deal = deal_seed(RUN_SEED, pair)
        words |= secrets_and_lines(parse_game("kuhn"), deal, monkeypatch)[0]
    assert len(words) == 1 + 50 + 50 * 4
    assert found(words, b"".join(told)) == []


def test_p33_no_seed_is_in_what_the_referee_sends(monkeypatch):
    """All lines of 100 games of Lofoten with all modules, and the seeds of the searches."""
    game = parse_game(ALL_MODULES)
    for number in range(100):
        words, lines = secrets_and_lines(game, deal_seed(RUN_SEED, number), monkeypatch)
        seeds = SearchSeeds(RUN_SEED, number % 2, number)
        goes = [go_words(Limit(nodes=5), 0, Clock([Limit()]), seeds.next()) for _ in range(400)]
        assert len(words) > 30 and min(map(len, lines)) > 2000
        assert found({*words, RUN_SEED}, "\n".join([*lines, *goes]).encode()) == []


# ---- P35: how many options does the opponent have? ----


@pytest.mark.parametrize("identity", ["kuhn", "lofoten", MODULES_SLOWLY])
def test_p35_the_seat_that_waits_learns_no_number_of_options(identity):
    """Two states that differ only in the other hand: every answer is the same, `legal` is empty."""
    game = parse_game(identity)
    asked = [*(f"query {word}" for word in QUERIES), "legal", "d", "go nodes 5"]
    pairs = differ = 0
    with tempfile.TemporaryFile() as file:
        talk = Talk(file)
        for step, twins in enumerate(islice(twin_games(game, 5), 3000)):
            one, two = twins.states
            seat = one.seat_to_move
            if twins.decides or seat < 0 or one == two or step % (9 if game.name == "kuhn" else 20):
                continue
            lines = twins.position_lines()
            lines += [f"position view {state.view(twins.seat).to_text()}" for state in (one, two)]
            answers = [talk.ask("uhinewgame", line, *asked)[2:] for line in lines]
            assert answers[0] == answers[1] == answers[2] == answers[3]
            told = dict(zip(asked, answers[0], strict=True))
            assert told["query legal"] == b"response -\n"
            assert told["query turn"] == b"response p%d\n" % (seat + 1)
            assert b"no decision" in told["legal"] and b"bestmove 0000" in told["go nodes 5"]
            pairs += 1
            differ += one.legal_moves() != two.legal_moves()
    assert pairs > 50
    assert game.name == "kuhn" or differ > 10


# ---- P38: unknown draws are normal input ----


def fields(text):
    """Return the fields of a position text, each as its atoms."""
    pairs = (word.partition("=") for word in text.split()[1:])
    return {key: value.split(".") for key, _, value in pairs}


def contradictions(view, world):
    """Return the known atoms of a view that a world does not have."""
    known, dealt = fields(view.to_text()), fields(world.to_text())
    told = [key for key in known if key not in ("me", "held")]
    wrong = [key for key in told if len(known[key]) != len(dealt.get(key, []))]
    return wrong + [
        f"{key}={atom}"
        for key in told
        for atom, other in zip(known[key], dealt.get(key, []), strict=False)
        if not (atom == other or (atom[0] == "?" and atom[1:] == other[2:]))
    ]


def history(events, owner, world):
    """Return a log of Lofoten with the cards of a world in the place of the owner's hidden draws.

    A draw whose card was played or put away later is that card; the others lie in the world's hand.
    """
    cards, hand, drawn, to_deal = {}, [], None, 3
    for place, event in enumerate(events):
        seat, _, word = event.partition(":")
        head, _, rest = word.partition(":")
        if event.startswith(f"~draw@{owner}="):
            if to_deal:
                hand.append(place)
                to_deal -= 1
            else:
                drawn = place
        elif seat == owner and head in PLACES:
            cards[hand.pop(PLACES.index(head))] = rest
        elif seat == owner and head == "put":
            hand.insert(0 if rest == "left" else len(hand), drawn)
            drawn = None
        elif seat == owner and head == "redraw":
            cards.update(zip(hand, rest.split("."), strict=True))
            hand, to_deal = [], 3
    held = fields(world.to_text())
    left = [card[:2] for card in held[f"hand.{owner}"] if card != "-"]
    cards.update(zip(hand, left, strict=True))
    if drawn is not None:
        cards[drawn] = held[f"drawn.{owner}"][0][:2]
    return [f"~draw@{owner}={cards[i]}" if i in cards else e for i, e in enumerate(events)]


PLACES = ("left", "mid", "right")


def games_with_unknown_draws(game, number, every):
    """Yield referee and seat at some decisions of random games."""
    for seed in range(number):
        for referee in random_game(game, seed):
            if referee.plies % every == seed % every and not referee.is_over:
                for seat in range(game.num_seats):
                    yield referee, seat


@pytest.mark.parametrize("identity", ["kuhn", "lofoten", ALL_MODULES])
def test_p38_unknown_draws_are_thought_about(identity):
    """The log with `?` is accepted, and a search of 500 simulations answers with a legal move."""
    game = parse_game(identity)
    answered, pace = 0, (9, 1) if game.name == "kuhn" else (3, 60)
    with tempfile.TemporaryFile() as file:
        talk = Talk(file)
        talk.ask("uhi")
        for referee, seat in games_with_unknown_draws(game, *pace):
            if seat != referee.seat_to_move:
                continue
            line = referee.position_line(seat)
            assert "=?" in line
            error, search = talk.ask(line, "go nodes 500 seed 1")
            assert error == b""
            move = search.split()[-1].decode()
            assert move in [game.move_name(m) for m in referee.state.legal_moves()]
            answered += 1
    assert answered > 5


@pytest.mark.parametrize("identity", ["kuhn", "lofoten", MODULES_SLOWLY])
def test_p38_no_world_contradicts_what_is_known(identity):
    """Worlds have every known atom, and a legal game leads to them that looks like the log."""
    game = parse_game(identity)
    stream = RandomStream(38, 2)
    worlds, renewed, pace = 0, 0, (9, 1) if game.name == "kuhn" else (3, 47)
    for referee, seat in games_with_unknown_draws(game, *pace):
        head, _, log = referee.position_line(seat).partition(" moves ")
        view, other = game.new_state(seat), f"p{2 - seat}"
        for event in log.split():
            view.apply(game.parse_event(event)[1])
        for _ in range(6):
            world = view.determinize(stream)
            assert contradictions(view, world) == []
            if game.name == "kuhn":
                dealt = fields(world.to_text())[f"hand.{other}"][0]
                events = log.replace(f"~deal@{other}=?", f"~deal@{other}={dealt}").split()
            else:
                events = history(log.split(), other, world)
            state = game.new_state()
            for event, seen in zip(events, log.split(), strict=True):
                move = game.parse_event(event)[1]
                assert game.event_name(state.redact(move, seat), state.seat_to_move) == seen
                state.apply(move)
            assert state == world and world.check() == 0
            worlds += 1
            renewed += "held=" in view.to_text()
    assert worlds > 30
    assert game.name == "kuhn" or renewed > 50


def test_p38_the_check_knows_a_contradiction(kuhn):
    """Also in a hidden hand of which only the class is known."""
    view = kuhn.from_text("kuhn/1 me=p1 hand.p1=K hand.p2=? actions=p")
    assert contradictions(view, kuhn.from_text("kuhn/1 hand.p1=K hand.p2=Q actions=p")) == []
    assert contradictions(view, kuhn.from_text("kuhn/1 hand.p1=J hand.p2=Q actions=p"))
    assert contradictions(view, kuhn.from_text("kuhn/1 hand.p1=K hand.p2=Q actions=b"))
