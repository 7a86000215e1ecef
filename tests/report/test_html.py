"""The report page: complete, well-formed, without a script, and drawn by a browser."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from journals import Sampler, sample_plan, write_journal

from bench.cli import main
from bench.report.html import ratings_html
from bench.report.journals import pool
from bench.report.plots import spread, ticks
from bench.report.ratings import report
from bench.statistics.sprt import SprtTest
from bench.tournament.sequential import SequentialTest

VOID = {"meta", "link", "line", "rect", "circle", "polyline", "br"}


class Checker(HTMLParser):
    """Reads a page and keeps what is wrong with its nesting, and all that it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.faults: list[str] = []
        self.links: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self.tags.add(tag)
        self.links += [str(value) for name, value in attrs if name in ("href", "src")]
        self.faults += [f"{tag} {name}" for name, _ in attrs if name.startswith("on")]
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element without content."""
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Take text."""
        self.words += data


def page(path: Path) -> str:
    """Return the page of a journal."""
    pooled = pool([path])
    return ratings_html(report(pooled.tally, pooled.about, pooled.terms, replicates=50))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a round robin, of a test, of tables of three, and of a run with little in it."""
    labels = ["vanilla", 'Mädchen 海 "x" <b>&', "greedy", "a name that is much too long for a plot"]
    plans = {
        "pool": (sample_plan(labels, blocks=10), [100.0, 0.0, 0.0, -100.0], {1: 0.2}),
        "test": (
            sample_plan(
                ["new", "old"], "match", 40, test=SequentialTest(SprtTest(0, 20), 8), seed=2
            ),
            [50.0, 0.0],
            {},
        ),
        "tables": (
            sample_plan(["a", "b", "c", "d"], blocks=2, game="oh_hell seats=3"),
            [100.0, 0.0, 0.0, -100.0],
            {},
        ),
        "little": (sample_plan(["a", "b"], "match", 1), [5000.0, -5000.0], {}),
    }
    found = {}
    for name, (plan, strengths, faults) in plans.items():
        path = tmp_path_factory.mktemp("journals") / f"{name}.jsonl"
        write_journal(path, Sampler(plan, strengths, faults, has_luck=name == "pool"))
        found[name] = page(path)
    return found


def test_the_page_is_sound_and_stands_alone(pages: dict[str, str]) -> None:
    """Well-formed, no script, nothing from elsewhere, no number that is none."""
    for name, text in pages.items():
        checker = Checker()
        checker.feed(text)
        assert (checker.faults, checker.open) == ([], []), name
        assert not checker.tags & {"script", "iframe", "img", "object"}
        assert set(checker.links) == {"data:,", "#main"}
        assert not re.search(r"url\(|@import|https?:", text)
        assert not re.search(r"\b(nan|inf|None)\b", text), name
        assert text.isprintable() or set(re.findall(r"[^\x20-\x7e]", text)) <= set("\n± –海ä…")


def test_every_part_is_there(pages: dict[str, str]) -> None:
    """Tables and plots of a pool; names are shown as they are, and are no markup."""
    text = pages["pool"]
    for title in ("Standings", "Ratings", "Cross table", "Score over time", "Margins", "By seat"):
        assert f"<h2>{title}</h2>" in text
    for title in ("Less luck", "Verdicts", "Time"):
        assert f"<h2>{title}</h2>" in text
    assert "Sequential test" not in text
    assert "Mädchen 海 &quot;x&quot; &lt;b&gt;&amp;" in text and "<b>&" not in text
    assert text.count("<svg") == 3 + 4  # ratings, scores, luck of margins, and a margin plot each
    assert "time 4" in text or re.search(r"time \d+", text)
    assert "<h2>Sequential test</h2>" in pages["test"] and "Cross table" not in pages["test"]
    assert "Seat 3" in pages["tables"]
    assert "at least" in pages["little"]


def test_plots_are_reachable(pages: dict[str, str]) -> None:
    """By keyboard and by screen reader: regions with a name, pictures with a description."""
    for text in pages.values():
        for svg in re.findall(r"<svg[^>]*>", text):
            assert 'role="img"' in svg and re.search(r'aria-label="[^"]{10,}"', svg)
        for region in re.findall(r'<div class="scroll"[^>]*>', text):
            assert 'tabindex="0"' in region and "aria-label=" in region
        assert text.count("<table") == text.count("<caption>")
        assert '<html lang="en">' in text and "prefers-color-scheme:dark" in text


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    """Beside the text."""
    journal, out = tmp_path / "j.jsonl", tmp_path / "r.html"
    write_journal(journal, Sampler(sample_plan(["a", "b"], "match", 3), [0.0, 0.0]))
    result = CliRunner().invoke(main, ["ratings", str(journal), "--html", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "kuhn/1: 6 games" in result.stdout


def test_round_numbers_and_labels_apart() -> None:
    """Ticks lie within the range; labels keep their order and their distance."""
    for low, high in ((0, 230), (-3.2, 3.1), (0.001, 0.009), (-1e5, 1e5), (5, 5)):
        found = ticks(low, high)
        assert all(low - 1e-6 <= tick <= high + 1e-6 for tick in found)
        assert len(found) <= 12
    places = [50.0, 51.0, 52.0, 10.0, 90.0, 90.0]
    moved = spread(places, 18, 0, 120)
    assert sorted(range(6), key=moved.__getitem__) == sorted(range(6), key=places.__getitem__)
    ordered = sorted(moved)
    assert all(b - a >= 17.99 for a, b in zip(ordered, ordered[1:], strict=False))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_draws_it_without_a_complaint(
    pages: dict[str, str], tmp_path: Path, scheme: str
) -> None:
    """Headless Chromium: no message on its console, and a picture that is not empty."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium on this machine")
    for name in ("pool", "test"):
        file, picture = tmp_path / f"{name}.html", tmp_path / f"{name}.png"
        file.write_text(pages[name], encoding="utf-8")
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr"]
        command += [f"--blink-settings=preferredColorScheme={int(scheme == 'light')}"]
        command += ["--window-size=1100,2400", f"--screenshot={picture}", file.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert "CONSOLE" not in done.stderr, done.stderr
        assert picture.stat().st_size > 20_000
