"""The subcommand `drakkar match`."""

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
    RunCommand,
    with_options,
)


@click.command(cls=RunCommand)
@click.argument("engine_a", metavar="A")
@click.argument("engine_b", metavar="B")
@with_options(GAME, LENGTH, LIMITS, SIDES, POLICY, RUN, OUTPUT)
@click.pass_context
def match(ctx: click.Context, /, engine_a: str, engine_b: str, **options: Any) -> None:
    """Play a match between A and B, presets or command lines, and print the result from A's side.

    A command line must speak the dialect uhi. Each engine is a process of its own that sees only
    what its seat may know; the options Strict Views and, with --cards, CardFile are set where an
    engine has them. Each deal is played in all seatings, 10 deals if nothing else is said.

    The exit code is 0 when the match was played, also if engines lost games by faults; 3 when an
    engine does not start, or fails under `stop`; 2 after bad arguments, 130 after an interrupt.
    """
    from bench.commands.setup import Setup

    setup = Setup(ctx, options)
    sys.exit(setup.run(setup.two_sides(engine_a, engine_b), "match"))
