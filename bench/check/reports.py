"""Steps: what `info` lines say, and how many there are."""

from bench.check.grammar import Answer, parse_info, readable_options
from bench.check.material import Moment
from bench.check.steps import Skip, expect, step
from bench.check.subject import Subject, expect_legal
from bench.check.talk import Talk
from protocol.messages import INT_MAX

NEEDED = ("depth", "nodes", "time", "score", "pv")
"""Fields of a final report."""

REPORTS_A_SECOND = 10


def check_report(answer: Answer, lines: int) -> None:
    """Fail unless the final report stands before `bestmove`, has its fields, and fits the move."""
    report = answer.report
    told = f"directly before bestmove {lines} info line(s) with {' '.join(NEEDED)}"
    expect(len(report) == lines, told, f"{len(report)} such lines")
    for rank, info in enumerate(report, 1):
        missing = [field for field in NEEDED if field not in info]
        expect(not missing, told, f"a line without {' '.join(missing)}")
        expect(info.get("multipv", 1) == rank, f"multipv {rank}", str(info.get("multipv")))
    first = [_first(info) for info in report]
    expect(first[0] == answer.move, f"a pv that begins with {answer.move}", first[0])
    expect(len(set(first)) == lines, "lines that begin with different moves", " ".join(first))


def _first(info: dict[str, object]) -> str:
    pv = info["pv"]
    assert isinstance(pv, list)
    return str(pv[0])


@step("final-report", 8)
async def final_report(subject: Subject) -> None:
    """Print the final report directly before every `bestmove`."""
    material = subject.material
    moments = [material.choice, material.start, *([material.forced] if material.forced else [])]
    for moment in moments:
        talk = await subject.at(moment)
        for limits in ("nodes 1", "nodes 50", "depth 1", "movetime 30", "movetime 0"):
            answer = await talk.go(limits)
            expect_legal(answer.move, moment)
            check_report(answer, 1)


@step("final-report-stopped", 8)
async def final_report_stopped(subject: Subject) -> None:
    """Print the final report also when a search is stopped."""
    talk = await subject.at(subject.material.choice)
    await talk.send("go infinite")
    await talk.quiet(0.05)
    check_report(await talk.stop(), 1)


@step("info-fields", 8)
async def info_fields(subject: Subject) -> None:
    """Print `info` lines whose fields have their kinds and ranges."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    infos = []
    for limits in ("nodes 200", "movetime 150"):
        lines = (await talk.go(limits)).lines
        infos += [(x, parse_info(x)) for x in lines if x.startswith("info ")]
    for line, info in infos:
        full = info.get("hashfull", 0)
        expect(isinstance(full, int) and full <= 1000, "hashfull up to 1000", line)
        chances = info.get("wdl")
        if isinstance(chances, list):
            good = sum(chances) == 1000
            expect(good, "wdl that sums up to 1000", line)
        doubt = info.get("se", 0)
        expect(isinstance(doubt, int) and doubt <= 1000, "a standard error up to 1000", line)
        expect(info.get("solved", 0) in (0, 1), "solved 0 or 1", line)
        if "pv" in info:
            expect(_first(info) in moment.legal, "a pv that begins with a legal move", line)
        depth = info.get("depth", 0)
        assert isinstance(depth, int)
        deepest = info.get("seldepth", depth)
        expect(isinstance(deepest, int) and deepest >= depth, "seldepth not below depth", line)


@step("multipv-many", 8)
async def multipv_many(subject: Subject) -> None:
    """Print one line for each rank, and never more than there are moves."""
    material = subject.material
    declared = readable_options((await subject.talk()).greeting).get("multipv")
    most = declared.high if declared is not None and declared.high is not None else INT_MAX
    if declared is None:
        answer = await (await subject.at(material.choice)).go("nodes 100 multipv 2")
        if len(answer.report) == 1:
            raise Skip("the engine has no option MultiPV and takes no notice of multipv")
    for moment in (material.choice, material.forced or material.start):
        talk = await subject.at(moment)
        for wanted in (1, 2, len(moment.legal), len(moment.legal) + 7, 10**20):
            if wanted > most and most < len(moment.legal):
                continue  # more than it declares
            answer = await talk.go(f"nodes 100 multipv {wanted}")
            expect_legal(answer.move, moment)
            check_report(answer, min(wanted, len(moment.legal)))


@step("zero-multipv", 8)
async def zero_multipv(subject: Subject) -> None:
    """Take `multipv 0` and `movestogo 0` as if not given."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for limits in ("nodes 20 multipv 0", "nodes 20 multipv -3", "nodes 20 movestogo 0"):
        answer = await talk.go(limits)
        expect(not answer.errors, "no complaint", str([error.text for error in answer.errors]))
        check_report(answer, 1)


@step("report-flood", 8)
async def report_flood(subject: Subject) -> None:
    """Report at most ten times a second."""
    seconds = 0.8
    for moment in _quickest(subject):
        talk = await subject.at(moment)
        answer = await talk.go(f"movetime {1000 * seconds:.0f} multipv 2")
        reports = sum(_begins_report(line) for line in answer.lines)
        # First and last report, and one that was due at the edge.
        most = int(REPORTS_A_SECOND * max(seconds, answer.seconds)) + 3
        expect(reports <= most, f"at most {most} reports in {seconds:g} s", str(reports))


def _quickest(subject: Subject) -> list[Moment]:
    """Return a decision near the end of a game, where a search finds little to do."""
    return [subject.material.decisions[-1]]


def _begins_report(line: str) -> bool:
    info = parse_info(line) if line.startswith("info ") else {}
    return "pv" in info and info.get("multipv", 1) == 1


@step("slow-reader", 8)
async def slow_reader(subject: Subject) -> None:
    """Meet a move time although nobody reads for a while."""
    import asyncio

    talk = await subject.at(subject.material.choice)
    await talk.send("go movetime 200 multipv 9")
    await asyncio.sleep(0.3)
    expect_legal((await talk.answer()).move, subject.material.choice)


@step("no-wdl", 5, option="UCI_ShowWDL")
async def no_wdl(subject: Subject) -> None:
    """Leave out the field wdl while UCI_ShowWDL is false."""
    option = subject.option("UCI_ShowWDL")
    talk = await subject.at(subject.material.choice)
    for value in ("false", "true"):
        await talk.silent(f"setoption name UCI_ShowWDL value {value}")
        has = any("wdl" in info for info in (await talk.go("nodes 20")).report)
        expect(has == (value == "true"), f"wdl with the option true only, now {value}", str(has))
    await talk.silent(f"setoption name UCI_ShowWDL value {option.default}")


@step("ponder-move", 3)
async def ponder_move(subject: Subject) -> None:
    """Print a ponder move only while the option Ponder is true, and never under ugi."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    answer = await talk.go("nodes 100")
    expect(answer.ponder == "", "no ponder move while Ponder is false", answer.ponder)
    await _with_ponder(subject, talk)


async def _with_ponder(subject: Subject, talk: Talk) -> None:
    try:
        subject.option("Ponder")
    except Skip:
        return
    await talk.silent("setoption name Ponder value true")
    # The parser of `bestmove` lines knows what each dialect allows.
    expect_legal((await talk.go("nodes 100")).move, subject.material.choice)
    await talk.silent("setoption name Ponder value false")
