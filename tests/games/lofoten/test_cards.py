"""RULES part 15: card files, what is refused in them, and what a set is worth knowing by."""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from talking import ROOT, Process

import engine
from bench.cli import main
from bench.games import parse_game
from engine.games.lofoten import data, vocabulary
from engine.games.lofoten.card_list import list_cards

SHIPPED = Path(data.DATA_FILE).read_text(encoding="utf-8")
STAND_IN = next(s.default for s in engine.game_settings("lofoten") if s.name == "cards")


class Broken(NamedTuple):
    """A card file with a fault, and what is said of it; `*` stands for any text."""

    text: str
    error: str


def edited(old: str, new: str, nth: int = 1, text: str = SHIPPED) -> str:
    """Return the shipped file with the nth occurrence of a text replaced."""
    parts = text.split(old)
    assert len(parts) > nth, f"{old!r} occurs {len(parts) - 1} times"
    return old.join(parts[:nth]) + new + old.join(parts[nth:])


def edits() -> dict[str, Broken]:
    """Return the cases of broken_cards.txt by name."""
    text = (Path(__file__).parent / "broken_cards.txt").read_text(encoding="utf-8")
    form = re.compile(r"^(\w.*)\n-(\d*) ?(.*)\n\+ ?(.*)\n= (.*)$", re.MULTILINE)
    cases = {}
    for name, nth, old, new, error in form.findall(text):
        old, new = (part.encode().decode("unicode_escape") for part in (old, new))
        cases[name] = Broken(edited(old, new, int(nth or 1)), error)
    assert len(cases) == text.count("\n= ")
    return cases


def last_of(kind: str) -> str:
    """Return the text of the last table of a kind."""
    table: str = re.findall(rf"\[\[{kind}\]\]\n(?:[^\[\n#].*\n)+", SHIPPED)[-1]
    return table


def write(folder: Path, text: str, name: str = "cards.toml") -> str:
    """Return the path of a new card file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


W8 = "points = 8\nstatus"
KEYS = "the keys here are: game, name, type, orders, *"
BROKEN = edits() | {
    "a Jarl less": Broken(edited(last_of("jarl"), ""), "jarl: 7 tables [[jarl]]; there must be 8"),
    "a requirement less": Broken(
        edited(last_of("requirement"), ""), "requirement: 6 tables [[requirement]]; there must be 7"
    ),
    "a type less": Broken(edited(last_of("type"), ""), "type: 3 tables [[type]]; there must be 4"),
    "no Jarls": Broken(
        SHIPPED.replace("[[jarl]]", "[[jarls]]"), f"jarls: no such key (do you mean jarl?); {KEYS}"
    ),
    "no side": Broken(
        re.sub(r"b = \{.*merchandise_of.*\n", "", SHIPPED, count=1),
        "requirement 1: b: is missing; give a table",
    ),
    "warehouse is no array": Broken(
        re.sub(r"(?s)\[\[warehouse\]\].*?# ---- J", "[warehouse]\nlevel = 1\n# ---- J", SHIPPED),
        "warehouse: a table is not allowed; use 16 tables [[warehouse]]",
    ),
    "order of levels": Broken(
        edited("level = 1", "level = 2", 8, edited("level = 2", "level = 1")),
        "warehouse 8: level: 2 is not allowed; use level 1 for the first 8, then level 2",
    ),
    "a strange table": Broken(SHIPPED + "\n[rules]\nx = 1\n", f"rules: no such key; {KEYS}"),
    "empty": Broken("", 'game: is missing; give "lofoten"'),
    "nested too deeply": Broken("game = [\n" + f"{'[' * 490}\n" * 9, "no TOML: *"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_file_gives_one_clear_error(fault: str, tmp_path: Path) -> None:
    """Exit code 2 and one line that names file, key, value and what is allowed."""
    path = write(tmp_path, BROKEN[fault].text)
    result = CliRunner().invoke(main, ["games", "--cards", path])
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    (line,) = result.stderr.splitlines()
    error = line.removeprefix(f"Error: {path}: ")
    pattern = ".*".join(re.escape(part) for part in BROKEN[fault].error.split("*"))
    assert re.fullmatch(pattern, error), error
    assert result.stdout == ""
    assert line.isprintable()
    assert len(error) < 300


def test_there_are_enough_broken_files() -> None:
    """Every case is a file of its own."""
    assert len({case.text for case in BROKEN.values()}) == len(BROKEN) > 80


def test_a_broken_file_is_no_set(tmp_path: Path) -> None:
    """What is refused is not kept, so no game can be loaded with it."""
    before = dict(data.SETS)
    with pytest.raises(engine.BadCards):
        engine.read_cards(write(tmp_path, edited(W8, "points = 60\nstatus")))
    assert before == data.SETS


WORD = re.compile(r'"[^"\n]*"|[\w-]+|[\[\]{}=,#\n]')


def mangled(stream: random.Random) -> str:
    """Return the shipped file with words dropped, doubled, exchanged and made up."""
    text = SHIPPED
    for _ in range(stream.randint(1, 3)):
        spans = [match.span() for match in WORD.finditer(text)]
        (a, b), (c, d) = sorted(stream.sample(spans, 2))
        odd = stream.choice(("-1", "0", "1e9", "[]", "{}", '""', '"\\u0000"', "\x01", "é", "a.b"))
        text = text[:a] + stream.choice(("", text[a:b] * 2, text[c:d], odd)) + text[b:]
    return text


@pytest.mark.parametrize("seed", range(3))
def test_a_mangled_file_gives_an_error_or_a_whole_set(seed: int, tmp_path: Path) -> None:
    """Nothing but BadCards, whatever stands in the file."""
    stream = random.Random(seed)
    refused = 0
    for _ in range(100):
        path = write(tmp_path, mangled(stream))
        try:
            box = data.find(engine.read_cards(path)[1])
        except engine.BadCards as error:
            refused += 1
            assert str(error).startswith(f"{path}: ") and str(error).isprintable()
        else:
            assert (sum(box.orders), sum(box.tiles), sum(box.coins)) == (36, 32, 8)
            assert (len(box.houses), len(box.jarls), len(box.requirements)) == (16, 8, 14)
    assert 50 < refused < 100


# ---- the shipped set ----


def test_the_default_is_the_shipped_set() -> None:
    """The constant that the handshake shows is the hash of the file."""
    assert data.shipped().hash == STAND_IN
    assert data.find(STAND_IN) is data.shipped()
    assert len(STAND_IN) == 12 and int(STAND_IN, 16)


def test_the_shipped_set() -> None:
    """As on the page of stand-in cards, in its order."""
    box = data.shipped()
    assert box.names == ["mead", "fish", "sheep", "coffer"]
    assert [data.EFFECTS[i] for i in box.effects] == ["discard", "rotate", "move", "coin"]
    assert box.orders == [3] * 12
    assert box.tiles == [1, 1, 2, 2, 1, 1] * 4
    assert box.coins == [2, 3, 3]
    assert [card.a for card in box.houses[:8]] == [4, 5, 5, 6, 6, 7, 7, 8]
    level_2 = [(card.key, card.a, card.b) for card in box.houses[8:]]
    assert level_2 == [
        ("most_tiles", 6, 0),
        ("own_bucklers", 2, 8),
        ("rival_bucklers", 6, 0),
        ("difference", 8, 0),
        ("runner_up", 6, 3),
        ("threshold", 5, 4),
        ("fewest", 6, 0),
        ("buckler_pairs", 3, 6),
    ]
    jarls = [(card.key, card.a, card.b) for card in box.jarls]
    assert jarls == [
        ("tribute", 3, 0),
        ("harbour", 0, 0),
        ("rowers", 1, 0),
        ("traders", 1, 0),
        ("swift", 2, 0),
        ("renown", 4, 0),
        ("banners", 1, 6),
        ("storehouse", 2, 0),
    ]
    sides = [(card.key, card.type, card.a) for card in box.requirements]
    for i in range(4):
        assert sides[2 * i : 2 * i + 2] == [("tiles_of_type", i, 3), ("merchandise_of_type", i, 6)]
    assert sides[8:] == [
        ("each_type", 7, 1),
        ("merchandise", 7, 10),
        ("bucklers_each", 7, 2),
        ("bucklers_alike", 7, 5),
        ("give_coins", 7, 3),
        ("own_coins", 7, 5),
    ]
    ships = box.longships
    assert (ships.a_points, ships.b_total, ships.d_uses, ships.points) == (3, 4, 4, [1, 3, 6, 10])


def test_numbers_of_kinds_are_those_of_the_vocabulary() -> None:
    """C knows a kind by its place in the vocabulary."""
    box = data.shipped()
    for cards, kinds in (
        (box.houses, vocabulary.SCORINGS),
        (box.jarls, vocabulary.ABILITIES),
        (box.requirements, vocabulary.REQUIREMENTS),
    ):
        assert {card.key for card in cards} == {kind.name for kind in kinds}
        for card in cards:
            assert kinds[card.kind].name == card.key


def test_every_figure_of_the_shipped_set_has_its_status() -> None:
    """Nothing but the words; no text shows the cards, so all scorings of level 2 are guesses."""
    box = data.shipped()
    assert box.status == "stand-in"
    assert set(box.statuses.values()) == {"rulebook", "sourced", "inferred", "guess"}
    assert box.statuses["type 1", "effect"] == "sourced"
    assert box.statuses["orders", "total"] == "rulebook"
    assert box.statuses["orders", "F"] == "guess"
    assert box.statuses["requirement 1 a", "type"] == "inferred"
    assert box.houses[0].statuses == {"scoring": "rulebook", "points": "guess"}
    for card in (*box.houses[8:], *box.jarls):
        assert set(card.statuses.values()) == {"guess"}


# ---- the hash ----


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Lofoten", "# My own"),
        (W8, f'name = "Kabelvåg"\n{W8}'),
        ('status = "stand-in"', 'status = "mixed"\nname = "from my box"'),
        ('status = "guess"', 'status = "printed"'),
        ('name = "fish"', 'name = "stockfish"'),
        ("[orders] ", "[orders]\r\n"),
    ],
)
def test_what_plays_no_part_is_not_in_the_hash(old: str, new: str, tmp_path: Path) -> None:
    """Comments, names and statuses."""
    path = write(tmp_path, edited(old, new))
    assert engine.read_cards(path) == ("lofoten", STAND_IN)


def test_what_plays_a_part_is_in_the_hash(tmp_path: Path) -> None:
    """Each figure that can differ from the shipped ones gives a hash of its own."""
    texts = [
        SHIPPED,
        edited('"@"', '"move"', 1, edited('"move"', '"rotate"', 1, edited('"rotate"', '"@"'))),
        edited("M = [3, 3, 3]\nF = [3, 3, 3]", "M = [3, 3, 2]\nF = [3, 3, 4]"),
        edited("Mx = [1, 2, 1]\nMo = [1, 2, 1]", "Mx = [2, 2, 1]\nMo = [0, 2, 1]"),
        edited("first = 2", "first = 3"),
        edited("second = 3", "second = 2"),
        edited("at_most = 8", "at_most = 9"),
        edited("points = 6\nsecond = 3", "points = 3\nsecond = 6"),
        edited('"most_tiles"', '"fewest"'),
        edited('"rowers"\nmoves', '"traders"\nuses'),
        edited('"swift"\ncoins = 2', '"swift"\ncoins = 1'),
        edited('type = "M", tiles', 'type = "F", tiles'),
        edited('"give_coins", coins = 3', '"give_coins", coins = 4'),
    ]
    hashes = [engine.read_cards(write(tmp_path, text))[1] for text in texts]
    assert len(set(hashes)) == len(texts)


# ---- a set of one's own ----

OWN = {
    "M = [3, 3, 3]\nF = [3, 3, 3]": "M = [2, 5, 2]\nF = [4, 1, 4]",
    "first = 2\nsecond = 3": "first = 0\nsecond = 4",
    W8: f'name = "Kabelvåg {{points}}"\n{W8.replace("8", "11")}',
    '"runner_up"\npoints = 6\nsecond = 3': '"runner_up"\npoints = 9\nsecond = 4',
    '"traders"\nuses = 1': '"rowers"\nmoves = 2',
    '"swift"\ncoins = 2': '"swift"\ncoins = 1',
    "merchandise = 10": "merchandise = 12",
    'status = "stand-in"': 'status = "mixed"\nname = "half my box"',
}


@pytest.fixture
def own(tmp_path: Path) -> str:
    """A card file with other numbers."""
    text = SHIPPED
    for old, new in OWN.items():
        text = edited(old, new, text=text)
    return write(tmp_path, text, "my own cards.toml")


def test_a_set_of_ones_own(own: str) -> None:
    """All its numbers are taken, and it is found by its hash from then on."""
    name, digits = engine.read_cards(own)
    assert name == "lofoten" and digits != STAND_IN
    box = data.find(digits)
    assert box.orders == [2, 5, 2, 4, 1, 4, 3, 3, 3, 3, 3, 3]
    assert box.coins == [0, 4, 4]
    assert (box.houses[7].a, box.houses[7].name) == (11, "Kabelvåg {points}")
    assert (box.houses[12].a, box.houses[12].b) == (9, 4)
    assert [box.jarls[i].key for i in (2, 3)] == ["rowers", "rowers"]
    assert (box.status, box.name) == ("mixed", "half my box")
    assert engine.find_cards("lofoten", digits) is box
    engine.read_cards(own)
    assert data.find(digits) is box


def test_a_set_of_printed_cards(tmp_path: Path) -> None:
    """Nothing in it is a guess."""
    text = SHIPPED.replace('"guess"', '"printed"').replace('"stand-in"', '"printed"')
    name, digits = engine.read_cards(write(tmp_path, text))
    assert digits == STAND_IN


def test_the_game_plays_with_its_cards(own: str) -> None:
    """What the rules use is what the file holds."""
    _, digits = engine.read_cards(own)
    for value in (STAND_IN, digits):
        game = engine.load("lofoten", cards=value)
        box = data.find(value)
        assert game.cards is box
        box_as_dealt = game.fields(game.new_state())
        for field, counts in (("deck", box.orders), ("unseen", box.tiles), ("coins", box.coins)):
            assert box_as_dealt[field] == counts, field


def test_an_unknown_set_says_what_to_do() -> None:
    """Both in Python and in a position text."""
    with pytest.raises(
        engine.BadSetting, match="no card set 0123456789ab is loaded; give its file"
    ):
        engine.load("lofoten", cards="0123456789ab")
    with pytest.raises(engine.BadSetting, match="use 12 hexadecimal digits"):
        engine.load("lofoten", cards="0123456789")
    with pytest.raises(engine.BadPositionText, match="option CardFile or --cards") as caught:
        engine.load("lofoten").from_text("lofoten/1 me=p1 cards=0123456789ab")
    assert caught.value.key == "cards"


def test_cards_belong_to_the_game(own: str) -> None:
    """They are in its identity, always, and a text without them is read with the reader's."""
    _, digits = engine.read_cards(own)
    shipped, mine = engine.load("lofoten"), engine.load("lofoten", cards=digits)
    assert shipped.identity == f"lofoten/1 cards={STAND_IN}"
    assert mine.identity == f"lofoten/1 cards={digits}"
    assert mine.from_text("lofoten/1").to_text() == mine.identity
    assert shipped.from_text("lofoten/1").to_text() == shipped.identity
    assert shipped.from_text(mine.identity).game is mine
    assert mine.from_text(shipped.identity).game is shipped
    assert parse_game(mine.identity) is mine


# ---- the listing ----


def test_the_listing_of_the_shipped_set() -> None:
    """Every card in words with the status of its figures, and plainly a stand-in."""
    result = CliRunner().invoke(main, ["games", "lofoten"])
    assert result.exit_code == 0, result.output
    assert f"cards {STAND_IN}: a stand-in set of our own, NOT the published cards" in result.output
    box = data.shipped()
    for card in (*box.houses, *box.jarls, *box.requirements):
        assert card.words() in result.output
    for row in (
        "  w1   level 1, who has more merchandise: 4  (scoring rulebook, points guess)",
        "  w13  level 2, who has more merchandise: 6; the other, with a tile there: 3  (guess)",
        "  j5   from now on, coins for an additional turn: 2  (guess)",
        "  q1b  merchandise of mead stored: 6  (kind rulebook, merchandise rulebook, "
        "type inferred)",
        "  F fish    rotate: the fleet turns a quarter  (guess)",
        "  S sheep   3, 3, 3  (guess)",
        "  C coffer  x: 1, 2, 1  (guess)  o: 1, 2, 1  (guess)",
        "coins: first player 2, second 3, reserve 3  (rulebook)",
    ):
        assert row in result.output.splitlines(), row
    assert not re.search(r"[{}]", result.output)


def test_the_listing_of_a_set_of_ones_own(own: str) -> None:
    """`drakkar games --cards FILE`, with or without the name of the game."""
    result = CliRunner().invoke(main, ["games", "--cards", own])
    assert result.exit_code == 0, result.output
    assert CliRunner().invoke(main, ["games", "lofoten", "--cards", own]).output == result.output
    _, digits = engine.read_cards(own)
    assert result.output.startswith(f"lofoten/1 cards={digits}: ")
    assert f"cards {digits} 'half my box': partly a stand-in" in result.output
    assert "'Kabelvåg {points}': who has more merchandise: 11" in result.output
    assert list(list_cards(data.find(digits)))[0] in result.output


# ---- engines, matches and records ----


@pytest.fixture
def process() -> Iterator[Process]:
    """An engine process."""
    process = Process()
    yield process
    process.close()


def test_an_engine_plays_with_a_card_file(own: str, process: Process) -> None:
    """A process of its own, over the protocol."""
    _, digits = engine.read_cards(own)
    process.send(f"uhi\nsetoption name CardFile value {own}\nquery game")
    assert process.read_until("response")[-1] == f"response lofoten/1;cards={digits}"
    process.send("position startpos\ngo nodes 20\nquery view")
    lines = process.read_until("response")
    assert not [line for line in lines if line.startswith("error")]
    assert f";cards={digits};" in lines[-1] and "coins=0.4.4" in lines[-1]
    view = lines[-1].removeprefix("response ").replace(";", " ")
    process.send(f"position view {view}\nquery turn")
    assert process.read_until("response")[-1] == "response p1"
    process.send(f"setoption name CardFile value {own}.bak\nquery game")
    lines = process.read_until("response")
    assert lines[-2].startswith("error bad-value option CardFile: ")
    assert lines[-2].endswith(".bak: No such file or directory")
    assert lines[-1] == f"response lofoten/1;cards={digits}"
    process.send("position view lofoten/1 me=p2\nquery game")
    assert process.read_until("response")[-1] == f"response lofoten/1;cards={digits}"
    process.send("setoption name CardFile value <empty>")
    process.send("position view lofoten/1 me=p2\nquery game")
    assert process.read_until("response")[-1] == f"response lofoten/1;cards={STAND_IN}"
    assert process.ended()[0] == 0


def test_engines_with_other_cards_refuse_the_position(own: str, process: Process) -> None:
    """An engine that has not read the same cards names the field and says what to do."""
    _, digits = engine.read_cards(own)
    other = process
    other.send(f"uhi\nposition view lofoten/1 me=p1 cards={digits}\ngo nodes 5")
    lines = other.read_until("bestmove")
    assert lines[-3] == (
        f"error bad-position token 5: setting cards: no card set {digits} is loaded; "
        "give its file with the option CardFile or --cards"
    )
    assert lines[-1] == "bestmove 0000"
    other.send(f"setoption name Lofoten cards value {digits}\nquery game")
    assert other.read_until("response")[-2].startswith("error bad-value option Lofoten cards: ")
    other.send(f"setoption name CardFile value {own}")
    other.send(f"position view lofoten/1 me=p1 cards={digits}\nquery turn")
    assert other.read_until("response")[-1] == "response chance"
    assert other.ended()[0] == 0


@pytest.mark.slow
def test_a_match_and_its_record(own: str, tmp_path: Path) -> None:
    """`--cards` reaches both engines; the record tells the cards and needs them."""
    _, digits = engine.read_cards(own)
    record = str(tmp_path / "games.jsonl")
    arguments = ["match", "random", "random", "--games", "2", "--nodes", "1", "--cards", own]
    result = CliRunner().invoke(main, [*arguments, "--record", record])
    assert result.exit_code == 0, result.output
    assert f"lofoten/1 cards={digits}: 2 games" in result.output
    shown = CliRunner().invoke(main, ["replay", record, "--cards", own])
    assert shown.exit_code == 0, shown.output
    command = [sys.executable, str(ROOT / "drakkar.py"), "replay", record]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert f"no card set {digits} is loaded; give its file" in refused.stderr


def test_an_engine_without_the_cards_loses_its_games(own: str, tmp_path: Path) -> None:
    """An engine that declares no CardFile cannot be told, and refuses to play."""
    filter_ = tmp_path / "engine.py"
    filter_.write_text(
        "import subprocess, sys\n"
        f"command = [sys.executable, {str(ROOT / 'drakkar.py')!r}]\n"
        "engine = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1)\n"
        "for line in engine.stdout:\n"
        "    if 'CardFile type' not in line:\n"
        "        print(line, end='', flush=True)\n"
    )
    arguments = ["match", "random", f"{sys.executable} {filter_}", "--games", "2", "--nodes", "1"]
    result = CliRunner().invoke(main, [*arguments, "--cards", own, "--concurrency", "1"])
    assert result.exit_code == 0, result.output
    assert "lost game 1 of block 1 by illegal" in result.output
    assert "no card set" in result.output and "is loaded" in result.output


def test_a_count_with_a_card_file(own: str) -> None:
    """`perft --cards`: also where the position text does not name the cards."""
    arguments = ["perft", "lofoten", "0", "--cards", own]
    assert CliRunner().invoke(main, arguments).output == "1\n"
    result = CliRunner().invoke(main, [*arguments, "--position", "lofoten/1"])
    assert result.output == "1\n"
