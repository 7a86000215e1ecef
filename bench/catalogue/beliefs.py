"""The figures of beliefs and of the drawing of worlds."""

from functools import partial

from bench.measure import beliefs, determinize
from bench.measure.selfplay import Player
from bench.registry import Bound, register

GAME = "lofoten"
MODULES = "lofoten level2=2 jarls=on upgrades=on"
PLAYER = Player("drakkar", 300)
# Another seed than that of bench/fit_choices.py.
SEED = 20

for _suffix, _game, _what in (("", GAME, ""), ("-modules", MODULES, " with all modules")):
    register(
        f"beliefs{_suffix}",
        f"500 games of drakkar{_what}: log loss of hand and tiles, calibration, against counting",
        partial(beliefs.run, identity=_game, player=PLAYER, games=500, seed=SEED),
        Bound("games", 500, 500),
        *(Bound(f"errors_{what}", 3.0) for what in beliefs.LOSSES),
        Bound("worst_bin_card", 0, 0.05),
        Bound("worst_bin_tile", 0, 0.05),
    )
    register(
        f"determinize-speed{_suffix}",
        f"time and instructions of drawing a world{_what}, early and late, by deals and by belief",
        partial(determinize.run, identity=_game),
        Bound("slowest_ns", None, 300),
    )
