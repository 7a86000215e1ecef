"""The figures of exploitability; `python -m bench.measure.nash` draws them."""

from functools import partial

from bench.measure import nash
from bench.registry import Bound, register

for _game, _runs, _at_25_ms, _at_250_ms, _uniform in (
    ("kuhn", 15, 0.05, 0.05, 0.917),
    ("leduc", 1, 0.6, 0.3, 4.747),
):
    register(
        f"exploitability-{_game}",
        f"NashConv of regret on {_game}, one fresh search for each information set",
        partial(nash.exploitability, identity=_game, runs=_runs),
        Bound("uniform", _uniform - 0.001, _uniform + 0.001),
        Bound("nash_conv_25_ms", 0, _at_25_ms),
        Bound("nash_conv_250_ms", 0, _at_250_ms),
        Bound("rises", 0, 0),
        Bound("rises_by_nodes", 0, 0),
    )
