"""Luck adjustment of results: what chance did for each seat, judged by a frozen evaluator.

README.md in this folder has the idea, the formula and its sources.
"""
