"""`drakkar ladder`: how strong an engine is on a fixed scale."""

import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bench.commands.options import (
    GAME,
    LIMITS,
    OUTPUT,
    POLICY,
    RUN,
    Decorator,
    RunCommand,
    pairs_option,
    with_options,
)
from bench.commands.setup import Setup

if TYPE_CHECKING:
    from bench.ladder.scale import Rung, Scale
    from bench.plan import Plan
    from bench.runner import RunSettings

LADDER: list[Decorator] = [
    click.option(
        "--blocks",
        type=click.IntRange(1, 10**9),
        default=10,
        show_default=True,
        help="Blocks against each rung, or of each two rungs with --measure.",
    ),
    pairs_option(
        "--engine-options",
        "engine_options",
        metavar="KEY=VALUE,...",
        help="Options of ENGINE, checked against what it declares.",
    ),
    click.option(
        "--scale",
        "scale_file",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="A scale of your own, as --measure writes it, in the place of the shipped one.",
    ),
    click.option(
        "--measure",
        is_flag=True,
        help="Play the round robin of all rungs, or of those of --scale, and print the scale that "
        "it gives.",
    ),
    click.option(
        "--output",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write the measured scale to this file.",
    ),
]


@click.command(cls=RunCommand)
@click.argument("engine", metavar="[ENGINE]", required=False)
@with_options(LADDER, GAME, LIMITS, POLICY, RUN, OUTPUT)
@click.pass_context
def ladder(ctx: click.Context, /, engine: str | None, **options: Any) -> None:
    """Rate ENGINE, a preset or command line, against presets at several node counts.

    The ratings of these rungs are fixed and shipped: logistic Elo above the random player. So two
    engines that never met can be compared, and the same engine from one year to the next. Limits
    are those of ENGINE; each rung has its own. Without ENGINE the scale is printed.
    """
    from bench.ladder.scale import NoScale, load_scale

    if engine is not None and options["measure"]:
        raise click.UsageError("--measure plays the rungs alone, without an engine")
    if options["output"] is not None and not options["measure"]:
        raise click.UsageError("--output is for the scale that --measure finds")
    setup = LadderSetup(ctx, {"games": None, **options})
    if options["measure"]:
        sys.exit(setup.measure())
    try:
        scale = load_scale(setup.game, options["scale_file"])
    except NoScale as error:
        raise click.UsageError(str(error)) from None
    if engine is None:
        _print(scale, options["as_json"])
        return
    sys.exit(setup.place(engine, scale))


def _print(scale: "Scale", as_json: bool) -> None:
    import json

    from bench.ladder.summary import scale_json, scale_table

    click.echo(json.dumps(scale_json(scale)) if as_json else scale_table(scale))


class LadderSetup(Setup):
    """The options of `ladder`, made into a run with a summary of its own."""

    _make_summary: Any

    def place(self, engine: str, scale: "Scale") -> int:
        """Play the engine against all rungs; return the exit code."""
        from bench.contestant import BadContestant, make_contestant, parse_side
        from bench.ladder.summary import PlacedSummary

        text = self._options["engine_options"]
        try:
            pairs = {} if text is None else parse_side(text)
            contestant = make_contestant(engine, self._limit(), pairs)
        except BadContestant as error:
            raise click.BadParameter(str(error), param_hint="ENGINE") from None
        rungs = [rung.contestant() for rung in scale.rungs]
        if contestant.label in {rung.label for rung in rungs}:
            contestant.label = f"{contestant.label}, {contestant.limit}"
        self._make_summary = partial(PlacedSummary, scale=scale)
        return self.run([contestant, *rungs], "gauntlet")

    def measure(self) -> int:
        """Play the round robin of all rungs and write the scale; return the exit code."""
        from bench.ladder.scale import RUNGS, NoScale, Rung, load_scale

        rungs = [Rung(preset, nodes) for preset, nodes in RUNGS]
        if self._options["scale_file"] is not None:
            try:
                rungs = load_scale(self.game, self._options["scale_file"]).rungs
            except NoScale as error:
                raise click.UsageError(str(error)) from None
        self._make_summary = partial(self._measured, rungs)
        return self.run([rung.contestant() for rung in rungs], "round_robin")

    def _measured(self, rungs: "list[Rung]", plan: "Plan") -> Any:
        from bench.ladder.summary import MeasuredSummary

        words = ["drakkar", "ladder", "--measure", "--game", plan.game.identity]
        for name in ("blocks", "seed"):
            words += [f"--{name}", str(self._options[name])]
        return MeasuredSummary(plan, rungs, shlex.join(words))

    def _play(self, plan: "Plan", settings: "RunSettings") -> int:
        from bench.runner import play
        from bench.tournament.journal import BadJournal

        summary = self._make_summary(plan)
        output = self._options["output"]
        if output is not None and not os.access(output.absolute().parent, os.W_OK):
            raise click.BadParameter(f"{output}: no place to write", param_hint="--output")
        try:
            code = play(plan, settings, summary)
        except BadJournal as error:
            raise click.BadParameter(str(error), param_hint="--journal") from None
        if output is not None and summary.tally.blocks:
            output.write_text(summary.toml(), encoding="utf-8")
        return code
