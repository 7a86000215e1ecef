"""A whole engine in one file: it plays random legal moves of games that it knows nothing of.

    python random_engine.py [--rules COMMAND]

Written from SPEC.md alone, without a line of Drakkar, to be copied: put your own choice in the
place of `choose`. The rules come from a second process, COMMAND (else `drakkar`): it is asked what
is legal and all the rest. An engine that knows its game answers that itself, without class `Rules`.

The choice takes no time, so one thread is enough. An engine that thinks needs a second one: the
first has to go on reading, so that `isready` and `stop` are answered during a search.
"""

import argparse
import atexit
import os
import random
import re
import select
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from subprocess import PIPE, Popen

MAX_LINE = 1048576  # bytes, as `feature maxline` says
PATIENCE = 10.0  # seconds that the rules process may take for one answer
# Options of the rules process that we have too, besides those that begin with a game's name. It
# checks their values; what MultiPV and Seed are for we do ourselves.
OPTIONS = ("game", "strict views", "cardfile", "multipv", "seed")
# The first command of a line; words before it are skipped. `d` and its like count as first words.
COMMAND = re.compile(
    r"^[ \t\r]*(?:help|d|legal)(?![^ \t\r])|(?:^|[ \t\r])((?:uci|ugi|uhi)(?:newgame)?|isready|"
    r"setoption|position|query|go|stop|ponderhit|debug|register|quit)(?![^ \t\r])"
)
LIMITS = ("movetime", "depth", "nodes", "worlds", "mate")  # each of them ends a search
ALIASES = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
CLOCKS = (f"p{seat}{what}" for seat in (1, 2, 3, 4) for what in ("time", "inc"))
NUMBERS = {*LIMITS, *ALIASES, *CLOCKS, "movestogo", "multipv", "seed"}
GO_WORDS = {*NUMBERS, "infinite", "ponder", "searchmoves", "id"}


def choose(moves: list[str], rng: random.Random) -> list[str]:
    """Return the legal moves, the best one first: here your engine would think."""
    return rng.sample(moves, len(moves))


def split(text: str) -> list[str]:
    """Return the words of a text: blank, tab and CR separate words and nothing else does."""
    return re.findall(r"[^ \t\r]+", text)


def number(word: str) -> int | None:
    """Return a whole number, brought into 64 bits; None if the word is none."""
    if not re.fullmatch(r"[+-]?[0-9]+", word):
        return None
    size = int(word.lstrip("+-0")[:20] or "0")  # 20 digits are beyond 64 bits, whatever follows
    return max(-(2**63), -size) if word[0] == "-" else min(2**63 - 1, size)


class Go:
    """What a `go` line asks for; of a doubled key the last one counts."""

    def __init__(self, text: str) -> None:
        self.numbers: dict[str, int] = {}
        self.flags: set[str] = set()  # infinite, ponder
        self.searchmoves: list[str] = []
        self.id, self.bad_id = "", False
        words, i = split(text), 0
        while i < len(words):
            key, i, start = words[i], i + 1, i + 1
            # A key without its value is skipped alone: the next word may be a key that counts.
            value = words[i] if i < len(words) and words[i] not in GO_WORDS else ""
            if key in ("infinite", "ponder"):
                self.flags.add(key)
            elif key == "searchmoves" and value:
                while i < len(words) and words[i] not in GO_WORDS:
                    i += 1
                self.searchmoves = words[start:i]
            elif key == "id" and value:
                self.bad_id = len(value) > 64 or not value.isprintable()
                self.id, i = "" if self.bad_id else value, i + 1
            elif key in NUMBERS and (count := number(value)) is not None:
                i += 1
                if count > 0 or key not in ("movestogo", "multipv"):
                    self.numbers[ALIASES.get(key, key)] = count


def read_lines(fd: int, patience: float | None = None, output: int = -1) -> Iterator[str | None]:
    """Yield lines without their end; None for one that was too long. Ends with the input.

    It ends too when nobody reads from `output` any more, or `patience` seconds bring nothing.
    """
    poller = select.poll()
    poller.register(fd, select.POLLIN)
    if output >= 0:
        poller.register(output, 0)  # errors are told without being asked for
    line = bytearray()
    while events := dict(poller.poll(None if patience is None else 1000 * patience)):
        try:
            chunk = os.read(fd, 65536) if output not in events else b""
        except OSError:
            chunk = b""  # a terminal that was closed, for one
        for i, piece in enumerate((chunk or b"\n").split(b"\n")):  # the last line may lack its LF
            if i:
                is_long = len(line) > MAX_LINE + line.endswith(b"\r")
                # Bytes that are no UTF-8 survive, to be passed on as they came.
                yield None if is_long else line.decode("utf-8", "surrogateescape")
                line.clear()
            line += piece[: MAX_LINE + 2 - len(line)]  # memory stays bounded
        if not chunk:
            return


class Rules:
    """The process that knows the rules: an engine of the same protocol."""

    def __init__(self, argv: list[str]) -> None:
        self.process = Popen(argv, bufsize=0, stdin=PIPE, stdout=PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input = self.process.stdin
        self.lines = read_lines(self.process.stdout.fileno(), PATIENCE)
        atexit.register(self.close)

    def ask(self, line: str) -> list[str]:
        """Send a line and return all that is answered; EOFError if the process has ended or hangs.

        Many commands have no answer if all is well. The `readyok` marks the end of what comes.
        """
        answers: list[str] = []
        try:
            self.input.write(f"{line}\nisready\n".encode("utf-8", "surrogateescape"))
            for answer in self.lines:
                if answer == "readyok":
                    return answers
                answers.append(answer or "")
        except OSError:
            pass  # it does not read any more: the same as if it did not answer
        self.close()
        raise EOFError("the rules process has ended or hangs")

    def close(self) -> None:
        """End the process, which has nothing to lose."""
        self.process.kill()
        self.process.wait()


class Engine:
    """Reads commands and prints answers."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.dialect = rules, "uci"
        self.multipv, self.seed = 1, 0
        self.held: list[str] = []  # the answer to a `go infinite` or `go ponder`, not yet printed
        self.held_id, self.ponderhit_ends = "", False
        self.options = {}  # option lines that we declare, by lower-case name
        greeting = rules.ask("uhi")
        games = {line.split()[1].split("/")[0] for line in greeting if line.startswith("game ")}
        for line in greeting:
            name, is_option, _ = line.lower().removeprefix("option name ").partition(" type ")
            if is_option and (name in OPTIONS or name.split()[0] in games):
                self.options[name] = line
        rules.ask("uci")  # the dialect before a handshake

    def handle(self, line: str) -> bool:
        """Carry out one line; False if it was `quit`."""
        found = COMMAND.search(line)
        word, text = (found[1] or "", line[found.end() :]) if found else ("", "")
        if word in ("position", "setoption", "go", "stop") or word.endswith("newgame"):
            self.finish()  # these end a search
        match word:
            case "uci" | "ugi" | "uhi":
                self.handshake(line)
            case "isready":
                self.say("readyok")  # nothing has to be loaded before the first choice
            case "setoption":
                self.set_option(text)
            case "go":
                self.go(Go(text))
            case "ponderhit" if self.ponderhit_ends:
                self.finish()
            case "quit":
                return False
            case _:  # positions, queries, unknown words: the rules process knows what to say
                self.say(*self.ask(line))
        return True

    def ask(self, line: str) -> list[str]:
        """Return what the rules process answers, and without it an error."""
        try:
            return self.rules.ask(line)
        except EOFError as gone:
            none = ["response none"] if "query" in line else []
            return [self.error("internal", str(gone)), *none]

    def say(self, *lines: str) -> None:
        """Print lines at once, in one piece."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        try:
            while data:
                data = data[os.write(1, data) :]
        except OSError:
            sys.exit(0)  # nobody reads any more

    def error(self, code: str, text: str, go_id: str = "") -> str:
        """Return the line that tells of an error in this dialect."""
        if self.dialect != "uhi":
            return f"info string error {code} {text}"
        return f"error {code} {f'id={go_id} ' if go_id else ''}{text}"

    def handshake(self, line: str) -> None:
        """Tell who we are and what we can; from here on all is printed in this dialect."""
        answers = self.ask(line)
        if not answers[-1].endswith("ok"):  # a version that is not supported
            return self.say(*answers)
        self.dialect = answers[-1].removesuffix("ok")
        self.say("id name Random example", "id author the Drakkar authors")
        games_and_features = [x for x in answers if not x.startswith(("id ", "option "))]
        self.say(*self.options.values(), *games_and_features)

    def set_option(self, text: str) -> None:
        """Let the rules process check and set an option."""
        words = split(text)
        words = words[words.index("name") + 1 :] if "name" in words else []
        end = words.index("value") if "value" in words else len(words)
        name = " ".join(words[:end]).lower()
        if name and name not in self.options:
            return self.say(self.error("bad-option", "there is no such option"))
        answers = self.ask(f"setoption{text}")
        self.say(*answers)
        is_set = not any(answer.startswith(("error ", "info string error ")) for answer in answers)
        if is_set and name in ("multipv", "seed"):
            setattr(self, name, number(words[end + 1]))

    def go(self, go: Go) -> None:
        """Answer a `go`, at once or when the client wants it."""
        start = time.monotonic()
        legal = []
        if go.bad_id:
            self.say(self.error("bad-value", "go id: at most 64 characters, all printable"))
        answers = [self.ask(f"query {word}")[-1] for word in ("players", "turn", "legal", "hash")]
        players, turn, moves, key = (answer.removeprefix("response ") for answer in answers)
        if players == "none":
            self.say(self.error("no-position", "there is no valid position", go.id))
        elif moves == "-":
            why = {"none": "the game is over", "chance": "luck decides here"}
            self.say(f"info string no decision: {why.get(turn, f'{turn} decides here')}")
        else:
            legal = moves.split(",")
            if not go.flags and not go.numbers.keys() & {*LIMITS, f"{turn}time"}:
                self.say(self.error("bad-value", "go without a limit: waiting for stop", go.id))
                go.flags.add("infinite")
            if "mate" in go.numbers:
                self.say(self.error("unsupported", "go mate is not supported", go.id))
            if not set(go.searchmoves) <= set(legal):
                self.say(self.error("illegal-move", "searchmoves: not all legal here", go.id))
        # The seed and what the seat knows decide, so a choice repeats and tells no secret.
        rng = random.Random(f"{go.numbers.get('seed', self.seed)} {key}")
        best = choose([move for move in legal if move in go.searchmoves] or legal, rng)
        del best[go.numbers.get("multipv", self.multipv) :]
        count = int(min(go.numbers.get(what, 1) for what in ("nodes", "worlds")) > 0)
        ms = int(1000 * (time.monotonic() - start))
        told = f"nodes {count} worlds {count} nps 0 hashfull 0 time {ms} score cp 0 wdl 0 1000 0"
        for rank, move in enumerate(best, 1):
            self.held.append(f"info depth 1 seldepth 1 multipv {rank} {told} pv {move}")
        self.held.append(f"bestmove {best[0] if best else '0000'}")
        self.held_id = go.id
        self.ponderhit_ends = "ponder" in go.flags and "infinite" not in go.flags
        if not go.flags:
            self.finish()

    def finish(self) -> None:
        """Print the answer that is held back, if there is one."""
        if self.held and self.held_id and self.dialect == "uhi":
            self.held[-1] += f" id {self.held_id}"
        self.say(*self.held)
        self.held.clear()


def main() -> None:
    """Run the engine until `quit`, the end of its input, or a signal."""
    parser = argparse.ArgumentParser(description="An engine that plays random legal moves.")
    parser.add_argument("--rules", default="drakkar", help="the command that knows the rules")
    rules = parser.parse_args().rules
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, lambda *_: sys.exit(0))
    try:
        engine = Engine(Rules(shlex.split(rules)))
    except (OSError, EOFError, ValueError, IndexError) as error:
        sys.exit(f"--rules {rules!r}: {error}")
    for line in read_lines(0, output=1):
        if line is None:
            engine.say(engine.error("parse", f"a line of more than {MAX_LINE} bytes"))
        elif not engine.handle(line):
            break


if __name__ == "__main__":
    main()
