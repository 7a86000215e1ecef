"""Records of matches: a line-based text of finished games that can be replayed.

A record is UTF-8, one JSON object a line:

1. The head: `{"drakkar-record": 1, "game": identity, "engines": [...], "openings": false}`; an
   engine has `name`, `command`, `options` and `limit`; `openings` is true if a file of them was
   played.
2. For each finished game, by rising number: `{"number", "pair", "seats", "deal",
   "opening", "events", "returns", "scores", "margins", "plies", "tallies"}`. `seats` holds the
   engine (0 or 1) on each seat, `events` all event tokens with nothing hidden, separated by
   blanks; `opening` is a position text or null. A game lost by an illegal answer has a `forfeit`
   `{"seat", "ply", "answer", "text"}` (seats from 0, decisions before it), and what was replaced
   by a legal move is listed in `replaced`, objects of the same form; both are left out where
   there is none. Times are left out: at fixed nodes the same match
   gives the same bytes. The first game of a pair is held back until the second is over, whose deal
   it tells. Of a match that ended early some games may be missing.
3. Last, if the match came to its end: `{"end": {"seed", "games"}}`. The seed of the run stands
   only here, for it tells the deals of games still to come.

The reader replays every game it is asked for and refuses what the rules do not allow.
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from pathlib import Path
from typing import IO, Any

from bench.contestant import Contestant
from bench.games import parse_game
from bench.play import GameResult, forfeit_returns
from bench.referee import count_tallies
from bench.seeds import SEED_BITS, deal_seed
from bench.text import visible
from engine import EngineError
from engine.game import SEAT_IS_CHANCE, Game, State

VERSION = 1
NO_MOVE = -1
"""Stands for the move behind the last state of a replayed game."""

_MARK = "drakkar-record"
_FIELDS: dict[str, type] = {
    "number": int,
    "pair": int,
    "seats": list,
    "deal": int,
    "events": str,
    "returns": list,
    "scores": list,
    "margins": list,
    "plies": int,
    "tallies": dict,
}


class BadRecord(ValueError):
    """A record that cannot be read or replayed; the text says where."""


@contextmanager
def open_record(path: Path) -> Iterator[IO[str]]:
    """Open a file for a Writer; what it holds stays until the Writer has something to write."""
    is_new = not path.exists()
    file = open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o666), "w", encoding="utf-8")
    try:
        yield file
    finally:
        if is_new and _is_regular(file) and os.fstat(file.fileno()).st_size == 0:
            path.unlink(missing_ok=True)
        with suppress(OSError):  # of a disk that is full the Writer has told
            file.close()


def _is_regular(file: IO[str]) -> bool:
    try:
        return stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    except UnsupportedOperation:
        return False  # no file of the system


class Writer:
    """Writes the record of a match to a text file, a pair of games at a time.

    Once the file takes no more, `error` says why and nothing is written any longer.
    """

    def __init__(
        self, file: IO[str], game: Game, contestants: list[Contestant], openings: bool = False
    ) -> None:
        self.error: OSError | None = None
        self._file = file
        self._games = 0
        self._has_begun = False
        engines = [
            {"name": c.name, "command": c.argv, "options": c.options, "limit": str(c.limit)}
            for c in contestants
        ]
        head = {_MARK: VERSION, "game": game.identity, "engines": engines, "openings": openings}
        self._held = _to_line(head)

    def add(self, result: GameResult) -> None:
        """Take a finished game; it is written when the other game of its pair has come too."""
        job = result.job
        is_first = job.number % 2 == 0
        if is_first and self._games:
            self._write()
        self._games += 1
        faults: dict[str, Any] = {}
        if result.forfeit is not None:
            faults["forfeit"] = result.forfeit.to_json()
        if result.replaced:
            faults["replaced"] = [fault.to_json() for fault in result.replaced]
        self._held += _to_line(
            {
                "number": job.number + 1,
                "pair": job.pair + 1,
                "seats": list(job.sides),
                "deal": job.deal,
                "opening": job.opening_text,
                "events": result.events,
                "returns": result.returns,
                "scores": result.scores,
                "margins": result.margins,
                "plies": result.plies,
                "tallies": result.tallies,
                **faults,
            }
        )
        if not is_first:
            self._write()

    def close(self, run_seed: int | None = None) -> None:
        """Write what was held back, as no game is in play; with the seed if none is to come."""
        if run_seed is not None:
            self._held += _to_line({"end": {"seed": run_seed, "games": self._games}})
        if self._games:
            self._write()

    def _write(self) -> None:
        text, self._held = self._held, ""
        if self.error is not None:
            return
        try:
            if not self._has_begun and _is_regular(self._file):
                self._file.truncate(0)
            self._has_begun = True
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            self.error = error


def _to_line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


class RecordedGame:
    """A game of a record, as its line tells it; `where` names file and line for errors."""

    __slots__ = ("fields", "where")

    def __init__(self, fields: dict[str, Any], where: str) -> None:
        self.fields, self.where = fields, where

    @property
    def number(self) -> int:
        """The number of the game in its match, from 1."""
        number: int = self.fields["number"]
        return number

    @property
    def events(self) -> list[str]:
        """All event tokens."""
        text: str = self.fields["events"]
        return text.split()

    @property
    def loser(self) -> int | None:
        """The seat, from 0, that lost by an illegal answer; None if the rules ended the game."""
        seat: int | None = self.fields.get("forfeit", {}).get("seat")
        return seat

    def replaced_at(self, ply: int) -> str | None:
        """Return the illegal answer in whose place the decision after `ply` others was played."""
        faults: list[dict[str, Any]] = self.fields.get("replaced", [])
        return next((str(fault["answer"]) for fault in faults if fault["ply"] == ply), None)


class Record:
    """A record that has been read; `games` in the order of the file.

    Where the last line is torn, as after a full disk, `torn` says so and the rest can be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise BadRecord(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise BadRecord(f"{path}: {error}") from None
        if not lines:
            raise BadRecord(f"{path}: the file is empty")
        where = f"{path}, line 1"
        head = _parse_line(lines[0], where)
        if type(head.get(_MARK)) is not int or head[_MARK] != VERSION:
            raise BadRecord(f"{where}: no record of version {VERSION} (key {_MARK!r})")
        self.game = _game_of(head.get("game"), where)
        self.engines = _engine_names(head.get("engines"), where)
        self.has_openings = bool(head.get("openings", True))
        self.games: list[RecordedGame] = []
        self.seed: int | None = None
        self.torn: BadRecord | None = None
        for number, line in enumerate(lines[1:], 2):
            where = f"{path}, line {number}"
            try:
                fields = _parse_line(line, where)
            except BadRecord as error:
                if number < len(lines):
                    raise
                self.torn = error
                break
            self._add(fields, where)

    def _add(self, fields: dict[str, Any], where: str) -> None:
        """Take a line after the head."""
        if self.seed is not None:
            raise BadRecord(f"{where}: nothing stands behind the end")
        if "end" in fields:
            self.seed = _end_seed(fields["end"], len(self.games), where)
            for recorded in self.games:
                self._check_deal(recorded, self.seed)
            return
        _check_fields(fields, where)
        before = self.games[-1].fields if self.games else None
        if before is not None and fields["number"] <= before["number"]:
            raise BadRecord(f"{where}: number {fields['number']} behind {before['number']}")
        if before is not None and before["pair"] == fields["pair"]:
            for name in ("deal", "opening"):
                if before.get(name) != fields.get(name):
                    raise BadRecord(f"{where}: {name} is not that of the first game of the pair")
        self.games.append(RecordedGame(fields, where))

    def _check_deal(self, recorded: RecordedGame, seed: int) -> None:
        fields = recorded.fields
        if self.has_openings and fields.get("opening") is None:
            return  # the file of openings may have named the deal
        deal = deal_seed(seed, fields["pair"] - 1)
        if fields["deal"] != deal:
            raise BadRecord(f"{recorded.where}: deal {fields['deal']}, the seed gives {deal}")

    def find(self, number: int) -> RecordedGame:
        """Return the game of that number, from 1."""
        for game in self.games:
            if game.number == number:
                return game
        if self.torn is not None:
            raise self.torn
        raise BadRecord(f"{self.path}: no game {number}; it holds {len(self.games)} games")

    def opening_of(self, recorded: RecordedGame) -> State | None:
        """Return the position that a game started from; None if from the empty table."""
        text = recorded.fields.get("opening")
        if text is None:
            return None
        try:
            state = self.game.from_text(str(text))
        except EngineError as error:
            raise BadRecord(f"{recorded.where}: opening: {error}") from None
        if state.observer >= 0 or state.game.identity != self.game.identity:
            raise BadRecord(f"{recorded.where}: opening: no full state of {self.game.identity}")
        return state

    def replay(self, recorded: RecordedGame) -> Iterator[tuple[State, int]]:
        """Yield (state before it, move) for each event, then (final state, NO_MOVE).

        Raises BadRecord at an event that is not possible, and where the luck is not that of the
        deal or the result not that of the game.
        """
        opening = self.opening_of(recorded)
        state = self.game.new_state() if opening is None else opening.copy()
        try:
            deal = self.game.new_deal(recorded.fields["deal"], opening)
        except EngineError as error:
            raise BadRecord(f"{recorded.where}: opening: {error}") from None
        plies = changes = 0
        last_decider = SEAT_IS_CHANCE
        for index, token in enumerate(recorded.events, 1):
            where = f"{recorded.where}, event {index} ({token})"
            try:
                seat, move = self.game.parse_event(token)
            except EngineError as error:
                raise BadRecord(f"{where}: {error}") from None
            if seat != state.seat_to_move:
                raise BadRecord(f"{where}: {_who(state.seat_to_move)} decides here")
            if seat == SEAT_IS_CHANCE and deal.outcome(state) != move:
                raise BadRecord(f"{where}: the luck of deal {recorded.fields['deal']} differs")
            before = state.copy()
            try:
                state.apply(move)
            except EngineError as error:
                raise BadRecord(f"{where}: {error}") from None
            if seat != SEAT_IS_CHANCE:
                plies += 1
                changes += seat != last_decider
                last_decider = seat
            yield before, move
        self._check_result(recorded, state, plies, changes)
        yield state, NO_MOVE

    def _check_result(self, recorded: RecordedGame, state: State, plies: int, changes: int) -> None:
        loser = recorded.loser
        if not state.is_terminal and loser is None:
            raise BadRecord(f"{recorded.where}: the game is not over after its last event")
        if loser is not None and loser != state.seat_to_move:
            raise BadRecord(f"{recorded.where}: forfeit: seat {loser} does not decide there")
        truth = {
            "returns": state.returns() if loser is None else forfeit_returns(loser),
            "scores": state.scores(),
            "margins": state.margins(),
            "plies": plies,
            "tallies": count_tallies(state, changes),
        }
        for name, value in truth.items():
            if recorded.fields[name] != value:
                raise BadRecord(
                    f"{recorded.where}: {name} {recorded.fields[name]}, replayed {value}"
                )


def _parse_line(line: str, where: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{where}: no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BadRecord(f"{where}: a JSON object is expected")
    return fields


def _game_of(identity: object, where: str) -> Game:
    try:
        game = parse_game(str(identity))
    except (EngineError, ValueError) as error:
        raise BadRecord(f"{where}: game: {error}") from None
    if game.identity != identity:
        raise BadRecord(f"{where}: game: written {identity!r}, it is {game.identity!r}")
    return game


def _engine_names(engines: Any, where: str) -> list[str]:
    try:
        names = [visible(str(e["name"])) for e in engines]
    except (TypeError, KeyError):
        names = []
    if len(names) != 2:
        raise BadRecord(f"{where}: engines: two objects with a name are expected")
    return names


def _end_seed(end: object, games: int, where: str) -> int:
    if not isinstance(end, dict) or type(end.get("seed")) is not int:
        raise BadRecord(f"{where}: end: seed and games are expected")
    if end.get("games") != games:
        raise BadRecord(f"{where}: end: {end.get('games')} games, the file holds {games}")
    seed: int = end["seed"]
    return seed


def _check_fields(fields: dict[str, Any], where: str) -> None:
    for name, kind in _FIELDS.items():
        if type(fields.get(name)) is not kind:
            raise BadRecord(f"{where}: field {name} is missing or no {kind.__name__}")
    _check_faults(fields, where)
    number = fields["number"]
    if number < 1 or fields["pair"] != (number + 1) // 2:
        raise BadRecord(f"{where}: game {number} is not in pair {fields['pair']}")
    if fields["seats"] != ([0, 1] if number % 2 else [1, 0]):
        raise BadRecord(f"{where}: seats: in game {number} A is on seat {2 - number % 2}")
    if not 0 <= fields["deal"] < 2**SEED_BITS:
        raise BadRecord(f"{where}: deal: it is below 2**{SEED_BITS}")


def _check_faults(fields: dict[str, Any], where: str) -> None:
    """Check what the line tells of illegal answers, if anything."""
    faults = fields.get("replaced", [])
    if type(faults) is not list:
        raise BadRecord(f"{where}: field replaced is no list")
    forfeit = [fields["forfeit"]] if "forfeit" in fields else []
    for fault in [*faults, *forfeit]:
        kinds = (("seat", int), ("ply", int), ("answer", str), ("text", str))
        if not isinstance(fault, dict) or any(type(fault.get(n)) is not k for n, k in kinds):
            raise BadRecord(f"{where}: an illegal answer has seat, ply, answer and text")
        if fault["seat"] not in (0, 1):
            raise BadRecord(f"{where}: an illegal answer comes from seat 0 or 1")
        if not 0 <= fault["ply"] <= fields["plies"]:
            raise BadRecord(f"{where}: an illegal answer at decision {fault['ply']}")
    if forfeit and forfeit[0]["ply"] != fields["plies"]:
        raise BadRecord(f"{where}: forfeit: not at the last decision")


def _who(seat: int) -> str:
    return f"seat {seat + 1}" if seat >= 0 else "luck" if seat == SEAT_IS_CHANCE else "nobody"
