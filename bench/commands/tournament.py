"""The subcommand `drakkar tournament`."""

import sys
from pathlib import Path
from typing import Any

import click

from bench.commands.options import (
    GAME,
    LENGTH,
    LIMITS,
    OUTPUT,
    POLICY,
    RUN,
    TEST,
    Decorator,
    RunCommand,
    with_options,
)
from bench.tournament.formats import available

TOURNAMENT: list[Decorator] = [
    click.option(
        "--engine",
        "engines",
        multiple=True,
        metavar="KEY=VALUE,...",
        help="An engine: name, preset or command, nodes, movetime, depth, tc, else engine options. "
        "Given once for each engine; the order is the seeding.",
    ),
    click.option(
        "--format",
        "format_name",
        type=click.Choice(available()),
        help="Who meets whom; round_robin by default, match with a test.",
    ),
    click.option(
        "--rounds", type=click.IntRange(1, 10**9), help="Rounds of the formats swiss and tables."
    ),
    click.option(
        "--challengers",
        type=click.IntRange(1, 10**6),
        help="So many engines, the first, run the gauntlet against all others; 1 by default.",
    ),
]


@click.command(cls=RunCommand)
@click.argument(
    "file", type=click.Path(path_type=Path, dir_okay=False), metavar="[FILE]", required=False
)
@with_options(TOURNAMENT, GAME, LENGTH, LIMITS, POLICY, RUN, TEST, OUTPUT)
@click.pass_context
def tournament(ctx: click.Context, /, file: Path | None, **options: Any) -> None:
    """Play a tournament between any number of engines, and print the standings.

    FILE is in TOML. Its keys are the long options of this command, without the dashes; options of
    the command line win over it. Each engine has a table [[engine]] with the keys name, preset or
    command, nodes, movetime, depth, tc and options. Paths in the file are relative to it.

    With FILE all finished games are kept in a journal beside it, FILE with the ending .journal, and
    --resume goes on from there. With --elo1 or --elo0 a sequential test ends a match.

    The exit codes are those of `drakkar match`.
    """
    from bench.commands.setup import Setup, merge_file

    config = None if file is None else merge_file(ctx, file, options)
    setup = Setup(ctx, options)
    contestants = setup.contestants(config)
    tested = options["elo0"] is not None or options["elo1"] is not None
    name = options["format_name"] or ("match" if tested else "round_robin")
    if file is not None and options["journal"] is None:
        options["journal"] = file.with_suffix(".journal")
    sys.exit(setup.run(contestants, name))
