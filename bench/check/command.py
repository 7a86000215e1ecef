"""The subcommand `drakkar check`. What it needs is imported when it runs."""

import sys

import click

from protocol.messages import DIALECTS

EXIT_NO_START = 3


def _finite(ctx: click.Context, parameter: click.Parameter, value: float) -> float:
    if value != value:
        raise click.BadParameter("nan is no time")
    return value


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="CMD [ARG]...", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--dialect",
    type=click.Choice([*DIALECTS, "all"]),
    default="all",
    show_default=True,
    help="Under which handshake; all that the engine answers.",
)
@click.option(
    "--game",
    "game_text",
    default="",
    metavar="NAME [SETTING=VALUE ...]",
    help="Game and settings in one text; the first game that both know by default.",
)
@click.option(
    "--step", "wanted", multiple=True, metavar="N|NAME", help="Only this step; may be repeated."
)
@click.option("--list", "only_list", is_flag=True, help="List the steps and check nothing.")
@click.option("--keep-going", is_flag=True, help="Go on after a failed step.")
@click.option(
    "--timeout",
    "patience_s",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0.1, 3600),
    callback=_finite,
    metavar="SECONDS",
    help="Longest wait for any answer.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of lines.")
def check(
    words: tuple[str, ...],
    dialect: str,
    game_text: str,
    wanted: tuple[str, ...],
    only_list: bool,
    keep_going: bool,
    patience_s: float,
    as_json: bool,
) -> None:
    """Check whether an engine does what protocol/SPEC.md asks for.

    CMD is a command with its arguments, one quoted text, or `drakkar` or another preset for our
    own engine. Options of CMD that `check` has too stand behind `--` or in the quoted text.

    The exit code is 0 if all steps passed, 1 if one failed, 2 after bad usage, and 3 if the engine
    could not be started or ended before any answer.
    """
    if only_list:
        _list(wanted)
        return
    if not words:
        raise click.UsageError("say which engine to check: a command, or drakkar")
    sys.exit(_check(words, dialect, game_text, wanted, keep_going, as_json, patience_s))


def _list(wanted: tuple[str, ...]) -> None:
    from bench.check.checker import listed
    from bench.check.steps import choose_steps

    try:
        steps = choose_steps(wanted)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    for line in listed(steps):
        click.echo(line)


def _check(
    words: tuple[str, ...],
    dialect: str,
    game_text: str,
    wanted: tuple[str, ...],
    keep_going: bool,
    as_json: bool,
    patience_s: float,
) -> int:
    """Check an engine and return the exit code."""
    import asyncio
    import json

    from bench.check.checker import BadUsage, Check, not_started
    from bench.check.profile import StartError
    from bench.interrupts import until_signal
    from bench.text import tail

    try:
        run = Check(words, dialect, game_text, wanted, keep_going, as_json, patience_s)
        code = asyncio.run(until_signal(run.run()))
    except BadUsage as error:
        raise click.UsageError(str(error)) from None
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except StartError as error:
        text = tail(str(error), 5, 1000)
        if as_json:
            click.echo(json.dumps(not_started(run.argv, error)))
        click.echo(f"drakkar: the engine could not be started: {text}", err=True)
        return EXIT_NO_START
    if as_json:
        click.echo(json.dumps(run.to_json()))
    return code
