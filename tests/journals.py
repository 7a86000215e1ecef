"""Journals of runs that were never played: results drawn by lot from known strengths."""

import math
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bench.contestant import Contestant, Limit
from bench.games import parse_game
from bench.plan import Plan
from bench.records import journal_head, to_line
from bench.referee.block import Block, Job
from bench.referee.game_result import Decision, GameResult, result_line, verdict_returns
from bench.referee.referee import Referee
from bench.referee.verdicts import Fault, Termination
from bench.tournament.formats import Terms, make


def sample_plan(
    labels: Sequence[str],
    form: str = "round_robin",
    blocks: int | None = 20,
    game: str = "kuhn",
    seed: int = 1,
    test: object = None,
) -> Plan:
    """Return a plan with contestants that nobody starts."""
    parsed = parse_game(game)
    terms = Terms(parsed.num_seats, list(labels), blocks)
    contestants = [Contestant(name, [name], {}, Limit(nodes=100)) for name in labels]
    return Plan(parsed, contestants, partial(make, form, terms), seed, test=test)


class Sampler:
    """Draws the results of blocks by strengths in Elo; luck of the deal helps one seat.

    `faults` gives how often a contestant loses on time; `has_luck` measures luck.
    """

    def __init__(
        self,
        plan: Plan,
        strengths: Sequence[float],
        faults: dict[int, float] | None = None,
        has_luck: bool = False,
        seed: int = 7,
    ) -> None:
        self.plan, self.strengths, self.faults = plan, strengths, faults or {}
        self.has_luck, self._random = has_luck, random.Random(seed)

    def results(self, block: Block) -> list[GameResult]:
        """Return the results of all games of a block."""
        draw = self._random
        luck = [draw.gauss(0.0, 1.0) for _ in range(self.plan.game.num_seats)]
        luck = [own - sum(luck) / len(luck) for own in luck]
        return [self._game(job, luck) for job in self.plan.jobs(block)]

    def _game(self, job: Job, deal: list[float]) -> GameResult:
        draw, game = self._random, self.plan.game
        # Luck that the games of a deal share, and luck that each has for itself.
        luck = [own + 0.7 * draw.gauss(0.0, 1.0) for own in deal]
        luck = [own - sum(luck) / len(luck) for own in luck]
        referee = Referee(game, job.deal)
        while not referee.is_over:
            moves = referee.state.legal_moves()
            referee.decide(game.move_name(moves[draw.randrange(len(moves))]))
        worths = [
            self.strengths[contestant] * math.log(10) / 400 + luck[seat]
            for seat, contestant in enumerate(job.seats)
        ]
        # The largest of such sums comes first with the chances of Plackett and Luce.
        values = [worth - math.log(-math.log(draw.random())) for worth in worths]
        scores = [float(round(3 * value)) for value in values]
        seats = len(scores)
        returns = [
            (sum(own > o for o in scores) + 0.5 * (scores.count(own) - 1)) / (seats - 1)
            for own in scores
        ]
        margins = [own - max(scores[:s] + scores[s + 1 :]) for s, own in enumerate(scores)]
        termination, fault = Termination.RULES, None
        for seat, contestant in enumerate(job.seats):
            if fault is None and draw.random() < self.faults.get(contestant, 0.0):
                text = "no answer within 100 ms"
                fault = Fault(seat, referee.plies, Termination.TIME, text, overrun_ms=1200.0)
                termination, returns = Termination.TIME, verdict_returns(seats, seat)
        # Rounded as in a line, so that nothing changes on the way through a file.
        times = [round(draw.uniform(5, 20), 3) for _ in range(referee.plies)]
        decisions = [Decision(ms, 0.01, 100, 0, 4) for ms in times]
        return GameResult(
            job,
            termination,
            fault,
            events=" ".join(referee.events),
            returns=returns,
            scores=scores,
            margins=margins,
            plies=referee.plies,
            tallies=referee.tallies(),
            decisions=decisions,
            strikes=[0] * seats,
            names=[f"engine {contestant}" for contestant in job.seats],
            luck=[round(6 * value, 6) for value in luck] if self.has_luck else None,
            worker="slot 1",
            seconds=0.5,
        )

    def play(self, takers: Sequence[Callable[[Block, list[GameResult]], None]] = ()) -> int:
        """Draw all blocks of the plan, hand each to the takers, and return how many there are."""
        schedule = self.plan.make_schedule()
        number = 0
        while True:
            try:
                block = schedule.block(number)
            except IndexError:
                return number
            assert block is not None
            results = self.results(block)
            schedule.take(block, results)
            for take in takers:
                take(block, results)
            number += 1


def write_journal(
    path: Path,
    sampler: Sampler,
    reason: str | None = "finished",
    loose: int = 0,
    takers: Sequence[Callable[[Block, list[GameResult]], None]] = (),
) -> None:
    """Write the journal of a run, games of a block in reverse order, as they may finish.

    Of the last block `loose` games are left out, so that it is not whole.
    """
    plan = sampler.plan
    lines = [to_line(journal_head(plan, plan.make_schedule().describe()))]

    def take(block: Block, results: list[GameResult]) -> None:
        lines.extend(to_line(result_line(result)) for result in reversed(results))

    blocks = sampler.play([take, *takers]) - bool(loose)
    lines = lines[: len(lines) - loose]
    if reason is not None:
        games = blocks * plan.games_per_block
        lines.append(to_line({"end": {"reason": reason, "blocks": blocks, "games": games}}))
    path.write_text("".join(lines), encoding="utf-8")
