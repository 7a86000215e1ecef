"""The subcommand `drakkar games`."""

import click

from bench.commands.options import CARDS_OPTION, load_cards, load_game


@click.command()
@click.argument("name", metavar="[NAME]", default="")
@CARDS_OPTION
def games(name: str, card_file: str | None) -> None:
    """List the games, or all about one game with its settings and cards.

    With --cards the file is checked, and its cards are listed.
    """
    from importlib import import_module

    from engine import available, game_settings, has_cards, list_cards

    cards = load_cards(card_file)
    if not name and cards is None:
        for known in available():
            package = import_module(f"engine.games.{known}")
            click.echo(f"{known:12} {package.TITLE}, {package.SEATS} seats")
            for setting in game_settings(known):
                click.echo(f"    {setting.name}={setting.default}")
        return
    game = load_game(name or (cards[0] if cards else ""), cards)
    click.echo(f"{game.identity}: {game.num_seats} seats, at most {game.max_plies} decisions")
    for setting in game.setting_list():
        choices = " | ".join(setting.choices())
        click.echo(f"\n  {setting.name}={setting.default}   ({choices})  {setting.rule}")
        click.echo(f"      {setting.help}")
    if has_cards(game.name):
        click.echo()
        for line in list_cards(game.name, game.settings["cards"]):
            click.echo(line)
