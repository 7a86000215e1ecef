"""Leduc poker: two seats, six cards, two rounds of betting with a public card between them.

Small enough to be solved, large enough to have bluffs, draws and a change of strength: a fixture to
measure searches against. Rules: RULES.md. Source: F. Southey and others, "Bayes' bluff: opponent
modelling in poker", 2005.
"""

TITLE = "Leduc poker"
VERSION = 1
SEATS = 2
FIXTURE = True  # for tests and as a template; not what somebody starts an engine for
