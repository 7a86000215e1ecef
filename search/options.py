"""The switches and numbers of a search, as plain data: what presets set and users may override."""

NONE = "none"  # how a text says that a number is not set


class SearchOption:
    """One switch or number: its name, what it may be, and what it does."""

    __slots__ = ("choices", "default", "help", "high", "low", "name")

    def __init__(
        self,
        name: str,
        default: "bool | int | float | str | None",
        help: str,
        low: float = 0.0,
        high: float = 1e6,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.name, self.default, self.help = name, default, help
        self.low, self.high, self.choices = low, high, choices

    @property
    def range(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return ", ".join(self.choices)
        if isinstance(self.default, bool):
            return "on, off"
        whole = "a whole number" if self._is_whole else "a number"
        none = f", or {NONE}" if self.default is None else ""
        return f"{whole} from {self.low:g} to {self.high:g}{none}"

    @property
    def _is_whole(self) -> bool:
        return self.default is None or type(self.default) is int

    def read(self, value: object) -> "bool | int | float | str | None":
        """Return a value or its text as it is used; ValueError if it is not allowed."""
        if self.choices:
            if value in self.choices:
                return str(value)
        elif isinstance(self.default, bool):
            if value in (True, False, "on", "off"):
                return value in (True, "on")
        elif self.default is None and value in (None, NONE):
            return None
        else:
            try:
                number = int(str(value)) if self._is_whole else float(str(value))
            except (ValueError, OverflowError):
                number = self.low - 1
            if self.low <= number <= self.high:
                return number
        raise ValueError(f"{self.name}={str(value)[:40]}: use {self.range}")


TABLE = (
    SearchOption(
        "algorithm",
        "ismcts",
        "what a simulation does",
        choices=("ismcts", "puct", "regret", "flat", "greedy", "random"),
    ),
    SearchOption("exploration", 0.7, "weight of what was tried little; ismcts, puct", 0, 1000),
    SearchOption("playout_plies", None, "decisions of a playout; none: to the end", 0, 100000),
)

BY_NAME = {option.name: option for option in TABLE}


def parse_options(text: str) -> "dict[str, bool | int | float | str | None]":
    """Read `name=value name=value`; ValueError names what is wrong."""
    values: dict[str, bool | int | float | str | None] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in values:
            fault = "is given twice" if equals else "is no name=value"
            raise ValueError(f"search option {word[:40]!r} {fault}")
        values[name] = find(name).read(value)
    return values


def find(name: str) -> SearchOption:
    """Return the option of a name; ValueError if there is none."""
    if name not in BY_NAME:
        raise ValueError(f"no search option {name[:40]!r}; there are: {', '.join(BY_NAME)}")
    return BY_NAME[name]
