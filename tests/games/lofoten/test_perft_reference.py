"""The perft tables of Lofoten against the slow rules, as deep as a few seconds allow."""

from perft_reference import MANY, count, recount, summary, told
from perft_tables import Entry, entries
from reference import from_text

SHALLOW = 1000


def test_the_reference_counts_the_same():
    results = [recount(entry) for entry in told(SHALLOW)]
    figures = summary(results)
    assert figures["differing"] == []
    assert figures["positions"] == len({entry.position for entry in told()}), "none is left out"


def test_there_are_enough_tables():
    deep = [entry for entry in told() if entry.count >= MANY]
    assert len({entry.position for entry in deep}) >= 40
    for setting in ("level2=4", "jarls=on", "upgrades=on", "ship-c=must", "final-b=one"):
        assert any(setting in entry.position.split() for entry in deep), setting
    names = [entry.name for entry in entries("lofoten") if entry.depth == 1]
    assert len(set(names)) == len(names)


def test_a_wrong_count_is_told():
    entry = Entry("the first tiles", "lofoten/1", None, 1, 25)
    result = recount(entry)
    assert result[1] == count(from_text("lofoten/1"), 1) == 24
    figures = summary([result])
    assert figures["differences"] == 1
    assert figures["differing"] == ["the first tiles: depth 1: 24, the table has 25"]
