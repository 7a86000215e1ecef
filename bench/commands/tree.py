"""The subcommand `drakkar tree`."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bench.commands.options import (
    CARDS_OPTION,
    DEFAULT_GAME,
    DEFAULT_NODES,
    load_cards,
    load_game,
    pairs_option,
)

if TYPE_CHECKING:
    from protocol.session import Position

# A position is one line; what is longer is another kind of file.
_LONGEST = 1 << 20
_KINDS = ("startpos", "fen", "view")


@click.command()
@click.argument("position_text", metavar="POSITION")
@click.option(
    "--line",
    "number",
    type=click.IntRange(1, 10**9),
    help="Which position of the file or of standard input; the first by default.",
)
@click.option("--preset", default="drakkar", show_default=True, help="Which engine searches.")
@pairs_option(
    "--search",
    "options_text",
    separator=" ",
    default="",
    metavar="NAME=VALUE ...",
    help="Options of the search that replace those of the preset.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1, 10**9),
    help=f"Simulations; {DEFAULT_NODES} if no limit is given.",
)
@click.option("--movetime", type=click.IntRange(1, 10**9), metavar="MS", help="Milliseconds.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 2**63 - 1),
    help="Of the random choices of the search.",
)
@click.option(
    "--hash",
    "hash_mb",
    default=64,
    show_default=True,
    type=click.IntRange(1, 65536),
    metavar="MIB",
    help="Memory for the tree.",
)
@click.option(
    "--depth",
    default=3,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Decisions below each other.",
)
@click.option(
    "--breadth",
    default=4,
    show_default=True,
    type=click.IntRange(1, 10**6),
    help="Moves told of at each decision, the most visited ones.",
)
@click.option(
    "--min-visits",
    default=2,
    show_default=True,
    type=click.IntRange(1, 10**9),
    help="Tell what lies below a move that has as many visits.",
)
@click.option(
    "--game",
    "game_text",
    default=DEFAULT_GAME,
    show_default=True,
    metavar="NAME [SETTING=VALUE ...]",
    help="The game of `startpos`.",
)
@CARDS_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object in place of the text.")
def tree(
    position_text: str,
    number: int | None,
    preset: str,
    options_text: str,
    nodes: int | None,
    movetime: int | None,
    seed: int,
    hash_mb: int,
    depth: int,
    breadth: int,
    min_visits: int,
    game_text: str,
    card_file: str | None,
    as_json: bool,
) -> None:
    """Search POSITION and print the top of the tree: which moves were tried, and what was found.

    POSITION is what stands behind `position` in the protocol, or only a position text such as
    `kuhn/1 me=p1 hand.p1=K hand.p2=? actions=-`; or a file of such lines, or `-` for standard
    input. The search sees what the seat that decides knows, and so does its tree.

    `win` is the share of the points that the deciding seat gets, at the root with its standard
    error; `~` stands where luck decides between a move and what is told below it. Only the node
    that was reached last over a move is told of.
    """
    import json

    from bench.tree import Bounds, NoTree, dump, text_of
    from search import Limits, Searcher
    from search.options import parse_options
    from search.presets import PRESETS

    if preset not in PRESETS:
        raise click.BadParameter(f"use one of {', '.join(PRESETS)}", param_hint="--preset")
    try:
        searcher = Searcher(preset, seed=seed, hash_mb=hash_mb, options=parse_options(options_text))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--search") from None
    position = _position(_pick(position_text, number), game_text, card_file)
    reason = position.why_no_decision()
    if reason:
        raise click.BadParameter(f"no decision: {reason}", param_hint="POSITION")
    view = position.view()
    assert view is not None
    if nodes is None and movetime is None:
        nodes = DEFAULT_NODES
    limits = Limits(nodes=nodes, time_ms=movetime)
    bounds = Bounds(depth, breadth, min_visits)
    try:
        data = dump(searcher, view, limits, bounds, position.belief())
    except NoTree as error:
        raise click.UsageError(f"this search keeps no tree: {error}") from None
    for line in [json.dumps(data, indent=1)] if as_json else text_of(data):
        click.echo(line)


def _pick(text: str, number: int | None) -> str:
    """Return the position meant by the argument: itself, or a line of a file or of the input."""
    from bench.reading import BadText, decode_text, read_text
    from engine.errors import shorten

    is_file = os.path.exists(text)  # never for what cannot be a name
    if text != "-" and not is_file:
        if number is not None:
            raise click.BadParameter(
                f"goes with a file or with `-` for standard input, and {shorten(text)} is neither",
                param_hint="--line",
            )
        return text
    try:
        if is_file:
            content = read_text(Path(text), _LONGEST)
        else:
            content = decode_text(sys.stdin.buffer.read(_LONGEST + 1), _LONGEST)
    except BadText as error:
        raise click.BadParameter(f"{text}: {error}", param_hint="POSITION") from None
    lines = [line for line in content.splitlines() if line.strip() and not line.startswith("#")]
    number = number or 1
    if len(lines) < number:
        raise click.BadParameter(
            f"{text}: {len(lines)} positions, so there is no number {number}", param_hint="--line"
        )
    return lines[number - 1]


def _position(text: str, game_text: str, card_file: str | None) -> "Position":
    """Return the position of a text. Raises BadParameter."""
    from protocol.messages import ProtocolError, split_words
    from protocol.options import Options
    from protocol.session import Session

    cards = load_cards(card_file)
    options = Options()
    if cards is not None:
        options.set(options.find("CardFile"), card_file)
    name = game_text.split()[0].partition("/")[0] if game_text.split() else ""
    game = load_game(game_text, cards if cards is not None and cards[0] == name else None)
    words = split_words(text)
    if words[:1] == ["position"]:
        words = words[1:]
    if words[:1] and words[0] not in _KINDS:
        words = ["view", *words]
    try:
        options.set(options.find("Game"), game.name)
        for setting, value in game.settings.items():
            options.set(options.find(f"{game.name} {setting}"), value)
        session = Session(options)
        session.set_position(" ".join(words))
    except ProtocolError as error:
        hint = "; there is no file of this name either" if len(words) == 2 else ""
        raise click.BadParameter(f"{error}{hint}", param_hint="POSITION") from None
    assert session.position is not None
    return session.position
