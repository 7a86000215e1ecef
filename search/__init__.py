"""Search: from what one seat knows to a move. Knows the interface of a game, never a game by name.

    >>> import engine, search
    >>> state = engine.load("kuhn").from_text("kuhn/1 hand.p1=K hand.p2=? me=p1")
    >>> result = search.Searcher("vanilla").go(state, search.Limits(nodes=1000))
    >>> result.info.nodes
    1000

Importing this package is cheap: the compiled modules load with the first `Searcher`.
"""

from search.presets import PRESETS

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from typing import Any

    from search.info import Info, Line, Result
    from search.limits import Limits
    from search.searcher import Searcher

__all__ = ["PRESETS", "Info", "Limits", "Line", "Result", "Searcher"]


def __getattr__(name: str) -> "Any":
    if name == "Searcher":
        import search.searcher

        return search.searcher.Searcher
    if name == "Limits":
        import search.limits

        return search.limits.Limits
    if name in ("Info", "Line", "Result"):
        import search.info

        return getattr(search.info, name)
    raise AttributeError(f"module 'search' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
