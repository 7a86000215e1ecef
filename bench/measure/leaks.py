"""Leaks: what reaches a seat, and what its engine prints, in games that the seat can't tell apart.

Compared byte by byte are the lines that the referee sends along the way, what the engine's own
functions tell of each state, and what the engine prints when it is told of the game in four forms:
the log of a view, the snapshot of a view, and, where the seat decides, the log and the text of the
full state, to which the engine must blind itself. Besides, the four forms have to give the same
answers; but where a game keeps beliefs, a search may make more of a log than of a text. Only
`query scores` of an open position may tell the truth and is left out there.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice

from bench.games import parse_game
from bench.measure.talk import Talk
from bench.measure.twins import Twins, twin_games
from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream
from engine.game import Game, State
from protocol.messages import QUERIES

VIEWS = ("log", "snapshot")
OPEN = ("open log", "open text")
TEXTS = ("snapshot", "open text")
SETUP = ("uhi", "setoption name Hash value 1", "setoption name Ponder value true", "debug on")
# Answered alike in all forms. The first line of a request, `position`, is not: it tells events.
CORE = ("d", "legal", *(f"query {word}" for word in QUERIES if word != "scores"))


class Leak:
    """A difference: where it shows, and what was there in each of the two games."""

    __slots__ = ("one", "two", "where")

    def __init__(self, where: str, one: object, two: object) -> None:
        self.where, self.one, self.two = where, one, two

    def __str__(self) -> str:
        return f"{self.where}\n  {self.one!r}\n  {self.two!r}"


class Engines:
    """Two engines for each form, the one told of the first game of a pair, the other of the second.

    A context manager: it owns the files that take what they print.
    """

    def __init__(self) -> None:
        self._files = ExitStack()
        self._talks = {
            form: [Talk(self._files.enter_context(tempfile.TemporaryFile())) for _ in range(2)]
            for form in (*VIEWS, *OPEN)
        }
        self._each(*SETUP)

    def __enter__(self) -> "Engines":
        return self

    def __exit__(self, *exception: object) -> None:
        self._files.close()

    def new_game(self) -> None:
        """Let all forget the game before."""
        self._each("uhinewgame")

    def _each(self, *lines: str) -> None:
        for talks in self._talks.values():
            for talk in talks:
                talk.ask(*lines)

    def leak(self, twins: Twins, number: int, nodes: int) -> Leak | None:
        """Ask about both games in two or three forms; return the first difference.

        `number` chooses the forms, search seeds and some questions that are not always asked.
        """
        core = [*CORE, f"go nodes {nodes} multipv 32 seed {number} id x"]
        answers: dict[str, list[bytes]] = {}
        for form, positions in _forms(twins, number).items():
            requests, printed = [], []
            for talk, position in zip(self._talks[form], positions, strict=True):
                # A log tells a belief more than a text does, so this is compared within a form.
                requests = [position, *core, "belief", *_more(twins, form, position, number)]
                printed.append(talk.ask(*requests))
            leak = _difference(form, requests, *printed)
            if leak is not None:
                return leak
            answers[form] = printed[0][1 : len(core) + 1]
        believes = twins.states[0].game.belief_size > 0
        for form, told in answers.items():
            # A search may draw on what a log tells beyond the position: `go` stands last.
            alike = core[:-1] if believes and form in TEXTS else core
            told, by_log = told[: len(alike)], answers["log"][: len(alike)]
            leak = _difference(f"log and {form}", alike, by_log, told)
            if leak is not None:
                return leak
        return None


def _difference(where: str, requests: list[str], one: list[bytes], two: list[bytes]) -> Leak | None:
    """Return the first difference in what was printed to the same requests."""
    for request, first, second in zip(requests, one, two, strict=True):
        if first != second:
            short = request if len(request) < 100 else f"{request[:40]} ... {request[-50:]}"
            return Leak(f"{where}: {short}", first, second)
    return None


def _forms(twins: Twins, number: int) -> dict[str, list[str]]:
    """Return the `position` lines of both games in the forms of this time, the log among them."""
    states = twins.states
    forms = {"log": twins.position_lines()}
    if number % (4 if twins.decides else 2) == 0:
        views = [state.view(twins.seat) for state in states]
        forms["snapshot"] = [f"position view {view.to_text()}" for view in views]
    if twins.decides and number % 3:
        forms["open text"] = [f"position fen {state.to_text()}" for state in states]
    elif twins.decides:
        forms["open log"] = twins.open_lines()
    return forms


def _more(twins: Twins, form: str, position: str, number: int) -> list[str]:
    """Return more requests, some of them faulty, for both games alike.

    What other seats may do depends on what they hold, and so would the answer to an open position
    with such a decision behind it; but then the client knows already. Views alone get those.
    """
    stream = RandomStream(number, PURPOSE_MEASURE, 2**36)
    state = twins.states[0]
    legal = state.legal_moves()[1:3] if twins.decides else []
    mine = [state.game.move_name(move) for move in legal]
    foreign = twins.only[stream.below(len(twins.only))] if twins.only else "zzz"
    kinds = [
        [],
        [f"go depth 0 seed {number} searchmoves {' '.join([*mine, foreign])}"],
        # How far it thinks until the hit depends on time, and the next search would find it.
        [f"go ponder nodes 4 seed {number} id y", "ponderhit", "uhinewgame", "query nothing"],
        [f"go nodes 3 worlds 9 seed {number} id {'z' * 70}"],
    ]
    if form == "open log" and " ~" in position:
        # Luck decides there, so no seat is told anything.
        kinds += [[position[: position.rindex(" ~")], *CORE, "go nodes 5"]]
    if form in VIEWS:
        kinds += [["query scores"]]
    requests = kinds[stream.below(len(kinds))]
    if form in ("log", "open log") and stream.below(8):
        # A line that is refused makes the next one be read from its start: dear after a log.
        return requests
    shown = twins.referees[0].events
    luck = next((event for event in reversed(shown) if event.startswith("~")), "~no@p9=?")
    events = [f"p{twins.seat + 1}:{foreign}", "no:move", luck]
    if form in VIEWS:
        other = (twins.seat + 1) % state.game.num_seats
        events += [f"p{other + 1}:{foreign}", foreign]
    link = "" if " moves" in position else " moves"
    faulty = [f"{position}{link} {event}" for event in events]
    faulty.append(position[: max(position.rfind("="), position.rfind(":"))])
    requests.append(faulty[stream.below(len(faulty))])
    return [*requests, "d", "query legal", f"go nodes 5 id z{number}"]


def quick_leak(twins: Twins) -> Leak | None:
    """Compare the referee's lines and what the engine's functions tell the seat."""
    seat = twins.seat
    lines = twins.position_lines()
    if lines[0] != lines[1]:
        return Leak("line of the referee", *lines)
    one, two = twins.states
    first, second = (_told(state, seat) for state in twins.states)
    for name, thing in first.items():
        if thing != second.get(name):
            return Leak(name, thing, second.get(name))
    for move in set(one.legal_moves()) & set(two.legal_moves()):
        if one.redact(move, seat) != two.redact(move, seat):
            return Leak("redacted decision", one.redact(move, seat), two.redact(move, seat))
    return None


def _told(state: State, seat: int) -> dict[str, object]:
    view = state.view(seat)
    things: dict[str, object] = {
        "seat to move": state.seat_to_move,
        "view": view.to_bytes(),
        "key": state.infoset_key(seat),
        "key of the view": view.infoset_key(seat),
        "sampled world": view.determinize(RandomStream(1, PURPOSE_MEASURE, 2**34)).to_bytes(),
    }
    if state.seat_to_move == seat:
        things["legal moves"] = state.legal_moves()
        things["legal moves of the view"] = view.legal_moves()
    return things


def compared(
    game: Game, engines: Engines, nodes: int, every: int, seed: int = 1
) -> Iterator[tuple[Twins, Leak | None]]:
    """Yield without end pairs compared in full, each with the first difference found.

    These are one in `every` of the seat's own decisions, one in twice as many of the others, and
    the last state of each game. The states between are compared without asking the engines.
    """
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**33)
    number = 0
    for twins in twin_games(game, seed):
        if twins.is_first:
            engines.new_game()
        is_due = twins.is_last or stream.below(every if twins.decides else 2 * every) == 0
        leak = quick_leak(twins)
        if leak is None and is_due:
            leak = engines.leak(twins, number, nodes)
        if leak is not None or is_due:
            yield twins, leak
            number += 1


def run(out: Out, identity: str, pairs: int, nodes: int, every: int, seed: int = 1) -> None:
    """Compare pairs of full states, each with the game that led there; write what was found.

    `first` is the first difference, if there is any.
    """
    game = parse_game(identity)
    tally: Counter[str] = Counter()
    longest = 0
    first = ""
    with Engines() as engines:
        for twins, leak in islice(compared(game, engines, nodes, every, seed), pairs):
            one, two = twins.states
            events = len(twins.referees[0].events)
            longest = max(longest, events)
            tally.update(
                pairs=1,
                differing=leak is not None,
                pairs_with_other_secrets=one != two,
                seat_decides=twins.decides,
                finished_games=one.is_terminal,
                from_the_empty_table=twins.starts[0] == game.identity,
                events=events,
            )
            if leak is not None:
                first = first or str(leak)
    out.update(game=game.identity, **tally, longest_log=longest)
    if first:
        out["first"] = first
