"""The weights of the evaluation and of the move priors: their names, and the file they are in.

The file `weights.toml` is written by `drakkar fit lofoten`. It has two sets: `base` and `modules`
(any of the modules in play).
"""

import json
import os
import tomllib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOMENTS = ("start", "middle", "late", "last")
"""When the weights of the evaluation are given; see weights.pxd."""

SETS = ("base", "modules")
FILE = os.path.join(os.path.dirname(__file__), "weights.toml")

DIGITS = 4
HEAD = "# Weights of the evaluation and of the move priors: see weights.py."

_SCORINGS = 16
_ABILITIES = 16

NAMES = (
    "loaded_side",
    "loaded_market",
    *(f"near_{steps}" for steps in range(6)),
    "wait",
    "wait_more",
    "spread",
    "spread_come",
    "spread_ships",
    "contest",
    "tempo",
    "now_unload",
    "now_load",
    "next_unload",
    "next_load",
    "coin",
    "coin_three",
    "extra",
    "orders",
    "dock",
    "moves",
    "hand",
    "uses_discard",
    "uses_rotate",
    "uses_move",
    "uses_coin",
    "best",
    *(f"level2_{scoring}" for scoring in range(_SCORINGS)),
    "ships",
    "plain",
    "ship_b",
    "ship_c",
    "ship_d",
    "can_claim",
    "jarl",
    *(f"owned_{ability}" for ability in range(_ABILITIES)),
    "clear",
)
"""Names of the weights of the evaluation, in the order of weights.pxd."""

PRIOR_NAMES = (
    "side",
    "side_unload",
    "side_load",
    "side_moves",
    "side_order",
    "mid",
    "mid_order",
    "mid_unload",
    "mid_load",
    "mid_discards",
    "mid_rotations",
    "mid_moves",
    "mid_coins",
    "redraw",
    "redraw_gain",
    "extra",
    "extra_gain",
    "extra_end",
    "turn",
    "move",
    "step_unload",
    "step_load",
    "step_later",
    "step_next",
    "pay",
    "stop",
    "stop_later",
    "stop_next",
    "take",
    "discard",
    "discard_mine",
    "discard_others",
    "put",
    "put_mid",
    "put_moves",
    "pile_mine",
    "pile_others",
    "place_mine",
    "place_others",
    "store",
    "end",
    "claim",
    "facedown",
    "facedown_loss",
    "upgrade_a",
    "upgrade_b",
    "upgrade_c",
    "upgrade_d",
    "load",
    "attach",
    "unload",
    "keep",
    "pile",
    "use_step",
)
"""Names of the weights of the priors."""


FLAT_NAMES = (*(f"{name}.{moment}" for moment in MOMENTS for name in NAMES), *PRIOR_NAMES)
"""Names of a whole set of weights as one list."""

_sets: "dict[str, list[float]]" = {}


def set_of(settings: "dict[str, str]") -> str:
    """Return the name of the set of weights that a game with these settings uses."""
    modules = ("level2", "0"), ("jarls", "off"), ("upgrades", "off")
    return "base" if all(settings[name] == off for name, off in modules) else "modules"


def of_game(settings: "dict[str, str]") -> list[float]:
    """Return the weights that a game with these settings uses."""
    if not _sets:
        _sets.update(read())
    return _sets[set_of(settings)]


def read(path: str = FILE) -> "dict[str, list[float]]":
    """Return the flat list of weights of each set.

    A list has for each moment the weights of the evaluation, then those of the priors.
    """
    with open(path, "rb") as file:
        content = tomllib.load(file)
    return {name: _flat(content[name]) for name in SETS}


def _flat(table: "dict[str, dict[str, Any]]") -> list[float]:
    numbers = [table["margin"].get(name, [0.0] * len(MOMENTS)) for name in NAMES]
    priors = [float(table["priors"].get(name, 0.0)) for name in PRIOR_NAMES]
    return [float(row[i]) for i in range(len(MOMENTS)) for row in numbers] + priors


def write(path: str, set_name: str, values: list[float], notes: "dict[str, Any]") -> None:
    """Replace one set of a file and the table of how it was made, `fit.SET`."""
    with open(path if os.path.exists(path) else FILE, "rb") as file:
        content = tomllib.load(file)
    content[set_name] = _tables(values)
    content.setdefault("fit", {})[set_name] = notes
    lines = [HEAD]
    for name in SETS:
        for part, table in content[name].items():
            lines += [f"\n[{name}.{part}]", *(f"{key} = {value}" for key, value in table.items())]
    for name, table in content["fit"].items():
        lines += [f"\n[fit.{name}]"]
        lines += [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items()]
    text = "\n".join(lines) + "\n"
    tomllib.loads(text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _tables(values: list[float]) -> "dict[str, dict[str, Any]]":
    number = len(NAMES)
    margin = {
        name: [round(values[number * moment + i], DIGITS) for moment in range(len(MOMENTS))]
        for i, name in enumerate(NAMES)
    }
    priors = values[number * len(MOMENTS) :]
    return {
        "margin": {name: row for name, row in margin.items() if any(row)},
        "priors": {
            name: round(value, DIGITS) for name, value in zip(PRIOR_NAMES, priors, strict=True)
        },
    }
