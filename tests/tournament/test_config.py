"""The file of a tournament: its keys are the flags, and what is wrong in it is told well."""

import shlex
from pathlib import Path

import pytest
from click import Context, NoSuchOption, Option
from click import Path as ClickPath

from bench.commands.match import match
from bench.commands.options import flags
from bench.commands.setup import kinds_of, merge_file
from bench.commands.sprt import sprt
from bench.commands.tournament import tournament
from bench.contestant import Limit
from bench.tournament.config import (
    ENGINE,
    ENGINE_KEYS,
    NUMBER,
    SWITCH,
    TEXT,
    WHOLE,
    BadConfig,
    line_of,
    parse_engine,
    read_config,
)

# A value of each kind that suits any option of that kind, but for choices and files.
SAMPLES = {TEXT: '"10+0.1"', WHOLE: "7", NUMBER: "0.25", SWITCH: "true"}


def write(folder: Path, text: str) -> Path:
    """Write a file of a tournament."""
    path = folder / "cup.toml"
    path.write_text(text, encoding="utf-8")
    return path


def merged(path: Path, *words: str) -> dict[str, object]:
    """Return the options of the command with a file and flags."""
    ctx = tournament.make_context("tournament", [str(path), *words])
    values = dict(ctx.params)
    merge_file(ctx, path, values)
    return values


def test_keys_are_flags_and_the_reverse(tmp_path: Path) -> None:
    """Each long option but help, found in the command itself, is a key, and nothing else is."""
    found = flags(tournament)
    assert set(kinds_of(tournament)) | {ENGINE} == set(found)
    for key, option in found.items():
        if key == ENGINE:
            continue
        kind = kinds_of(tournament)[key]
        value = SAMPLES[kind]
        if hasattr(option.type, "choices"):
            value = f'"{option.type.choices[0]}"'
        assert option.name is not None
        values = merged(write(tmp_path, f"{key} = {value}\n"))
        default = merged(write(tmp_path, ""))
        by_flag = [f"--{key}"] if kind == SWITCH else [f"--{key}", value.strip('"')]
        flagged = merged(write(tmp_path, ""), *by_flag)
        if not isinstance(option.type, ClickPath):
            assert values[option.name] == flagged[option.name]
        changed = {name for name in values if values[name] != default[name]}
        assert changed <= {option.name, "file"}


def test_the_commands_share_their_options() -> None:
    """The same flag has the same type, default and help in match, sprt and tournament."""

    def told(option: Option) -> tuple[object, ...]:
        return option.opts, option.secondary_opts, option.default, option.help, str(option.type)

    shared = flags(match)
    assert set(shared) < set(flags(sprt))
    assert set(flags(sprt)) - {"a", "b"} < set(flags(tournament))
    for command in (sprt, tournament):
        for key, option in flags(command).items():
            if key in shared:
                assert told(option) == told(shared[key])


def test_flags_win(tmp_path: Path) -> None:
    """Whatever the file says, switches too, even where a flag gives the default."""
    path = write(tmp_path, "nodes = 7\nseed = 9\nquiet = true\nillegal = 'stop'\n")
    values = merged(path)
    assert [values[key] for key in ("nodes", "seed", "quiet", "illegal")] == [7, 9, True, "stop"]
    values = merged(path, "--seed", "1", "--no-quiet", "--nodes", "8")
    assert [values[key] for key in ("nodes", "seed", "quiet", "illegal")] == [8, 1, False, "stop"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed = 1\n\ntiem = 5", "line 3: no key 'tiem' here; do you mean timeout?"),
        ("concurency = 4", "line 1: no key 'concurency' here; do you mean concurrency?"),
        ("ping_timeout = 4", "do you mean ping-timeout?"),
        ("help = true", "no key 'help'"),
        ("no-quiet = true", "do you mean quiet?"),
        ("[sprt]\nelo0 = 1", "line 1: no key 'sprt'"),
        ("nodes = '5'", "line 1: nodes is a whole number, not the text '5'"),
        ("nodes = 5.0", "nodes is a whole number, not 5.0"),
        ("nodes = true", "nodes is a whole number, not true"),
        ("timeout = 'long'", "timeout is a number, not the text 'long'"),
        ("quiet = 1", "quiet is true or false, not 1"),
        ("tc = 10", "tc is text, not 10"),
        ("tc = ['10']", "tc is text, not a list"),
        ("seed = 1\nseed = 2", "cup.toml: Cannot overwrite a value"),
        pytest.param("x = " + "[" * 5000 + "]" * 5000, "too deep", id="deep"),
        pytest.param(f"nodes = {'9' * 5000}", "4300 digits", id="long"),
        pytest.param(f"timeout = {'9' * 400}", "line 1: timeout", id="beyond floats"),
        pytest.param("#" * 2**20 + "#", "longer than 1 MiB", id="big"),
        ('record = "a\\u0000b"', "line 1: record: "),
        ('cards = "a\\u0000b"', "line 1: cards: "),
        ('openings = "a\\u0000b"', "line 1: openings: "),
        ('[[engine]]\ncommand = "a\\u0000b"', "line 2, engine 1: command: no text"),
        ("nodes = 0", "line 1: nodes: 0 is not in the range"),
        ("timeout = nan", "line 1: timeout: nan is no number"),
        ("illegal = 'forgive'", "line 1: illegal: 'forgive' is not one of"),
        ("engine = 5", "engines are tables"),
        ("engine = [5]", "engine 1: an engine is a table"),
        ("[[engine]]\nnmae = 'x'", "line 2, engine 1: no key 'nmae' here; do you mean name?"),
        (
            "[[engine]]\npreset = 'random'\n[[engine]]\npreset = 'random'\nnodes = '1'",
            "line 5, engine 2: nodes is a whole number, not the text '1'",
        ),
        ("[[engine]]\nname = 'x'", "line 1, engine 1: give either a preset or a command"),
        ("[[engine]]\npreset = 'a'\ncommand = 'b'", "give either a preset or a command"),
        ("[[engine]]\npreset = 'vanila'", "no preset 'vanila'; do you mean vanilla?"),
        ("[[engine]]\npreset = 'random'\noptions = 5", "options are a table"),
        ("[[engine]]\npreset = 'random'\noptions = {A = []}", "the value of option A is text"),
        ("[[engine]]\npreset = 'random'\noptions = {nodes = 1}", "'nodes' cannot be told"),
        ("[[engine]]\npreset = 'random'\noptions = {A = \"x\\ny\"}", "cannot be told"),
        ("[[engine]]\npreset = 'random'\nname = ''", "the name is empty"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, message: str) -> None:
    """File, line where it can be found, key, and what would be right."""
    path = write(tmp_path, text)
    with pytest.raises(Exception) as caught:
        merged(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("text", [b"\xff = 1", b"nodes = ", None])
def test_files_that_cannot_be_read(tmp_path: Path, text: bytes | None) -> None:
    """No UTF-8, no TOML, not there."""
    path = tmp_path / "cup.toml"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(BadConfig, match="cup.toml"):
        read_config(path, {})


def test_a_mark_of_the_encoding_is_no_part_of_it(tmp_path: Path) -> None:
    """Some editors begin a file with one."""
    path = tmp_path / "cup.toml"
    path.write_bytes(b"\xef\xbb\xbfnodes = 7\r\n")
    assert merged(path)["nodes"] == 7


def test_values_of_engines(tmp_path: Path) -> None:
    """Label, own limits and options, in the order of the file."""
    path = write(
        tmp_path,
        "[[engine]]\nname = 'Mädchen 海 \"x\"'\npreset = 'vanilla'\nnodes = 5\n"
        "options = { Threads = 2, Ponder = true, 'Own Book' = 'a b' }\n"
        "[[engine]]\ncommand = 'python3 -c pass'\ntc = '40/60+0.5'\n",
    )
    one, other = (entry.contestant(Limit(nodes=9)) for entry in read_config(path, {}).engines)
    assert one.label == 'Mädchen 海 "x"'
    assert (str(one.limit), one.options) == (
        "nodes 5",
        {"Preset": "vanilla", "Threads": "2", "Ponder": "true", "Own Book": "a b"},
    )
    assert other.argv == ["python3", "-c", "pass"]
    assert (other.limit.base_ms, other.limit.inc_ms, other.limit.period) == (60000, 500, 40)
    bad = write(tmp_path, "\n[[engine]]\ncommand = 'nobody'\n")
    with pytest.raises(BadConfig, match="line 2, engine 1: no preset and no command 'nobody'"):
        read_config(bad, {}).engines[0].contestant(Limit())


def test_an_engine_as_a_flag() -> None:
    """The same keys in one text; a text without any is a preset or command."""
    entry = parse_engine("name=x y, command=python3 -c pass, nodes=100, Threads=2", "--engine 1")
    made = entry.contestant(Limit())
    assert (made.label, made.argv, made.limit.nodes) == ("x y", ["python3", "-c", "pass"], 100)
    assert made.options == {"Threads": "2"}
    assert parse_engine("vanilla", "").contestant(Limit(nodes=3)).options == {"Preset": "vanilla"}
    for text, message in (
        ("name=x", "--engine 1: give either"),
        ("preset=vanila", "do you mean vanilla"),
        ("preset=random,nodes", "name=value"),
        ("preset=random,nodes=x", "--engine 1: nodes='x'"),
    ):
        with pytest.raises(BadConfig, match=message):
            parse_engine(text, "--engine 1").contestant(Limit())


def test_a_length_that_is_typed_wins_in_either_form(tmp_path: Path) -> None:
    """Games and blocks say the same thing."""
    path = write(tmp_path, "games = 40\n")
    values = merged(path, "--blocks", "3")
    assert (values["games"], values["blocks"]) == (None, 3)
    values = merged(write(tmp_path, "blocks = 40\n"), "--games", "6")
    assert (values["games"], values["blocks"]) == (6, None)


@pytest.mark.parametrize("text", ["[[engine]]\ncommand = './e --x'", "engine = ['./e --x']"])
def test_an_engine_is_called_as_it_is_written(tmp_path: Path, text: str) -> None:
    """Tables do not show where the file is."""
    entry = read_config(write(tmp_path, text), kinds_of(tournament)).engines[0]
    made = entry.contestant(Limit(nodes=1))
    assert made.label == "./e --x"
    assert made.argv == [str(tmp_path / "e"), "--x"]


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    """Those of options, of the command, and those that begin with a dot in it."""
    folder = tmp_path / "a b"
    folder.mkdir()
    path = write(
        folder,
        "openings = 'o.txt'\njournal = '/j'\nevents = '-'\ncards = '../c.txt'\n"
        "[[engine]]\ncommand = 'bin/run --book x/y'\n"
        "[[engine]]\ncommand = 'python3 ./e.py ../f plain/g'\n"
        "[[engine]]\ncommand = '/usr/bin/env true'\n",
    )
    values = merged(path)
    assert values["openings"] == folder / "o.txt"
    assert values["journal"] == Path("/j")
    assert str(values["events"]) == "-"
    assert values["card_file"] == str(folder / "../c.txt")
    first, second, third = (shlex.split(e.text) for e in read_config(path, KINDS).engines)
    assert first == [str(folder / "bin/run"), "--book", "x/y"]
    assert second == ["python3", str(folder / "e.py"), str(folder / "../f"), "plain/g"]
    assert third == ["/usr/bin/env", "true"]


KINDS = kinds_of(tournament)


def test_lines_are_found() -> None:
    """Of keys, of tables, and of keys in the table of one engine."""
    text = "a = 1\n[[engine]]\nname = 'x'\n [[ engine ]]\n'name' = 'y'\n"
    assert line_of(text, "a") == 1
    assert line_of(text, "engine") == 2
    assert [line_of(text, "name", number) for number in range(3)] == [3, 5, None]
    assert [line_of(text, "engine", number) for number in range(2)] == [2, 4]
    assert set(ENGINE_KEYS) == {
        *("name", "preset", "command", "nodes", "movetime", "depth", "tc", "options")
    }


def test_a_flag_that_is_misspelt_far_off_has_a_near_one() -> None:
    """Also where click itself finds nothing like it."""
    with pytest.raises(NoSuchOption) as caught:
        tournament.make_context("tournament", ["--zzz", "4"])
    assert "Did you mean '--" in str(caught.value.message)
    assert isinstance(caught.value.ctx, Context)
