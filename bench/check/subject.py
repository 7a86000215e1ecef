"""The engine under check in one dialect: its processes, what it declares, its game."""

from collections.abc import Sequence

from bench.check.grammar import Declared, handshake_end, readable_options, shown
from bench.check.material import Material, Moment
from bench.check.profile import Profile, StartError, start
from bench.check.steps import PATIENCE_S, Skip, expect, fail
from bench.check.talk import Talk, Transcript
from bench.text import tail
from engine.game import Game
from protocol.messages import DIALECTS, MAX_LINE, UCI, parse_int, split_words
from protocol.transport import EngineError


class Subject:
    """What steps work with: `talk` is the process that they share, `open` starts one of their own.

    Steps leave the shared process idle, with its options as they found them.
    """

    def __init__(
        self,
        argv: Sequence[str],
        dialect: str,
        profile: Profile,
        options: dict[str, str],
        material: Material,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.argv, self.dialect, self.profile = list(argv), dialect, profile
        self.material, self.patience_s = material, patience_s
        self.game: Game = material.game
        self.transcript = Transcript()
        self._chosen = options
        self._shared: Talk | None = None
        self._own: list[Talk] = []
        self._num_talks = 0

    # ---- processes ----

    async def talk(self) -> Talk:
        """Return the shared process, started and set up when it is first asked for."""
        if self._shared is None:
            self._num_talks = 0
            self._shared = await self.open()
            self._own.remove(self._shared)
        return self._shared

    async def open(self, shake: bool = True) -> Talk:
        """Start a process for this step alone; with a handshake and set up, or without."""
        try:
            wire = await start(self.argv)
        except StartError as error:
            fail("a process that starts", str(error))
        self._num_talks += 1
        # Before a handshake the engine prints as under uci.
        dialect = self.dialect if shake else UCI
        talk = Talk(wire, dialect, self.transcript, self._num_talks, self.patience_s)
        self._own.append(talk)
        if shake:
            since = self.transcript.num_lines
            await talk.send(self.dialect)
            talk.greeting = await talk.until(handshake_end(self.dialect))
            lines = self.setup_lines(talk)
            await talk.send(*lines)
            errors = [line for line in await talk.sync() if "error" in line]
            expect(not errors, "options that are accepted with these values", "; ".join(errors))
            self.transcript.fold(
                since, f"(process {self._num_talks}: {'; '.join([self.dialect, *lines])})"
            )
        return talk

    async def greeting(self) -> list[str]:
        """Return the lines of the handshake, and show them in the transcript."""
        talk = await self.talk()
        self.transcript.add(">", self.dialect)
        for line in talk.greeting:
            self.transcript.add("<", shown(line))
        return talk.greeting

    def setup_lines(self, talk: Talk) -> list[str]:
        """Return the lines that choose the game and the options, as far as they are declared."""
        declared = readable_options(talk.greeting)
        wanted = {"Game": self.game.name, "Strict Views": "false", **self._chosen}
        for setting in self.game.setting_list():
            value = self.game.settings[setting.name]
            if value != setting.default:
                wanted[f"{self.game.name} {setting.name}"] = value
        return [
            f"setoption name {declared[name.lower()].name} value {value}"
            for name, value in wanted.items()
            if name.lower() in declared
        ]

    def last_words(self) -> str:
        """Return the end of what the processes have written to standard error."""
        talks = [*self._own, *([self._shared] if self._shared is not None else [])]
        texts = (tail(talk.wire.stderr_tail, 20, 2000) for talk in talks)
        return "\n".join(text for text in texts if text)

    async def end_step(self, failed: bool) -> None:
        """End the processes that a step has started, and after a failure the shared one."""
        gone, self._own = self._own, []
        if failed and self._shared is not None:
            gone.append(self._shared)
            self._shared = None
        for talk in gone:
            await talk.wire.kill()
        self._num_talks = 0 if self._shared is None else 1

    async def settle(self) -> None:
        """Fail if the shared process has something left to say."""
        if self._shared is not None:
            rest = [line for line in await self._shared.sync() if not line.startswith("info ")]
            expect(not rest, "nothing more to come", "; ".join(rest[:3]))

    async def close(self) -> None:
        """End all processes."""
        shared, self._shared = self._shared, None
        if shared is not None:
            try:
                await shared.wire.quit(1.0)
            except EngineError:
                await shared.wire.kill()
        await self.end_step(failed=True)

    # ---- what the engine declares ----

    @property
    def max_line(self) -> int:
        """The longest line in bytes that the engine takes."""
        text = self.profile.features.get("maxline", "")
        return parse_int(text) or MAX_LINE

    def option(self, name: str) -> Declared:
        """Return an option; Skip if the engine has no such one."""
        option = readable_options(self.profile.greetings[self.dialect]).get(name.lower())
        if option is None:
            raise Skip(f"the engine has no option {name}")
        return option

    def knows(self, word: str) -> bool:
        """Return True unless the engine has said that it does not know a query."""
        return word not in self.profile.lacking.get(self.dialect, ())

    def need(self, word: str) -> None:
        """Raise Skip if the engine does not know a query."""
        if not self.knows(word):
            raise Skip(f"the engine does not know `query {word}`")

    def other_dialects(self) -> list[str]:
        """Return the further dialects that the engine speaks."""
        told = self.profile.features.get("dialects", "").split(",")
        spoken = set(told) | set(self.profile.greetings)
        return [other for other in DIALECTS if other != self.dialect and other in spoken]

    async def startpos(self, talk: Talk) -> str:
        """Return the line `position startpos`; Skip if that would be another game."""
        self.need("game")
        await talk.silent(f"{self.dialect}newgame")
        answer = await talk.ask("game")
        if set(answer.split(";")) != set(self.game.identity.split()):
            raise Skip(f"startpos of this engine is {answer}, not {self.game.identity}")
        return "position startpos"

    # ---- what many steps do ----

    async def at(self, moment: Moment) -> Talk:
        """Return the shared process, brought to a position."""
        talk = await self.talk()
        await talk.place(moment.line)
        return talk

    async def plays_legally(self, talk: Talk, moment: Moment, limits: str = "nodes 20") -> None:
        """Let the engine decide at a moment; fail if its move is not legal."""
        answer = await talk.go(limits)
        expect_legal(answer.move, moment)

    async def stands_at(self, talk: Talk, moment: Moment) -> None:
        """Fail unless turn and legal moves are those of a moment."""
        if self.knows("turn"):
            turn = await talk.ask("turn")
            expect(turn == moment.turn, f"response {moment.turn}", turn)
        if self.knows("legal"):
            legal = sorted((await talk.ask("legal")).split(","))
            wanted = sorted(moment.legal) or ["-"]
            expect(legal == wanted, f"the legal moves {','.join(wanted)}", ",".join(legal))
        elif moment.legal:
            await self.plays_legally(talk, moment, "nodes 1")
        else:
            await self.decides_nothing(talk)

    async def has_no_position(self, talk: Talk) -> None:
        """Fail unless the engine says that it has no position, and why it can't decide."""
        if self.knows("turn"):
            await talk.send("query turn")
            lines = await talk.sync()
            answers = [line for line in lines if split_words(line)[0] == "response"]
            expect(answers == ["response none"], "an error, then `response none`", str(answers))
            rest = [line for line in lines if line not in answers]
            talk.one_error(rest, "query turn", "no-position")
        answer = await talk.go("nodes 5")
        expect(answer.move == "0000", "bestmove 0000 without a position", answer.move)
        talk.one_error(answer.lines[:-1], "go", "no-position")

    async def decides_nothing(self, talk: Talk) -> None:
        """Fail unless `go` is answered by 0000 and a reason in the line before."""
        answer = await talk.go("nodes 5")
        expect(answer.move == "0000", "bestmove 0000", f"bestmove {answer.move}")
        before = answer.lines[-2] if len(answer.lines) > 1 else ""
        expect(
            before.startswith("info string no decision: "),
            "directly before it the line `info string no decision: REASON`",
            before or "nothing",
        )


def expect_legal(move: str, moment: Moment) -> None:
    """Fail unless a move is legal at a moment."""
    expect(move in moment.legal, f"bestmove with one of: {' '.join(moment.legal)}", move)
