"""What all notations share: event tokens, and the fields of position texts.

A game's own `notation` module has the words: `move_name`, `parse_move` of decisions, `luck_name`,
`parse_luck` of chance outcomes, whose tokens begin with `~`.
"""

from engine.errors import BadMoveText, BadPositionText, BadSetting, shorten

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from engine.settings import Setting


def event_name(notation: "ModuleType", move: int, seat: int) -> str:
    """Return the token of an event: `p1:bet` if a seat decided it, `~deal@p1=K` for luck."""
    name: str = notation.move_name(move) if seat >= 0 else notation.luck_name(move)
    return f"p{seat + 1}:{name}" if seat >= 0 else name


def parse_event(
    notation: "ModuleType", num_seats: int, chance: int, token: str
) -> tuple[int | None, int]:
    """Return (seat, move): seat `chance` for luck, None where the token names no seat."""
    if token[:1] == "~":
        return chance, notation.parse_luck(token)
    if token[:1] == "p" and token[2:3] == ":" and token[1] in "123456789"[:num_seats]:
        return int(token[1]) - 1, notation.parse_move(token[3:])
    return None, notation.parse_move(token)


def name_of(names: "Mapping[int, str]", move: int, is_luck: bool, game: str) -> str:
    """Return the word of a move number, from the table of all words of a game."""
    name = names.get(move)
    if name is None or (name[0] == "~") != is_luck:
        what = "chance outcome" if is_luck else "decision"
        raise BadMoveText(f"move number {move} is no {what} of {game}")
    return name


def outcome_of(tokens: "Mapping[str, int]", token: str, example: str) -> int:
    """Return the chance outcome of a token, from the table of those of a game."""
    move = tokens.get(token)
    if move is None:
        raise BadMoveText(f"{shorten(token)!r} is no chance outcome, such as {example}")
    return move


def split_text(text: str, head: str) -> dict[str, str]:
    """Return the fields of a position text, which has to begin with a head such as `kuhn/1`."""
    found, *items = text.split() or [""]
    if found != head:
        raise BadPositionText(f"position must begin with {head}, not {shorten(found)!r}")
    fields: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not key or not equals:
            raise BadPositionText(f"{shorten(item)!r} is no field; write key=value", item)
        if key in fields:
            raise BadPositionText(f"field {shorten(key)} is given twice", key)
        fields[key] = value
    return fields


def take_settings(fields: dict[str, str], settings: "Sequence[Setting]") -> dict[str, object]:
    """Take the settings of a game out of the fields of a position text; return their values."""
    found: dict[str, object] = {}
    for setting in settings:
        if setting.name in fields:
            try:
                found[setting.name] = setting.parse(fields.pop(setting.name))
            except BadSetting as error:
                raise BadPositionText(str(error), setting.name) from None
    return found


def read_fields(text: str, head: str, names: "Sequence[str]") -> tuple[dict[str, str], int]:
    """Return the named fields of a text, `-` for those not given, and the observer of `me`.

    For games of two seats; `me` is among the names. The observer is -1 without it.
    """
    fields = split_text(text, head)
    for key, value in fields.items():
        if key not in names or not value:
            item = shorten(f"{key}={value}")
            raise BadPositionText(f"field {item!r}: the fields are {', '.join(names)}", key)
    me = fields.get("me")
    if me not in (None, "p1", "p2"):
        raise BadPositionText(f"field me: {shorten(str(me))!r}; use p1 or p2", "me")
    return dict.fromkeys(names, "-") | fields, -1 if me is None else int(me[1]) - 1


__all__ = [
    "event_name",
    "name_of",
    "outcome_of",
    "parse_event",
    "read_fields",
    "split_text",
    "take_settings",
]
