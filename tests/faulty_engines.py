"""Copies of the small engine with one fault each, and the step of the checker made for it.

python faulty_engines.py [NAME]
"""

import os
import signal
import sys
import time

from small_engine import Engine, Refused, number, split


class StrayPrint(Engine):
    """Talks about its thinking, in lines that are none of the protocol."""

    step = "output-lines"

    def think(self, *args):
        return ["thinking...", *super().think(*args)]


class CarriageReturns(Engine):
    """Ends answers to queries with CR LF."""

    step = "output-lines"

    def do_query(self, text):
        say, self.say = self.say, lambda *lines: say(*(f"{line}\r" for line in lines))
        super().do_query(text)
        self.say = say


class DiesOfUnknownWord(Engine):
    """Ends at a line that it does not know."""

    step = "unknown-line"

    def unknown(self, line):
        raise ValueError(line)


class ChokesOnLongLine(Engine):
    """Never recovers from a line that is too long."""

    step = "longer-line"

    def too_long(self):
        time.sleep(600)


class ChangesRefusedOption(Engine):
    """Complains of a value that is out of range, and changes the option all the same."""

    step = "option-kept"

    def set_option(self, key, value):
        if key == "MultiPV" and (number(value) or 0) > 9:
            self.options[key] = "1"
        super().set_option(key, value)


class KeepsOldPosition(Engine):
    """Goes on with the position before a refused one."""

    step = "no-position-left"

    def do_position(self, text):
        before = self.position
        try:
            super().do_position(text)
        except Refused:
            self.position = before
            raise


class ShowsHiddenCard(Engine):
    """Lists moves in another order if the other seat holds the king."""

    step = "alike-queries"

    def answer(self, word, position):
        answer = super().answer(word, position)
        if word == "legal" and position.cards[2 - position.seat] == "K":
            return ",".join(reversed(answer.split(",")))
        return answer


class SearchesHiddenCard(Engine):
    """Thinks with the other seat's card in mind."""

    step = "alike-searches"

    def seed_of(self, go, position):
        return f"{super().seed_of(go, position)} {position.cards}"


class MovesIllegally(Engine):
    """Answers a search of no depth with a move that does not exist."""

    step = "zero-limits"

    def think(self, go, position, go_id):
        if go.get("depth") == 0:
            return [self.bestmove("fold", "", go_id)]
        return super().think(go, position, go_id)


class ReportsNothing(Engine):
    """Leaves out the final report of a search by depth."""

    step = "final-report"

    def think(self, go, position, go_id):
        lines = super().think(go, position, go_id)
        return lines[-1:] if "depth" in go else lines


class RemembersGames(Engine):
    """Chooses by how many new games there have been."""

    step = "repeats-after-others"
    games = 0

    def do_newgame(self, text):
        self.games += 1
        super().do_newgame(text)

    def seed_of(self, go, position):
        return f"{super().seed_of(go, position)} {self.games}"


class AnswersTwice(Engine):
    """Answers a second `stop` once more."""

    step = "one-answer"
    again = ()

    def do_stop(self, text):
        again, self.again = self.again, self.held
        super().do_stop(text)
        self.say(*again)

    def do_go(self, text):
        self.again = ()
        super().do_go(text)


class StopsLate(Engine):
    """Needs a while to stop."""

    step = "stop-latency"

    def do_stop(self, text):
        if self.held:
            time.sleep(0.15)
        super().do_stop(text)


class AnswersPonder(Engine):
    """Does not wait for `ponderhit`."""

    step = "ponder-holds"

    def do_go(self, text):
        super().do_go(text)
        if self.pondering:
            self.end_search()


class ReadyLate(Engine):
    """Answers `isready` late while it searches."""

    step = "ready-in-search"

    def do_isready(self, text):
        if self.held:
            time.sleep(0.08)
        super().do_isready(text)


class GivesUpInTimeTrouble(Engine):
    """Answers 0000 when its clock has run out."""

    step = "clock-zero"

    def think(self, go, position, go_id):
        if position is not None and go.get(f"{position.turn}time") == 0:
            return ["info string no decision: no time", self.bestmove("0000", "", go_id)]
        return super().think(go, position, go_id)


class EndsAtQuery(Engine):
    """Ends an infinite search when a query comes."""

    step = "query-in-search"

    def do_query(self, text):
        self.end_search()
        super().do_query(text)


class KeepsForm(Engine):
    """Forms `bestmove` by the handshake before the `go`."""

    step = "dialect-in-search"

    def do_go(self, text):
        self.dialect_of_go = self.dialect
        super().do_go(text)

    def form(self, line):
        now, self.dialect = self.dialect, getattr(self, "dialect_of_go", self.dialect)
        line = super().form(line)
        self.dialect = now
        return line


class OddFeature(Engine):
    """Declares a feature with a value that it cannot have."""

    step = "feature-lines"

    def form(self, line):
        return super().form(line).replace("json=0", "json=no")


class BlamesThePlayer(Engine):
    """Calls impossible luck an illegal move."""

    step = "impossible-luck"

    def error_line(self, code, text, go_id=""):
        is_luck = "does not fit" in text and code == "bad-position"
        return super().error_line("illegal-move" if is_luck else code, text, go_id)


class TakesMoreThanStartpos(Engine):
    """Ignores words behind `startpos`."""

    step = "position-lacks-text"

    def do_position(self, text):
        super().do_position(text.replace("startpos foo", "startpos"))


class LeavesChild(Engine):
    """Leaves a child behind at `quit`."""

    step = "quit"

    def do_quit(self, text):
        import subprocess

        child = [sys.executable, "-c", "import time; time.sleep(60)", *sys.argv[1:]]
        subprocess.Popen(child, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.leave()


class ExitsWithOne(Engine):
    """Ends with exit code 1 at the end of its input."""

    step = "end-of-input"

    def raw_lines(self):
        yield from sys.stdin.buffer
        os._exit(1)


class DiesOfSignal(Engine):
    """Leaves SIGTERM to the system."""

    step = "sigterm"
    keeps_signals = True


class LosesIdAtStop(Engine):
    """Leaves the id out of a `bestmove` that `stop` asks for."""

    step = "go-id"

    def do_stop(self, text):
        self.held = [line.partition(" id ")[0] for line in self.held]
        super().do_stop(text)


class DecidesForFormerPosition(Engine):
    """Thinks about the position before the latest one, if no `go` came between."""

    step = "latest-counts"
    former = None

    def do_position(self, text):
        former = self.position
        super().do_position(text)
        self.former = former if self.position.turn == "none" else None

    def think(self, go, position, go_id):
        return super().think(go, self.former or position, go_id)


class LosesLineOfBurst(Engine):
    """Loses the 100th line of those that it reads at once."""

    step = "one-write"

    def raw_lines(self):
        rest = b""
        while data := os.read(0, 1 << 20):
            *lines, rest = (rest + data).split(b"\n")
            yield from (line + b"\n" for i, line in enumerate(lines) if i != 99)


class KeepsPonderhit(Engine):
    """Takes a `ponderhit` that comes while it is idle for the next `go ponder`."""

    step = "ponderhit-idle"
    early = False

    def do_ponderhit(self, text):
        self.early = not self.held
        super().do_ponderhit(text)

    def do_go(self, text):
        super().do_go(text)
        if self.early and self.pondering:
            self.end_search()
        self.early = False


class AnswersHitAndStop(Engine):
    """Answers a `stop` that comes right behind `ponderhit` once more."""

    step = "ponderhit-stop"
    again, hit_at = (), 0.0

    def do_ponderhit(self, text):
        self.again, self.hit_at = self.held[-1:], time.monotonic()
        super().do_ponderhit(text)

    def do_stop(self, text):
        again, self.again = self.again, ()
        if again and not self.held and time.monotonic() - self.hit_at < 0.02:
            self.say(*again)
        super().do_stop(text)


class NoReportAfterIdleStop(Engine):
    """Leaves out the final report of a search that follows an idle `stop`."""

    step = "stop-idle"
    stopped = False

    def do_stop(self, text):
        self.stopped = not self.held
        super().do_stop(text)

    def think(self, go, position, go_id):
        lines = super().think(go, position, go_id)
        cut, self.stopped = self.stopped, False
        return lines[-1:] if cut and position and position.legal else lines


class SpendsIncrement(Engine):
    """Spends the increment before it has it, if `movestogo` is given too."""

    step = "clock-last-move"

    def think(self, go, position, go_id):
        if go.get("p1inc") and "movestogo" in go:
            time.sleep(0.4)
        return super().think(go, position, go_id)


class TellsCardsInRefusal(Engine):
    """Writes the cards of both seats into the complaint about a move that is not legal."""

    step = "alike-refusals"

    def error(self, code, text, go_id=""):
        if code == "illegal-move" and self.position and not self.position.me:
            text += f" {self.position.cards}"
        super().error(code, text, go_id)


class PondersHiddenCard(Engine):
    """Expects of the other seat what fits its card."""

    step = "alike-searches"

    def bestmove(self, move, ponder, go_id):
        position = self.position
        if ponder and position and position.seat:
            ponder = "bet" if position.cards[2 - position.seat] == "K" else "pass"
        return super().bestmove(move, ponder, go_id)


class Minimal(Engine):
    """No fault: it does what SPEC.md part 10 asks for, and nothing that is only recommended."""

    def do_handshake(self, dialect, text):
        say = self.say
        self.say = lambda *lines: say(
            *(x for x in lines if not x.startswith(("option", "feature")))
        )
        super().do_handshake(dialect, text)
        self.say = say

    def do_setoption(self, text):
        self.end_search()
        words = split(text)
        raise Refused("bad-option" if len(words) > 1 else "parse", "there are no options")

    def do_query(self, text):
        self.error("bad-value", "no queries here")
        self.say("response none")

    def start(self, go):
        known = {key: go[key] for key in go if key not in ("searchmoves", "multipv", "worlds")}
        super().start(known)

    def seed_of(self, go, position):
        return time.monotonic()


class ViewsOnly(Engine):
    """No fault: it takes views only, and says so."""

    def __init__(self):
        super().__init__()
        self.options["Strict Views"] = "true"

    def say(self, *lines):
        super().say(*(line for line in lines if "name Strict Views" not in line))

    def form(self, line):
        return super().form(line).replace("views=strict", "views=only")

    def set_option(self, key, value):
        if key == "Strict Views":
            raise Refused("bad-option", key)
        super().set_option(key, value)


class NotOnlyViews(ViewsOnly):
    """Says that it takes views only, and takes open positions too."""

    step = "views-only"

    def __init__(self):
        super().__init__()
        self.options["Strict Views"] = "false"


ENGINES = {engine.__name__: engine for engine in [*Engine.__subclasses__(), NotOnlyViews]}
FAULTS = {name: engine for name, engine in ENGINES.items() if hasattr(engine, "step")}


if __name__ == "__main__":
    engine = ENGINES[sys.argv[1]]() if sys.argv[1:] else Engine()
    for stop_signal in () if hasattr(engine, "keeps_signals") else (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop_signal, lambda number, frame: os._exit(0))
    engine.serve()
