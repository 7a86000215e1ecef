"""The subcommand `drakkar fit`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bench.commands.options import CARDS_OPTION, load_cards, load_game, pairs_option

if TYPE_CHECKING:
    from engine import Game


@click.command()
@click.argument("game_text", metavar="GAME")
@click.option("--games", default=1500, show_default=True, type=click.IntRange(10, 10**6))
@click.option("--rounds", default=2, show_default=True, type=click.IntRange(0, 20))
@click.option(
    "--winning",
    default=0,
    metavar="STEPS",
    type=click.IntRange(0, 10**6),
    help="After the rounds fit the priors to winning, in so many steps of 2,000 games.",
)
@click.option(
    "--ahead",
    default=0,
    metavar="STEPS",
    type=click.IntRange(0, 10**6),
    help="Then all weights to winning with short looks ahead, in so many steps of 800 games.",
)
@click.option("--nodes", default=600, show_default=True, type=click.IntRange(1, 10**6))
@click.option("--preset", default="drakkar", show_default=True, help="Which engine plays.")
@pairs_option(
    "--search",
    "search_text",
    separator=" ",
    default="",
    metavar="NAME=VALUE ...",
    help="Search options.",
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**53 - 1))
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 256))
@click.option(
    "--from",
    "start",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="The weights to begin with; without it those that the game has.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file of weights to write, or to replace a set of.",
)
@CARDS_OPTION
def fit(
    game_text: str,
    games: int,
    rounds: int,
    winning: int,
    ahead: int,
    nodes: int,
    preset: str,
    search_text: str,
    seed: int,
    jobs: int,
    start: Path | None,
    out: Path,
    card_file: str | None,
) -> None:
    """Fit the numbers that GAME estimates positions and moves with, to games it plays itself.

    Games, rounds and nodes a decision say how much to do. Prints how well the fit foretells games
    that it did not see. See bench/fit/README.md.
    """
    from bench.fit.rounds import Plan
    from bench.fit.rounds import fit as fit_weights
    from bench.fit.selfplay import Player
    from bench.fit.sources import commit
    from search.options import parse_options
    from search.presets import TABLE

    game = load_game(game_text, load_cards(card_file))
    if not game.weight_names:
        raise click.BadParameter(f"{game.name} has no weights to fit", param_hint="GAME")
    if not rounds and not winning and not ahead:
        reason = "without --winning or --ahead nothing is fitted"
        raise click.BadParameter(reason, param_hint="--rounds 0")
    if (winning or ahead) and game.num_seats != 2:
        hint = "--winning" if winning else "--ahead"
        raise click.BadParameter("needs a game for two", param_hint=hint)
    if preset not in TABLE:
        raise click.BadParameter(f"use one of {', '.join(TABLE)}", param_hint="--preset")
    try:
        options = parse_options(search_text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--search") from None
    _check_out(game, out)
    if start is not None:
        try:
            game = game.with_weights(game.read_weights(str(start)))
        except (ValueError, KeyError, TypeError):
            reason = f"{start} holds something else than weights"
            raise click.BadParameter(reason, param_hint="--from") from None
    player = Player(preset, options, nodes, None)
    plan = Plan(games, rounds, jobs, seed)
    fitted, figures = fit_weights(game, player, plan, click.echo)
    if winning or ahead:
        from bench.fit.winning import AHEAD, BY_PRIORS, Arena, fit_winning

        for style, steps in ((BY_PRIORS, winning), (AHEAD, ahead)):
            if steps:
                fitted, more = fit_winning(Arena(fitted, style, seed, jobs), steps, click.echo)
                figures = figures | more
    words = f"drakkar fit '{game_text}' --games {games} --rounds {rounds} --nodes {nodes}"
    words += f" --winning {winning}" if winning else ""
    words += f" --ahead {ahead}" if ahead else ""
    words += f" --preset {preset} --search '{search_text}' --seed {seed}"
    notes = {
        "command": words if start is None else f"{words} --from {start}",
        "commit": commit(),
        **{name: round(value, 4) for name, value in figures.items()},
    }
    fitted.save_weights(str(out), notes)
    click.echo(f"{out}: written")


def _check_out(game: "Game", out: Path) -> None:
    """Raise BadParameter if the weights could not be written: the fit may take hours."""
    import shutil
    import tempfile

    was_there = out.exists()
    try:
        with out.open("ab"):
            pass
        if not was_there:
            out.unlink()
            return
        with tempfile.TemporaryDirectory() as folder:
            twin = Path(folder, "weights")
            shutil.copyfile(out, twin)
            game.save_weights(str(twin), {})
    except OSError as error:
        reason = f"{out}: {error.strerror}"
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = f"{out} holds something else than weights"
    else:
        return
    raise click.BadParameter(reason, param_hint="--out")
