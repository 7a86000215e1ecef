"""Files that people write: too long, too deep, not there, or with a mark of their encoding."""

from pathlib import Path

import pytest

from bench.games import parse_game
from bench.ladder.scale import NoScale, load_scale
from bench.openings import BadOpening, read_openings
from bench.reading import BadText, parse_toml, read_text


def test_a_device_without_an_end_is_no_text() -> None:
    """It is not read to the end of the memory."""
    for most in (10, 1 << 20):
        with pytest.raises(BadText, match="longer than"):
            read_text(Path("/dev/zero"), most)
    game = parse_game("kuhn")
    with pytest.raises(NoScale, match="/dev/zero: no scale: it is longer than"):
        load_scale(game, Path("/dev/zero"))
    with pytest.raises(BadOpening, match="/dev/zero: it is longer than"):
        read_openings(Path("/dev/zero"), game)


@pytest.mark.parametrize("text", ["x = " + "[" * 5000, f"x = {'9' * 5000}", "x = ", "x\0"])
def test_odd_toml_is_one_fault(tmp_path: Path, text: str) -> None:
    """Also in a scale."""
    with pytest.raises(BadText):
        parse_toml(text)
    scale = tmp_path / "scale.toml"
    scale.write_text(text, encoding="utf-8")
    with pytest.raises(NoScale, match="no scale"):
        load_scale(parse_game("kuhn"), scale)


def test_a_scale_that_is_not_there_is_told_by_its_name(tmp_path: Path) -> None:
    """And not as a game without one."""
    with pytest.raises(NoScale, match=r"gone\.toml: no scale: No such file"):
        load_scale(parse_game("kuhn"), tmp_path / "gone.toml")


def test_a_mark_of_the_encoding_is_passed_over(tmp_path: Path) -> None:
    """In openings, too."""
    path = tmp_path / "openings"
    path.write_bytes(b"\xef\xbb\xbf17\r\n18\r\n")
    assert [opening.deal for opening in read_openings(path, parse_game("kuhn"))] == [17, 18]
