"""Settings: what a game may be played with. Plain data, so that a handshake can list it at once."""

from engine.errors import BadSetting, shorten


class Setting:
    """One named choice of a game, part of its identity.

    `values` are the allowed words; or, where `low` and `high` are given, the setting is a whole
    number of that range (`values` then lists extra words such as `off`); or, where `digits` is
    given, so many hexadecimal digits, the hash of something that is loaded (card files).
    """

    __slots__ = ("default", "digits", "help", "high", "low", "name", "rule", "values")

    def __init__(
        self,
        name: str,
        default: str,
        values: tuple[str, ...],
        help: str,
        rule: str = "",
        low: int | None = None,
        high: int | None = None,
        digits: int = 0,
    ) -> None:
        self.name, self.default, self.values = name, default, values
        self.help, self.rule, self.low, self.high = help, rule, low, high
        self.digits = digits

    def parse(self, text: str) -> str:
        """Return the canonical value of a text; BadSetting says what is allowed."""
        word = text.strip().lower()
        if word in self.values:
            return word
        if self.low is not None and self.high is not None and word.isascii() and word.isdigit():
            if len(word) < 10 and self.low <= int(word) <= self.high:
                return str(int(word))
        if self.digits and len(word) == self.digits and not word.strip("0123456789abcdef"):
            return word
        use = " or ".join(self.choices())
        raise BadSetting(f"setting {self.name}: {shorten(text)!r} is not allowed; use {use}")

    def choices(self) -> list[str]:
        """Return what is allowed, in words."""
        choices = list(self.values)
        if self.low is not None:
            choices.insert(0, f"a number from {self.low} to {self.high}")
        if self.digits:
            choices.insert(0, f"{self.digits} hexadecimal digits")
        return choices


def resolve(settings: tuple[Setting, ...], given: dict[str, object]) -> dict[str, str]:
    """Fill in defaults and check names and values; BadSetting on the first fault."""
    known = {s.name: s for s in settings}
    for name in given:
        if name not in known:
            names = ", ".join(known) or "none"
            raise BadSetting(f"no setting {shorten(name)!r}; the settings are: {names}")
    return {s.name: s.parse(str(given.get(s.name, s.default))) for s in settings}
