"""What people see of runs: match tables, the live display, reports of ratings.

`live` renders the event stream while a run goes on, `match` sums up a match, and `journals`,
`tally`, `ratings`, `text` and `html` make the report of `drakkar ratings`. All of them count as
they go: their memory does not grow with the number of games.
"""
