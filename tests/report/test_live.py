"""The display of a run: on a terminal, elsewhere, narrow, dumb, quiet, broken."""

import io
import re
from typing import Any

import pytest

from bench.report.live import Live
from bench.report.panel import panel
from bench.report.screen import fit
from bench.report.words import width

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def events(blocks: int = 20, labels: tuple[str, ...] = ("a", "b"), test: bool = False):
    """Yield the events of a run that goes well, each with the time before it."""
    yield {
        "event": "run",
        "game": "kuhn/1",
        "contestants": [{"label": label} for label in labels],
        "format": {"name": "match"},
        "blocks": blocks,
        "games_per_block": 2,
        "concurrency": 2,
        "resumed_blocks": 0,
    }
    for block in range(blocks):
        one, other = block % len(labels), (block + 1) % len(labels)
        for seats in ([one, other], [other, one]):
            returns, word = [1.0, 0.0], "rules"
            yield {"event": "game", "seats": seats, "returns": returns, "termination": word}
        yield standings(block + 1, blocks, labels, 0.15 * block if test else None)
    yield {"event": "end", "reason": "finished", "text": "", "resume": None, "exit_code": 0}


def standings(
    blocks: int, planned: int, labels: tuple[str, ...], llr: float | None
) -> dict[str, Any]:
    """Return the event of the standings."""
    test = {"llr": llr, "lower": -2.94, "upper": 2.94, "decision": None, "blocks": blocks}
    test |= {"elo0": 0, "elo1": 10, "model": "normalized"}
    rows = [
        {"label": label, "rating": 50.0 - place, "error": 12.0, "score": 0.5, "games": 2 * blocks}
        | {"points": blocks, "wins": 1, "draws": 2, "losses": 3, "terminations": {"time": place}}
        for place, label in enumerate(labels)
    ]
    return {"event": "standings", "blocks": blocks, "planned": planned, "rows": rows} | {
        "sprt": None if llr is None else test,
        "notes": ["round 1 of 3"],
        "lag_p99_ms": 0.1,
    }


def shown(stream: io.StringIO, run, **options: Any) -> str:
    """Show a run on a stream and return what was written."""
    clock = Clock()
    live = Live(stream, clock=clock, **options)
    for event in run:
        live(event)
        clock.now += 1.0
    live.close()
    return stream.getvalue()


def test_plain_off_a_terminal() -> None:
    """About ten lines, without control characters."""
    text = shown(io.StringIO(), events())
    assert text.count("\n") == 10
    assert text.splitlines()[-1].startswith("40 of 40 games, 20 : 20 points")
    assert not CONTROL.search(text)


def test_warnings_are_lines_of_their_own() -> None:
    """With what could hurt a terminal made visible; the end tells how to go on."""
    run = [*events(2)]
    run.insert(3, {"event": "warning", "text": "odd \x1b[2J bytes"})
    run[-1] = {"event": "end", "reason": "interrupted", "text": "interrupted", "resume": "go on"}
    lines = shown(io.StringIO(), run).splitlines()
    assert r"warning: odd \x1b[2J bytes" in lines
    assert lines[-2:] == ["interrupted", "to go on: go on"]


def test_a_test_moves_the_plain_lines() -> None:
    """A long plan may be over soon, so a step towards a bound counts as a step of the run."""
    text = shown(io.StringIO(), list(events(1000, test=True))[:60])
    assert 5 <= text.count("\n") <= 10
    assert "LLR" in text and "at most" in text


def test_one_renewing_block_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame goes up by as many rows as the one before has; it ends below the last one."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.setenv("LINES", "30")
    text = shown(Terminal(), events(6, test=True))
    frames = text.split("\r")[1:]
    assert len(frames) > 10
    rows = 0
    for frame in frames:
        moved = re.match(r"\x1b\[(\d+)A\x1b\[J", frame)
        assert int(moved.group(1)) if moved else rows == 0
        assert (int(moved.group(1)) if moved else 0) == rows
        rows = frame.count("\n")
    assert "12 of 12 games" in frames[-1] and frames[-1].endswith("\n")
    assert "LLR +0.75" in frames[-1] and "round 1 of 3" in frames[-1]


def test_a_narrowed_terminal_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that the terminal has broken meanwhile take two rows."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LINES", "30")
    stream, clock = Terminal(), Clock()
    live = Live(stream, clock=clock)
    run = list(events(6))
    monkeypatch.setenv("COLUMNS", "80")
    for event in run[:4]:
        live(event)
        clock.now += 1.0
    stream.seek(0)
    stream.truncate()
    last = panel(live.view, 80, 30)
    monkeypatch.setenv("COLUMNS", "40")
    live(run[4])
    rows = sum(max(1, -(-width(re.sub(r"\x1b\[\d*m", "", line)) // 40)) for line in last)
    assert stream.getvalue().startswith(f"\r\x1b[{rows}A")
    assert rows > len(last)


@pytest.mark.parametrize("columns", [10, 20, 40, 60, 100])
@pytest.mark.parametrize("lines", [4, 8, 24])
def test_no_line_is_too_wide(columns: int, lines: int) -> None:
    """Of any terminal, with long and wide names and more contestants than rows."""
    labels = ("vanilla", "Mädchen 海 " * 5, *(f"engine {n}" for n in range(9)))
    live = Live(io.StringIO())
    for event in events(12, labels, test=True):
        live(event)
    block = [re.sub(r"\x1b\[\d*m", "", line) for line in panel(live.view, columns, lines)]
    assert len(block) <= max(1, lines - 1)
    assert all(width(line) < columns for line in block)
    if columns >= 40 and lines == 24:
        assert "+50 ± 12" in " ".join(block)


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    """It cannot move its cursor."""
    monkeypatch.setenv("TERM", term)
    assert not CONTROL.search(shown(Terminal(), events()))


def test_colours_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """By NO_COLOR, as everywhere."""
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[32m" in shown(Terminal(), events(3))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[\d*m", shown(Terminal(), events(3)))


def test_quiet_is_quiet() -> None:
    """Nothing at all, warnings neither."""
    run = [*events(3), {"event": "warning", "text": "odd"}]
    assert shown(io.StringIO(), run, quiet=True) == ""


def test_a_stream_that_takes_no_more_is_left_alone() -> None:
    """The run matters more."""

    class Full(io.StringIO):
        asked = 0

        def write(self, text: str) -> int:
            self.asked += 1
            raise OSError(28, "No space left on device")

    full = Full()
    live = Live(full)
    for event in events():
        live(event)
    live.close()
    assert full.asked == 1
    closed = io.StringIO()
    closed.close()
    assert Live(closed)(next(events())) is None


def test_letters_that_the_stream_cannot_take() -> None:
    """P59: under LANG=C names are escaped and nothing fails."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert fit("Mädchen 海 +5 ± 3\n", stream) == "M\\xe4dchen \\u6d77 +5 +- 3\n"
    shown_run = Live(stream)
    for event in events(3, ("Mädchen 海", "b", "c")):
        shown_run(event)
    stream.flush()
    assert b"\\xe4dchen" in stream.buffer.getvalue()


def test_resumed_games_count_but_not_in_the_rate() -> None:
    """P54: 14 of 1000 games were there already."""
    clock = Clock()
    live = Live(io.StringIO(), clock=clock)
    first, *rest = events(500)
    live(first | {"resumed_blocks": 7})
    assert (live.view.games, live.view.planned_games, live.view.rate) == (14, 1000, None)
    clock.now = 60.0
    live(rest[0])
    assert (live.view.games, live.view.rate) == (15, 1.0)
    void = rest[1] | {"termination": "interrupted"}
    live(void)
    assert live.view.games == 15


def test_a_resumed_match_tells_the_points_of_all_its_games() -> None:
    """None before the standings know them, for those of the games from now on mislead."""
    live = Live(io.StringIO(), clock=Clock())
    first, *_ = events(500, ("a", "b"))
    live(first | {"resumed_blocks": 7})
    assert "points" not in live.view.line()
    rows = [{"contestant": 1, "points": 9.5}, {"contestant": 0, "points": 4.5}]
    live({"event": "standings", "planned": 500, "rows": rows, "sprt": None})
    assert "14 of 1000 games, 4.5 : 9.5 points" in live.view.line()
