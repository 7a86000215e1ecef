"""Fitting the numbers of a game's `estimate` and `prior` to games that it plays against itself.

See README.md.
"""
