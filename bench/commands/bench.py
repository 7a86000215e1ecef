"""The subcommand `drakkar bench`."""

import click

from bench.commands.options import load_game


@click.command()
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

            click.echo(report(load_game(game)))
