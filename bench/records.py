"""Records of matches: a line-based text of finished games that can be replayed.

A record is UTF-8, one JSON object a line:

1. The head: `{"drakkar-record": 1, "game": identity, "engines": [...]}`; an engine has `name`,
   `command`, `options` and `limit`.
2. For each finished game, in the order of the match: `{"number", "pair", "seats", "deal",
   "opening", "events", "returns", "scores", "margins", "plies", "tallies"}`. `seats` holds the
   engine (0 or 1) on each seat, `events` all event tokens with nothing hidden, separated by
   blanks; `opening` is a position text or null. Times are left out: at fixed nodes the same match
   gives the same bytes.
3. Last, if the match came to its end: `{"end": {"seed", "games"}}`. The seed of the run stands
   only here, for it tells the deals of games still to come.

The reader replays every game it is asked for and refuses what the rules do not allow.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from bench.contestant import Contestant
from bench.games import parse_game
from bench.play import GameResult
from bench.referee import luck
from engine import EngineError
from engine.game import SEAT_IS_CHANCE, Game, State

VERSION = 1
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


class Writer:
    """Writes the record of a match to a text file, a finished line at a time."""

    def __init__(self, file: IO[str], game: Game, contestants: list[Contestant]) -> None:
        self._file = file
        self._games = 0
        engines = [
            {"name": c.name, "command": c.argv, "options": c.options, "limit": str(c.limit)}
            for c in contestants
        ]
        self._line({_MARK: VERSION, "game": game.identity, "engines": engines})

    def add(self, result: GameResult) -> None:
        """Write a finished game."""
        job = result.job
        self._games += 1
        self._line(
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
            }
        )

    def end(self, run_seed: int) -> None:
        """Write the last line; only when no game is to come."""
        self._line({"end": {"seed": run_seed, "games": self._games}})

    def _line(self, value: dict[str, Any]) -> None:
        self._file.write(json.dumps(value, separators=(",", ":")) + "\n")
        self._file.flush()


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


class Record:
    """A record that has been read; `games` in the order of the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadRecord(f"{path}: {error}") from None
        if not lines:
            raise BadRecord(f"{path}: the file is empty")
        head = _parse_line(lines[0], f"{path}, line 1")
        if head.get(_MARK) != VERSION:
            raise BadRecord(f"{path}, line 1: no record of version {VERSION} (key {_MARK!r})")
        self.game = _game_of(head.get("game"), f"{path}, line 1")
        self.engines = _engine_names(head.get("engines"), f"{path}, line 1")
        self.games: list[RecordedGame] = []
        self.seed: int | None = None
        for number, line in enumerate(lines[1:], 2):
            where = f"{path}, line {number}"
            fields = _parse_line(line, where)
            if "end" in fields:
                self.seed = _end_seed(fields["end"], len(self.games), where)
            else:
                _check_fields(fields, where)
                self.games.append(RecordedGame(fields, where))

    def find(self, number: int) -> RecordedGame:
        """Return the game of that number, from 1."""
        for game in self.games:
            if game.number == number:
                return game
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
        """Yield (state before it, move) for each event, then (final state, 0).

        Raises BadRecord at an event that is not possible, and where the luck is not that of the
        deal or the result not that of the game.
        """
        opening = self.opening_of(recorded)
        deal = luck(self.game, recorded.fields["deal"], opening)
        state = self.game.new_state() if opening is None else opening
        plies = 0
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
            plies += seat != SEAT_IS_CHANCE
            yield before, move
        self._check_result(recorded, state, plies)
        yield state, 0

    def _check_result(self, recorded: RecordedGame, state: State, plies: int) -> None:
        if not state.is_terminal:
            raise BadRecord(f"{recorded.where}: the game is not over after its last event")
        truth = {
            "returns": state.returns(),
            "scores": state.scores(),
            "margins": state.margins(),
            "plies": plies,
        }
        for name, value in truth.items():
            if recorded.fields[name] != value:
                raise BadRecord(
                    f"{recorded.where}: {name} {recorded.fields[name]}, replayed {value}"
                )


def _parse_line(line: str, where: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise BadRecord(f"{where}: no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BadRecord(f"{where}: a JSON object is expected")
    return fields


def _game_of(identity: object, where: str) -> Game:
    try:
        return parse_game(str(identity))
    except (EngineError, ValueError) as error:
        raise BadRecord(f"{where}: game: {error}") from None


def _engine_names(engines: Any, where: str) -> list[str]:
    try:
        names = [str(e["name"]) for e in engines]
    except (TypeError, KeyError):
        names = []
    if len(names) != 2:
        raise BadRecord(f"{where}: engines: two objects with a name are expected")
    return names


def _end_seed(end: object, games: int, where: str) -> int:
    if not isinstance(end, dict) or not isinstance(end.get("seed"), int):
        raise BadRecord(f"{where}: end: seed and games are expected")
    if end.get("games") != games:
        raise BadRecord(f"{where}: end: {end.get('games')} games, the file holds {games}")
    seed: int = end["seed"]
    return seed


def _check_fields(fields: dict[str, Any], where: str) -> None:
    for name, kind in _FIELDS.items():
        if not isinstance(fields.get(name), kind):
            raise BadRecord(f"{where}: field {name} is missing or no {kind.__name__}")
    if fields["seats"] not in ([0, 1], [1, 0]):
        raise BadRecord(f"{where}: seats: engines 0 and 1, one on each seat, are expected")


def _who(seat: int) -> str:
    return f"seat {seat + 1}" if seat >= 0 else "luck" if seat == SEAT_IS_CHANCE else "nobody"
