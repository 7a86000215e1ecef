"""Card files of any game: the file itself, the setting, the option, the commands."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import engine
from bench.cli import main
from bench.games import parse_game
from engine import card_file
from engine.card_file import Table, describe
from engine.settings import Setting

GAMES = [name for name in engine.available() if engine.has_cards(name)]


def shipped(name: str) -> Path:
    """Return the path of the shipped card file of a game."""
    return Path(engine.__file__).parent / "games" / name / "data.toml"


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each game with card files in turn."""
    return str(request.param)


def fault_of(path: object) -> str:
    """Return the error that a card file gives, without the name of the file."""
    with pytest.raises(engine.BadCards) as caught:
        engine.read_cards(str(path))
    text = str(caught.value)
    assert isinstance(caught.value, engine.EngineError)
    assert text.isprintable()
    return text.partition(": ")[2]


# ---- the file ----


def test_a_file_that_is_none(tmp_path: Path) -> None:
    """No file, a folder, no name of a file."""
    assert fault_of(tmp_path / "none.toml") == "No such file or directory"
    assert fault_of(tmp_path) == "no regular file"
    assert fault_of("") == "No such file or directory"
    assert fault_of("a\0b") == "no name of a file"
    assert fault_of(tmp_path / ("x" * 300)) == "File name too long"
    assert fault_of(tmp_path / "\ud800") == "no name of a file"
    (tmp_path / "loop").symlink_to("loop")
    assert "symbolic links" in fault_of(tmp_path / "loop")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_must_not_be_read(tmp_path: Path) -> None:
    """The system's reason."""
    path = tmp_path / "cards.toml"
    path.touch(mode=0o200)
    assert fault_of(path) == "Permission denied"


def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    """They are refused without being opened."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", "/dev/tty", "/dev/stdin"):
        if os.path.exists(path) and not os.path.isfile(path):
            assert fault_of(path) == "no regular file"


def test_a_pipe_put_there_meanwhile_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where it takes the place of the file after the look at it."""
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(card_file, "stat", SimpleNamespace(S_ISREG=lambda mode: True))
    assert fault_of(tmp_path / "pipe").startswith("game: is missing")
    silent = os.open(tmp_path / "pipe", os.O_RDWR)
    assert fault_of(tmp_path / "pipe").startswith("game: is missing")
    os.close(silent)


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"a = 1\nb = '\xff'\n", "line 2: byte 0xff is not UTF-8"),
        (b"\xff\xfea\x00", "line 1: byte 0xff is not UTF-8"),
        (b"#" * 501, "line 1: longer than 500 characters"),
        (b"\n" * 65_537, "larger than 65536 bytes"),
        (b"a = 1\nb =", "no TOML: Invalid value (at end of document)"),
        (b"a = 1\r\nb = 1 c = 2", "no TOML: Expected newline or end of document after a statement"),
        (b"a = 'x\0'", "no TOML: "),
        (b"game = 99999999999", "game: 99999999999 is not allowed; use "),
        (b"[game]", "game: a table is not allowed; use "),
        (b"", "game: is missing; give "),
        (b"Game = 1", "game: is missing (Game stands there); give "),
    ],
)
def test_what_is_in_the_file(raw: bytes, error: str, tmp_path: Path) -> None:
    """Encoding, size and syntax, with the line at fault."""
    path = tmp_path / "cards.toml"
    path.write_bytes(raw)
    assert fault_of(path).startswith(error)


def test_a_mark_at_the_start_is_accepted(name: str, tmp_path: Path) -> None:
    """Some editors write a byte order mark, some end lines with CR LF."""
    path = tmp_path / "cards.toml"
    text = shipped(name).read_text(encoding="utf-8").replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert engine.read_cards(str(path)) == engine.read_cards(str(shipped(name)))


def test_errors_name_the_file(tmp_path: Path) -> None:
    """As it was given; the end of a long path, escapes for what cannot be printed."""
    for path, shown in (
        ("no/such.toml", "no/such.toml"),
        ("no/\x1b[2J.toml", "'no/\\x1b[2J.toml'"),
        (f"/{'x' * 200}/cards.toml", f"...{'x' * 106}/cards.toml"),
    ):
        with pytest.raises(engine.BadCards) as caught:
            engine.read_cards(path)
        assert str(caught.value).startswith(f"{shown}: ")


def test_values_in_errors_are_short() -> None:
    """Whatever stands in a file."""
    deep: object = 1
    for _ in range(400):
        deep = [deep]
    for value in ("x" * 10**5, [1] * 10**5, 10**400, -(2**4000), deep, {"a": deep}, 1e300):
        assert len(describe(value)) < 70
    assert describe([True, 1.5, "a"]) == "[true, 1.5, 'a']"


def test_a_figure_without_a_status_is_refused() -> None:
    """Of its own or of its table."""
    table = Table("f", "t 1", {"a": 1, "b": 2, "b_status": "guess"})
    with pytest.raises(engine.BadCards, match="f: t 1: status: is missing; give one of"):
        table.expect(("a", "b"))
    table.values["status"] = "printed"
    table.expect(("a", "b"))
    assert table.statuses == {"a": "printed", "b": "guess"}


def test_a_game_without_cards(tmp_path: Path) -> None:
    """Its name is refused in a file, and the games that have cards are named."""
    path = tmp_path / "cards.toml"
    for name in sorted({*engine.available()} - {*GAMES}) + ["chess", "../kuhn"]:
        path.write_text(f'game = "{name}"')
        allowed = " or ".join(f'"{game}"' for game in GAMES)
        assert fault_of(path) == f"game: {name!r} is not allowed; use {allowed}"


# ---- the setting ----


def test_a_setting_of_digits() -> None:
    """So many hexadecimal digits in lower case, and nothing else."""
    setting = Setting("cards", "0a1b", (), "which cards", digits=4)
    assert setting.parse(" 0A1b ") == "0a1b"
    for text in ("", "0a1", "0a1b2", "0a1g", "0x1b", "-a1b", "٠a1b"):
        with pytest.raises(engine.BadSetting, match="use 4 hexadecimal digits"):
            setting.parse(text)


def test_the_default_is_the_shipped_file(name: str) -> None:
    """The constant in the settings is the hash of the file."""
    (setting,) = (s for s in engine.game_settings(name) if s.digits)
    assert engine.read_cards(str(shipped(name))) == (name, setting.default)
    assert engine.list_cards(name, setting.default)
    with pytest.raises(engine.BadSetting, match="give its file with the option CardFile"):
        engine.find_cards(name, "0" * setting.digits)


def test_a_game_is_named_with_its_cards(name: str) -> None:
    """In a text such as `NAME SETTING=VALUE`, beside a file for the same cards only."""
    cards = engine.read_cards(str(shipped(name)))
    game = parse_game(name, cards)
    assert game is parse_game(game.identity, cards) is engine.load(name)
    with pytest.raises(ValueError, match=f"cards={'0' * 12}, but the card file has {cards[1]}"):
        parse_game(f"{name} cards={'0' * 12}", cards)
    with pytest.raises(ValueError, match=f"the card file is for {name}, not for kuhn"):
        parse_game("kuhn", cards)


# ---- the option ----


def test_the_option_is_declared(talk, name: str) -> None:
    """As a text, beside the setting of each game with cards."""
    lines = talk.ask("uci")
    assert "option name CardFile type string default <empty>" in lines
    (setting,) = (s for s in engine.game_settings(name) if s.digits)
    declared = f"option name {name.capitalize()} {setting.name} type string"
    assert f"{declared} default {setting.default}" in lines


def test_the_option_reads_a_file(talk, name: str) -> None:
    """A file that cannot be used leaves all as it was."""
    talk.ask("debug on")
    path = shipped(name)
    said = f"info string option CardFile = {path}"
    assert talk.ask(f"setoption name cardfile value {path}") == [said]
    error = "info string error bad-value option CardFile: /nowhere/x: No such file or directory"
    assert talk.ask("setoption name CardFile value /nowhere/x") == [error]
    assert talk.server.options.text("CardFile") == str(path)
    assert talk.ask("setoption name CardFile") == [
        "info string error bad-value option CardFile needs a value"
    ]
    for text in ("", " ", "<empty>"):
        line = f"setoption name CardFile value {text}"
        assert talk.ask(line) == ["info string option CardFile = <empty>"]


def test_cards_of_the_option_must_be_loaded(talk, name: str) -> None:
    """A hash alone does not bring the cards."""
    line = f"setoption name {name} cards value"
    (said,) = talk.ask(f"{line} {'0' * 12}")
    assert f"option {name.capitalize()} cards: setting cards: no card set" in said
    (said,) = talk.ask(f"{line} x")
    assert "use 12 hexadecimal digits" in said
    assert talk.ask(f"setoption name Game value {name}", "isready") == ["readyok"]


@pytest.mark.parametrize(
    "path", ["a\tb\x1b[2J", "\0", "x" * 5000, "/dev/zero", "/", "~", "é\u202e"]
)
def test_strange_paths(talk, path: str) -> None:
    """One line of error, which a terminal can show."""
    (line,) = talk.ask(f"setoption name CardFile value {path}")
    assert line.startswith("info string error bad-value option CardFile: ")
    assert line.isprintable() and len(line) < 460


# ---- commands ----


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["match", "random", "random"],
        ["perft", *GAMES[:1], "0"],
        ["replay", "record.jsonl"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_checks_its_card_file(arguments: list[str]) -> None:
    """One line, exit code 2."""
    result = CliRunner().invoke(main, [*arguments, "--cards", "/nowhere/cards.toml"])
    assert result.exit_code == 2
    assert result.stderr == "Error: /nowhere/cards.toml: No such file or directory\n"
    assert result.stdout == ""


def test_cards_of_another_game(name: str) -> None:
    """They are refused."""
    for command in (
        ["games", "kuhn"],
        ["perft", "kuhn", "1"],
        ["match", "a", "b", "--game", "kuhn"],
    ):
        result = CliRunner().invoke(main, [*command, "--cards", str(shipped(name))])
        assert result.exit_code == 2
        assert f"the card file is for {name}, not for kuhn" in result.output


def test_a_path_that_no_engine_can_be_told(name: str, tmp_path: Path) -> None:
    """A command is one line of text."""
    path = tmp_path / "two\nlines.toml"
    path.write_bytes(shipped(name).read_bytes())
    result = CliRunner().invoke(
        main, ["match", "random", "random", "--game", name, "--cards", str(path)]
    )
    assert result.exit_code == 2
    assert "no name that can be told to an engine" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_listing_is_under_its_game(name: str) -> None:
    """`drakkar games NAME` tells the cards; a game without cards has none."""
    (setting,) = (s for s in engine.game_settings(name) if s.digits)
    result = CliRunner().invoke(main, ["games", name])
    for line in engine.list_cards(name, setting.default):
        assert line in result.output
    assert "cards" not in CliRunner().invoke(main, ["games", "kuhn"]).output
