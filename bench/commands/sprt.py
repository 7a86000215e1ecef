"""The subcommand `drakkar sprt`."""

import sys
from typing import Any

import click

from bench.commands.options import (
    GAME,
    LENGTH,
    LIMITS,
    OUTPUT,
    POLICY,
    RUN,
    SIDES,
    TEST,
    RunCommand,
    with_options,
)

BLOCKS = 10**7
ELO0, ELO1 = 0.0, 10.0


@click.command(cls=RunCommand)
@click.argument("engine_a", metavar="A")
@click.argument("engine_b", metavar="B")
@with_options(TEST, GAME, LENGTH, LIMITS, SIDES, POLICY, RUN, OUTPUT)
@click.pass_context
def sprt(ctx: click.Context, /, engine_a: str, engine_b: str, **options: Any) -> None:
    """Play A against B until a sequential test decides between two differences of strength.

    The test counts whole blocks in the order of the schedule. Without --elo0 and --elo1 the
    hypotheses are 0 and 10 Elo; without --games or --blocks only a decision ends the run. A and B,
    and all other options, are those of `drakkar match`.

    LLR, bounds and decision are printed with the unit of Elo. The exit code is 0 whatever the
    decision is; see `drakkar match` for the others.
    """
    from bench.commands.setup import Setup

    for name, value in (("elo0", ELO0), ("elo1", ELO1)):
        if options[name] is None:
            options[name] = value
    if options["games"] is None and options["blocks"] is None:
        options["blocks"] = BLOCKS
    setup = Setup(ctx, options)
    sys.exit(setup.run(setup.two_sides(engine_a, engine_b), "match"))
