"""The subcommand `drakkar records`. What it needs is imported when it runs."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bench.commands.files import check_apart, check_no_journal
from bench.commands.options import CARDS_OPTION, load_cards
from bench.exits import EXIT_OUTPUT, complain
from bench.referee.verdicts import VOID, Termination

if TYPE_CHECKING:
    from bench.records import Record, RecordedGame
    from bench.records.convert import Filter

_WORDS = [str(word) for word in Termination if word not in VOID]


def _block_range(
    ctx: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Return the first and the last block of `3`, `3-7`, `3-` or `-7`."""
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]{0,18})(-?)([0-9]{0,18})", value, re.ASCII)
    if found is None or not (found[1] or found[3]):
        raise click.BadParameter(f"{value!a} is no range of blocks, such as 3-7", ctx, parameter)
    first = int(found[1] or 1)
    last = int(found[3] or 2**62) if found[2] else first
    if not 1 <= first <= last:
        raise click.BadParameter(f"{value!a}: blocks count from 1, the lower first", ctx, parameter)
    return first, last


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE...",
)
@click.option("--engine", metavar="LABEL", help="Only games in which this engine played.")
@click.option("--winner", metavar="LABEL", help="Only games that this engine won.")
@click.option(
    "--seat", type=click.IntRange(1), help="Only with that engine or winner on this seat."
)
@click.option(
    "--termination",
    "terminations",
    type=click.Choice(_WORDS),
    multiple=True,
    help="Only games that ended so; may be repeated.",
)
@click.option(
    "--block",
    "blocks",
    metavar="A-B",
    callback=_block_range,
    help="Only games of these blocks: 3, 3-7, 3- or -7.",
)
@click.option("--faults", is_flag=True, help="Only games in which an engine did something wrong.")
@click.option("--all", "every", is_flag=True, help="Also games of blocks that do not count.")
@click.option(
    "--to",
    "target",
    type=click.Choice(["jsonl", "msgpack", "canonical"]),
    help="Write the games: as lines, as MessagePack, or the record of the run.",
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file."
)
@click.option("--no-replay", is_flag=True, help="Check the lines only; do not play the games.")
@click.option("--json", "as_json", is_flag=True, help="Count as one JSON object a file.")
@CARDS_OPTION
def records(files: tuple[Path, ...], card_file: str | None, **options: Any) -> None:
    """Check, count, filter and convert the games of records and journals.

    Every game is replayed, and the first one that the rules, the deal or its own fields do not
    allow is an error with its place. Then the games are counted, or written with --to. Of a journal
    those games are taken that the run has counted. A canonical record is that of the whole run, as
    --record writes it, and takes no filter.
    """
    from bench.records import BadRecord, Record

    load_cards(card_file)
    _check_usage(files, options)
    check_apart(
        {"--output": options["output"]}, {"--cards": None if card_file is None else Path(card_file)}
    )
    check_no_journal({"--output": options["output"]})
    try:
        for path in files:
            record = Record(path)
            games = _checked(record, options)
            if options["target"] is None:
                _count(record, games, options)
            else:
                is_filtered = options["every"] or not _filter(record, options).is_empty
                _convert(record, games, options["target"], options["output"], is_filtered)
            if record.torn is not None:
                complain(f"{record.torn}; what stands before it was taken")
    except BadRecord as error:
        raise click.UsageError(str(error)) from None


def _check_usage(files: tuple[Path, ...], options: dict[str, Any]) -> None:
    target, output = options["target"], options["output"]
    if options["seat"] is not None and options["engine"] is None and options["winner"] is None:
        raise click.UsageError("--seat needs --engine or --winner")
    if target is None and output is not None:
        raise click.UsageError("--output needs --to")
    if target is not None and len(files) > 1:
        raise click.UsageError("--to takes one file at a time")
    if target is not None and options["as_json"]:
        raise click.UsageError("--json counts, --to converts")
    filters = ("engine", "winner", "terminations", "blocks", "faults", "every")
    if target == "canonical" and any(options[name] for name in filters):
        raise click.UsageError("a canonical record holds all games that count; use --to jsonl")
    if output is not None and output.exists() and output.samefile(files[0]):
        raise click.UsageError(f"{output} is the file that is read")


def _filter(record: "Record", options: dict[str, Any]) -> "Filter":
    from bench.records.convert import Filter

    seat: int | None = options["seat"]
    if seat is not None and seat > record.game.num_seats:
        raise click.BadParameter(
            f"{record.path} has {record.game.num_seats} seats", param_hint="--seat"
        )
    return Filter(
        _engine(record, options["engine"], "--engine"),
        _engine(record, options["winner"], "--winner"),
        None if seat is None else seat - 1,
        options["terminations"],
        options["blocks"],
        options["faults"],
    )


def _engine(record: "Record", label: str | None, hint: str) -> int | None:
    from bench.text import visible

    if label is None:
        return None
    if label not in record.labels:
        text = f"{visible(label)!r} does not play in {record.path}; there are: "
        raise click.BadParameter(text + ", ".join(record.labels), param_hint=hint)
    return record.labels.index(label)


def _checked(record: "Record", options: dict[str, Any]) -> "Iterator[RecordedGame]":
    """Yield the games that are wanted, each of them replayed."""
    wanted = _filter(record, options)
    for game in record.games() if options["every"] else record.counted():
        if wanted.takes(game):
            if not options["no_replay"]:
                record.check(game)
            yield game


def _count(record: "Record", games: "Iterable[RecordedGame]", options: dict[str, Any]) -> None:
    from bench.records.recount import Recount
    from bench.text import visible

    counted = Recount(record, games)
    state = {
        "reason": record.reason,
        "not_counted": len(record) - record.counted_games,
        "void": {str(word): count for word, count in record.void.items()},
        "purged": record.purged,
        "repeats": record.repeats,
        "torn": record.torn is not None,
    }
    if options["as_json"]:
        head = {"file": str(record.path), "form": record.form, "game": record.game.identity}
        click.echo(json.dumps({**head, **counted.to_json(), **state}))
        return
    checked = "not replayed" if options["no_replay"] else "replayed"
    click.echo(f"{visible(str(record.path))}: {record.form} of {record.game.identity}")
    click.echo(
        f"{counted.games} games of {counted.blocks} blocks, {checked}, {counted.plies} decisions"
    )
    for line in counted.table():
        click.echo(line)
    for line in _remarks(record, state):
        click.echo(line)


def _remarks(record: "Record", state: dict[str, Any]) -> Iterator[str]:
    """Yield what people should know of a file besides the games that count."""
    ended = "is not known to have ended" if record.reason is None else f"ended: {record.reason}"
    yield f"the run {ended}"
    if record.form == "journal":
        if state["not_counted"]:
            yield f"{state['not_counted']} games of blocks that do not count"
        if record.void:
            yield f"{record.void.total()} games without a result"
        if record.purged or record.repeats:
            yield f"{record.purged} games taken back, {record.repeats} told more than once"


def _convert(
    record: "Record",
    games: "Iterable[RecordedGame]",
    target: str,
    output: Path | None,
    is_filtered: bool,
) -> None:
    from bench.records.convert import CANONICAL, canonical_record, encode, extract

    if target == CANONICAL:
        objects = canonical_record(record, games)
    else:
        objects = extract(record, games, is_filtered)
    chunks = encode(record, objects, target)
    if output is None:
        stream = sys.stdout.buffer
        stream.writelines(chunks)
        stream.flush()
        return
    try:
        _write(output, chunks)
    except OSError as error:
        complain(f"{output}: {error.strerror}")
        sys.exit(EXIT_OUTPUT)


def _write(output: Path, chunks: Iterable[bytes]) -> None:
    """Write a file; what it held before stays until all is there."""
    if output.exists() and not output.is_file():
        with output.open("wb") as file:
            file.writelines(chunks)
        return
    part = output.with_name(f"{output.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.writelines(chunks)
        part.replace(output)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
