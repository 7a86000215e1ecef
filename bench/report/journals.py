"""Read journals and records of runs into one tally, as far as their runs can be compared."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.contestant import Limit
from bench.records import BadRecord, Record
from bench.records.decided import sequential_test
from bench.referee.game_result import GameResult
from bench.report.tally import Tally
from bench.report.words import terms_of

Fields = dict[str, Any]


class Pooled:
    """The runs of some files as one pool.

    Attributes:
        tally: all blocks that count.
        about: game, formats and files, as the report shows them.
        terms: command and limits of each contestant, in the order of the tally.
    """

    def __init__(self, tally: Tally, about: Fields, terms: list[dict[str, str]]) -> None:
        self.tally, self.about, self.terms = tally, about, terms


def pool(paths: Sequence[Path]) -> Pooled:
    """Read the files and count their blocks.

    Runs can be pooled if they play the same game and engines of one label are the same in all.
    Raises BadRecord for a file that cannot be read, and for files that are no pool or tell the same
    run twice.
    """
    records = [Record(path) for path in paths]
    first = records[0]
    engines: dict[str, Fields] = {}
    for record in records:
        _check(record, first)
        for label, engine in zip(record.labels, record.head.fields["engines"], strict=True):
            known = engines.setdefault(label, engine)
            differing = _differing(known, engine)
            if differing:
                raise BadRecord(f"{record.path}: {label} has another {differing} than before")
    _check_runs(records)
    labels = list(engines)
    evaluator, warnings = _evaluator(records)
    coefficient = None if evaluator is None else evaluator.score_coefficient
    tally = Tally(labels, first.head.game.num_seats, coefficient, _test(records, evaluator))
    for record in records:
        _count(record, tally, [labels.index(label) for label in record.labels])
    about = {
        "game": first.head.game.identity,
        "formats": [
            str(record.head.fields.get("format", {}).get("name", "")) for record in records
        ],
        "journals": [_about(record) for record in records],
        "warnings": warnings,
    }
    return Pooled(tally, about, [_terms(engines[label]) for label in labels])


def _check(record: Record, first: Record) -> None:
    for name, mine, others in (
        ("game", record.head.game.identity, first.head.game.identity),
        ("rotation of seats", record.head.rotation, first.head.rotation),
    ):
        if mine != others:
            raise BadRecord(f"{record.path}: its {name} is {mine}, that of {first.path} {others}")


def _differing(one: Fields, other: Fields) -> str:
    """Return what differs between two engines; the folders of their files may."""
    for name in ("options", "limit"):
        if one.get(name) != other.get(name):
            return name
    commands = [[os.path.basename(word) for word in e.get("command", ())] for e in (one, other)]
    return "" if commands[0] == commands[1] else "command"


def _check_runs(records: list[Record]) -> None:
    """Raise BadRecord if two files tell of the same deals of the same engines."""
    seen: dict[str, Path] = {}
    for record in records:
        names = [str(record.path.resolve())]
        if record.seed is not None:
            names.append(repr((record.seed, record.head.fields.get("format"), record.labels)))
        for name in names:
            if name in seen:
                raise BadRecord(f"{record.path}: the same run as {seen[name]}")
        seen.update(dict.fromkeys(names, record.path))


def _evaluator(records: list[Record]) -> tuple[Any, list[str]]:
    """Return the frozen evaluator that luck was measured with, by the hash that the files tell.

    Without one, None, and why not if luck was measured.
    """
    hashes = {record.head.fields.get("evaluator") for record in records} - {None}
    if not hashes:
        return None, []
    from bench.luck.evaluator import NoEvaluator, load

    try:
        evaluator = load(records[0].head.game)
    except NoEvaluator as error:
        return None, [f"no score less luck: {error}"]
    if hashes != {evaluator.hash}:
        return None, ["no score less luck: another evaluator than the one that is here was used"]
    return evaluator, []


def _test(records: list[Record], evaluator: Any) -> Any:
    """Return the sequential test of a single run, to be fed with its blocks; None without one."""
    return sequential_test(records[0], evaluator) if len(records) == 1 else None


def _count(record: Record, tally: Tally, who: list[int]) -> None:
    results: list[GameResult] = []
    for game in record.counted():
        results.append(record.result(game))
        if len(results) == record.head.games_per_block:
            tally.take(results[0].job.block, results, who)
            results = []


def _about(record: Record) -> Fields:
    counted = record.counted_blocks * record.head.games_per_block
    return {
        "name": record.path.name,
        "games": counted,
        "blocks": record.counted_blocks,
        "unfinished": len(record) - counted,
        "reason": record.reason,
    }


def _terms(engine: Fields) -> dict[str, str]:
    limit = Limit.from_json(engine.get("limit", {}))
    return terms_of(engine.get("command", ()), limit, engine.get("options", {}))


__all__ = ["Pooled", "pool"]
