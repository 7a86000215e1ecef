"""Steps: the limits of `go`, alone and together."""

from functools import partial

from bench.check.grammar import errors_among
from bench.check.steps import AT_ONCE_S, MARGIN_S, Skip, expect, in_time, step
from bench.check.subject import Subject, expect_legal
from bench.check.talk import Talk

QUICK_S = 3.0
"""Seconds within which a search of few nodes must be over, on any machine."""


async def _decide(subject: Subject, talk: Talk, limits: str) -> float:
    """Search at the widest choice, check the move, return the seconds it took."""
    answer = await talk.go(limits)
    expect_legal(answer.move, subject.material.choice)
    return answer.seconds


async def _decide_quickly(subject: Subject, talk: Talk, limits: str) -> None:
    """Search where a small limit has to end it."""
    wait = partial(_decide, subject, talk, limits)
    await in_time(wait, QUICK_S, f"bestmove for `{limits}`")


@step("go-nodes", 8)
async def go_nodes(subject: Subject) -> None:
    """End a search at its limit in `nodes`."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for limit in (1, 20, 300):
        answer = await talk.go(f"nodes {limit}")
        expect_legal(answer.move, moment)
        nodes = answer.report[0].get("nodes") if answer.report else None
        if isinstance(nodes, int):
            most = max(limit, len(moment.legal))
            expect(nodes <= most, f"at most {most} nodes reported", str(nodes))


@step("go-worlds", 8)
async def go_worlds(subject: Subject) -> None:
    """End a search at its limit in `worlds`."""
    talk = await subject.at(subject.material.choice)
    await talk.send("go worlds 20 id w")
    lines = await talk.sync()
    if errors_among(lines, talk.dialect):
        await talk.send("stop")
        if not any(line.startswith("bestmove") for line in lines):
            await talk.answer()
        raise Skip("the engine does not know the limit worlds")
    if not any(line.startswith("bestmove") for line in lines):
        await talk.answer()
    await _decide_quickly(subject, talk, "worlds 20")
    await _decide_quickly(subject, talk, "worlds 20 nodes 1000000000")


@step("go-depth", 8)
async def go_depth(subject: Subject) -> None:
    """End a search at its limit in `depth`."""
    await _decide(subject, await subject.at(subject.material.choice), "depth 1")


@step("go-movetime", 8)
async def go_movetime(subject: Subject) -> None:
    """End a search at its `movetime`."""
    talk = await subject.at(subject.material.choice)
    for ms in (150, 1):
        limits = f"movetime {ms}"
        wait = partial(_decide, subject, talk, limits)
        await in_time(wait, ms / 1000 + MARGIN_S, f"bestmove for `{limits}`")


@step("first-limit", 8)
async def first_limit(subject: Subject) -> None:
    """End a search at the first of several limits."""
    talk = await subject.at(subject.material.choice)
    for limits in (
        "movetime 60000 nodes 20",
        "nodes 20 movetime 60000 depth 9999",
        "depth 1 movetime 60000 nodes 1000000000",
        "nodes 1000000000 depth 9999 movetime 100",
    ):
        await _decide_quickly(subject, talk, limits)


@step("doubled-key", 8)
async def doubled_key(subject: Subject) -> None:
    """Let the last of a doubled key count."""
    talk = await subject.at(subject.material.choice)
    for limits in ("nodes 1000000000 nodes 20", "movetime 60000 movetime 50 nodes 1000000000"):
        await _decide_quickly(subject, talk, limits)


@step("missing-value", 8)
async def missing_value(subject: Subject) -> None:
    """Skip a key without a number, but not the key behind it."""
    talk = await subject.at(subject.material.choice)
    for limits in ("movetime nodes 20", "depth x nodes 20", "nodes 20 movetime", "p1time nodes 20"):
        await _decide_quickly(subject, talk, limits)


@step("zero-limits", 8)
async def zero_limits(subject: Subject) -> None:
    """Answer zero for `nodes`, `depth` or `movetime` with a legal move at once."""
    talk = await subject.at(subject.material.choice)
    for limits in ("nodes 0", "depth 0", "movetime 0", "movetime 0 nodes 1000000000"):
        await in_time(
            partial(_decide, subject, talk, limits), AT_ONCE_S, f"bestmove for `{limits}`"
        )


@step("negative-limits", 8)
async def negative_limits(subject: Subject) -> None:
    """Answer less than zero for `nodes`, `depth` or `movetime` with a legal move at once."""
    talk = await subject.at(subject.material.choice)
    for limits in ("nodes -1", "depth -3", "movetime -5"):
        await in_time(
            partial(_decide, subject, talk, limits), AT_ONCE_S, f"bestmove for `{limits}`"
        )


@step("go-mate", 8)
async def go_mate(subject: Subject) -> None:
    """Answer `go mate` too, alone and beside another limit."""
    talk = await subject.at(subject.material.choice)
    for limits in ("mate 3", "mate 3 nodes 20"):
        await _decide(subject, talk, limits)


@step("no-limit", 8)
async def no_limit(subject: Subject) -> None:
    """Take `go` without a limit for `infinite`, and say so by an error."""
    moment = subject.material.choice
    for limits in ("", "seed 4", "p4inc 5"):
        talk = await subject.at(moment)
        await talk.send(f"go {limits}".rstrip())
        lines = await talk.sync()
        talk.one_error([x for x in lines if _is_error(x)], f"go {limits}", "bad-value")
        held = [line for line in lines if line.startswith("bestmove")]
        expect(not held, "no bestmove before `stop`", str(held))
        await talk.quiet(0.06)
        expect_legal((await talk.stop()).move, moment)


def _is_error(line: str) -> bool:
    return line.startswith(("error ", "info string error "))


@step("searchmoves", 8)
async def searchmoves(subject: Subject) -> None:
    """Search only the moves that `searchmoves` lists."""
    moment = subject.material.choice
    talk = await _with_searchmoves(subject)
    for word in (moment.legal[0], moment.legal[-1]):
        for limits in (f"nodes 20 searchmoves {word}", f"searchmoves {word} nodes 20"):
            answer = await talk.go(limits)
            expect(answer.move == word, f"bestmove {word}", answer.move)


async def _with_searchmoves(subject: Subject) -> Talk:
    """Return the shared process at the widest choice; Skip if it takes no notice of the key."""
    talk = await subject.at(subject.material.choice)
    answer = await talk.go("nodes 20 searchmoves !nonsense!")
    if "illegal-move" not in [error.code for error in answer.errors]:
        raise Skip("the engine does not know searchmoves")
    return talk


@step("searchmoves-unknown", 8)
async def searchmoves_unknown(subject: Subject) -> None:
    """Report and skip words in `searchmoves` that are no legal moves."""
    moment = subject.material.choice
    talk = await _with_searchmoves(subject)
    word = moment.legal[-1]
    answer = await talk.go(f"nodes 20 searchmoves !nonsense! {word}")
    expect(answer.move == word, f"bestmove {word}", answer.move)
    codes = [error.code for error in answer.errors]
    expect(codes == ["illegal-move"], "one error `illegal-move`", str(codes))


@step("go-id", 8, dialects=("uhi",))
async def go_id(subject: Subject) -> None:
    """Give the id of a `go` back in `bestmove` and in errors, and none where none was given."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for limits, wanted in (
        ("nodes 20 id 41", "41"),
        ("id Äpfel-7 nodes 20", "Äpfel-7"),
        ("nodes 20", ""),
        ("nodes 20 id a id b", "b"),
        (f"nodes 20 id {'x' * 64}", "x" * 64),
    ):
        answer = await talk.go(limits)
        expect(answer.go_id == wanted, f"the id {wanted!r}", repr(answer.go_id))
        expect_legal(answer.move, moment)
    await talk.send("go infinite id late")
    await talk.quiet(0.02)
    answer = await talk.stop()
    expect(answer.go_id == "late", "the id 'late' also after `stop`", repr(answer.go_id))
    await talk.silent("uhinewgame")
    answer = await talk.go("nodes 20 id 42")
    ids = [error.go_id for error in answer.errors]
    expect(answer.go_id == "42" and ids == ["42"], "error and bestmove with the id 42", str(ids))


@step("bad-id", 8, dialects=("uhi",))
async def bad_id(subject: Subject) -> None:
    """Refuse an id of more than 64 characters or with unprintable ones, and search without it."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for text in ("x" * 65, "a\x1b[2Jb"):
        answer = await talk.go(f"nodes 20 id {text}")
        codes = [error.code for error in answer.errors]
        expect(codes == ["bad-value"], "one error `bad-value`", str(codes))
        expect(answer.go_id == "", "no id", answer.go_id)
        expect_legal(answer.move, moment)


@step("no-id", 3, dialects=("uci", "ugi"))
async def no_id(subject: Subject) -> None:
    """Print no id outside uhi, whatever the `go` says."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    answer = await talk.go("nodes 20 id 41")
    expect(answer.go_id == "" and "41" not in answer.lines[-1].split(), "bestmove without id")
    expect_legal(answer.move, moment)


@step("forced-move", 8)
async def forced_move(subject: Subject) -> None:
    """Answer with the only legal move where there is one, under every kind of limit."""
    moment = subject.material.forced
    if moment is None:
        raise Skip("this game never leaves only one move")
    talk = await subject.at(moment)
    for limits in ("nodes 50", "movetime 50", "p1time 1000 p2time 1000", "depth 1"):
        expect_legal((await talk.go(limits)).move, moment)
