"""From the options of a run to its plan, and from the plan to the exit code."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bench.commands.files import check_apart, check_no_journal
from bench.commands.options import (
    DEFAULT_NODES,
    WORDS,
    BadCardFile,
    flags,
    load_cards,
    load_game,
)
from bench.exits import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from bench.contestant import BadContestant, Contestant, Limit
    from bench.plan import Plan
    from bench.referee.policy import Policy
    from bench.runner import RunSettings
    from bench.tournament.config import Config
    from bench.tournament.formats import Terms

ALONE = ("alpha", "beta", "model", "look", "sprt_on")
"""Options that say nothing without a test."""
LENGTHS = ("games", "blocks")
"""Options that say the same in two ways."""


def kinds_of(command: click.Command) -> dict[str, str]:
    """Return for each key of a tournament's file what its value is, but for the engines."""
    from bench.tournament.config import ENGINE, NUMBER, SWITCH, TEXT, WHOLE

    kinds = {}
    for key, option in flags(command).items():
        if option.is_flag:
            kinds[key] = SWITCH
        elif isinstance(option.type, click.types.IntParamType):
            kinds[key] = WHOLE
        else:
            kinds[key] = NUMBER if isinstance(option.type, click.types.FloatParamType) else TEXT
    kinds.pop(ENGINE, None)
    return kinds


def merge_file(ctx: click.Context, file: Path, options: dict[str, Any]) -> "Config":
    """Read the file of a tournament into the options that the command line does not give."""
    from bench.tournament.config import BadConfig, read_config

    try:
        config = read_config(file, kinds_of(ctx.command))
    except BadConfig as error:
        raise click.UsageError(str(error)) from None
    known = flags(ctx.command)
    # Two ways to say one thing: the file's way gives way to that of the command line, too.
    lengths = [key for key in LENGTHS if _is_typed(ctx, key)]
    for key, value in config.values.items():
        option = known[key]
        name = option.name or ""
        if isinstance(option.type, click.Path) and value != "-":
            value = config.inside(value)
        try:
            value = option.process_value(ctx, value)
        except click.BadParameter as error:
            raise click.UsageError(f"{config.place(key)}: {key}: {error.message}") from None
        except OverflowError:
            raise click.UsageError(f"{config.place(key)}: {key}: too large") from None
        if key in LENGTHS and lengths:
            continue
        if not _is_typed(ctx, name):
            options[name] = value
            ctx.set_parameter_source(name, ParameterSource.DEFAULT_MAP)
    return config


def _is_typed(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


class Setup:
    """The options of `match`, `sprt` or `tournament`, made into a run."""

    def __init__(self, ctx: click.Context, options: dict[str, Any]) -> None:
        self._ctx, self._options = ctx, options
        self.game = load_game(options["game_text"], load_cards(options["card_file"]))

    def two_sides(self, *texts: str) -> "list[Contestant]":
        """Return the contestants A and B."""
        from bench.contestant import BadContestant, make_contestant, parse_side

        shared, contestants = self._limit(), []
        for text, hint in zip(texts, ("a", "b"), strict=True):
            side = self._options[f"side_{hint}"]
            try:
                pairs = {} if side is None else parse_side(side)
                contestants.append(make_contestant(text, shared, pairs))
            except BadContestant as error:
                at = hint.upper() if side is None else f"--{hint}"
                raise click.BadParameter(str(error), param_hint=at) from None
        return contestants

    def contestants(self, config: "Config | None") -> "list[Contestant]":
        """Return the contestants of a tournament: those of the flags, else those of the file."""
        from bench.tournament.config import BadConfig, parse_engine

        shared = self._limit()
        try:
            entries = [
                parse_engine(text, f"--engine {number}")
                for number, text in enumerate(self._options["engines"], 1)
            ]
            if not entries and config is not None:
                entries = config.engines
            return [entry.contestant(shared) for entry in entries]
        except BadConfig as error:
            raise click.UsageError(str(error)) from None

    def run(self, contestants: "list[Contestant]", format_name: str) -> int:
        """Play the run, or print its schedule; return the exit code."""
        from bench.contestant import BadContestant

        plan, settings = self._plan(contestants, format_name), self._settings()
        try:
            if self._options["dry_run"] and self._options["as_json"]:
                raise click.UsageError("a dry run is told in words: leave out --json")
            if self._options["dry_run"]:
                from bench.tournament.preview import preview

                for line in preview(plan, settings.concurrency):
                    click.echo(line)
                return 0
            return self._play(plan, settings)
        except BadContestant as error:
            raise click.BadParameter(str(error), param_hint=self._hint(plan, error)) from None
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED

    def _play(self, plan: "Plan", settings: "RunSettings") -> int:
        from bench.runner import play
        from bench.tournament.journal import BadJournal

        try:
            return play(plan, settings)
        except BadJournal as error:
            raise click.BadParameter(str(error), param_hint="--journal") from None
        except OSError as error:
            for key in ("record", "journal", "events", "cluster"):
                if error.filename and str(error.filename) == str(self._options[key]):
                    text = f"{error.filename}: {error.strerror}"
                    raise click.BadParameter(text, param_hint=f"--{key}") from None
            raise

    def _hint(self, plan: "Plan", error: "BadContestant") -> str | None:
        if error.contestant is None:
            return None
        if "side_a" in self._options:
            return f"--{'ab'[error.contestant]}"
        return f"engine {plan.contestants[error.contestant].label}"

    def _limit(self) -> "Limit":
        """Return the limit of all contestants that have none of their own."""
        from bench.contestant import BadContestant, Limit, parse_clock

        options = self._options
        limit = Limit(
            nodes=options["nodes"],
            movetime_ms=options["movetime"],
            margin_ms=options["margin"],
            hang_s=options["timeout"],
        )
        if options["tc"] is not None:
            try:
                limit.base_ms, limit.inc_ms, limit.period = parse_clock(options["tc"])
            except BadContestant as error:
                raise click.BadParameter(str(error), param_hint="--tc") from None
        if not limit.has_bound:
            limit.nodes = DEFAULT_NODES
        return limit

    def _plan(self, contestants: "list[Contestant]", format_name: str) -> "Plan":
        from bench.contestant import label_all
        from bench.openings import BadOpening, read_openings
        from bench.plan import Plan
        from bench.tournament.formats import BadFormat, Terms, make

        options, game = self._options, self.game
        card_file = os.path.abspath(options["card_file"]) if options["card_file"] else ""
        if not card_file.isprintable():
            raise BadCardFile(f"{card_file!a}: no name that can be told to an engine")
        label_all(contestants)
        labels = [contestant.label for contestant in contestants]
        terms = Terms(game.num_seats, labels)
        try:
            openings = read_openings(options["openings"], game) if options["openings"] else []
            make_schedule = partial(make, format_name, terms)
            plan = Plan(
                game,
                contestants,
                make_schedule,
                options["seed"],
                self._policy(),
                options["rotation"],
                openings,
                card_file,
            )
            self._set_length(terms, plan.games_per_block)
            self._set_luck(plan)
            self._set_test(plan, format_name)
            make_schedule()
        except BadOpening as error:
            raise click.BadParameter(str(error), param_hint="--openings") from None
        except BadFormat as error:
            raise click.UsageError(str(error)) from None
        return plan

    def _set_length(self, terms: "Terms", games_per_block: int) -> None:
        """Set blocks, rounds and challengers of a format."""
        options = self._options
        games, terms.blocks = options["games"], options["blocks"]
        terms.rounds, terms.challengers = options.get("rounds"), options.get("challengers")
        if games is None:
            return
        if terms.blocks is not None:
            raise click.UsageError("give games or blocks, not both")
        if games < 1 or games % games_per_block:
            raise click.BadParameter(
                f"each deal has {games_per_block} games, so there are {games_per_block} games or a "
                f"multiple of it; not {games}",
                param_hint="--games",
            )
        terms.blocks = games // games_per_block

    def _policy(self) -> "Policy":
        from bench.referee.policy import Policy

        options = self._options
        return Policy(
            options["illegal"],
            options["failures"],
            options["strikes"],
            options["restart"],
            options["start_timeout"],
            options["newgame_timeout"],
            options["ping_timeout"],
            options["quit_timeout"],
            options["ponder"],
        )

    def _set_luck(self, plan: "Plan") -> None:
        if not self._options["luck"]:
            return
        from bench.luck.evaluator import NoEvaluator, load

        if any(opening.deal is not None for opening in plan.openings):
            raise click.BadParameter(
                "openings that name their deals leave no luck to measure", param_hint="--luck"
            )
        try:
            plan.evaluator = load(self.game)
        except NoEvaluator as error:
            raise click.BadParameter(str(error), param_hint="--luck") from None

    def _set_test(self, plan: "Plan", format_name: str) -> None:
        """Set the sequential test, if hypotheses are given."""
        options = self._options
        if "elo0" not in options:
            return
        if options["elo0"] is None and options["elo1"] is None:
            for name in ALONE:
                if self._is_given(name):
                    flag = name.replace("_", "-")
                    raise click.UsageError(f"{flag} is for a sequential test, which needs elo1")
            return
        from bench.statistics.sprt import SprtTest, check_contestants
        from bench.tournament.sequential import SequentialTest

        try:
            check_contestants(len(plan.contestants))
            if self.game.num_seats != 2:
                raise ValueError(
                    f"a sequential test is for games of two seats; {self.game.name} has "
                    f"{self.game.num_seats}"
                )
            if format_name != "match":
                raise ValueError(f"a sequential test ends a match, not the format {format_name}")
            elo0, elo1 = options["elo0"], options["elo1"]
            if elo0 is None or elo1 is None:
                raise ValueError("a sequential test has two hypotheses, elo0 and elo1")
            chances = options["alpha"], options["beta"]
            test = SprtTest(elo0, elo1, *chances, options["model"], plan.games_per_block)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        if options["sprt_on"] == "raw":
            plan.test = SequentialTest(test, options["look"])
            return
        if plan.evaluator is None:
            raise click.BadParameter("adjusted results need --luck", param_hint="--sprt-on")
        plan.test = SequentialTest(test, options["look"], evaluator=plan.evaluator)

    def _is_given(self, name: str) -> bool:
        source = self._ctx.get_parameter_source(name)
        return source in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)

    def _check_files(self) -> None:
        """See to it that no output takes another one's place, or that of what is read."""
        options = self._options
        cards, events = options["card_file"], options["events"]
        written = {
            "--record": options["record"],
            "--events": None if str(events) == "-" else events,
            "--output": options.get("output"),
        }
        read = {
            "the file of the tournament": self._ctx.params.get("file"),
            "--cards": None if cards is None else Path(cards),
            "--openings": options["openings"],
        }
        check_apart({"--journal": options["journal"], **written}, read)
        check_no_journal(written)

    def _settings(self) -> "RunSettings":
        from bench.runner import RunSettings

        options = self._options
        journal, events = options["journal"], options["events"]
        if options["resume"] and journal is None:
            raise click.BadParameter("there is no --journal to go on with", param_hint="--resume")
        if options["as_json"] and str(events) == "-":
            raise click.UsageError("--json and --events - both want standard output")
        is_new = not options["resume"] and not options["dry_run"]
        if journal is not None and is_new and _holds_something(journal):
            raise click.BadParameter(
                f"{journal} is there already; --resume goes on with it, another --journal leaves "
                "it alone",
                param_hint="--journal",
            )
        self._check_files()
        words = self._ctx.meta[WORDS]
        return RunSettings(
            options["concurrency"] or 0,
            journal,
            options["resume"],
            options["record"],
            None if events is None else str(events),
            options["quiet"],
            options["strict"],
            options["cluster"],
            options["as_json"],
            words if "--resume" in words else [*words, "--resume"],
        )


def _holds_something(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:
        return False
