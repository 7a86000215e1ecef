"""Drakkar: a game-tree-search engine for board games with hidden information.

The console command `drakkar` starts here: without arguments it is the engine, which talks the text
protocol (protocol/SPEC.md); with arguments it is a set of tools (`drakkar --help`).

For Python programs this module is the front door:

    >>> import drakkar
    >>> game = drakkar.load("kuhn")
    >>> view = game.from_text("kuhn/1 me=p1 hand.p1=K hand.p2=?")
    >>> result = drakkar.Searcher("vanilla", seed=1).go(view, drakkar.Limits(nodes=100))
    >>> game.move_name(result.best_move) in ("pass", "bet")
    True
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engine import Game, State, available, load
    from search import Limits, Searcher

    __version__: str

__all__ = ["Game", "Limits", "Searcher", "State", "__version__", "available", "load", "main"]


def __getattr__(name: str) -> "Any":
    if name == "__version__":
        from protocol import VERSION

        return VERSION
    if name in ("Limits", "Searcher"):
        import search

        return getattr(search, name)
    if name in ("Game", "State", "available", "load"):
        import engine

        return getattr(engine, name)
    raise AttributeError(f"module 'drakkar' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def main() -> int:
    """Run the command `drakkar`; return its exit code."""
    import sys

    try:
        if len(sys.argv) < 2:
            from protocol.signals import leave_on_signals

            leave_on_signals()
            from protocol.server import run

            return run()
        from bench.cli import main as command_line

        return command_line() or 0
    except KeyboardInterrupt:
        return 0 if len(sys.argv) < 2 else 130


if __name__ == "__main__":
    raise SystemExit(main())
