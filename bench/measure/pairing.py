"""Figure: what pairing and luck adjustment save on a match, read from the journal of a real one."""

import shlex
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.luck.adjust import adjusted_margin, adjusted_points
from bench.luck.evaluator import Evaluator, load
from bench.measure import matches
from bench.records import Record
from bench.referee.game_result import GameResult
from bench.registry import Out
from bench.statistics.variance import Factor, adjustment_factor, pairing_factor

Blocks = list[list[float]]


def pairing(out: Out, game: str = "lofoten", blocks: int = 500) -> None:
    """Play vanilla at 100 against 200 nodes and write by what factors variances fall into `out`.

    For score and margin: `*_pairing` compares unpaired games with blocks, `*_luck` blocks with
    blocks less their luck, `*_both` unpaired games with the latter; `*_luck_of_games` compares
    single games with the same less their luck, as without pairing. Each with the limits of its
    95 % interval. A factor of 2 halves the games that are needed.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.journal"
        matches.play(
            out,
            f"vanilla vanilla --a nodes=100 --b nodes=200 --game {shlex.quote(game)} "
            f"--blocks {blocks} --luck --quiet --journal {shlex.quote(str(path))}",
        )
        record = Record(path)
        evaluator = load(record.game)
        out["evaluator"] = evaluator.hash
        whole = collect(record.result(recorded) for recorded in record.counted())
    write_factors(out, evaluator, whole)


def collect(results: Iterable[GameResult]) -> list[list[GameResult]]:
    """Return the games of each block, in the order of the seats of contestant 0."""
    blocks: dict[int, list[GameResult]] = {}
    for result in results:
        blocks.setdefault(result.job.block.number, []).append(result)
    return [sorted(block, key=lambda result: result.seat_of(0)) for block in blocks.values()]


def write_factors(out: Out, evaluator: Evaluator, whole: Sequence[Sequence[GameResult]]) -> None:
    """Write the factors of all blocks, from contestant 0's side; luck must have been measured."""
    scores = [[result.points(0) for result in block] for block in whole]
    margins = [[result.margin(0) for result in block] for block in whole]
    less_scores = [[_number(adjusted_points(evaluator, r, 0)) for r in block] for block in whole]
    less_margins = [[_number(adjusted_margin(r, 0)) for r in block] for block in whole]
    out["blocks"] = len(whole)
    for name, raw, adjusted in (
        ("score", scores, less_scores),
        ("margin", margins, less_margins),
    ):
        for part, factor in factors(raw, adjusted).items():
            out[f"{name}_{part}"] = _shown(factor.value)
            out[f"{name}_{part}_low"], out[f"{name}_{part}_high"] = map(_shown, factor[1:3])
        out[f"{name}_mean"] = sum(_means(raw)) / len(raw)
        out[f"{name}_mean_adjusted"] = sum(_means(adjusted)) / len(adjusted)
        out[f"{name}_block_variance"] = adjustment_factor(_means(raw), _means(adjusted)).before


def factors(raw: Blocks, adjusted: Blocks) -> dict[str, Factor]:
    """Return what pairing, luck adjustment and both save; blocks hold one number for each seat."""
    return {
        "pairing": pairing_factor(raw),
        "luck": adjustment_factor(_means(raw), _means(adjusted)),
        "both": _both(raw, adjusted),
        "luck_of_games": adjustment_factor(
            [block[0] for block in raw], [block[0] for block in adjusted]
        ),
    }


def _both(raw: Blocks, adjusted: Blocks) -> Factor:
    """Return how much more unpaired raw games vary than adjusted blocks.

    No interval: the two factors that it is the product of have theirs.
    """
    one, two = pairing_factor(raw), adjustment_factor(_means(raw), _means(adjusted))
    value = None if one.value is None or two.value is None else one.value * two.value
    return Factor(value, None, None, one.before, two.after, one.blocks)


def _means(blocks: Blocks) -> list[float]:
    return [sum(block) / len(block) for block in blocks]


def _number(value: float | None) -> float:
    if value is None:
        raise ValueError("luck was not measured")
    return value


def _shown(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


__all__ = ["collect", "factors", "pairing", "write_factors"]
