"""Kuhn poker: two seats, three cards, one round of betting.

The smallest game with hidden information: a template to copy and a fixture with a known value
(-1/18 for the first seat). Rules: RULES.md. Source: H. W. Kuhn, "Simplified two-person poker",
1950.
"""

TITLE = "Kuhn poker"
VERSION = 1
SEATS = 2
FIXTURE = True  # for tests and as a template; not what somebody starts an engine for
