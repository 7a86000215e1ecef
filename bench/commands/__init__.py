"""The subcommands of `drakkar`, one a module; `bench.cli` finds them by scanning this folder.

A module that holds a click command of its own name is a subcommand. It imports what it needs when
it runs, for all of them are imported by `drakkar --help`.
"""
