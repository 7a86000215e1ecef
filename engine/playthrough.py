"""Golden playthroughs: games written down as a report, with all that is seen on the way.

    python -m engine.playthrough new kuhn bluff --seed 7 --about "a bluff is called"
    python -m engine.playthrough update

Lines beginning with `->` or `=>` are the input: `-> about:` what the file shows, `-> start:` the
position text it starts from, then events, one or more a line, and between them `=> picture` where
the table is drawn and `=> texts` where the position texts and keys of all are written. Everything
else is written by `replay`, so a file is its own test: read the input, play it, write it all again,
compare. The first event of a kind also tells what else was legal and what each seat sees of it.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import engine
from engine.errors import BadMoveText, EngineError
from engine.game import SEAT_IS_CHANCE, Game, State
from engine.stream import RandomStream

FOLDER = Path("tests/playthroughs")
MAX_BYTES = 65536
POLICIES = ("random", "first", "last")
LEGAL_SHOWN = 40
TOKEN_WIDTH, LINE_WIDTH = 26, 110
MOMENT = ("=> picture", "=> texts")
# What a game says of an event is a heading, such as that of a turn, if it begins so.
HEADING = "-- "
LUCK, CHOICE = 1, 5  # purposes of random streams, as in rng.pxd


class _Report:
    """A game as it is written down."""

    def __init__(self, about: str, start: str) -> None:
        self.state = engine.load(start.split("/")[0]).from_text(start)
        self.lines = [f"-> about: {about}".rstrip(), f"-> start: {start}", ""]
        self.number = 0
        self._kinds: set[str] = set()
        self._tokens: list[str] = []  # of the line being written
        self._words: list[str] = []

    def event(self, token: str) -> None:
        """Play an event and tell it, luck on the line of what it follows."""
        state = self.state
        move, kind = _event(state, token), _kind(token)
        first, luck = kind not in self._kinds, state.is_chance
        told = state.game.describe_move(state, move)
        details = list(_details(state, move)) if first else []
        before = state.copy()
        state.apply(move)
        self.number += 1
        self._kinds.add(kind)
        if not (luck and self._has_room(token, told)):
            self.close()
        self._tokens.append(token)
        self._words.append(told)
        said = state.game.describe_change(before, state)
        if said or details:
            self.close()
        for sentence in [*details, *said]:
            self._say(sentence)

    def _has_room(self, token: str, told: str) -> bool:
        tokens, words = " ".join([*self._tokens, token]), "; ".join([*self._words, told])
        return len(tokens) <= TOKEN_WIDTH and TOKEN_WIDTH + len(words) <= LINE_WIDTH

    def _say(self, sentence: str) -> None:
        if sentence.startswith(HEADING):
            mark = f"({self.number} events, key {self.state.key() >> 32:08x})"
            self.lines += ["", f"{sentence} {mark}"]
        else:
            self.lines.append(f"   {sentence}")

    def close(self) -> None:
        """Write the line of the last events."""
        if self._tokens:
            tokens, words = " ".join(self._tokens), "; ".join(self._words)
            self.lines.append(f"-> {tokens:<{TOKEN_WIDTH}} | {words}")
        self._tokens, self._words = [], []

    def show(self, what: str) -> None:
        """Write the picture or the texts of the position."""
        self.close()
        draw = {"picture": _picture, "texts": _texts}
        if what not in draw:
            raise EngineError(f"=> {what}: use one of {', '.join(draw)}")
        # After a heading, which goes with what follows, no empty line.
        room = [] if self.lines[-1] == "" or self.lines[-1].startswith(HEADING) else [""]
        self.lines += [*room, f"=> {what}", *draw[what](self.state), ""]

    def end(self) -> str:
        """Write the last position and the result, and return the report."""
        self.close()
        lines = [*self.lines, "", *_picture(self.state), "", *_texts(self.state)]
        kept = [line for i, line in enumerate(lines) if line or lines[i - 1]]
        return "\n".join([*kept, *_result(self.state)]) + "\n"


def replay(text: str) -> str:
    """Return a playthrough written anew from the input lines of `text`.

    Raises:
        EngineError: an input line is no longer possible; the message begins with the line.
    """
    about, start, inputs = _inputs(text)
    report = _Report(about, start)
    for mark, word in inputs:
        try:
            if mark == "->":
                report.event(word)
            else:
                report.show(word)
        except EngineError as error:
            raise EngineError(f"{mark} {word} (event {report.number}): {error}") from error
    return report.end()


def record(
    start: State,
    seed: int,
    policy: str = "random",
    about: str = "",
    limit: int = 10**6,
    every: int = 16,
) -> str:
    """Return a playthrough of a game played from `start`, of at most `limit` events.

    Luck and the policy `random` come from `seed`; the policies `first` and `last` always take the
    first or the last legal move. The position is shown before the first decision and below every
    so many headings.
    """
    state, inputs = start.copy(), [f"-> about: {about}", f"-> start: {start.to_text()}"]
    luck, choice = RandomStream(seed, LUCK), RandomStream(seed, CHOICE)
    decided, headings = False, 0
    for _ in range(limit):
        if state.is_terminal:
            break
        moves = state.legal_moves()
        if state.is_chance:
            move = state.sample_chance(luck)
        else:
            inputs += () if decided else MOMENT
            decided = True
            picks = {"random": choice.below(len(moves)), "first": 0, "last": -1}
            move = moves[picks[policy]]
        inputs.append(f"-> {state.event_name(move)}")
        before = state.copy()
        state.apply(move)
        if any(said.startswith(HEADING) for said in state.game.describe_change(before, state)):
            headings += 1
            inputs += () if headings % every else MOMENT
    return replay("\n".join(inputs))


def first_difference(old: str, new: str, around: int = 3) -> str:
    """Return the first line that differs with its neighbours, or an empty text if none does."""
    if old == new:
        return ""
    was, now = old.splitlines(), new.splitlines()
    pairs = enumerate(zip(was, now, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(was), len(now)))
    before = [f"  {line}" for line in was[max(0, at - around) : at]]
    gone = [f"- {line}" for line in was[at : at + around]]
    come = [f"+ {line}" for line in now[at : at + around]]
    return "\n".join([f"line {at + 1}:", *before, *gone, *come])


def files(places: list[Path]) -> list[Path]:
    """Return all playthrough files at or below the given places, sorted."""
    found = (place.rglob("*.txt") if place.is_dir() else [place] for place in places)
    return sorted(path for group in found for path in group)


def _inputs(text: str) -> tuple[str, str, list[tuple[str, str]]]:
    """Return what a file shows, its start, and events and moments with their marks."""
    about, start, inputs = "", "", list[tuple[str, str]]()
    for line in text.splitlines():
        mark, rest = line[:2], line[2:].strip()
        word, _, value = rest.partition(" ")
        if mark == "=>":
            inputs.append((mark, rest))
        elif mark != "->":
            continue
        elif word == "about:":
            about = value.strip()
        elif word == "start:":
            start = value.strip()
        else:
            inputs += [(mark, token) for token in rest.partition("|")[0].split()]
    if not start:
        raise EngineError("a playthrough needs a line '-> start: POSITION'")
    return about, start, inputs


def _event(state: State, token: str) -> int:
    seat, move = state.game.parse_event(token)
    if seat is not None and seat != state.seat_to_move:
        raise BadMoveText(f"{token} is not for {_who(state)} to do")
    return move


def _kind(token: str) -> str:
    """Return the first word of a token: `deal` of `~deal@p1=K`, `bet` of `p1:bet`."""
    word = token[1:] if token.startswith("~") else token.partition(":")[2]
    return word.replace("@", ":").replace("=", ":").split(":")[0]


def _who(state: State) -> str:
    if state.is_terminal:
        return "nobody"
    return "luck" if state.seat_to_move == SEAT_IS_CHANCE else f"p{state.seat_to_move + 1}"


def _details(state: State, move: int) -> Iterator[str]:
    """Yield what else could be done, and what the seats see of an event not open to all."""
    name, decider = state.event_name(move), state.seat_to_move
    names = [state.event_name(other) for other in state.legal_moves() if other != move]
    if names and not state.is_chance:
        more = [f"and {len(names) - LEGAL_SHOWN} more"] if len(names) > LEGAL_SHOWN else []
        yield f"or: {' '.join([*names[:LEGAL_SHOWN], *more])}"
    for seat in range(state.game.num_seats):
        token = state.game.event_name(state.redact(move, seat), decider)
        if token != name:
            yield f"p{seat + 1} sees {token}"


def _picture(state: State) -> Iterator[str]:
    yield from (f"  | {line}".rstrip() for line in str(state).splitlines())


def _texts(state: State) -> Iterator[str]:
    names = [state.event_name(move) for move in state.legal_moves()]
    more = [f"and {len(names) - LEGAL_SHOWN} more"] if len(names) > LEGAL_SHOWN else []
    yield f"all: {state.to_text()}"
    yield f"    key {state.key():016x}, ply {state.ply}, {_who(state)} to move"
    for seat in range(state.game.num_seats):
        yield f"p{seat + 1}: {state.view(seat).to_text()}"
        yield f"    key {state.infoset_key(seat):016x}"
    yield f"legal: {' '.join([*names[:LEGAL_SHOWN], *more]) or '-'}"


def _result(state: State) -> Iterator[str]:
    def row(values: list[float]) -> str:
        return " ".join(f"{value:g}" for value in values)

    yield f"scores: {row(state.scores())}"
    yield f"margins: {row(state.margins())}"
    if state.is_terminal:
        returns = state.returns()
        yield f"returns: {row(returns)}"
        best = [seat + 1 for seat, value in enumerate(returns) if value == max(returns)]
        yield f"seat {best[0]} wins" if len(best) == 1 else "a draw"


def _new(args: argparse.Namespace) -> int:
    game: Game = engine.load(args.game)
    start = game.from_text(args.start) if args.start else game.new_state()
    text = record(start, args.seed, args.policy, args.about, args.limit, args.every)
    if len(text.encode()) > MAX_BYTES:
        print(f"{len(text.encode())} bytes, a playthrough has at most {MAX_BYTES}; use --limit")
        return 1
    path = args.folder / args.game / f"{args.name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(path)
    return 0


def _compare(args: argparse.Namespace) -> int:
    changed = 0
    for path in files(args.places or [args.folder]):
        old = path.read_text()
        try:
            new = replay(old)
        except EngineError as error:
            print(f"{path}: {error}", file=sys.stderr)
            changed += 1
            continue
        if new == old:
            continue
        if args.command == "update":
            path.write_text(new)
            print(f"{path}: written")
        else:
            print(f"{path}: {first_difference(old, new)}", file=sys.stderr)
            changed += 1
    return 1 if changed else 0


def main(argv: list[str] | None = None) -> int:
    """Write, rewrite or check playthroughs; 1 if one cannot be written or does not fit."""
    parser = argparse.ArgumentParser(prog="python -m engine.playthrough")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    commands = parser.add_subparsers(dest="command", required=True)
    for word in ("update", "check"):
        command = commands.add_parser(word, help=f"{word} files or folders, default: all")
        command.add_argument("places", nargs="*", type=Path)
        command.set_defaults(run=_compare)
    new = commands.add_parser("new", help="play a game and write it down")
    new.add_argument("game", choices=engine.available())
    new.add_argument("name", help="what it shows, a file name without .txt")
    new.add_argument("--seed", type=int, required=True)
    new.add_argument("--policy", choices=POLICIES, default="random")
    new.add_argument("--about", default="")
    new.add_argument("--start", metavar="POSITION", help="position text to start from")
    new.add_argument("--limit", type=int, default=10**6, metavar="EVENTS")
    new.add_argument("--every", type=int, default=16, metavar="HEADINGS", help="between pictures")
    new.set_defaults(run=_new)
    args = parser.parse_args(argv)
    result: int = args.run(args)
    return result


if __name__ == "__main__":
    sys.exit(main())
