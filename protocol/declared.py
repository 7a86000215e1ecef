"""What an engine tells of itself in the handshake: names, games, options and their values."""

from collections.abc import Mapping

from protocol.faults import BadOption, BadValue, EngineProtocolError
from protocol.messages import BAD_OPTION, BAD_VALUE, BLANKS, split_words, take_word

_KEYS = ("name", "type", "default", "min", "max", "var")
_LONGEST_SHOWN = 64
# Characters of a name that are kept: it stands in each record of a game.
_LONGEST_NAME = 1000
# Characters of a handshake that are kept.
_LONGEST_HANDSHAKE = 4 << 20


class Option:
    """An option as the engine declares it.

    Attributes:
        name: as the engine spells it.
        kind: its type: `check`, `spin`, `combo`, `string` or `button`.
        default, low, high: texts as declared, or None.
        choices: the values of a `combo`.
    """

    __slots__ = ("choices", "default", "high", "kind", "low", "name")

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind
        self.default: str | None = None
        self.low: str | None = None
        self.high: str | None = None
        self.choices: list[str] = []

    def __repr__(self) -> str:
        return f"<Option {self.name} {self.kind} default={self.default}>"

    def text_of(self, value: object) -> str | None:
        """Return a value as it is sent, None for a button; BadValue if it is not allowed.

        >>> option = parse_option("option name Hash type spin default 64 min 1 max 512")
        >>> option.text_of(128)
        '128'
        >>> option.text_of("much")
        Traceback (most recent call last):
        protocol.faults.BadValue: bad-value option Hash: 'much' is not a whole number from 1 to 512
        """
        if self.kind == "button":
            if value is not None:
                raise self._bad(value, "nothing: a button has no value")
            return None
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if value is None or "\n" in text or "\r" in text:
            raise self._bad(value, "a text in one line")
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise self._bad(value, "true or false")
            return text.lower()
        if self.kind == "spin":
            number, low, high = _whole(text), _whole(self.low or ""), _whole(self.high or "")
            if (
                number is None
                or (low is not None and number < low)
                or (high is not None and number > high)
            ):
                raise self._bad(value, f"a whole number from {self.low} to {self.high}")
        elif self.kind == "combo":
            spelling = {choice.lower(): choice for choice in self.choices}
            if text.lower() not in spelling:
                raise self._bad(value, f"one of {', '.join(self.choices)}")
            return spelling[text.lower()]
        return text or "<empty>"

    def _bad(self, value: object, allowed: str) -> BadValue:
        return BadValue(BAD_VALUE, f"option {self.name}: {_shown(value)} is not {allowed}")


class Introduction:
    """What an engine says in the handshake, kept up to a bound."""

    def __init__(self) -> None:
        self.name = self.author = ""
        self.options: dict[str, Option] = {}
        """By lower-case name."""
        self.games: dict[str, str] = {}
        """Seats and settings by game."""
        self.features: dict[str, str] = {}
        self._size = 0

    def take(self, line: str) -> None:
        """Keep a line; EngineProtocolError if an option is malformed or there are too many lines.

        >>> told = Introduction()
        >>> told.take("id name Example 1.0")
        >>> told.name
        'Example 1.0'
        """
        word, rest = take_word(line)
        rest = rest.strip(BLANKS)
        if word not in ("id", "option", "game", "feature"):
            return
        self._size += len(line)
        if self._size > _LONGEST_HANDSHAKE:
            raise EngineProtocolError(f"more than {_LONGEST_HANDSHAKE} characters of handshake")
        if word == "option":
            option = parse_option(line)
            self.options[option.name.lower()] = option
        elif word == "id" and rest.startswith("name "):
            self.name = rest.removeprefix("name ").strip(BLANKS)[:_LONGEST_NAME]
        elif word == "id" and rest.startswith("author "):
            self.author = rest.removeprefix("author ").strip(BLANKS)[:_LONGEST_NAME]
        elif word == "game":
            game, _, settings = rest.partition(" ")
            self.games[game] = settings
        elif word == "feature":
            key, _, value = rest.partition("=")
            self.features[key] = value


def parse_option(line: str) -> Option:
    """Return the option that an `option` line declares; EngineProtocolError if it is malformed.

    >>> parse_option("option name Style of Play type combo default calm var calm var wild").choices
    ['calm', 'wild']
    """
    fields: list[tuple[str, list[str]]] = []
    for word in split_words(line)[1:]:
        # A type stands behind the name, so `name` and `type` cannot begin a field again.
        if word in _KEYS and not (fields and word in ("name", "type") and len(fields) > 1):
            fields.append((word, []))
        elif fields:
            fields[-1][1].append(word)
    values = [(key, " ".join(words)) for key, words in fields]
    named = dict(values)
    if not named.get("name") or not named.get("type"):
        raise EngineProtocolError(f"malformed option line: {line[:200]!r}")
    option = Option(named["name"], named["type"])
    option.default, option.low, option.high = (named.get(k) for k in ("default", "min", "max"))
    option.choices = [value for key, value in values if key == "var"]
    return option


def find_option(name: str, declared: Mapping[str, Option]) -> Option:
    """Return the option of a name in any case; BadOption tells the nearest name.

    `declared` holds the engine's options by lower-case name.

    >>> find_option("hush", {"hash": parse_option("option name Hash type spin")})
    Traceback (most recent call last):
    protocol.faults.BadOption: bad-option no option 'hush'; do you mean 'Hash'? There is: Hash
    """
    option = declared.get(" ".join(name.split()).lower())
    if option is not None:
        return option
    from difflib import get_close_matches

    close = get_close_matches(name[:_LONGEST_SHOWN].lower(), declared, 1, 0.5)
    hint = f"; do you mean {declared[close[0]].name!r}?" if close else "."
    names = ", ".join(option.name for option in declared.values()) or "none"
    raise BadOption(BAD_OPTION, f"no option {_shown(name)}{hint} There is: {names}")


def _whole(text: str) -> int | None:
    """Return a whole number of at most 20 digits; None for any other text."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
        return None
    return int(text)


def _shown(value: object) -> str:
    """Quote what a caller has given, cut to a length fit for an error line."""
    text = ascii(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


__all__ = ["Introduction", "Option", "find_option", "parse_option"]
