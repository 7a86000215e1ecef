"""The head of journals and records: everything that the games of a run depend on."""

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from bench.games import parse_game
from bench.records.lines import BadRecord, Fields
from bench.referee.block import ROTATIONS, seatings
from bench.referee.policy import SUBSTITUTE
from bench.text import visible
from engine import EngineError
from engine.game import Game
from protocol import VERSION as DRAKKAR

if TYPE_CHECKING:
    from bench.contestant import Contestant
    from bench.openings import Opening
    from bench.plan import Plan

VERSION = 2
MARK = "drakkar-record"
JOURNAL, RECORD, EXTRACT = "journal", "record", "extract"
FORMS = (JOURNAL, RECORD, EXTRACT)

# What only a journal may hold: it tells the deals of games to come.
_SECRETS = ("seed", "openings_digest")


def journal_head(plan: "Plan", description: Fields) -> Fields:
    """Return the head of the journal of a run; `description` is that of its schedule."""
    return {
        MARK: VERSION,
        "form": JOURNAL,
        "drakkar": DRAKKAR,
        "game": plan.game.identity,
        "engines": [_engine(contestant) for contestant in plan.contestants],
        "format": description,
        "rotation": plan.rotation,
        "policy": plan.policy.to_json(),
        "openings": len(plan.openings),
        "test": None if plan.test is None else plan.test.describe(),
        "evaluator": None if plan.evaluator is None else plan.evaluator.hash,
        "seed": plan.seed,
        "openings_digest": _digest(plan.openings),
    }


def _engine(contestant: "Contestant") -> Fields:
    return {
        "label": contestant.label,
        "command": list(contestant.argv),
        "options": dict(contestant.options),
        "limit": contestant.limit.to_json(),
    }


def _digest(openings: "list[Opening]") -> str | None:
    if not openings:
        return None
    return sha256("\n".join(opening.text for opening in openings).encode()).hexdigest()[:16]


def record_head(head: Fields, form: str = RECORD) -> Fields:
    """Return the head of a file that others may read, made from any head of the same run."""
    kept = {key: value for key, value in head.items() if key not in _SECRETS}
    return {**kept, "form": form}


def difference(old: Any, new: Any, name: str = "") -> str | None:
    """Return where two heads differ first, and how, in words; None if they do not.

    >>> difference({"policy": {"strikes": 0}}, {"policy": {"strikes": 1}})
    'policy.strikes was 0, is 1'
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            path = f"{name}.{key}" if name else str(key)
            if key not in old or key not in new:
                return f"{path} was {_shown(old, key)}, is {_shown(new, key)}"
            found = difference(old[key], new[key], path)
            if found is not None:
                return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True), 1):
            found = difference(one, other, f"{name} {index}")
            if found is not None:
                return found
        return None
    return None if old == new else f"{name} was {old!r}, is {new!r}"


def _shown(fields: Fields, key: str) -> str:
    return repr(fields[key]) if key in fields else "not given"


class Head:
    """A head that has been read.

    Attributes:
        fields: all that it holds, also what this version does not know.
        form: JOURNAL, RECORD or EXTRACT.
        game: the game with its settings.
        labels: the engines, fit to be shown.
        rotation: how the seats of a block change.
        games_per_block: of every block.
        openings: how many openings the run has; 0 for the empty table.
        substitutes: True if illegal answers were replaced by legal moves.
        seed: of the run; None in files that others may read.
    """

    __slots__ = (
        "fields",
        "form",
        "game",
        "games_per_block",
        "labels",
        "openings",
        "rotation",
        "seed",
        "substitutes",
    )

    def __init__(self, fields: Fields, where: str) -> None:
        _check_version(fields, where)
        self.fields = fields
        self.form = _word(fields, "form", FORMS, where)
        self.game = _game_of(fields.get("game"), where)
        self.labels = _labels(fields.get("engines"), self.game.num_seats, where)
        self.rotation = _word(fields, "rotation", ROTATIONS, where)
        self.games_per_block = len(seatings(tuple(range(self.game.num_seats)), self.rotation))
        self.openings: int = _number(fields, "openings", where)
        policy = fields.get("policy")
        if not isinstance(policy, dict):
            raise BadRecord(f"{where}: policy: an object is expected")
        self.substitutes = policy.get("illegal") == SUBSTITUTE
        self.seed: int | None = None
        if self.form == JOURNAL:
            self.seed = _number(fields, "seed", where)


def _check_version(fields: Fields, where: str) -> None:
    version = fields.get(MARK)
    if type(version) is not int:
        raise BadRecord(f"{where}: no record (it has no key {MARK!r})")
    if version == 1:
        raise BadRecord(
            f"{where}: a record of version 1, older than every release; play the match again"
        )
    if version != VERSION:
        raise BadRecord(f"{where}: a record of version {version}; this reads version {VERSION}")


def _word(fields: Fields, name: str, words: tuple[str, ...], where: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or value not in words:
        raise BadRecord(f"{where}: {name}: one of {', '.join(words)} is expected")
    return value


def _number(fields: Fields, name: str, where: str) -> int:
    value = fields.get(name)
    if type(value) is not int or value < 0:
        raise BadRecord(f"{where}: {name}: a whole number from 0 is expected")
    return value


def _game_of(identity: object, where: str) -> Game:
    try:
        game = parse_game(str(identity))
    except (EngineError, ValueError) as error:
        raise BadRecord(f"{where}: game: {error}") from None
    if game.identity != identity:
        raise BadRecord(f"{where}: game: written {identity!r}, it is {game.identity!r}")
    return game


def _labels(engines: object, num_seats: int, where: str) -> list[str]:
    problem = f"{where}: engines: {num_seats} or more objects with a label are expected"
    if not isinstance(engines, list) or len(engines) < num_seats:
        raise BadRecord(problem)
    labels = []
    for engine in engines:
        label = engine.get("label") if isinstance(engine, dict) else None
        if not isinstance(label, str):
            raise BadRecord(problem)
        labels.append(visible(label))
    if len(set(labels)) < len(labels):
        raise BadRecord(f"{where}: engines: two have the same label")
    return labels


__all__ = [
    "EXTRACT",
    "FORMS",
    "JOURNAL",
    "MARK",
    "RECORD",
    "VERSION",
    "Head",
    "difference",
    "journal_head",
    "record_head",
]
