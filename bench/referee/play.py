"""One game between engine processes, one on each seat, and the one verdict that it has.

Of an answer first the time is looked at, then whether it can be read, then whether it is legal.
"""

import asyncio

from bench.plan import Plan
from bench.referee.block import Job
from bench.referee.clock import Clock, go_words
from bench.referee.game_result import Decision, GameResult, verdict_returns
from bench.referee.lag import LagMonitor
from bench.referee.policy import DISTURBED_S, STOP, SUBSTITUTE
from bench.referee.pondering import Pondering, wants_to_ponder
from bench.referee.question import Answer, Question
from bench.referee.referee import BadAnswer, Referee
from bench.referee.verdicts import TEXT_SIZE, VOID, Fault, Termination
from bench.seeds import SearchSeeds, substitute_seed
from bench.text import visible
from protocol.client import Engine, EngineDied, EngineError, EngineRefusal, EngineTimeout

STRIKE_MS = 1000.0
"""An overrun longer than this beyond the margin, in milliseconds, is never forgiven."""


class Verdict(Exception):
    """The end of a game by the referee: the fault, and whether its engine can go on."""

    def __init__(self, fault: Fault, is_fit: bool = False) -> None:
        super().__init__(fault.text)
        self.fault, self.is_fit = fault, is_fit


class Play:
    """A game from its deal to its verdict. Make it, then `run` or `forfeit` it once.

    Attributes:
        unfit: seats whose process must not be used again.
    """

    def __init__(self, plan: Plan, job: Job, lag: LagMonitor) -> None:
        self.unfit: set[int] = set()
        self._plan, self._job, self._lag = plan, job, lag
        # When the present step began, as the event loop has it.
        self._start = 0.0
        self._engines: list[Engine] = []
        self._pondering = Pondering([], [], 0.0)
        self._names = [""] * len(job.seats)
        self._limits = [plan.contestants[index].limit for index in job.seats]
        self._seeds = [SearchSeeds(plan.seed, index, job.number) for index in job.seats]
        self._clock = Clock(self._limits)
        self._referee = Referee(plan.game, job.deal, job.opening)
        self._decisions: list[Decision] = []
        self._replaced: list[Fault] = []
        self._strikes = [0] * len(job.seats)

    def forfeit(self, fault: Fault) -> GameResult:
        """Return the result of a game that does not begin, because of a fault."""
        return self._result(fault)

    async def run(self, engines: list[Engine]) -> GameResult:
        """Play to the end and return the result; an engine's fault is one, too.

        Args:
            engines: who sits on each seat.
        """
        self._engines, self._names = engines, [visible(engine.name) for engine in engines]
        self._pondering = Pondering(engines, self._ponderers(), self._plan.policy.ping_s)
        fault = None
        try:
            await self._begin()
            while not self._referee.is_over:
                await self._decide(self._referee.seat_to_move)
        except Verdict as verdict:
            fault = verdict.fault
            if fault.kind in VOID:
                # It is played again, and nobody may know the deal from before.
                self.unfit.update(range(len(self._engines)))
            elif not verdict.is_fit:
                self.unfit.add(fault.seat)
        # The game has its result: whoever fails now is only not used again.
        self.unfit.update(await self._pondering.stop())
        return self._result(fault)

    def _ponderers(self) -> list[int]:
        """Return the seats that think while others decide."""
        if not self._plan.policy.ponder:
            return []
        contestants = [self._plan.contestants[index] for index in self._job.seats]
        return [seat for seat, who in enumerate(contestants) if wants_to_ponder(who)]

    async def _begin(self) -> None:
        limit_s = self._plan.policy.newgame_s
        self._start = asyncio.get_running_loop().time()
        for seat, engine in enumerate(self._engines):
            try:
                await engine.new_game(limit_s)
            except EngineError as error:
                raise self._failed(seat, error, " of a new game (limit newgame)") from None

    async def _decide(self, seat: int) -> None:
        """Have a seat decide, and carry it out."""
        answer = await self._ask(seat)
        reply, refusal, referee = answer.reply, answer.error, self._referee
        if reply is None and not isinstance(refusal, EngineRefusal):
            assert refusal is not None
            raise self._failed(seat, refusal)
        if isinstance(refusal, EngineRefusal):
            reply = refusal.reply
        word = "" if reply is None else reply.move
        try:
            if refusal is not None:
                raise BadAnswer(Termination.ILLEGAL, str(refusal))
            referee.decide(word)
        except BadAnswer as error:
            said = [] if refusal is not None or reply is None else reply.errors
            told = "; ".join([str(error), *(f"it said: {line}" for line in said)])
            fault = self._fault(seat, error.kind, told, answer=word)
            if self._plan.policy.illegal != SUBSTITUTE:
                is_fit = self._plan.policy.illegal != STOP
                raise Verdict(fault, is_fit) from None
            self._replaced.append(fault)
            self._substitute()

    def _substitute(self) -> None:
        """Play a legal move by lot."""
        referee = self._referee
        moves = referee.state.legal_moves()
        number = substitute_seed(self._plan.seed, self._job.number, referee.plies)
        referee.decide(self._plan.game.move_name(moves[number % len(moves)]))

    async def _ask(self, seat: int) -> Answer:
        """Ask a seat and return its answer, which was in time."""
        limit, engine, clock = self._limits[seat], self._engines[seat], self._clock
        words = go_words(limit, seat, clock, self._seeds[seat].next())
        # Of an engine that gives no ids, too, so that what it answers twice is not taken for this.
        first = limit.is_timed or not engine.gives_ids
        ping_s = self._plan.policy.ping_s
        self._start = asyncio.get_running_loop().time()
        for failed, error in (await self._pondering.stop()).items():
            raise self._failed(failed, error, " of pondering (limit ping)")
        line = self._referee.position_bytes(seat)
        try:
            question = await Question.send(engine, line, words, self._lag, ping_s, first)
        except EngineError as error:
            raise self._failed(seat, error, " before go (limit ping)") from None
        await self._pondering.start(seat, self._referee.lines)
        budget_ms = clock.budget_ms(seat)
        if budget_ms is None:
            budget_ms = allowed_ms = most_ms = 1000.0 * limit.hang_s
        else:
            allowed_ms = budget_ms + limit.margin_ms
            has_strike = self._strikes[seat] < self._plan.policy.strikes
            most_ms = allowed_ms + STRIKE_MS if has_strike else allowed_ms
        answer = await question.answer(most_ms)
        self._count(answer)
        if isinstance(answer.error, EngineDied):
            raise self._failed(seat, answer.error)
        is_late = answer.time_ms is None or answer.time_ms > most_ms
        if limit.is_timed or is_late:
            self._check_undisturbed(seat)
        if answer.time_ms is None or is_late:
            raise self._late(seat, answer, budget_ms)
        self._strikes[seat] += answer.time_ms > allowed_ms
        clock.spend(seat, answer.time_ms)
        return answer

    def _count(self, answer: Answer) -> None:
        """Note the time of a decision, and what the engine said of it last."""
        if answer.time_ms is None or isinstance(answer.error, EngineDied):
            return
        reply = answer.reply
        if reply is None and isinstance(answer.error, EngineRefusal):
            reply = answer.error.reply
        decision = Decision(answer.time_ms, answer.lag_ms)
        if reply is not None and reply.infos:
            info = reply.infos[0]
            decision.nodes, decision.cp, decision.reported_ms = info.nodes, info.cp, info.time_ms
        self._decisions.append(decision)

    # ---- verdicts ----

    def _late(self, seat: int, answer: Answer, budget_ms: float) -> Verdict:
        """Return the verdict for an answer that came too late or not at all."""
        limit = f"limit {budget_ms / 1000:g} s, margin {self._limits[seat].margin_ms} ms"
        if not self._limits[seat].is_timed:
            limit = f"limit hang {budget_ms / 1000:g} s"
        if answer.time_ms is not None:
            overrun = answer.time_ms - budget_ms
            word = "" if answer.reply is None else answer.reply.move
            text = f"answered {overrun:.0f} ms late ({limit})"
            fault = self._fault(seat, Termination.TIME, text, word, overrun_ms=overrun)
            return Verdict(fault, answer.is_ready)
        if isinstance(answer.error, EngineTimeout):
            text = f"no answer, and none to stop and isready either ({limit})"
            return Verdict(self._fault(seat, Termination.STALL, text))
        if answer.error is not None:
            return self._failed(seat, answer.error)
        text = f"no answer, not to stop either, though it is ready ({limit})"
        return Verdict(self._fault(seat, Termination.TIME, text))

    def _check_undisturbed(self, seat: int) -> None:
        """Raise Verdict if the referee was so late in the present step that nobody is to blame."""
        lag_s = self._lag.worst_since(self._start)
        if lag_s > DISTURBED_S:
            text = f"the referee was {lag_s:.1f} s late while it waited for seat {seat + 1}"
            raise Verdict(self._fault(seat, Termination.INTERNAL, text))

    def _failed(self, seat: int, error: EngineError, when: str = "") -> Verdict:
        """Return the verdict for an error of the client; `when` tells more of a limit."""
        if not isinstance(error, EngineTimeout):
            code = error.exit_code if isinstance(error, EngineDied) else None
            return Verdict(self._fault(seat, kind_of(error), str(error), exit_code=code))
        self._check_undisturbed(seat)
        return Verdict(self._fault(seat, Termination.STALL, f"{error}{when}"))

    def _fault(
        self,
        seat: int,
        kind: Termination,
        text: str,
        answer: str = "",
        exit_code: int | None = None,
        overrun_ms: float | None = None,
    ) -> Fault:
        plies = self._referee.plies
        overrun = None if overrun_ms is None else round(overrun_ms, 3)
        return Fault(seat, plies, kind, visible(text[:TEXT_SIZE]), answer, exit_code, overrun)

    def _result(self, fault: Fault | None) -> GameResult:
        referee, state = self._referee, self._referee.state
        returns: list[float] = []
        if fault is None:
            returns = state.returns()
        elif fault.kind not in VOID:
            returns = verdict_returns(len(self._names), fault.seat)
        return GameResult(
            self._job,
            Termination.RULES if fault is None else fault.kind,
            fault,
            self._replaced,
            " ".join(referee.events),
            returns,
            state.scores(),
            state.margins(),
            referee.plies,
            referee.tallies(),
            self._decisions,
            self._strikes,
            self._names,
        )


def kind_of(error: EngineError) -> Termination:
    """Return the verdict for an engine that ended, hung, or wrote what cannot be read."""
    if isinstance(error, EngineDied):
        return Termination.DISCONNECT
    return Termination.STALL if isinstance(error, EngineTimeout) else Termination.MALFORMED


__all__ = ["STRIKE_MS", "Play", "Verdict", "kind_of"]
