"""One game between two engine processes, with its clocks."""

from collections.abc import Sequence
from typing import Any

from bench.contestant import Contestant, Limit
from bench.referee import BadAnswer, Referee
from bench.seeds import SearchSeeds, substitute_seed
from bench.text import tail, visible
from engine.game import Game, State
from protocol.client import Engine, EngineDied, EngineError, EngineTimeout

# Lines and characters of an engine's standard error that a failure shows at most.
STDERR_LINES = 20
STDERR_SIZE = 4000
# Characters of an error that it shows at most.
TEXT_SIZE = 1000
# Characters of an illegal answer that a record keeps at most.
ANSWER_SIZE = 64

# What an illegal answer does, see play_game.
LOSE, SUBSTITUTE, STOP = "lose", "substitute", "stop"
ILLEGAL = (LOSE, SUBSTITUTE, STOP)


class EngineFailure(Exception):
    """An engine that cannot go on: it died, hung, was late, or answered with no legal move.

    `kind` is one of start, died, time-out, malformed, illegal; `side` is 0 for A and 1 for B.
    """

    def __init__(self, side: int, name: str, kind: str, text: str, stderr: str = "") -> None:
        super().__init__(text)
        self.side, self.name, self.kind, self.text, self.stderr = side, name, kind, text, stderr
        self.job: Job | None = None

    def __str__(self) -> str:
        where = f" in {self.job}" if self.job is not None else ""
        tail = f"\nlast lines of its standard error:\n{self.stderr}" if self.stderr else ""
        return (
            f"engine {'AB'[self.side]} ({self.name}) failed{where}: {self.kind}: {self.text}{tail}"
        )


class Job:
    """What makes a game of a match: its number from 0, its deal and the state it starts from."""

    __slots__ = ("deal", "number", "opening", "opening_text")

    def __init__(
        self, number: int, deal: int, opening: State | None = None, opening_text: str | None = None
    ) -> None:
        self.number, self.deal = number, deal
        self.opening, self.opening_text = opening, opening_text

    @property
    def pair(self) -> int:
        """The pair of games with this deal, from 0."""
        return self.number // 2

    @property
    def sides(self) -> tuple[int, int]:
        """The side (0 for A, 1 for B) on each seat; the second game of a pair swaps them."""
        return (1, 0) if self.number % 2 else (0, 1)

    def __str__(self) -> str:
        return f"game {self.number + 1} (pair {self.pair + 1}, deal {self.deal})"


class IllegalAnswer:
    """An answer that was no legal decision: who gave it, where, and what it was.

    `seat` counts from 0; `ply` is the number of decisions made before, so that the decision in its
    place, if one was made, is the next.
    """

    __slots__ = ("answer", "ply", "seat", "text")

    def __init__(self, seat: int, ply: int, answer: str, text: str) -> None:
        self.seat, self.ply, self.text = seat, ply, text
        self.answer = answer[:ANSWER_SIZE]

    def to_json(self) -> dict[str, Any]:
        """Return the object that a record holds of it."""
        return {"seat": self.seat, "ply": self.ply, "answer": self.answer, "text": self.text}


class GameResult:
    """A finished game. `events` tell all, secrets included, in one text; lists are by seat.

    `forfeit` is the illegal answer that lost the game before its end by the rules, or None; the
    returns are those of the verdict then, scores and margins those of the moment. `replaced` holds
    the illegal answers in whose place a legal move was played.
    """

    __slots__ = (
        "events",
        "forfeit",
        "job",
        "margins",
        "plies",
        "replaced",
        "returns",
        "scores",
        "tallies",
    )

    def __init__(
        self,
        job: Job,
        referee: Referee,
        forfeit: IllegalAnswer | None = None,
        replaced: Sequence[IllegalAnswer] = (),
    ) -> None:
        state = referee.state
        self.job, self.forfeit, self.replaced = job, forfeit, list(replaced)
        self.events = " ".join(referee.events)
        self.returns: list[float] = (
            state.returns() if forfeit is None else forfeit_returns(forfeit.seat)
        )
        self.scores: list[float] = state.scores()
        self.margins: list[float] = state.margins()
        self.plies: int = referee.plies
        self.tallies: dict[str, int] = referee.tallies()

    def points(self, side: int) -> float:
        """Return 1, 1/2 or 0 for a side that won, drew or lost."""
        return result_points(self.returns, self.job.sides.index(side))

    def margin(self, side: int) -> float:
        """Return the points by which a side is ahead at the end."""
        return self.margins[self.job.sides.index(side)]


def forfeit_returns(loser: int) -> list[float]:
    """Return the returns of a game of two that a seat has lost by the verdict of the referee."""
    return [float(seat != loser) for seat in range(2)]


def result_points(returns: list[float], seat: int) -> float:
    """Return 1, 1/2 or 0 for a seat of two that won, drew or lost."""
    own, other = returns[seat], returns[1 - seat]
    return 0.5 if own == other else float(own > other)


class Clock:
    """The time left to the seats of one game; kept by the referee in monotonic milliseconds."""

    def __init__(self, limits: list[Limit]) -> None:
        self._limits = limits
        self.left_ms: list[float | None] = [limit.base_ms for limit in limits]

    def spend(self, seat: int, seconds: float) -> None:
        """Take the time of one decision and add the increment; a forgiven overrun is no debt."""
        left = self.left_ms[seat]
        if left is not None:
            self.left_ms[seat] = max(0.0, left - 1000.0 * seconds) + self._limits[seat].inc_ms

    def words(self) -> list[str]:
        """Return the clocks as words of a `go` line."""
        words = []
        for seat, left in enumerate(self.left_ms):
            if left is not None:
                words += [f"p{seat + 1}time", str(int(left))]
                words += [f"p{seat + 1}inc", str(self._limits[seat].inc_ms)]
        return words


def go_words(limit: Limit, seat: int, clock: Clock, seed: int) -> str:
    """Return the arguments of `go` for a decision of `seat`."""
    words = [] if limit.base_ms is None else clock.words()
    if limit.nodes is not None:
        words += ["nodes", str(limit.nodes)]
    if limit.movetime_ms is not None:
        words += ["movetime", str(limit.movetime_ms)]
    if limit.depth is not None:
        words += ["depth", str(limit.depth)]
    return " ".join([*words, "seed", str(seed)])


async def play_game(
    game: Game,
    job: Job,
    engines: list[Engine],
    contestants: list[Contestant],
    run_seed: int,
    illegal: str = LOSE,
) -> GameResult:
    """Play one game to its end; EngineFailure if an engine can't.

    `illegal` says what an answer does that is no legal decision: LOSE loses the game, SUBSTITUTE
    has a legal move drawn by lot in its place, STOP raises EngineFailure. An engine that refuses
    the position, and says so, has failed in any case: it would refuse others too.
    """
    sides = job.sides
    seeds = [SearchSeeds(run_seed, side, job.number) for side in range(2)]
    clock = Clock([contestants[side].limit for side in sides])
    replaced: list[IllegalAnswer] = []
    side = 0
    try:
        for side in range(2):
            await engines[side].new_game(contestants[side].limit.hang_s)
        referee = Referee(game, job.deal, job.opening)
        while not referee.is_over:
            seat = referee.seat_to_move
            side = sides[seat]
            limit = contestants[side].limit
            reply = await engines[side].play(
                referee.position_line(seat),
                go_words(limit, seat, clock, seeds[side].next()),
                limit.patience_s(clock.left_ms[seat]),
            )
            clock.spend(seat, reply.time_s)
            try:
                referee.decide(reply.move)
            except BadAnswer as error:
                what = str(error) if reply.move else "a bestmove line without a move"
                told = "; ".join([what, *(f"it said: {e}" for e in reply.errors)])
                if illegal == STOP:
                    cause = EngineError(told)
                    raise failure(side, contestants, engines, error.kind, cause, job) from None
                fault = IllegalAnswer(seat, referee.plies, reply.move, visible(told[:TEXT_SIZE]))
                if illegal == LOSE:
                    return GameResult(job, referee, fault, replaced)
                replaced.append(fault)
                moves = referee.state.legal_moves()
                seed = substitute_seed(run_seed, job.number, referee.plies)
                referee.decide(game.move_name(moves[seed % len(moves)]))
    except EngineError as error:
        raise failure(side, contestants, engines, kind_of(error), error, job) from None
    return GameResult(job, referee, None, replaced)


def kind_of(error: EngineError) -> str:
    """Return the kind of failure that an error of the client is."""
    if isinstance(error, EngineDied):
        return "died"
    return "time-out" if isinstance(error, EngineTimeout) else "malformed"


def failure(
    side: int,
    contestants: list[Contestant],
    engines: list[Engine],
    kind: str,
    cause: EngineError,
    job: Job | None,
) -> EngineFailure:
    """Return the EngineFailure of a side with what its process last wrote to standard error.

    A process that failed to start is not among `engines`; what it wrote comes with the cause.
    """
    source = engines[side] if len(engines) > side else cause
    stderr = tail(getattr(source, "stderr_tail", ""), STDERR_LINES, STDERR_SIZE)
    text = visible(str(cause)[:TEXT_SIZE])
    error = EngineFailure(side, contestants[side].name, kind, text, stderr)
    error.job = job
    return error
