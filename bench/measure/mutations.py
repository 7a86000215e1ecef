"""Ways to break a position text; none of them knows what the text means."""

import re
from collections.abc import Callable, Sequence

from engine import RandomStream
from engine.settings import Setting

WILD = (
    "\0\x07\x1b\x7f\u00e9\u00b2\u0664\u200b\u202e\ufeff\uff11\U0001f6f6\udc80"
    "?*-_=.:|/+@#'\"\\%{}~,;<>()\t\n"
)
NUMBERS = ("0", "1", "4", "7", "9", "16", "31", "33", "99", "255", "256", "-1", "1e3", "0x1", "")
HUGE = ("65536", "2147483648", "4294967296", "9" * 30, "9" * 5000, "-" + "9" * 30)
SEPARATORS = ".|/+:@="
PART = re.compile(r"[^.|/+:@=\s]+")
NUMBER = re.compile(r"\d+")

Words = list[str]


class Source:
    """What the mutations draw from: a stream, other texts, and the settings of the game."""

    def __init__(
        self,
        stream: RandomStream,
        texts: Sequence[str],
        foreign: Sequence[str],
        settings: Sequence[Setting],
    ) -> None:
        self.stream, self.texts, self.foreign, self.settings = stream, texts, foreign, settings

    def below(self, number: int) -> int:
        """Return a number in 0..number-1."""
        return self.stream.below(number)

    def pick(self, things: Sequence[str]) -> str:
        """Return one of some texts, an empty text if there are none."""
        return things[self.below(len(things))] if things else ""

    def other(self) -> Words:
        """Return the words of another text of this game."""
        return self.pick(self.texts).split()


def _delete(words: Words, source: Source) -> Words:
    """A field is missing."""
    at = source.below(len(words))
    return words[:at] + words[at + 1 :]


def _double(words: Words, source: Source) -> Words:
    """A field comes twice, or one of another text is added."""
    more = words if source.below(2) else source.other()
    at = source.below(len(words) + 1)
    return [*words[:at], source.pick(more), *words[at:]]


def _borrow(words: Words, source: Source) -> Words:
    """A field has the value that it has in another text."""
    word = source.pick(source.other())
    key = word.partition("=")[0]
    kept = [word if w.partition("=")[0] == key else w for w in words]
    return kept if word in kept else [*words, word]


def _exchange(words: Words, source: Source) -> Words:
    """Two fields have each other's values."""
    one, two = source.below(len(words)), source.below(len(words))
    words = list(words)
    (a, same_a, value_a), (b, same_b, value_b) = (words[i].partition("=") for i in (one, two))
    words[one], words[two] = f"{a}{same_a}{value_b}", f"{b}{same_b}{value_a}"
    return words


def _set(words: Words, source: Source) -> Words:
    """A setting has another value."""
    if not source.settings:
        return words
    setting = source.settings[source.below(len(source.settings))]
    values = [*setting.values, str(setting.low), str(setting.high), setting.default, "maybe"]
    kept = [w for w in words if w.partition("=")[0] != setting.name]
    return [*kept[:1], f"{setting.name}={source.pick(values)}", *kept[1:]]


def _foreign(words: Words, source: Source) -> Words:
    """Words of another game stand among those of this one, or the other way round."""
    other = source.pick(source.foreign).split()
    if not other:
        return words
    kind = source.below(4)
    if kind == 0:
        return [*other[:1], *words[1:]]
    if kind == 1:
        return [*words[:1], *other[1:]]
    at = source.below(len(words) + 1)
    return [*words[:at], source.pick(other), *words[at + kind - 2 :]]


def _rename(words: Words, source: Source) -> Words:
    """A field has the name of another."""
    at = source.below(len(words))
    key = source.pick(source.other()).partition("=")[0]
    words = list(words)
    words[at] = f"{key}={words[at].partition('=')[2]}"
    return words


def _shuffle(words: Words, source: Source) -> Words:
    """The fields stand in another order, which should do no harm."""
    return [*words[:1], *source.stream.shuffled(words[1:])]


def _in_text(change: Callable[[str, Source], str]) -> Callable[[Words, Source], Words]:
    """Make a mutation of words of one of a text."""

    def mutation(words: Words, source: Source) -> Words:
        return change(" ".join(words), source).split(" ")

    return mutation


def _parts(text: str, source: Source) -> str:
    """A part of a field is missing, comes twice, or is a part of another field or text."""
    found = list(PART.finditer(text))
    if not found:
        return text
    part = found[source.below(len(found))]
    others = PART.findall(text if source.below(3) else source.pick(source.texts))
    new = ("", f"{part[0]}.{part[0]}", source.pick(others), source.pick(others))[source.below(4)]
    return text[: part.start()] + new + text[part.end() :]


def _swap_parts(text: str, source: Source) -> str:
    """Two neighbouring parts, or any two, have changed places."""
    found = list(PART.finditer(text))
    if len(found) < 2:
        return text
    at = source.below(len(found) - 1)
    to = at + 1 if source.below(2) else source.below(len(found))
    one, two = (found[i] for i in sorted((at, to)))
    if one == two:
        return text
    between = text[one.end() : two.start()]
    return text[: one.start()] + two[0] + between + one[0] + text[two.end() :]


def _move_part(text: str, source: Source) -> str:
    """A part stands somewhere else, in the same field or in another."""
    found = list(PART.finditer(text))
    if len(found) < 2:
        return text
    at, to = source.below(len(found)), source.below(len(found))
    if at == to:
        return text
    part, place = found[at], found[to].end()
    sign = source.pick(".+|") if source.below(2) else "."
    if place <= part.start():
        new = f"{text[:place]}{sign}{part[0]}{text[place : part.start()]}"
        return new + text[part.end() :].removeprefix(".")
    before = text[: part.start()] + text[part.end() : place].removeprefix(".")
    return f"{before}{sign}{part[0]}{text[place:]}"


def _number(text: str, source: Source) -> str:
    """A number is one more or less, or another."""
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    part = found[source.below(len(found))]
    value = int(part[0][:18])
    new = (str(value + 1), str(value - 1), source.pick(NUMBERS), source.pick(HUGE))
    return text[: part.start()] + new[source.below(7) // 2] + text[part.end() :]


def _wild(text: str, source: Source) -> str:
    """A character is replaced by a wild one, or one comes in between."""
    at = source.below(len(text) + 1)
    return text[:at] + source.pick(WILD) + text[at + source.below(2) :]


def _separator(text: str, source: Source) -> str:
    """A separator is another one."""
    places = [i for i, sign in enumerate(text) if sign in SEPARATORS]
    if not places:
        return text
    at = places[source.below(len(places))]
    return text[:at] + source.pick(SEPARATORS) + text[at + 1 :]


def _lose(text: str, source: Source) -> str:
    """A few characters are missing."""
    at = source.below(len(text) + 1)
    return text[:at] + text[at + 1 + source.below(3) :]


def _case(text: str, source: Source) -> str:
    """A part has capitals and small letters exchanged."""
    found = list(PART.finditer(text))
    if not found:
        return text
    part = found[source.below(len(found))]
    return text[: part.start()] + part[0].swapcase() + text[part.end() :]


def _truncate(text: str, source: Source) -> str:
    """The text ends early, or begins late."""
    at = source.below(len(text) + 1)
    return text[:at] if source.below(4) else text[at:]


_MUTATIONS: dict[str, Callable[[Words, Source], Words]] = {
    "field deleted": _delete,
    "field doubled": _double,
    "value of another text": _borrow,
    "values exchanged": _exchange,
    "setting changed": _set,
    "words of another game": _foreign,
    "field renamed": _rename,
    "order changed": _shuffle,
    "part changed": _in_text(_parts),
    "parts swapped": _in_text(_swap_parts),
    "part moved": _in_text(_move_part),
    "number changed": _in_text(_number),
    "wild character": _in_text(_wild),
    "separator changed": _in_text(_separator),
    "characters lost": _in_text(_lose),
    "case changed": _in_text(_case),
    "truncated": _in_text(_truncate),
}
NAMES = tuple(_MUTATIONS)


def mutate(
    text: str,
    texts: Sequence[str],
    foreign: Sequence[str],
    settings: Sequence[Setting],
    stream: RandomStream,
) -> tuple[str, list[str]]:
    """Return a text broken in one to four ways, unlike the one given, and the names of the ways.

    `texts` are other texts of the game, `foreign` those of other games.
    """
    source = Source(stream, texts, foreign, settings)
    while True:
        words, kinds = text.split(), list[str]()
        for _ in range((1, 1, 1, 1, 2, 2, 3, 4)[stream.below(8)]):
            kind = NAMES[stream.below(len(NAMES))]
            words = _MUTATIONS[kind](words, source) or [""]
            kinds.append(kind)
        broken = " ".join(words)
        if broken != text:
            return broken, kinds
