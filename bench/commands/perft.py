"""The subcommand `drakkar perft`."""

import click

from bench.commands.options import CARDS_OPTION, load_cards, load_game


@click.command()
@click.argument("game_text", metavar="GAME")
@click.argument("depth", type=click.IntRange(0, 64))
@click.option("--divide", "divided", is_flag=True, help="Print the count below each first move.")
@click.option("--seed", type=int, help="Sample one outcome of each chance event in place of all.")
@click.option("--position", metavar="TEXT", help="Start from a position text.")
@CARDS_OPTION
def perft(
    game_text: str,
    depth: int,
    divided: bool,
    seed: int | None,
    position: str | None,
    card_file: str | None,
) -> None:
    """Count the paths of DEPTH moves and chance outcomes from the start of GAME.

    With --seed only moves count as depth, for chance then has one outcome.
    """
    import signal

    from engine import EngineError
    from engine.perft import divide
    from engine.perft import perft as count

    game = load_game(game_text, load_cards(card_file))
    try:
        state = game.from_text(position) if position else game.new_state()
        if state.observer >= 0:
            raise EngineError("a count needs a full state, not one seat's view")
    except EngineError as error:
        raise click.BadParameter(str(error), param_hint="--position") from None
    if divided and depth < 1:
        raise click.BadParameter("a divide needs a depth of at least 1", param_hint="DEPTH")
    # A count does not come back to Python, which alone would notice Ctrl-C.
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        counts = divide(state, depth, seed) if divided else count(state, depth, seed)
    finally:
        signal.signal(signal.SIGINT, handler)
    if isinstance(counts, int):
        click.echo(counts)
        return
    total = 0
    for token, paths in counts.items():
        click.echo(f"{token}: {paths}")
        total += paths
    click.echo(f"total: {total}")
