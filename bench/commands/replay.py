"""The subcommand `drakkar replay`. What it needs is imported when it runs."""

from pathlib import Path

import click

from bench.commands.options import CARDS_OPTION, load_cards


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--game", "number", default=1, show_default=True, help="Which game of the file.")
@click.option(
    "--boards",
    type=click.Choice(["ends", "turns", "all"]),
    default="ends",
    show_default=True,
    help="Draw the table at start and end, at each change of seat, or at each decision.",
)
@CARDS_OPTION
def replay(file: Path, number: int, boards: str, card_file: str | None) -> None:
    """Show a game of a record or journal move by move, in words.

    Behind each decision stand its time, simulations and score, as far as the file has them. A game
    that was played with a card file needs that file.
    """
    from bench.records import BadRecord, Record
    from bench.replay import tell

    load_cards(card_file)
    try:
        record = Record(file)
        for line in tell(record, record.find(number), boards):
            click.echo(line)
    except BadRecord as error:
        raise click.UsageError(str(error)) from None
