"""Steps: handshakes, and commands that come before one."""

import re

from bench.check.grammar import check_name, handshake_end, parse_option, readable_options
from bench.check.steps import Skip, expect, fail, step
from bench.check.subject import Subject, expect_legal
from engine import load
from protocol.messages import DIALECTS, parse_int, split_words


@step("handshake", 3)
async def handshake(subject: Subject) -> None:
    """Answer the handshake with lines of its dialect and the word that ends it."""
    for line in await subject.greeting():
        word = split_words(line)[0]
        allowed = ("id", "option", "feature", "game", "info", handshake_end(subject.dialect))
        expect(word in allowed, "id, option, feature and game lines", line)


@step("ready", 4)
async def ready(subject: Subject) -> None:
    """Answer `isready` with one `readyok` and nothing else."""
    talk = await subject.talk()
    await talk.send("isready", "isready")
    for _ in range(2):
        await talk.only_ready("one `readyok` for each `isready`")


@step("output-lines", 7)
async def output_lines(subject: Subject) -> None:
    """Print nothing but lines of the protocol, in UTF-8, each ended by LF alone."""
    moment = subject.material.start
    talk = await subject.talk()
    # The reader of lines looks at each of them.
    queries = [f"query {word}" for word in ("turn", "legal") if subject.knows(word)]
    await talk.send("position view nonsense", moment.line, *queries)
    await talk.sync()
    expect_legal((await talk.go("nodes 20")).move, moment)
    await talk.quiet(0.05, but="nothing")


@step("id-lines", 3)
async def id_lines(subject: Subject) -> None:
    """Introduce yourself with one `id name` and one `id author`."""
    ids = [line for line in await subject.greeting() if split_words(line)[0] == "id"]
    for key in ("name", "author"):
        texts = [line for line in ids if line.startswith(f"id {key} ") and line.split()[2:]]
        expect(len(texts) == 1, f"one line `id {key} TEXT`", f"{len(texts)} of them")
    expect(len(ids) == 2, "no other id lines", f"{len(ids)} id lines")


@step("option-lines", 5)
async def option_lines(subject: Subject) -> None:
    """Declare options in lines that a strict parser can read."""
    for line in await subject.greeting():
        if split_words(line)[0] == "option":
            parse_option(line)


@step("option-defaults", 5)
async def option_defaults(subject: Subject) -> None:
    """Give each option but buttons a default that its type, bounds and choices allow."""
    for line in await subject.greeting():
        if split_words(line)[0] != "option":
            continue
        option = parse_option(line)
        if option.kind == "button":
            expect(option.default is None, "no default of a button", line)
            continue
        if option.default is None:
            fail("a default", line)
        if option.kind == "spin":
            low, high = option.low, option.high
            if low is None or high is None:
                fail("min and max of a spin option", line)
            number = parse_int(option.default)
            good = number is not None and low <= number <= high
            expect(good, "a default from min to max", line)
        else:
            expect(option.low is None and option.high is None, "min and max of spins only", line)
        if option.kind == "check":
            expect(option.default in ("true", "false"), "default true or false", line)
        if option.kind == "combo":
            expect(option.default in option.choices, "a default that is one of the vars", line)
            lower = [choice.lower() for choice in option.choices]
            expect(len(set(lower)) == len(lower), "vars that differ, whatever their case", line)
        else:
            expect(not option.choices, "vars of combos only", line)


@step("option-names", 5)
async def option_names(subject: Subject) -> None:
    """Name options uniquely whatever the case, and without the words of an option line."""
    names: set[str] = set()
    for line in await subject.greeting():
        if split_words(line)[0] == "option":
            name = parse_option(line).name
            check_name(name)
            expect(name.lower() not in names, "names that differ, whatever their case", line)
            names.add(name.lower())


@step("feature-lines", 3, dialects=("uhi",))
async def feature_lines(subject: Subject) -> None:
    """Declare features in lines `feature KEY=VALUE`, each key once, with the values of SPEC.md."""
    features: dict[str, str] = {}
    for line in await subject.greeting():
        if split_words(line)[0] != "feature":
            continue
        words = split_words(line)
        key, equals, value = words[1].partition("=") if len(words) == 2 else ("", "", "")
        expect(bool(key and equals and value), "feature KEY=VALUE", line)
        expect(key not in features, "each feature once", line)
        features[key] = value
    check_features(features, await subject.greeting())


LEAST_MAX_LINE = 65536
"""Bytes that the longest line of an engine must have at least."""


def check_features(features: dict[str, str], greeting: list[str]) -> None:
    """Fail unless features have the values that SPEC.md allows, given the whole greeting."""
    protocol = features.get("protocol", "uhi/1")
    good = bool(re.fullmatch(r"uhi/1(\.[0-9]+)?", protocol))
    expect(good, "feature protocol=uhi/1", protocol)
    dialects = features.get("dialects", "uhi").split(",")
    good = "uhi" in dialects and set(dialects) <= set(DIALECTS)
    expect(good, "feature dialects= with uhi and other dialects", ",".join(dialects))
    for key in ("json", "simultaneous"):
        value = features.get(key, "0")
        expect(value in ("0", "1"), f"feature {key}=0 or {key}=1", value)
    size = features.get("maxline", str(LEAST_MAX_LINE))
    good = (parse_int(size) or 0) >= LEAST_MAX_LINE
    expect(good, f"feature maxline= with a number of at least {LEAST_MAX_LINE}", size)
    views = features.get("views", "open")
    expect(views in ("strict", "open", "only"), "feature views=strict, open or only", views)
    if views == "strict":
        has_option = "strict views" in readable_options(greeting)
        expect(has_option, "an option Strict Views, since views=strict", "no such option")
    if "seats" in features:
        _check_seats(features["seats"], greeting)
    what = features.get("reproducible", "nodes+seed")
    expect(what == "nodes+seed", "feature reproducible=nodes+seed", what)


def _check_seats(value: str, greeting: list[str]) -> None:
    """Fail unless the feature seats is MIN..MAX, and the games have no other numbers."""
    found = re.fullmatch(r"([1-4])\.\.([1-4])", value)
    if not found or found[1] > found[2]:
        fail("feature seats=MIN..MAX with numbers from 1 to 4", value)
    for line in greeting:
        seats = re.search(r" seats=([0-9]{1,9})\b", line) if line.startswith("game ") else None
        if seats:
            covered = int(found[1]) <= int(seats[1]) <= int(found[2])
            expect(covered, f"games within feature seats={value}", line)


@step("game-lines", 3, dialects=("uhi",))
async def game_lines(subject: Subject) -> None:
    """List games in lines `game NAME/VERSION seats=N SETTING=DEFAULT...`, this one among them."""
    lines = [split_words(x) for x in await subject.greeting() if x.startswith("game")]
    for words in lines:
        name, slash, version = (words[1] if len(words) > 1 else "").partition("/")
        pairs = [word.partition("=") for word in words[2:]]
        keys = [key for key, _, _ in pairs]
        good = bool(name and slash and parse_int(version) is not None and pairs)
        good = good and all(key and equals and value for key, equals, value in pairs)
        good = good and len(set(keys)) == len(keys) and keys.count("seats") == 1
        expect(good, "game NAME/VERSION seats=N SETTING=DEFAULT...", " ".join(words))
    game = subject.game
    # The line tells the seats that the game has by default.
    seats = load(game.name).num_seats
    start = ["game", f"{game.name}/{game.version}", f"seats={seats}"]
    expect(
        any(words[:2] == start[:2] and start[2] in words for words in lines),
        f"a line `{' '.join(start)}...`",
        f"{len(lines)} other game lines",
    )


@step("handshake-again", 3)
async def handshake_again(subject: Subject) -> None:
    """Answer a second handshake like the first, and keep the position."""
    moment = subject.material.start
    talk = await subject.at(moment)
    await talk.send(subject.dialect)
    again = await talk.until(handshake_end(subject.dialect))
    strip = [line for line in again if not line.startswith("info ")]
    first = [line for line in talk.greeting if not line.startswith("info ")]
    expect(strip == first, "the same lines as in the first handshake", _difference(first, strip))
    await subject.stands_at(talk, moment)


def _difference(first: list[str], second: list[str]) -> str:
    changed = [line for line in second if line not in first]
    missing = [line for line in first if line not in second]
    return f"new: {'; '.join(changed[:2]) or 'none'}. Missing: {'; '.join(missing[:2]) or 'none'}"


@step("handshake-forms", 3, dialects=("uhi",))
async def handshake_forms(subject: Subject) -> None:
    """Take `uhi 1`, `uhi uhi/1` and `uhi 1.4` for the same as `uhi`."""
    talk = await subject.talk()
    for form in ("uhi 1", "uhi uhi/1", "uhi 1.4", "uhi uhi/1.0"):
        await talk.send(form)
        await talk.until("uhiok")


@step("version-refused", 3, dialects=("uhi",))
async def version_refused(subject: Subject) -> None:
    """Refuse another major version with `error unsupported` and without `uhiok`, and go on."""
    talk = await subject.talk()
    for version in ("99", "uhi/2", "0"):
        await talk.refused(f"uhi {version}", "unsupported")
    await subject.stands_at(await subject.at(subject.material.start), subject.material.start)


@step("other-dialects", 3)
async def other_dialects(subject: Subject) -> None:
    """Change to each further dialect that you speak, and back."""
    others = subject.other_dialects()
    if not others:
        raise Skip("the engine speaks no other dialect")
    moment = subject.material.start
    talk = await subject.open()
    for dialect in (*others, subject.dialect):
        talk.dialect = dialect
        await talk.send(dialect)
        await talk.until(handshake_end(dialect))
        await talk.refused("position view nonsense", "bad-position")
        await talk.place(moment.line)
        expect_legal((await talk.go("nodes 5 id x")).move, moment)


@step("ready-first", 3)
async def ready_first(subject: Subject) -> None:
    """Answer `isready` before any handshake."""
    talk = await subject.open(shake=False)
    await talk.send("isready")
    await talk.only_ready()


@step("go-first", 3)
async def go_first(subject: Subject) -> None:
    """Answer `go` before handshake and position with 0000 and a reason, then go on."""
    talk = await subject.open(shake=False)
    await talk.silent("ponderhit", "stop")
    await subject.has_no_position(talk)
    moment = subject.material.start
    await talk.place(moment.line)
    expect_legal((await talk.go("nodes 20")).move, moment)


@step("handshake-later", 3)
async def handshake_later(subject: Subject) -> None:
    """Take a position before the handshake and keep it."""
    moment = subject.material.start
    talk = await subject.open(shake=False)
    await talk.place(moment.line)
    talk.dialect = subject.dialect
    await talk.send(subject.dialect)
    await talk.until(handshake_end(subject.dialect))
    expect_legal((await talk.go("nodes 20")).move, moment)
