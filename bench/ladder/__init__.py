"""The ladder: a fixed scale of strength for each game, and where an engine stands on it.

The rungs are presets at several node counts, whose ratings were measured once in a round robin and
are shipped in `GAME.toml`. `drakkar ladder ENGINE` plays an engine against them.
"""
