"""The subcommand `drakkar check`; it lives in bench/check."""

from bench.check.command import check

__all__ = ["check"]
