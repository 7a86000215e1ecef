"""Steps: setting options, and values that are refused."""

from bench.check.grammar import Declared, readable_options
from bench.check.steps import Skip, expect, step
from bench.check.subject import Subject
from bench.check.talk import Talk
from protocol.messages import INT_MAX, INT_MIN


def _of_kind(talk: Talk, *kinds: str) -> list[Declared]:
    """Return the options of some types; Skip if there are none."""
    found = [o for o in readable_options(talk.greeting).values() if o.kind in kinds]
    # Spins without bounds are told of by another step.
    found = [o for o in found if o.kind != "spin" or None not in (o.low, o.high)]
    if not found:
        raise Skip(f"the engine has no option of type {' or '.join(kinds)}")
    return found


async def _restore(subject: Subject, talk: Talk, options: list[Declared]) -> None:
    """Give options their defaults, and the chosen ones their values."""
    lines = [f"setoption name {o.name} value {o.default}" for o in options if o.default is not None]
    await talk.silent(*lines, *subject.setup_lines(talk))


@step("set-spins", 5)
async def set_spins(subject: Subject) -> None:
    """Take the least value and the default of every spin option."""
    talk = await subject.talk()
    spins = _of_kind(talk, "spin")
    for option in spins:
        await talk.silent(f"setoption name {option.name} value {option.low}")
    await _restore(subject, talk, spins)


@step("set-checks", 5)
async def set_checks(subject: Subject) -> None:
    """Take both values of every check option, in any case."""
    talk = await subject.talk()
    checks = _of_kind(talk, "check")
    for option in checks:
        for value in ("true", "FALSE", "True", "false"):
            await talk.silent(f"setoption name {option.name} value {value}")
    await _restore(subject, talk, checks)


@step("set-combos", 5)
async def set_combos(subject: Subject) -> None:
    """Take every choice of every combo option, in any case."""
    talk = await subject.talk()
    combos = _of_kind(talk, "combo")
    for option in combos:
        for choice in option.choices:
            await talk.silent(
                f"setoption name {option.name} value {choice}",
                f"setoption name {option.name} value {choice.upper()}",
            )
    await _restore(subject, talk, combos)


@step("set-strings", 5)
async def set_strings(subject: Subject) -> None:
    """Take the default of every string option, `<empty>` for the empty text."""
    talk = await subject.talk()
    await _restore(subject, talk, _of_kind(talk, "string"))


@step("press-button", 5, option="Clear Hash")
async def press_button(subject: Subject) -> None:
    """Press the button Clear Hash, with and without a value."""
    talk = await subject.talk()
    await talk.silent("setoption name Clear Hash", "setoption name clear hash value")


@step("option-name", 5)
async def option_name(subject: Subject) -> None:
    """Know option names in any case and with any blanks between their words."""
    talk = await subject.talk()
    options = [o for o in readable_options(talk.greeting).values() if o.default is not None]
    if not options:
        raise Skip("the engine has no option with a value")
    for option in options:
        name = option.name.swapcase().replace(" ", "  \t ")
        await talk.silent(f"setoption   name   {name}   value {option.default}")
    await _restore(subject, talk, options)


@step("option-unknown", 5)
async def option_unknown(subject: Subject) -> None:
    """Refuse an unknown option with one error `bad-option`."""
    talk = await subject.talk()
    for line in ("setoption name hush puppy value 1", "setoption name no such button"):
        await talk.refused(line, "bad-option")


@step("option-bad-value", 5)
async def option_bad_value(subject: Subject) -> None:
    """Refuse a value that the type, bounds or choices do not allow with `bad-value`."""
    talk = await subject.talk()
    for option in _of_kind(talk, "spin", "check", "combo"):
        values = ["maybe so", "1e1"]
        if option.low is not None and option.high is not None:
            values += [*_beyond(option.low, option.high), ""]
        for value in values:
            await talk.refused(f"setoption name {option.name} value {value}".rstrip(), "bad-value")


def _beyond(low: int, high: int) -> list[str]:
    """Return numbers beyond bounds; none beyond 64 bits, to which numbers are brought."""
    above = [str(high + 1), "9" * 40] if high < INT_MAX else []
    return above + ([str(low - 1), "-" + "9" * 40] if low > INT_MIN else [])


@step("option-no-value", 5)
async def option_no_value(subject: Subject) -> None:
    """Refuse `setoption` without the value of an option that has one."""
    talk = await subject.talk()
    for option in _of_kind(talk, "spin", "check", "combo"):
        await talk.refused(f"setoption name {option.name}", "bad-value", "parse")


@step("option-no-name", 5)
async def option_no_name(subject: Subject) -> None:
    """Refuse `setoption` without a name."""
    talk = await subject.talk()
    for line in ("setoption", "setoption name", "setoption value 3", "setoption name value 3"):
        await talk.refused(line, "parse", "bad-option")


@step("option-works", 5, option="MultiPV")
async def option_works(subject: Subject) -> None:
    """Obey a changed option: MultiPV 2 gives two lines."""
    talk = await _two_lines(subject)
    await _restore(subject, talk, [subject.option("MultiPV")])
    lines = len((await talk.go("nodes 60")).report)
    expect(lines == 1, "one line with MultiPV 1 again", f"{lines} lines")


@step("option-kept", 5, option="MultiPV")
async def option_kept(subject: Subject) -> None:
    """Keep the value of an option when another one is refused."""
    option = subject.option("MultiPV")
    talk = await _two_lines(subject)
    for value in (*_beyond(option.low or 0, option.high or 0), "1x"):
        await talk.refused(f"setoption name MultiPV value {value}", "bad-value")
        lines = len((await talk.go("nodes 60")).report)
        expect(lines == 2, "two lines as before the refused value", f"{lines} lines")
    await talk.refused("setoption name MultiP value 1", "bad-option")
    lines = len((await talk.go("nodes 60")).report)
    expect(lines == 2, "two lines as before the unknown option", f"{lines} lines")
    await _restore(subject, talk, [option])


async def _two_lines(subject: Subject) -> Talk:
    """Set MultiPV to 2 where there are two moves, and see two lines."""
    option = subject.option("MultiPV")
    moment = subject.material.choice
    if len(moment.legal) < 2 or option.high is None or option.high < 2 or option.default != "1":
        raise Skip("there is no choice of two lines")
    talk = await subject.at(moment)
    await talk.silent("setoption name mULTIpv value 2")
    lines = len((await talk.go("nodes 60")).report)
    expect(lines == 2, "two lines with MultiPV 2", f"{lines} lines")
    return talk
