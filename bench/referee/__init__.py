"""One game between engine processes: who sits where, the true state, time, verdicts, remains.

`referee` holds the truth, `play` plays a game, `slot` keeps the processes, `game_result` is what
comes of it. Nothing here knows of tournaments but what `bench.plan` says a run is.
"""
