"""Position texts of Lofoten in numbers: read back, broken, and typed from a real table."""

import pytest

import engine
from bench.measure import texts
from bench.measure.mutations import NAMES, mutate
from engine import BadPositionText, RandomStream
from engine.conformance import variants
from search import Limits, Searcher

GAMES = len(variants("lofoten"))

# What can be seen at a table, and who is to do what. The settings say which modules are played.
TABLE = set(
    "me phase turn hand.p1 hand.p2 ships.p1 ships.p2 area.p1 area.p2 coins market piles warehouses"
    " jarl-cards discard out".split()
)
MODULES = {"level2", "jarls", "upgrades"}
BASE = (
    "lofoten/1 me=p1 phase=play turn=p1 hand.p1=F2.S1.C3 hand.p2=?.?.? ships.p1=F1.S2.-.C1+C2x"
    " area.p1=2 ships.p2=M1.-.-.S3 area.p2=4 coins=1.4.3 market=F2x.M1o.S3x.C2o.F1o piles=S11.M11"
    " warehouses=w3:C:C1o/C2o|w5|w1|w8:S:-/S2x discard=C2.M3 out=M3x"
)
TYPED = {
    "base game, a card to play": BASE,
    "base game, all coins spent, piles empty": (
        "lofoten/1 me=p2 phase=play turn=p2 hand.p1=?.?.? hand.p2=F2.S1.C3 ships.p1=F1.-.-.C1"
        " area.p1=2 ships.p2=M1.-.-.S3+S2o area.p2=4 coins=0.0.8 market=F2x.-.S3x.C2o.-"
        " piles=-.M1 warehouses=w3:C:C1x.C1o.C3x.C3o/C2o.C2x.C2x|w5:F:F1x.F1o.F2x.F2o/F2o.F3x"
        "|w1:M:M1x/M1o.M2x|w8:S:S1x.S1o/S2x.S2x.S2o.S3o out=M2o.M2x.M2o.M3x.F3o"
    ),
    "all modules, a card to play": (
        "lofoten/1 level2=2 jarls=on upgrades=on me=p1 phase=play turn=p1 hand.p1=F2.S1.C3"
        " hand.p2=?.?.? ships.p1=b:F1.a:S2.C:-.d:C1+C2x area.p1=2"
        " ships.p2=d:M1.B:M2+M2x+M1x.c:-.a:- area.p2=4 coins=1.4.3"
        " market=F2x.M1o.S3x.C2o.F1o piles=S10.M11"
        " warehouses=w3:C:C1o_/C2o|w5|w9|w12:S:-/S2x_ jarl-cards=j3:q5b|j8:q7a:p2@4 discard=C2.M3"
    ),
    "all modules, the end of the turn": (
        "lofoten/1 level2=2 jarls=on upgrades=on me=p2 phase=end turn=p2 hand.p1=?.?.?"
        " hand.p2=F2.S1.C3 ships.p1=b:F1.a:S2.c:-.d:C1+C2x area.p1=2 ships.p2=d:M1.c:-.b:-.a:M2"
        " area.p2=4 coins=1.4.3 market=F2x.M1o.S3x.C2o.F1o piles=S11.M10"
        " warehouses=w3:C:C1o/C2o|w5:F:F3x/-|w9|w12:S:-/S2x jarl-cards=j3:q7a|j8:q5b discard=C2.M3"
        " out=M1x"
    ),
    "all modules, ship C is asked": (
        "lofoten/1 level2=2 jarls=on upgrades=on me=p1 phase=load back=play turn=p1"
        " hand.p1=F2.S1.C3 hand.p2=?.?.? ships.p1=C:F1.a:S2.b:-.d:C1+C2x area.p1=2"
        " ships.p2=d:M1.c:-.b:-.a:M2 area.p2=4 coins=1.4.3 market=F2x.M1o.S3x.C2o.F1o piles=S12.M11"
        " warehouses=w3:C:C1o_/C2o|w5|w9|w12:S:-/S2x jarl-cards=j3:q7a|j8:q5b discard=C2.M3"
    ),
}


@pytest.fixture(scope="module")
def lofoten():
    return engine.load("lofoten")


# Random states and broken texts; `python -m bench.figures texts` has many more.


def test_random_states_read_back_in_every_variant():
    tally = texts.write_and_read("lofoten", 3, 0, GAMES, 6)
    assert tally.counts["texts"] == 3 * tally.counts["states"] == 18 * GAMES
    assert tally.examples == {}


def test_broken_texts_are_refused_or_do_no_harm():
    tally = texts.break_and_read("lofoten", 4, 0, GAMES, 50)
    figures = texts.summary(tally)
    assert tally.examples == {}
    assert figures["faults"] == 0 and figures["mutated"] == 50 * GAMES
    assert figures["refused"] > 10 * figures["accepted"] / 2 > 100
    assert all(sum(figures["by_mutation"][name].values()) > 50 for name in NAMES)
    told = {message.partition(" ")[0] for message in figures["without_field"]}
    assert told <= {"position", "tile", "order", "more"}, "each other refusal names a field"


def test_mutations_are_repeated_and_change_the_text(lofoten):
    settings = lofoten.setting_list()
    for index in range(200):
        one, two = (
            mutate(BASE, [BASE], ["kuhn/1 hand.p1=K"], settings, RandomStream(index, 5))
            for _ in range(2)
        )
        assert one == two and one[0] != BASE and set(one[1]) <= set(NAMES)


class Faulty:
    """A game whose reader does what it is told."""

    def __init__(self, answer):
        self.answer = answer

    def from_text(self, text):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "verdict", "fault"),
    [
        (KeyError("hand"), "raised", "raised"),
        (BadPositionText("field coins=9: too many", "coins"), "refused", None),
        (BadPositionText("too many", "coins"), "refused", "not_named"),
        (BadPositionText("", None), "refused", "bad_message"),
        (BadPositionText("x" * 1000, None), "refused", "bad_message"),
    ],
)
def test_faults_of_a_reader_are_seen(answer, verdict, fault):
    tally = texts.Tally()
    assert texts.judge(Faulty(answer), "lofoten/1", RandomStream(1), tally) == verdict
    assert list(tally.examples) == ([fault] if fault else [])


def test_a_broken_state_is_harmful(lofoten):
    state = lofoten.from_text(BASE)
    fields = lofoten.fields(state)
    broken = lofoten.build(fields | {"coins": [9, 9, 9]}, 0)
    tally = texts.Tally()
    assert texts.judge(Faulty(broken), BASE, RandomStream(1), tally) == "accepted"
    assert tally.counts["harmful"] == 1 and "check 0x1" in tally.examples["harmful"][0]
    assert texts.harm_done(state, RandomStream(1)) == ""


# A view typed from a real table is enough to ask for a hint.


@pytest.mark.parametrize("name", TYPED)
def test_a_typed_view_has_nothing_technical(name, lofoten):
    keys = {word.partition("=")[0] for word in TYPED[name].split()[1:]}
    asked = {"back"} if "phase=load" in TYPED[name] else set()
    assert keys <= TABLE | MODULES | asked
    state = lofoten.from_text(TYPED[name])
    assert state.check() == 0 and state.observer == state.seat_to_move
    assert texts.reads_back(state) == ""


@pytest.mark.parametrize("name", TYPED)
def test_a_typed_view_gets_a_hint(name, lofoten):
    state = lofoten.from_text(TYPED[name])
    result = Searcher("vanilla", threads=1, seed=1).go(state, Limits(nodes=300), multipv=3)
    assert result.best_move in state.legal_moves()
    assert result.info.nodes == 300 and len(result.info.lines) >= 2
    world = state.determinize(RandomStream(2))
    assert world.check() == 0 and world.view(state.observer) == state


@pytest.mark.parametrize("name", TYPED)
def test_a_typed_view_gets_a_hint_over_the_protocol(name, lofoten, talk):
    out = talk.ask("uhi", f"position view {TYPED[name]}", "go nodes 200")
    assert not [line for line in out if line.startswith("error")]
    state = lofoten.from_text(TYPED[name])
    legal = [state.game.move_name(move) for move in state.legal_moves()]
    assert out[-1].split()[0] == "bestmove" and out[-1].split()[1] in legal
    drawn = "\n".join(talk.ask("d"))
    assert f"seat {state.observer + 1}: hand [F2] [S1] [C3]" in drawn


@pytest.mark.parametrize("key", sorted(TABLE - {"me", "out", "discard", "jarl-cards"}))
def test_what_is_forgotten_is_named(key, lofoten):
    text = " ".join(w for w in BASE.split() if w.partition("=")[0] != key)
    with pytest.raises(BadPositionText) as caught:
        lofoten.from_text(text)
    assert caught.value.key == key and key in str(caught.value)
