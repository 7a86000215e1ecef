"""One position told in every form: the engine gives the seat that decides the same answers.

The forms are those of SPEC.md part 6: a seed and decisions (the engine deals), a log with every
card shown, the text of the full state, the log of a view, the snapshot of a view.

Log and snapshot of a view differ in nothing that is asked here. What a log tells beyond the cards
that lie where they lie is which hidden cards come from an older deck; the snapshot has that as
classes. What a log tells of how the other seat decided, the engine does not use. Only the number
of events that `debug on` tells of differs, and what may follow in the same `position` line.
"""

import tempfile

import pytest

from bench.games import parse_game
from bench.measure.leaks import CORE
from bench.measure.talk import Talk
from bench.referee.referee import Referee
from engine import RandomStream

# A log tells a belief more than a text does.
NO_BELIEF = "setoption name Search value belief=off"
MODULES = [
    f"lofoten level2={level2} jarls={jarls} upgrades={upgrades}"
    for level2 in (0, 2)
    for jarls in ("off", "on")
    for upgrades in ("off", "on")
]


def forms(referee, seed):
    """Return the `position` lines of every form that tells the seat to move of a game."""
    seat, game = referee.seat_to_move, referee.game
    decisions = " ".join(event for event in referee.events if not event.startswith("~"))
    lines = {
        "seed": f"position fen {game.identity} seed={seed} moves {decisions}",
        "open log": f"position fen {game.identity} moves {' '.join(referee.events)}",
        "open text": f"position fen {referee.state.to_text()}",
        "log": referee.position_line(seat),
        "snapshot": f"position view {referee.state.view(seat).to_text()}",
    }
    if seed == 1:
        lines["startpos"] = f"position startpos moves {decisions}"
    return lines


def checkpoints(game, seed):
    """Yield the referee of a random game at its first decisions and at some later ones."""
    referee = Referee(game, seed)
    stream = RandomStream(seed, 5)
    while not referee.is_over:
        if referee.plies < 3 or stream.below(60) == 0:
            yield referee
        moves = referee.state.legal_moves()
        referee.decide(game.move_name(moves[stream.below(len(moves))]))


@pytest.mark.slow
@pytest.mark.parametrize("identity", ["kuhn", *MODULES])
def test_all_forms_are_answered_alike(identity):
    """`d`, `legal`, all queries but `scores`, and a whole search report, byte for byte."""
    game = parse_game(identity)
    options = [f"setoption name Game value {game.name}", NO_BELIEF]
    options += [
        f"setoption name {game.name.capitalize()} {name} value {value}"
        for name, value in game.settings.items()
        if name != "cards"
    ]
    asked = [*CORE, "go nodes 40 multipv 32 seed 5"]
    places = labelled = 0
    with tempfile.TemporaryFile() as file:
        talk = Talk(file)
        talk.ask(*options, "uhi")
        for seed in range(1, 30 if game.name == "kuhn" else 3):
            for referee in checkpoints(game, seed):
                told = {}
                for form, line in forms(referee, seed).items():
                    refused, *answers = talk.ask(line, *asked)
                    assert refused == b"", (form, refused)
                    told[form] = answers
                assert all(answers == told["log"] for answers in told.values()), told
                assert told["log"][-1].startswith(b"info depth ")
                places += 1
                labelled += "held=" in referee.state.view(referee.seat_to_move).to_text()
    assert places > 20
    assert game.name == "kuhn" or labelled > 5


@pytest.mark.slow
@pytest.mark.parametrize("identity", ["kuhn", MODULES[0], MODULES[-1]])
def test_the_seat_that_waits_is_told_alike_in_both_forms_of_its_view(identity):
    """Also at the end of the game, when there is a result that it may or may not know."""
    game = parse_game(identity)
    asked = [*CORE, "query scores", "go nodes 5"]
    with tempfile.TemporaryFile() as file:
        talk = Talk(file)
        talk.ask("uhi", NO_BELIEF)
        for seed in range(3, 6):
            referee = None
            for referee in checkpoints(game, seed):
                _told_alike(talk, referee, asked)
            _told_alike(talk, referee, asked)


def _told_alike(talk, referee, asked):
    for seat in range(referee.game.num_seats):
        lines = [referee.position_line(seat)]
        lines.append(f"position view {referee.state.view(seat).to_text()}")
        one, two = (talk.ask("uhi", line, *asked) for line in lines)
        assert one == two and one[1] == b""
        if seat != referee.seat_to_move:
            assert b"no decision" in one[-1] and b"bestmove 0000" in one[-1]
