"""What subcommands share; all options of runs are declared here.

`match`, `sprt` and `tournament` are made from the same groups of options, so a flag means the same
everywhere, and every flag of `tournament` is a key of its file (bench/tournament/config.py).
"""

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bench.contestant import LIMIT_MAX, MARGIN_MS
from bench.exits import EXIT_USAGE
from bench.referee.block import ROTATIONS
from bench.referee.policy import FAILURES, ILLEGAL, LOSE, NEVER, RECOVER, RESTARTS, Policy

if TYPE_CHECKING:
    from engine.game import Game

DEFAULT_GAME = "lofoten"
DEFAULT_NODES = 200
TIMEOUT_MAX = 86400
BLOCKS_MAX = 10**12
WORDS = "drakkar.words"
"""Where the context of a run keeps the words of its command line."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class BadCardFile(click.ClickException):
    """A card file that cannot be used, told of in one line."""

    exit_code = EXIT_USAGE


def load_cards(path: str | None) -> tuple[str, str] | None:
    """Return game and hash of a card file, which is then loaded; None without a file."""
    from engine import BadCards, read_cards

    try:
        return None if path is None else read_cards(path)
    except BadCards as error:
        raise BadCardFile(str(error)) from None


def load_game(text: str, cards: tuple[str, str] | None = None) -> "Game":
    """Return the game of a text with settings. Raises BadParameter."""
    from bench.games import parse_game
    from engine import EngineError

    try:
        return parse_game(text, cards)
    except (EngineError, ValueError) as error:
        raise click.BadParameter(str(error), param_hint="game") from None


class RunCommand(click.Command):
    """A command that keeps the words it was given, and knows a near word for any misspelt flag."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of the command line."""
        ctx.meta[WORDS] = ["drakkar", ctx.info_name or "", *args]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.possibilities or not error.option_name.startswith("--"):
                raise
            known = [f"--{key}" for key in flags(self)]
            near = get_close_matches(error.option_name, known, 1, 0.0)[0]
            text = f"No such option '{error.option_name}'. (Did you mean '{near}'?)"
            raise click.NoSuchOption(error.option_name, text, ctx=ctx) from None


def flags(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by long flag, without the dashes and without help."""
    return {
        flag_of(parameter): parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
    }


def flag_of(option: click.Option) -> str:
    """Return the long flag of an option, without the dashes."""
    return next(name for name in option.opts if name.startswith("--")).removeprefix("--")


def with_options(*groups: list[Decorator]) -> Decorator:
    """Return a decorator that gives a command all options of some groups, in this order."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for group in reversed(groups):
            for option in reversed(group):
                function = option(function)
        return function

    return decorate


def _finite(ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and value != value:
        raise click.BadParameter("nan is no number here", ctx, parameter)
    return value


def _seconds(name: str, default: float, text: str) -> Decorator:
    return click.option(
        name,
        default=default,
        show_default=True,
        type=click.FloatRange(0, TIMEOUT_MAX, min_open=True),
        callback=_finite,
        metavar="SECONDS",
        help=text,
    )


def _elo(name: str, text: str) -> Decorator:
    return click.option(name, type=float, callback=_finite, metavar="ELO", help=text)


def _chance(name: str, text: str) -> Decorator:
    return click.option(
        name, default=0.05, show_default=True, type=float, callback=_finite, help=text
    )


def _file(name: str, key: str, text: str) -> Decorator:
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option(name, key, type=kind, metavar="FILE", help=text)


def _switch(name: str, text: str, key: str | None = None) -> Decorator:
    names = [f"--{name}/--no-{name}", *([key] if key else [])]
    return click.option(*names, default=False, help=text)


def pairs_option(
    *names: str, separator: str = ",", default: str | None = None, **attributes: Any
) -> Decorator:
    """Return an option whose value is a list of pairs; given again it adds to the list.

    The command gets one text, the default without the option; a name twice is for its reader to
    refuse.
    """

    def join(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> str | None:
        return separator.join(texts) if texts else default

    return click.option(*names, multiple=True, callback=join, **attributes)


def _side(name: str, text: str) -> Decorator:
    return pairs_option(f"--{name}", f"side_{name}", metavar="KEY=VALUE,...", help=text)


CARDS_OPTION = click.option(
    "--cards",
    "card_file",
    type=click.Path(),
    metavar="FILE",
    help="Card file of the game, in the place of the shipped cards.",
)

GAME: list[Decorator] = [
    click.option(
        "--game",
        "game_text",
        default=DEFAULT_GAME,
        show_default=True,
        metavar="NAME [SETTING=VALUE ...]",
        help="Game and settings in one text, such as 'lofoten stall=40'.",
    ),
    CARDS_OPTION,
    click.option(
        "--openings",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Lines of deal seeds or position texts, one for each deal.",
    ),
    click.option(
        "--rotation",
        type=click.Choice(ROTATIONS),
        default="cyclic",
        show_default=True,
        help="Seatings of a block: every shift of the line-up, or every order of it.",
    ),
    click.option(
        "--seed",
        default=1,
        show_default=True,
        type=click.IntRange(0, 2**63 - 1),
        help="All deals and search seeds follow from it.",
    ),
]

LENGTH: list[Decorator] = [
    click.option(
        "--games",
        type=click.IntRange(0, BLOCKS_MAX),
        help="Games of each pairing, in whole blocks: even for two seats. In place of --blocks.",
    ),
    click.option(
        "--blocks",
        type=click.IntRange(1, BLOCKS_MAX),
        help="Blocks of each pairing: a block is one deal, played once in each seating.",
    ),
]

SIDES: list[Decorator] = [
    _side(
        "a",
        "Limits and options of A only: nodes, movetime, depth, tc, else engine options. "
        "May be repeated.",
    ),
    _side("b", "The same for B."),
]

LIMITS: list[Decorator] = [
    click.option(
        "--nodes",
        type=click.IntRange(1, LIMIT_MAX),
        help=f"Simulations a decision; {DEFAULT_NODES} if no limit is given.",
    ),
    click.option(
        "--movetime",
        type=click.IntRange(1, LIMIT_MAX),
        metavar="MS",
        help="Milliseconds a decision.",
    ),
    click.option(
        "--tc",
        metavar="[MOVES/]SECONDS[+INC]",
        help="A clock for each game, such as 10+0.1, or for each 40 decisions: 40/60+0.1.",
    ),
    click.option(
        "--margin",
        default=MARGIN_MS,
        show_default=True,
        type=click.IntRange(0, LIMIT_MAX),
        metavar="MS",
        help="Overrun of a move time or clock that is forgiven.",
    ),
    _seconds("--timeout", 60.0, "Longest wait for a move when no clock runs."),
]

POLICY: list[Decorator] = [
    click.option(
        "--illegal",
        type=click.Choice(ILLEGAL),
        default=LOSE,
        show_default=True,
        help="An illegal move: game lost, a random legal move instead, or the run ends.",
    ),
    click.option(
        "--failures",
        type=click.Choice(FAILURES),
        default=RECOVER,
        show_default=True,
        help="Any other fault of an engine: game lost and engine started again, or the run ends.",
    ),
    click.option(
        "--strikes",
        type=click.IntRange(0, 1000),
        default=0,
        show_default=True,
        help="Overruns beyond the margin, of a second at most, forgiven to a seat in a game.",
    ),
    click.option(
        "--restart",
        type=click.Choice(RESTARTS),
        default=NEVER,
        show_default=True,
        help="Engine processes live on between games, or for one game only.",
    ),
    _seconds("--start-timeout", Policy().start_s, "Longest wait for an engine to start."),
    _seconds("--newgame-timeout", Policy().newgame_s, "Longest wait before a new game."),
    _seconds("--ping-timeout", Policy().ping_s, "Longest wait for `readyok` in a game."),
    _seconds("--quit-timeout", Policy().quit_s, "Time to leave after `quit`, and after SIGTERM."),
    _switch("ponder", "Engines with the option Ponder=true think while others decide."),
]

RUN: list[Decorator] = [
    click.option(
        "--concurrency",
        type=click.IntRange(1, 10_000),
        help="Games at the same time; as many as cores by default.",
    ),
    click.option(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="Hand the blocks to the dask.distributed scheduler at this address.",
    ),
    _file("--journal", "journal", "Keep every finished game in this file, for --resume."),
    _switch("resume", "Go on with the journal of a run that was broken off."),
    _switch(
        "luck", "Measure luck with the evaluator that is shipped for the game, and adjust results."
    ),
]

OUTPUT: list[Decorator] = [
    _file("--record", "record", "Write all counted games, for `drakkar replay`."),
    click.option(
        "--events",
        type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
        metavar="FILE|-",
        help="Write what happens as JSON lines, `-` for standard output.",
    ),
    _switch("quiet", "No progress display."),
    _switch("strict", "Exit with code 5 if there was any warning."),
    _switch("json", "Print one JSON object in place of the table.", "as_json"),
    _switch("dry-run", "Print the schedule, and how long it takes; play a short sample only."),
]

TEST: list[Decorator] = [
    _elo("--elo0", "Difference of strength of the lower hypothesis."),
    _elo("--elo1", "Difference of strength of the upper hypothesis."),
    _chance("--alpha", "Chance to accept elo1 where elo0 is true."),
    _chance("--beta", "Chance to accept elo0 where elo1 is true."),
    click.option(
        "--model",
        type=click.Choice(["logistic", "normalized"]),
        default="logistic",
        show_default=True,
        help="The Elo in which the hypotheses are.",
    ),
    click.option(
        "--look",
        type=click.IntRange(1, BLOCKS_MAX),
        default=8,
        show_default=True,
        help="Blocks between two looks at the test.",
    ),
    click.option(
        "--sprt-on",
        type=click.Choice(["raw", "adjusted"]),
        default="raw",
        show_default=True,
        help="Test the results, or the results adjusted for luck (with --luck).",
    ),
]
