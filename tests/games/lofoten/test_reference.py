"""The engine against the slow reference rules, and the reference against the bookkeeping.

`differential.py` is the long form of the comparison.
"""

import random
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from differential import MODULES, REPORTED, Difference, Pair, chosen, play_game
from helpers import random_game
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from policies import POLICIES
from reference import CHANCE, Reference, from_text, play_record
from reference_action import Action
from reference_cards import CARD_NAMES, CHOICES, STAND_IN, CardSet
from reference_close import Close
from reference_table import Table
from reference_text import texts

import engine
from bench.referee.referee import Referee

TESTS = Path(__file__).parents[2]
CARD_FILE = Path(engine.__file__).parent / "games" / "lofoten" / "data.toml"
GAMES = 480
RARE_HERE = {
    "four kept",
    "third tile on B",
    "final unload of one tile of B",
    "dead position",
    "coin from the opponent",
    "extra in the last turn",
    "discard with an empty market",
    "requirement own_coins",
}
"""What so few games need not meet; the long form counts all."""

OTHERS = {
    name: st.sampled_from(values)
    for name, values in CHOICES.items()
    if name not in ("level2", "jarls", "upgrades", "stall")
} | {"stall": st.sampled_from(("3", "20", "60"))}


# The engine and the reference.


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_engine_and_reference_agree(part, met):
    """Seat to move, options, weights, all texts and the scores, before every event."""
    for number in range(part, GAMES, 4):
        found = play_game(1, number)
        assert not found["fault"], found["fault"]
        met.update(found["branches"])
        met["plies"] += found["plies"]


@pytest.fixture(scope="module")
def met():
    return Counter()


@pytest.mark.slow
def test_the_games_met_the_rare_branches(met):
    """Those compared above; else a fault there would not be seen."""
    if not met["plies"]:
        pytest.skip("no games were played")
    assert set(REPORTED) - RARE_HERE <= set(met)
    assert met["plies"] > 100 * GAMES


@pytest.mark.slow
@settings(
    max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(
    modules=st.sampled_from(MODULES),
    others=st.fixed_dictionaries({}, optional=OTHERS),
    policy=st.sampled_from(sorted(POLICIES)),
    seed=st.integers(0, 2**32),
    late=st.booleans(),
    dice=st.sampled_from(("", *"MFSC")),
    cards=st.integers(0, 30),
    picks=st.lists(st.integers(0, 11), max_size=40),
)
def test_any_game_agrees(modules, others, policy, seed, late, dice, cards, picks):
    """The same, with settings, seeds, cards and the first moves chosen by hypothesis."""
    rng = random.Random(seed)
    Pair(chosen(modules | others), rng, late, dice, cards).play(policy, picks)


def test_start_orders_where_the_deck_runs_out():
    """R4: what was set aside goes back early; no deal of a usual card set comes to this."""
    pair = Pair({}, random.Random(1))
    put_aside = ".".join(card for card in CARD_NAMES for _ in range(3) if card != "C3")
    board = "ships.p1=-.-.-.- area.p1=3 ships.p2=-.-.-.- area.p2=3 coins=2.3.3"
    open_tiles = "market=F1o.C1o.C1x.M3x.S1o piles=C13.M14 warehouses=w1|w8|w6|w2"
    head = f"{pair.game.identity} phase=order turn=p1 hand.p1=- hand.p2=-"
    pair.load(f"{head} {board} {open_tiles} discard={put_aside} out=-")
    for word in ("~order@p1=C3",) * 3:
        pair.step(word)
        pair.compare(CHANCE)
    assert pair.reference.happened["set-aside orders needed"] == 1
    pair.play("uniform")


FAULTS = {
    "far seat": (Table, "shift", lambda self, seat, way: 1 if way == "right" else -1),
    "loading": (Action, "_must_load", lambda self, ship, tile: False),
    "last turn": (Table, "last_turn", lambda self: False),
    "four": (Table, "discard_four", lambda self: False),
    "reshuffle": (Table, "sort_classes", lambda self, seat: None),
    "claims": (Close, "_claim_words", lambda self: []),
}

WHOLE_GAMES = ("four", "reshuffle")
"""Faults that games from the empty table show; for the others games near their end are enough."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_on_one_side_is_seen(fault, monkeypatch):
    """The comparison can fail."""
    owner, name, wrong = FAULTS[fault]
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(Difference):
        for seed in range(20):
            modules = {"level2": "1", "jarls": "on", "upgrades": "on"}
            Pair(modules, random.Random(seed), fault not in WHOLE_GAMES, "M").play("builder")


# Cards.


def test_the_reference_has_the_cards_of_the_file():
    """Its stand-in set is written out apart from the file."""
    file = CardSet(tomllib.loads(CARD_FILE.read_text(encoding="utf-8")))
    mine = CardSet(STAND_IN)
    assert file.orders == mine.orders and file.tiles == mine.tiles
    assert file.effects == mine.effects
    for name in ("coins", "longships", "warehouses", "jarls", "requirements"):
        assert without_status(getattr(file, name)) == without_status(getattr(mine, name))


def without_status(value):
    if not isinstance(value, dict):
        return value
    return {
        name: without_status(each) for name, each in value.items() if not name.endswith("status")
    }


# Records and playthroughs.


@pytest.mark.parametrize("modules", [{}, {"level2": "2", "jarls": "on", "upgrades": "on"}])
def test_it_plays_a_record(modules):
    """The events as a match writes them, from the name of the game."""
    game = engine.load("lofoten", **modules)
    referee = Referee(game, 5)
    stream = engine.RandomStream(5, 5)
    while not referee.is_over:
        moves = referee.state.legal_moves()
        referee.decide(game.move_name(moves[stream.below(len(moves))]))
    told = play_record(game.identity, " ".join(referee.events))
    assert told.to_move() is None and told.to_text() == referee.state.to_text()
    assert told.scores() == referee.state.scores()


PLAYTHROUGHS = sorted((TESTS / "playthroughs" / "lofoten").glob("*.txt"))


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_it_plays_the_golden_playthroughs(path):
    """Every text of a position in them is the reference's too."""
    reference, compared = None, 0
    for line in path.read_text(encoding="utf-8").splitlines():
        head, _, rest = line.partition(": ")
        if head == "-> start":
            reference = from_text(rest)
        elif line.startswith("-> ") and head != "-> about":
            for word in line[3:].partition(" | ")[0].split():
                reference.apply(word)
        elif head in ("all", "p1", "p2"):
            observer = None if head == "all" else int(head[1]) - 1
            assert reference.to_text(observer) == rest
            compared += 1
        elif head == "scores":
            assert rest.split() == [str(n) for n in reference.scores()]
    assert compared >= 9


# The reference alone.


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("modules", MODULES[-4:])
def test_it_loses_nothing(modules, policy):
    """Coins, cards and tiles are conserved; texts and copies give the same game."""
    rng = random.Random(f"{modules} {policy}")
    game = Reference(chosen(modules | {"stall": "20"}))
    events = 0
    while (mover := game.to_move()) is not None:
        options = game.legal()
        events += 1
        if events % 20 == 0:
            assert not game.faults(), game.to_text()
            again = from_text(game.to_text())
            assert texts(again) == texts(game) == texts(game.copy())
            assert again.legal() == options and again.scores() == game.scores()
        if mover == CHANCE:
            tokens, weights = zip(*options, strict=True)
            game.apply(rng.choices(tokens, weights)[0])
        else:
            game.apply(POLICIES[policy](game, rng, options))
    assert not game.faults() and events < 20_000


def test_a_copy_is_independent():
    rng = random.Random(4)
    pair = Pair({"jarls": "on", "upgrades": "on"}, rng, late=True)
    game, text = pair.reference, pair.reference.to_text()
    other = game.copy()
    for _ in range(60):
        options = other.legal()
        words = [token for token, _ in options] if other.to_move() == CHANCE else options
        if words:
            other.apply(rng.choice(words))
    assert game.to_text() == text != other.to_text()


def test_what_is_not_allowed_is_refused():
    with pytest.raises(ValueError, match="no setting 'stal'"):
        Reference({"stal": "3"})
    with pytest.raises(ValueError, match="level2 cannot be '5'"):
        Reference({"level2": "5"})
    game = Reference()
    with pytest.raises(ValueError, match="'~tile=F4x' is not among"):
        game.apply("~tile=F4x")
    with pytest.raises(ValueError, match="not the turn of that seat"):
        game.apply("p1:end")
    with pytest.raises(ValueError, match="unknown fields: colour"):
        from_text(f"{next(iter(late_texts()))} colour=red")


def late_texts():
    """Yield full texts of the engine from a game."""
    for state, event in random_game(3, stall=5):
        if event is not None and "turns=" in state.to_text():
            yield state.to_text()


def test_facts_name_what_is_hidden():
    """The deck and the piles, and every field of the text."""
    game = Reference({"upgrades": "on"})
    game.apply("~tile=F2x")
    facts = game.facts()
    assert facts["market"] == "F2x.-.-.-.-" and facts["phase"] == "tile"
    assert len(facts["deck"].split(".")) == 36 and len(facts["unseen"].split(".")) == 31
    assert facts["unseen"].split(".").count("F2x") == 1
