"""Games that a seat can't tell apart give it, and its engine, the same bytes; and leaks are found.

Each plant is a fault that a programmer could make. They are put in at the level of Python, so that
what is compared is the same code as in the figures `leak...`.
"""

import re
from itertools import islice, product

import pytest

import protocol.thinking
from bench.games import parse_game
from bench.measure import leaks, twins
from bench.referee.referee import Referee
from protocol import queries, session
from protocol.session import Position

MODULES = [
    f"lofoten level2={level2} jarls={jarls} upgrades={upgrades}"
    for level2 in (0, 2)
    for jarls in ("off", "on")
    for upgrades in ("off", "on")
]
OH_HELL = ["oh_hell", "oh_hell seats=4 off-bid-penalty=on"]
# Without any module and with all of them; the other mixtures take their time.
GAMES = ["kuhn", *OH_HELL, MODULES[0], MODULES[-1]]
GAMES += [pytest.param(identity, marks=pytest.mark.slow) for identity in MODULES[1:-1]]


def measure(identity):
    """Return how the pairs of a game are chosen and compared, planted leak or not."""
    return {"nodes": 6, "every": 2 if identity.startswith("lofoten") else 1}


@pytest.mark.parametrize("identity", GAMES)
def test_nothing_differs_for_a_seat_that_sees_no_difference(identity):
    """The four forms of a position give the same answers, too: `Engines.leak` compares them."""
    out = {}
    leaks.run(out, identity, 60, **measure(identity))
    assert out["differing"] == 0, out["first"]
    assert out["pairs"] == 60 and out["pairs_with_other_secrets"] > 50
    # At a table of four a seat decides a quarter of the time.
    fewest = 15 if "seats=4" in identity else 20
    assert fewest < out["seat_decides"] < 55 and out["from_the_empty_table"] > 5
    assert out["longest_log"] > (4 if identity == "kuhn" else 60)


def test_both_games_differ_in_secrets_only():
    """What the pairs are: two legal games, alike as one seat sees them, of real length."""
    game = parse_game(MODULES[-1])
    seen = ended = differ = 0
    for step, pair in enumerate(islice(twins.twin_games(game, 3), 4000)):
        if step % 50 and not pair.is_last:
            continue
        one, two = pair.referees
        for start, referee in zip(pair.starts, pair.referees, strict=True):
            state = game.from_text(start)
            for event in referee.events:
                state.apply(game.parse_event(event)[1])
            assert state == referee.state and state.check() == 0
        differ += sum(a != b for a, b in zip(one.events, two.events, strict=True))
        seen += 1
        ended += one.is_over
    assert seen > 100 and differ > 100 and ended > 0, (seen, differ, ended)


# ---- planted leaks ----


def odd(state):
    """Return 0 or 1, depending on everything in a state, the secrets of others among it."""
    return state.key() & 1


class Told:
    """Remembers the open position that was thought about last."""

    def __init__(self, monkeypatch):
        honest = protocol.thinking.Thinker.start

        def start(thinker, go, position, *rest):
            self.odd = 0 if position is None else odd(position.state)
            return honest(thinker, go, position, *rest)

        monkeypatch.setattr(protocol.thinking.Thinker, "start", start)

    def change_info(self, monkeypatch, change):
        """Let `change(fields)` spoil the fields of each `info` line where the secret is odd."""
        honest = protocol.thinking.format_info

        def spoilt(**fields):
            if self.odd:
                change(fields)
            return honest(**fields)

        monkeypatch.setattr(protocol.thinking, "format_info", spoilt)


def legal_move_list(monkeypatch):
    honest = queries.legal_words
    monkeypatch.setattr(queries, "legal_words", lambda p: honest(p) + ["end"] * odd(p.state))


def event_length(monkeypatch):
    honest = Referee._apply

    def apply(referee, move):
        honest(referee, move)
        for line in referee._lines:
            if line.endswith(b"?"):
                line += b"?" * (move % 3)

    monkeypatch.setattr(Referee, "_apply", apply)


def face_of_an_event(monkeypatch):
    honest = Referee._apply

    def apply(referee, move):
        honest(referee, move)
        for line in referee._lines:
            line[line.rindex(b" ") + 1 :] = referee.events[-1].encode()

    monkeypatch.setattr(Referee, "_apply", apply)


def first_snapshot(monkeypatch):
    monkeypatch.setattr(Referee, "_start_text", lambda referee, seat, opening: str(odd(opening)))


def error_text(monkeypatch):
    honest = session._event_error

    def event_error(number, token, error, position):
        told = honest(number, token, error, position)
        return session.ProtocolError(told.code, f"{told} in {position.state.to_text()}")

    monkeypatch.setattr(session, "_event_error", event_error)


def error_code(monkeypatch):
    honest = session._event_error

    def event_error(number, token, error, position):
        told = honest(number, token, error, position)
        code = "parse" if odd(position.state) else told.code
        return session.ProtocolError(code, str(told))

    monkeypatch.setattr(session, "_event_error", event_error)


def info_string(monkeypatch):
    monkeypatch.setattr(queries, "draw", lambda p: p.state.game.picture(p.state).splitlines())


def pv(monkeypatch):
    Told(monkeypatch).change_info(monkeypatch, lambda fields: fields["pv"].append("end"))


def score(monkeypatch):
    Told(monkeypatch).change_info(monkeypatch, lambda f: f.update(margin=f["margin"] + 0.01))


def order_of_listing(monkeypatch):
    honest = queries.legal_words
    monkeypatch.setattr(queries, "legal_words", lambda p: honest(p)[:: -1 if odd(p.state) else 1])


def hash_(monkeypatch):
    monkeypatch.setitem(queries._ANSWERS, "hash", lambda p: f"{p.state.key():016x}")


def key(monkeypatch):
    class Leaky:
        """A state whose key of what a seat knows takes in what others hold."""

        def __init__(self, state):
            self.state = state

        def __getattr__(self, name):
            return getattr(self.state, name)

        def infoset_key(self, seat):
            return self.state.infoset_key(seat) ^ odd(self.state)

    states = property(lambda pair: [Leaky(referee.state) for referee in pair.referees])
    monkeypatch.setattr(twins.Twins, "states", states)


def whose_turn(monkeypatch):
    honest = queries._ANSWERS["turn"]
    monkeypatch.setitem(queries._ANSWERS, "turn", lambda p: "none" if odd(p.state) else honest(p))


def search_of_the_truth(monkeypatch):
    """The engine that forgets to turn away from what it was shown."""
    honest = protocol.thinking.Thinker.start

    def start(thinker, go, position, *rest):
        if position is not None and position.view() is not None and not position.state.is_terminal:
            seen = position.state.copy()
            seen.load_bytes(seen.to_bytes(), seen.seat_to_move, seen.ply)
            monkeypatch.setattr(position, "_view", seen)
        return honest(thinker, go, position, *rest)

    monkeypatch.setattr(protocol.thinking.Thinker, "start", start)


def memory_of_the_log(monkeypatch):
    """An answer that depends on the form in which the seat is told what it knows."""
    honest, told = session.Session.set_position, []

    def set_position(reader, text):
        honest(reader, text)
        told.append(len(text.partition(" moves ")[2]))

    monkeypatch.setattr(session.Session, "set_position", set_position)
    monkeypatch.setitem(queries._ANSWERS, "players", lambda p: str(told[-1]))


def belief_of_another_seat(monkeypatch):
    """What the others make of the hand of the seat that asks, where all cards are shown."""
    honest = queries.describe_belief

    def describe_belief(position):
        other = (position.state.seat_to_move + 1) % 2
        if position.is_open and position.belief() is not None:
            position = Position(position.state.view(other))
        return honest(position)

    monkeypatch.setattr(queries, "describe_belief", describe_belief)


def everything(monkeypatch):
    monkeypatch.setattr(Position, "view", lambda position: position.state)


PLANTS = {
    legal_move_list: "query legal",
    event_length: "line of the referee",
    face_of_an_event: "line of the referee",
    error_text: "error",
    error_code: "error",
    info_string: "open text: d|open log: d",
    pv: "open .*: go .*pv",
    score: "open .*: go .*score",
    order_of_listing: "query legal",
    hash_: "query hash",
    key: "^key",
    whose_turn: "query turn",
    search_of_the_truth: "open .*: go",
    memory_of_the_log: "log and (snapshot|open text): query players",
    everything: "open",
}
# Of games that keep beliefs.
BELIEF_PLANTS = {belief_of_another_seat: "open .*: belief"}


@pytest.mark.parametrize(
    ("plant", "identity"),
    [
        *product(PLANTS, ["kuhn", OH_HELL[-1], MODULES[-1]]),
        *product(BELIEF_PLANTS, ["lofoten"]),
    ],
    ids=lambda value: value.__name__.rstrip("_") if callable(value) else value,
)
def test_a_planted_leak_is_caught(plant, identity, monkeypatch):
    """By what it was planted in, within the pairs of which none differs without a plant."""
    plant(monkeypatch)
    with leaks.Engines() as engines:
        pairs = leaks.compared(parse_game(identity), engines, **measure(identity))
        leak = next((leak for _, leak in islice(pairs, 60) if leak is not None), None)
    assert leak is not None
    assert re.search((PLANTS | BELIEF_PLANTS)[plant], str(leak), re.DOTALL), leak
