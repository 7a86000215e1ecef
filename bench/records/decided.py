"""Where the sequential test of a journal decided, done again from its games."""

from typing import TYPE_CHECKING, Any

from bench.records.head import JOURNAL
from bench.records.lines import BadRecord

if TYPE_CHECKING:
    from bench.records.reader import Record
    from bench.referee.game_result import GameResult


def sequential_test(record: "Record", evaluator: Any) -> Any:
    """Return the sequential test of a run before its first block; None without one.

    `evaluator` is what luck is taken off with where the test is on results less luck; there is no
    test then if it is None. Raises BadRecord for settings that are no test.
    """
    settings = record.head.fields.get("test")
    if not settings:
        return None
    from bench.statistics.sprt import SprtTest
    from bench.tournament.sequential import ADJUSTED, SequentialTest

    rest = {name: value for name, value in settings.items() if name not in ("every", "on")}
    is_adjusted = settings.get("on") == ADJUSTED
    if is_adjusted and evaluator is None:
        return None
    try:
        of_luck = evaluator if is_adjusted else None
        return SequentialTest(SprtTest(**rest), settings.get("every", 1), of_luck).start()
    except (TypeError, ValueError) as error:
        raise BadRecord(f"{record.path}: test: {error}") from None


def blocks_until_decision(record: "Record", whole: int) -> int:
    """Return how many of the whole blocks of a journal count that tells of no end of its run."""
    if not whole or record.form != JOURNAL or not record.head.fields.get("test"):
        return whole
    test = sequential_test(record, _evaluator(record))
    if test is None:
        return whole
    results: list[GameResult] = []
    for game in record.games():
        results.append(record.result(game))
        if len(results) == record.head.games_per_block:
            test.take(results[0].job.block, results)
            results = []
            if test.decision is not None or game.block >= whole:
                return min(game.block, whole)
    return whole


def _evaluator(record: "Record") -> Any:
    """Return the evaluator of a run, if it is here."""
    if record.head.fields.get("evaluator") is None:
        return None
    from bench.luck.evaluator import NoEvaluator, load

    try:
        found = load(record.game)
    except NoEvaluator:
        return None
    return found if found.hash == record.head.fields["evaluator"] else None


__all__ = ["blocks_until_decision", "sequential_test"]
