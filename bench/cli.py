"""The command line `drakkar`: finds its subcommands, and turns what befalls them into exit codes.

The subcommands are the modules of bench/commands that hold a click command of their own name; one
is imported when it is wanted, all are for the list of `--help`.
"""

import errno
import os
import pkgutil
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from bench import commands
from bench.exits import EXIT_INTERRUPTED, EXIT_OUTPUT, complain
from protocol import VERSION


class Commands(click.Group):
    """All subcommands; what may befall any of them ends in an exit code, without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all subcommands, sorted."""
        found = (module.name for module in pkgutil.iter_modules(commands.__path__))
        names = [name for name in found if self.get_command(ctx, name) is not None]
        return sorted({*names, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand, or None."""
        known = super().get_command(ctx, cmd_name)
        if known is not None or not cmd_name.isidentifier():
            return known
        if cmd_name not in (module.name for module in pkgutil.iter_modules(commands.__path__)):
            return None
        command = getattr(import_module(f"{commands.__name__}.{cmd_name}"), cmd_name, None)
        return command if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(EXIT_INTERRUPTED)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly then
            _discard_output()
            complain(f"{error.filename or 'standard output'}: {error.strerror}")
            ctx.exit(EXIT_OUTPUT)


def _discard_output() -> None:
    """Let what standard output still holds go nowhere, or Python complains of it at its exit."""
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="drakkar", message="%(prog)s %(version)s")
def main() -> None:
    """Drakkar: an engine for board games with hidden information.

    Without a command it speaks its text protocol on standard input and output.
    """


@main.command()
def engine() -> None:
    """Run the engine: text protocol on standard input and output."""
    from protocol.server import run

    sys.exit(run())
