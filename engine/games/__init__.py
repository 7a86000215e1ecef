"""One folder a game, found by scanning; there is no list to edit."""

import os


def names() -> list[str]:
    """Return the names of all game folders, sorted."""
    here = os.path.dirname(__file__)
    return sorted(
        entry
        for entry in os.listdir(here)
        if os.path.exists(os.path.join(here, entry, "__init__.py"))
    )
