"""What a run is: everything that its games depend on, and nothing of how it goes."""

from typing import Any, Protocol

from bench.contestant import Contestant
from bench.openings import Opening
from bench.referee.block import CYCLIC, Block, Job, seatings
from bench.referee.game_result import GameResult
from bench.referee.policy import Policy
from bench.seeds import deal_seed
from engine.game import Game


class Schedule(Protocol):
    """The blocks of a format, in order, and what they depend on.

    A schedule takes the results of whole blocks in the order of their numbers, so what it gives
    does not depend on how many games run at a time. It needs no memory for blocks that are not
    under way.
    """

    def block(self, number: int) -> Block | None:
        """Return a block by its number; None while it depends on results that are still to come.

        Raises IndexError for a number behind the last block.
        """

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Take the results of the next block in order: one for each of its seatings."""

    @property
    def planned(self) -> int:
        """How many blocks the run will have, as far as that is known now."""

    def describe(self) -> dict[str, Any]:
        """Return what the head of a journal holds: name and all settings of the format."""

    def standing_notes(self) -> list[str]:
        """Return lines for people about the stage that the tournament has reached."""


class Plan:
    """A run: the game, who plays, by which schedule, by which rules, and where luck comes from.

    Attributes:
        game: the game with its settings.
        contestants: who plays; their labels differ.
        make_schedule: returns a new schedule of the run's format.
        seed: of all deals and search seeds.
        policy: what is done about engines that fail.
        rotation: how the seats of a block change, `bench.referee.block.CYCLIC` or ALL.
        openings: what successive deals start from, [] for the empty table.
        card_file: path of the cards the game is played with, "" for the shipped ones.
        evaluator: what luck is measured with, or None.
        test: the sequential test that ends the run, or None.
    """

    def __init__(
        self,
        game: Game,
        contestants: list[Contestant],
        make_schedule: "ScheduleMaker",
        seed: int,
        policy: Policy | None = None,
        rotation: str = CYCLIC,
        openings: list[Opening] | None = None,
        card_file: str = "",
        evaluator: Any = None,
        test: Any = None,
    ) -> None:
        self.game, self.contestants, self.make_schedule = game, contestants, make_schedule
        self.seed, self.policy, self.rotation = seed, policy or Policy(), rotation
        self.openings, self.card_file = openings or [], card_file
        self.evaluator, self.test = evaluator, test
        self.games_per_block = len(seatings(tuple(range(game.num_seats)), rotation))

    def jobs(self, block: Block) -> list[Job]:
        """Return the games of a block; they depend on the seed and the block only."""
        deal, opening, text = deal_seed(self.seed, block.deal), None, None
        if self.openings:
            chosen = self.openings[block.deal % len(self.openings)]
            opening, text = chosen.state, None if chosen.state is None else chosen.text
            deal = deal if chosen.deal is None else chosen.deal
        first = block.number * self.games_per_block
        return [
            Job(block, rotation, seats, first + rotation, deal, opening, text)
            for rotation, seats in enumerate(seatings(block.lineup, self.rotation))
        ]


class ScheduleMaker(Protocol):
    """Makes schedules of one format, each new."""

    def __call__(self) -> Schedule:
        """Return a schedule from which no block has been taken."""


def no_schedule() -> Schedule:
    """Stand in the place of a schedule for plans of which single games are played."""
    raise TypeError("this plan has no schedule")


class ExecutorLost(Exception):
    """Nothing more can be played, as when a scheduler is gone; the run can be resumed later."""


class Executor(Protocol):
    """Plays blocks somewhere: on this machine, or on others."""

    @property
    def capacity(self) -> int:
        """How many blocks can be under way at a time, now; it may change."""

    async def open(self, plan: Plan) -> None:
        """Make ready. Raises BadContestant or an OSError if that is not possible."""

    async def play(self, block: Block, rotations: list[int], sink: "ResultSink") -> None:
        """Play some seatings of a block, one after another, and hand each result over.

        An engine's fault is a result. A block that could not be played to its end (its machine was
        lost, say) raises ConnectionError; what was handed over counts. ExecutorLost says that no
        further block can be played. Cancelled, it leaves at once, and the game under way has no
        result.
        """

    def exclude(self, worker: str) -> None:
        """Give nothing more to a worker, by the name that its results have."""

    async def close(self, at_once: bool = False) -> None:
        """End all engines, or leave the workers; at once means without waiting for them."""


class ResultSink(Protocol):
    """Takes what happens while a block is played."""

    def start(self, job: Job, worker: str) -> None:
        """Take that a game begins on a slot or machine; not every executor knows."""

    def result(self, result: GameResult) -> None:
        """Take a finished game, void ones included."""

    def warn(self, text: str, contestant: int | None = None, **fields: Any) -> None:
        """Take a remark about something unusual: an abnormal exit, bytes that are no UTF-8."""


__all__ = [
    "Executor",
    "ExecutorLost",
    "Plan",
    "ResultSink",
    "Schedule",
    "ScheduleMaker",
    "no_schedule",
]
