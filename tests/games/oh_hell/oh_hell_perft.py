"""Count the perft table of Oh Hell again with the slow rules."""

from oh_hell_reference import from_text
from perft_tables import entries


def count(game, depth):
    """Return the number of paths of so many decisions and possible chance outcomes."""
    if depth == 0:
        return 1
    words = game.legal()
    if depth == 1:
        return len(words)
    total = 0
    for word in words:
        child = game.copy()
        child.events.append(word)
        total += count(child, depth - 1)
    return total


def recount(least, most):
    """Return the names, depths, counts and expected counts of the entries of that many paths."""
    return [
        (entry.name, entry.depth, count(from_text(entry.position), entry.depth), entry.count)
        for entry in entries("oh_hell")
        if entry.seed is None and least <= entry.count < most
    ]
