"""Golden playthroughs: games written down with all that is seen on the way.

    python -m engine.playthrough new kuhn bluff --seed 7 --about "a bluff is called"
    python -m engine.playthrough update

Lines beginning with `->` are the input: `about:` what the file shows, `start:` the position text
it starts from, then events, one or more a line. Everything else is written by `replay`, so a file
is its own test: read the events out, play them, write it all again, compare. The first events, the
first of each kind and the last two are shown in full. The others share lines; behind a bar stand
the number of events so far and the beginning of the key of the state that they lead to.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import engine
from engine.errors import BadMoveText, EngineError
from engine.game import SEAT_IS_CHANCE, Game, RandomStream, State

FOLDER = Path("tests/playthroughs")
MAX_BYTES = 65536
POLICIES = ("random", "first", "last")
FULL_AT_START, FULL_AT_END = 3, 2
LEGAL_SHOWN = 40
EVENTS_A_LINE = 8
LUCK, CHOICE = 1, 5  # purposes of random streams, as in rng.pxd


def replay(text: str) -> str:
    """Return a playthrough written anew from the input lines of `text`.

    Raises:
        EngineError: an input line is no longer possible; the message begins with the line.
    """
    about, start, tokens = _inputs(text)
    state = engine.load(start.split("/")[0]).from_text(start)
    lines = [f"-> about: {about}".rstrip(), f"-> start: {start}"]
    kinds: set[str] = set()
    short: list[str] = []  # events waiting for a line of their own
    for number, token in enumerate(tokens):
        kind = _kind(token)
        shown = number < FULL_AT_START or number >= len(tokens) - FULL_AT_END or kind not in kinds
        kinds.add(kind)
        try:
            move = _event(state, token)
            seen = _seen(state, move)
            told = state.game.describe_move(state, move)
            if shown:
                lines += [*_line(state, short, number), "", *_block(state, number)]
                lines += [f"-> {token}", *seen, f"  {told}"]
                short = []
            else:
                short.append(token)
            before = state.copy()
            state.apply(move)
            if shown:
                lines += [f"  {said}" for said in state.game.describe_change(before, state)]
            if len(short) == EVENTS_A_LINE:
                lines += _line(state, short, number + 1)
                short = []
        except EngineError as error:
            raise EngineError(f"-> {token} (event {number}): {error}") from error
    return "\n".join([*lines, "", *_block(state, len(tokens)), *_result(state)]) + "\n"


def record(
    start: State, seed: int, policy: str = "random", about: str = "", limit: int = 10**6
) -> str:
    """Return a playthrough of a game played from `start`, of at most `limit` events.

    Luck and the policy `random` come from `seed`; the policies `first` and `last` always take the
    first or the last legal move.
    """
    state, tokens = start.copy(), list[str]()
    luck, choice = RandomStream(seed, LUCK), RandomStream(seed, CHOICE)
    while not state.is_terminal and len(tokens) < limit:
        moves = state.legal_moves()
        if state.is_chance:
            move = state.sample_chance(luck)
        else:
            picks = {"random": choice.below(len(moves)), "first": 0, "last": -1}
            move = moves[picks[policy]]
        tokens.append(state.event_name(move))
        state.apply(move)
    head = [f"-> about: {about}", f"-> start: {start.to_text()}"]
    return replay("\n".join([*head, *(f"-> {token}" for token in tokens)]))


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


def _inputs(text: str) -> tuple[str, str, list[str]]:
    about, start, tokens = "", "", []
    for line in text.splitlines():
        if not line.startswith("->"):
            continue
        word, _, rest = line.removeprefix("->").strip().partition(" ")
        if word == "about:":
            about = rest.strip()
        elif word == "start:":
            start = rest.strip()
        else:
            tokens += [word, *rest.partition("|")[0].split()]
    if not start:
        raise EngineError("a playthrough needs a line '-> start: POSITION'")
    return about, start, tokens


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


def _block(state: State, number: int) -> Iterator[str]:
    names = [state.event_name(move) for move in state.legal_moves()]
    more = [f"and {len(names) - LEGAL_SHOWN} more"] if len(names) > LEGAL_SHOWN else []
    yield f"== event {number}, ply {state.ply}: {_who(state)} to move"
    yield f"key {state.key():016x}"
    yield f"all: {state.to_text()}"
    for seat in range(state.game.num_seats):
        yield f"p{seat + 1}: {state.view(seat).to_text()}"
        yield f"    key {state.infoset_key(seat):016x}"
    yield from (f"  | {line}".rstrip() for line in str(state).splitlines())
    yield f"legal: {' '.join([*names[:LEGAL_SHOWN], *more]) or '-'}"


def _line(state: State, short: list[str], number: int) -> list[str]:
    return [f"-> {' '.join(short)} | {number} {state.key() >> 32:08x}"] if short else []


def _seen(state: State, move: int) -> Iterator[str]:
    """Yield what the seats see of an event that is not open to all of them."""
    name, decider = state.event_name(move), state.seat_to_move
    for seat in range(state.game.num_seats):
        token = state.game.event_name(state.redact(move, seat), decider)
        if token != name:
            yield f"  p{seat + 1} sees {token}"


def _result(state: State) -> Iterator[str]:
    def row(values: list[float]) -> str:
        return " ".join(f"{value:g}" for value in values)

    yield f"scores: {row(state.scores())}"
    yield f"margins: {row(state.margins())}"
    if state.is_terminal:
        yield f"returns: {row(state.returns())}"


def _new(args: argparse.Namespace) -> int:
    game: Game = engine.load(args.game)
    start = game.from_text(args.start) if args.start else game.new_state()
    text = record(start, args.seed, args.policy, args.about, args.limit)
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
    new.set_defaults(run=_new)
    args = parser.parse_args(argv)
    result: int = args.run(args)
    return result


if __name__ == "__main__":
    sys.exit(main())
