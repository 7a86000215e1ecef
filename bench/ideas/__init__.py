"""Ideas for a stronger search, each tried in paired games: what is gained, what is not.

`catalogue` lists the ideas, `trial` plays one as a sequential test, `table` prints what came out of
all of them; `python -m bench.ideas` does it. Each idea is a figure `idea-NAME` of bench.figures.
"""
