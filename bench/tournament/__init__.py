"""Tournaments: schedules of blocks, who plays them, the journal that keeps every result.

`plan` says what a run is, `formats` which blocks it has, `manager` has them played by an executor
(`pool` on this machine, `cluster` on others), writes each game to the `journal` and counts whole
blocks in the order of the schedule. All that is shown comes from the stream of `events`.
"""
