"""Other programs that play the same games, to compare with: OpenSpiel (extra `peers`).

`games` translates between the two programs, `same_games` proves that both play the same games,
`shares` that both searches choose alike; `table` prints speed, memory and strength of one run.
`engine` plays any game of ours with OpenSpiel's search in Python, as an engine for matches.
OpenSpiel is loaded when it is first needed, never by importing these modules.
"""
