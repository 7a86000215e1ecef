"""`drakkar ratings`: ratings, cross table and faults from journals and records."""

from pathlib import Path

import click


@click.command()
@click.argument(
    "files",
    metavar="JOURNAL...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the report as a page with plots, too.",
)
@click.option(
    "--anchor",
    metavar="LABEL=RATING",
    help="Fix a rating; without it the mean of all is 0.",
)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(0, 2**63 - 1),
    help="Of the resampled blocks that the intervals are made from.",
)
@click.option("--cards", "card_file", type=click.Path(), metavar="FILE", help="As for a match.")
def ratings(
    files: tuple[Path, ...],
    as_json: bool,
    page: Path | None,
    anchor: str | None,
    seed: int,
    card_file: str | None,
) -> None:
    """Rate the engines of one or several runs from their journals or records.

    Ratings are logistic Elo with 95 % intervals over blocks. Only whole blocks count, as in the
    run itself. Runs can be pooled if the game and all engines of one label are the same.
    """
    import json

    from bench.commands.files import check_apart, check_no_journal
    from bench.commands.options import load_cards
    from bench.records import BadRecord
    from bench.report.journals import pool
    from bench.report.ratings import report
    from bench.report.text import ratings_text

    load_cards(card_file)
    read = {f"JOURNAL {number}": file for number, file in enumerate(files, 1)}
    check_apart(
        {"--html": page}, {**read, "--cards": None if card_file is None else Path(card_file)}
    )
    check_no_journal({"--html": page})
    try:
        pooled = pool(files)
        found = report(pooled.tally, pooled.about, pooled.terms, _anchor(anchor), seed)
    except BadRecord as error:
        raise click.UsageError(str(error)) from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--anchor") from None
    if page is not None:
        from bench.report.html import ratings_html

        page.write_text(ratings_html(found), encoding="utf-8")
    click.echo(json.dumps(found) if as_json else ratings_text(found))


def _anchor(text: str | None) -> tuple[str, float] | None:
    """Return label and rating of `LABEL=RATING`; a label may hold an equals sign."""
    import math

    if text is None:
        return None
    label, equals, number = text.rpartition("=")
    try:
        rating = float(number)
    except ValueError:
        rating = math.nan
    if not equals or not math.isfinite(rating):
        raise click.BadParameter(
            f"{text!r} should be LABEL=RATING, such as vanilla=1000", param_hint="--anchor"
        )
    return label, rating
