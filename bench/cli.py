"""The subcommands of `drakkar`. What they need is imported when they run."""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bench.check.command import check
from bench.contestant import LIMIT_MAX
from protocol import VERSION

if TYPE_CHECKING:
    from bench.contestant import Contestant, Limit
    from bench.match import Outcome, Plan
    from engine.game import Game

EXIT_OUTPUT_FAILED = 1
EXIT_BAD_CARDS = 2
EXIT_ENGINE_FAILED = 3
EXIT_INTERRUPTED = 130
DEFAULT_GAME = "lofoten"
DEFAULT_NODES = 200
TIMEOUT_MAX = 86400


def _finite(ctx: click.Context, parameter: click.Parameter, value: float) -> float:
    if value != value:
        raise click.BadParameter("nan is no time")
    return value


class Commands(click.Group):
    """All subcommands; what may befall any of them ends in an exit code, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(EXIT_INTERRUPTED)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly then
            _discard_output()
            _complain(f"{error.filename or 'standard output'}: {error.strerror}")
            ctx.exit(EXIT_OUTPUT_FAILED)


class BadCardFile(click.ClickException):
    """A card file that cannot be used, told of in one line."""

    exit_code = EXIT_BAD_CARDS


CARDS_OPTION = click.option(
    "--cards",
    "card_file",
    type=click.Path(),
    metavar="FILE",
    help="Card file of the game, in the place of the shipped cards.",
)


def _discard_output() -> None:
    """Let what standard output still holds go nowhere, or Python complains of it at its exit."""
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(text: str) -> None:
    """Write a message to standard error, if it takes one."""
    with suppress(OSError):
        click.echo(f"drakkar: {text}", err=True)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="drakkar", message="%(prog)s %(version)s")
def main() -> None:
    """Drakkar: an engine for board games with hidden information.

    Without a command it speaks its text protocol on standard input and output.
    """


main.add_command(check)


@main.command()
def engine() -> None:
    """Run the engine: text protocol on standard input and output."""
    from protocol.server import run

    sys.exit(run())


@main.command()
@click.argument("engine_a", metavar="A")
@click.argument("engine_b", metavar="B")
@click.option(
    "--game",
    "game_text",
    default=DEFAULT_GAME,
    show_default=True,
    metavar="NAME [SETTING=VALUE ...]",
    help="Game and settings in one text, such as 'lofoten stall=40'.",
)
@CARDS_OPTION
@click.option(
    "--games", default=20, show_default=True, help="Even: each deal is played twice, seats swapped."
)
@click.option(
    "--nodes",
    type=click.IntRange(1, LIMIT_MAX),
    help=f"Simulations a decision; {DEFAULT_NODES} if no limit is given.",
)
@click.option(
    "--movetime",
    type=click.IntRange(1, LIMIT_MAX),
    metavar="MS",
    help="Milliseconds a decision.",
)
@click.option("--tc", metavar="SECONDS+INC", help="A clock for each game, such as 10+0.1.")
@click.option(
    "--a",
    "side_a",
    metavar="KEY=VALUE,...",
    help="Limits and options of A only: nodes, movetime, depth, tc, else engine options.",
)
@click.option("--b", "side_b", metavar="KEY=VALUE,...", help="The same for B.")
@click.option(
    "--margin",
    default=1000,
    show_default=True,
    type=click.IntRange(0, LIMIT_MAX),
    metavar="MS",
    help="Overrun of a move time or clock that is forgiven.",
)
@click.option(
    "--timeout",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0, TIMEOUT_MAX, min_open=True),
    callback=_finite,
    metavar="SECONDS",
    help="Longest wait for an engine to start or be ready, and for a move when no clock runs.",
)
@click.option(
    "--illegal",
    type=click.Choice(["lose", "substitute", "stop"]),
    default="lose",
    show_default=True,
    help="An illegal move: game lost, a random legal move instead, or the match ends.",
)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(0, 2**63 - 1),
    help="All deals and search seeds follow from it.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1),
    help="Games at the same time; as many as cores by default.",
)
@click.option(
    "--openings",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Lines of deal seeds or position texts, one for each pair.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write all games, for `drakkar replay`.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object in place of the table."
)
def match(
    engine_a: str, engine_b: str, game_text: str, as_json: bool, record: Path | None, **options: Any
) -> None:
    """Play a match between A and B, presets or command lines, and print the result from A's side.

    A command line must speak the dialect uhi. Each engine is a process of its own that sees only
    what its seat may know; the options Strict Views and, with --cards, CardFile are set where an
    engine has them. The exit code is 3 when an engine failed; the games finished until then are
    counted.
    """
    game = _game(game_text, _cards(options["card_file"]))
    plan = _plan(game, [engine_a, engine_b], options)
    sys.exit(_play(plan, record, as_json))


def _cards(path: str | None) -> tuple[str, str] | None:
    """Return game and hash of a card file, which is then loaded; None without a file."""
    from engine import BadCards, read_cards

    try:
        return None if path is None else read_cards(path)
    except BadCards as error:
        raise BadCardFile(str(error)) from None


def _game(text: str, cards: tuple[str, str] | None = None) -> "Game":
    from bench.games import parse_game
    from engine import EngineError

    try:
        return parse_game(text, cards)
    except (EngineError, ValueError) as error:
        raise click.BadParameter(str(error), param_hint="game") from None


def _plan(game: "Game", names: list[str], options: dict[str, Any]) -> "Plan":
    from bench.contestant import BadContestant
    from bench.match import Plan
    from bench.openings import BadOpening, read_openings

    concurrency = options["concurrency"] or len(os.sched_getaffinity(0))
    card_file = os.path.abspath(options["card_file"]) if options["card_file"] else ""
    if not card_file.isprintable():
        raise BadCardFile(f"{card_file!a}: no name that can be told to an engine")
    try:
        shared = _shared_limit(options)
        contestants = [
            _contestant(name, options[side], shared, f"--{side[-1]}")
            for name, side in zip(names, ("side_a", "side_b"), strict=True)
        ]
        openings = read_openings(options["openings"], game) if options["openings"] else []
        numbers = (options["games"], options["seed"], concurrency)
        return Plan(game, contestants, *numbers, openings, card_file, options["illegal"])
    except BadContestant as error:
        raise click.BadParameter(str(error)) from None
    except BadOpening as error:
        raise click.BadParameter(str(error), param_hint="--openings") from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--games") from None


def _shared_limit(options: dict[str, Any]) -> "Limit":
    from bench.contestant import BadContestant, Limit, parse_clock

    limit = Limit(
        nodes=options["nodes"],
        movetime_ms=options["movetime"],
        margin_ms=options["margin"],
        hang_s=options["timeout"],
    )
    if options["tc"] is not None:
        try:
            limit.base_ms, limit.inc_ms = parse_clock(options["tc"])
        except BadContestant as error:
            raise click.BadParameter(str(error), param_hint="--tc") from None
    if not limit.has_bound:
        limit.nodes = DEFAULT_NODES
    return limit


def _contestant(name: str, side: str | None, shared: "Limit", hint: str) -> "Contestant":
    from bench.contestant import BadContestant, make_contestant, parse_side

    try:
        pairs = {} if side is None else parse_side(side)
        return make_contestant(name, shared, pairs)
    except BadContestant as error:
        raise click.BadParameter(str(error), param_hint=hint) from None


def _play(plan: "Plan", path: Path | None, as_json: bool) -> int:
    import json

    from bench.report import Summary

    outcome, record_error = _run(plan, path)
    summary = Summary(plan, outcome)
    code = 0
    if record_error is not None:
        _complain(f"the record {path} is not complete: {record_error.strerror}")
        code = EXIT_OUTPUT_FAILED
    if outcome.interrupted:
        _complain(summary.interruption)
        code = EXIT_INTERRUPTED
    if outcome.failure is not None:
        _complain(str(outcome.failure))
        code = EXIT_ENGINE_FAILED
    if as_json:
        click.echo(json.dumps(summary.to_json()))
    elif summary.games:
        click.echo(summary.table())
    return code


def _run(plan: "Plan", path: Path | None) -> "tuple[Outcome, OSError | None]":
    """Play and record a match; return its outcome, and what ended the record before its time."""
    import asyncio
    from contextlib import ExitStack

    from bench.contestant import BadContestant
    from bench.interrupts import until_signal
    from bench.match import run_match
    from bench.records import Writer, open_record
    from bench.report import Progress

    error: OSError | None = None
    with ExitStack() as stack:
        writer = None
        if path is not None:
            try:
                file = stack.enter_context(open_record(path))
            except OSError as failed:
                text = f"{path}: {failed.strerror}"
                raise click.BadParameter(text, param_hint="--record") from None
            writer = Writer(file, plan.game, plan.contestants, bool(plan.openings))

        progress = Progress(plan.games)

        def on_game(result: Any, finished: int) -> None:
            if writer is not None:
                writer.add(result)
            progress.add(result, finished)

        try:
            outcome = asyncio.run(until_signal(run_match(plan, on_game)))
        except BadContestant as failed:
            hint = "--b" if failed.side else "--a"
            raise click.BadParameter(str(failed), param_hint=hint) from None
        finally:
            progress.close()
        if writer is not None:
            writer.close(plan.seed if len(outcome.results) == plan.games else None)
            error = writer.error
    return outcome, error


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--game", "number", default=1, show_default=True, help="Which game of the record.")
@click.option(
    "--boards",
    type=click.Choice(["ends", "turns", "all"]),
    default="ends",
    show_default=True,
    help="Draw the table at start and end, at each change of seat, or at each decision.",
)
@CARDS_OPTION
def replay(file: Path, number: int, boards: str, card_file: str | None) -> None:
    """Show a recorded game move by move, in words.

    A game that was played with a card file needs that file.
    """
    from bench.records import BadRecord, Record
    from bench.replay import tell

    _cards(card_file)
    try:
        record = Record(file)
        for line in tell(record, record.find(number), boards):
            click.echo(line)
    except BadRecord as error:
        raise click.UsageError(str(error)) from None


@main.command()
@click.argument("game_text", metavar="GAME")
@click.argument("depth", type=click.IntRange(0, 64))
@click.option("--divide", "divided", is_flag=True, help="Print the count below each first move.")
@click.option("--seed", type=int, help="Sample one outcome of each chance event in place of all.")
@click.option("--position", metavar="TEXT", help="Start from a position text.")
@CARDS_OPTION
def perft(
    game_text: str,
    depth: int,
    divided: bool,
    seed: int | None,
    position: str | None,
    card_file: str | None,
) -> None:
    """Count the paths of DEPTH moves and chance outcomes from the start of GAME.

    With --seed only moves count as depth, for chance then has one outcome.
    """
    import signal

    from engine import EngineError
    from engine.perft import divide
    from engine.perft import perft as count

    game = _game(game_text, _cards(card_file))
    try:
        state = game.from_text(position) if position else game.new_state()
        if state.observer >= 0:
            raise EngineError("a count needs a full state, not one seat's view")
    except EngineError as error:
        raise click.BadParameter(str(error), param_hint="--position") from None
    if divided and depth < 1:
        raise click.BadParameter("a divide needs a depth of at least 1", param_hint="DEPTH")
    # A count does not come back to Python, which alone would notice Ctrl-C.
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        counts = divide(state, depth, seed) if divided else count(state, depth, seed)
    finally:
        signal.signal(signal.SIGINT, handler)
    if isinstance(counts, int):
        click.echo(counts)
        return
    total = 0
    for token, paths in counts.items():
        click.echo(f"{token}: {paths}")
        total += paths
    click.echo(f"total: {total}")


@main.command()
@click.argument("name", metavar="[GAME]", default="")
@click.option("--speed", is_flag=True, help="Measure speeds as well; takes about a minute a game.")
@click.option("--preset", default="drakkar", show_default=True, help="Which engine searches.")
@click.option("--update", is_flag=True, help="Write the signatures to bench/signature.txt.")
def bench(name: str, speed: bool, preset: str, update: bool) -> None:
    """Search fixed positions and print nodes, speed and a signature for each game."""
    from bench import positions, signature
    from search.presets import PRESETS

    if preset not in PRESETS:
        raise click.BadParameter(f"use one of {', '.join(PRESETS)}", param_hint="--preset")
    if update and not signature.is_source_tree():
        raise click.BadParameter("only where the sources are", param_hint="--update")
    games = positions.games()
    if name and name not in games:
        raise click.BadParameter(f"no positions for {name!r}; use {', '.join(games)}")
    for game in [name] if name else games:
        result = signature.measure(game, preset)
        click.echo(f"{result.line}   {result.nodes_per_second:,.0f} nodes/s")
        if update and preset == signature.PRESET:
            signature.update(result)
        if speed:
            from bench.speed import report

            click.echo(report(_game(game)))


@main.command()
@click.argument("name", metavar="[NAME]", default="")
@CARDS_OPTION
def games(name: str, card_file: str | None) -> None:
    """List the games, or all about one game with its settings and cards.

    With --cards the file is checked, and its cards are listed.
    """
    from importlib import import_module

    from engine import available, game_settings, has_cards, list_cards

    cards = _cards(card_file)
    if not name and cards is None:
        for known in available():
            package = import_module(f"engine.games.{known}")
            click.echo(f"{known:12} {package.TITLE}, {package.SEATS} seats")
            for setting in game_settings(known):
                click.echo(f"    {setting.name}={setting.default}")
        return
    game = _game(name or (cards[0] if cards else ""), cards)
    click.echo(f"{game.identity}: {game.num_seats} seats, at most {game.max_plies} decisions")
    for setting in game.setting_list():
        choices = " | ".join(setting.choices())
        click.echo(f"\n  {setting.name}={setting.default}   ({choices})  {setting.rule}")
        click.echo(f"      {setting.help}")
    if has_cards(game.name):
        click.echo()
        for line in list_cards(game.name, game.settings["cards"]):
            click.echo(line)
