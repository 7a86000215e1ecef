"""RULES.md against the sources and the tests: rules, rulings, settings, functions, examples."""

import ast
import re
from pathlib import Path

import pytest

import engine
from engine.games import lofoten

FOLDER = Path(lofoten.__file__).parent
TESTS = Path(__file__).parent
RULES = (FOLDER / "RULES.md").read_text(encoding="utf-8")
SETTINGS = {setting.name: setting for setting in engine.game_settings("lofoten")}
RULINGS = ["B1", *(f"R{n}" for n in range(1, 33)), *(f"R33{c}" for c in "abcde")]
RULINGS += [f"R{n}" for n in range(34, 91)]
# Rulings where other readings are as good: each is a setting.
FREE = "2 3 5 18 27 41 48 51 54 55 60 62 65 70 71 74 79 84 86 87 88 89 90".split()
# The examples that the rulebooks work out, in their order.
EXAMPLES = {
    "the three moves of the right card": "test_4_2_the_three_moves_of_the_example",
    "three coffers, up to three coins": "test_6_2_the_three_coffers_of_the_example",
    "no coffer, still one coin": "test_6_2_none_stored_still_gives_one_coin",
    "the fish that go where fish is": "test_6_10_the_fish_of_the_example_must_go_where_fish_is",
}


def part(number):
    """Return the text of a part of RULES.md."""
    found = re.search(rf"^## {number} .*?(?=^## |\Z)", RULES, re.MULTILINE | re.DOTALL)
    assert found, f"RULES.md has no part {number}"
    return found[0]


def table(text):
    """Return the rows of the tables of a text as lists of cells, heads and lines left out."""
    rows = re.findall(r"^\|(.*)\|$", text, re.MULTILINE)
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows]
    return [row for n, row in enumerate(cells) if not set(row[0]) <= {"-"} and not head(cells, n)]


def head(cells, n):
    return n + 1 < len(cells) and set(cells[n + 1][0]) == {"-"}


def in_code(text):
    """Return what a text has between backquotes."""
    return re.findall(r"`([^`]*)`", text)


def rule_rows():
    """Return the rows of parts 2 to 12 that begin with a number, by that number."""
    rows = [row for number in range(2, 13) for row in table(part(number))]
    return {row[0].partition(" ")[0]: row for row in rows if re.match(r"\d+\.\d+ ", row[0])}


def test_functions():
    """Return file::name of each test of the rules with its syntax tree."""
    found = {}
    for path in sorted(TESTS.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.name}::{node.name}"] = node
    return found


test_functions.__test__ = False
FUNCTIONS = test_functions()
ROWS = rule_rows()
BY_NUMBER = {row[0]: row for row in table(part(16))}


def cited(node):
    """Return the rulings that a test names; "R38 to R40" are three."""
    text = ast.get_docstring(node) or ""
    names = set(re.findall(r"\b[BR]\d+[a-e]?\b", text))
    for first, last in re.findall(r"\bR(\d+) to R(\d+)\b", text):
        names |= {f"R{n}" for n in range(int(first), int(last) + 1)}
    return names


def test_the_parts_are_there():
    """Parts 1 to 16, in their order; rules numbered without a gap."""
    assert re.findall(r"^## (\d+) ", RULES, re.MULTILINE) == [str(n) for n in range(1, 17)]
    for number in range(2, 13):
        rows = [name for name in ROWS if name.startswith(f"{number}.")]
        assert rows == [f"{number}.{n}" for n in range(1, len(rows) + 1)] and rows


def test_part_16_has_every_ruling_once_and_in_order():
    numbers = [row[0] for row in table(part(16))]
    assert numbers == RULINGS


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_names_rules_setting_and_tests(ruling):
    """The rule exists and names the ruling, and so does each of the tests."""
    _, rules, settings, tests = BY_NUMBER[ruling]
    places = []
    for rule in rules.split(", "):
        assert rule in ROWS or "." not in rule, f"{ruling}: no rule {rule}"
        # What stands below a table belongs to its rules; part 13 has no table.
        places += ROWS.get(rule, []) + [line for line in part(rule.split(".")[0]).splitlines()]
    places = [line for line in places if not re.match(r"\| \d", line)]
    places += [cell for row in table(part(1)) for cell in row]
    assert re.search(rf"\b{ruling}\b", " ".join(places)), f"{ruling} is not named at {rules}"
    assert set(in_code(settings)) <= set(SETTINGS)
    names = in_code(tests)
    assert names, f"{ruling} names no test"
    for name in names:
        assert name in FUNCTIONS, f"{ruling}: no test {name}"
        assert ruling in cited(FUNCTIONS[name]), f"{name} does not name {ruling}"


@pytest.mark.parametrize("number", FREE)
def test_a_ruling_that_is_a_free_choice_is_a_setting(number):
    assert in_code(BY_NUMBER[f"R{number}"][2]), f"R{number} has no setting"


@pytest.mark.parametrize("name", SETTINGS)
def test_part_1_has_the_setting_with_all_its_values(name):
    """Default, other values and ruling as in settings.py; its ruling names it in part 16."""
    setting = SETTINGS[name]
    rows = [row for row in table(part(1)) if in_code(row[0]) == [name]]
    assert len(rows) == 1
    _, default, others, ruling, reason = rows[0]
    if not setting.digits:
        assert in_code(default) == [setting.default]
        assert set(in_code(others)) == set(setting.values) - {setting.default}
    if setting.low is not None:
        lowest = setting.low + (str(setting.low) == setting.default)
        assert f"{lowest} to {setting.high}" in others
    assert reason
    if setting.rule:
        assert setting.rule in ruling.split()[0]
        assert name in in_code(BY_NUMBER[setting.rule][2])
    else:
        assert ruling == "–"


def test_part_1_has_no_other_setting():
    assert [in_code(row[0])[0] for row in table(part(1))] == list(SETTINGS)


VALUES = [
    (name, value)
    for name, setting in SETTINGS.items()
    for value in (*setting.values, *(range(5) if name == "level2" else ()))
]


@pytest.mark.parametrize("name, value", VALUES, ids=lambda part: str(part))
def test_each_value_of_a_setting_is_in_a_test_of_the_rules(name, value):
    """Some test_N_M_... plays with the setting and, unless it is the default, with the value."""
    setting = SETTINGS[name]
    wanted = {str(value)} if str(value) != setting.default else set()
    for node in FUNCTIONS.values():
        if not re.match(r"test_\d+_", node.name):
            continue
        words = {str(n.value) for n in ast.walk(node) if isinstance(n, ast.Constant)}
        words |= {n.arg for n in ast.walk(node) if isinstance(n, ast.keyword) and n.arg}
        if words & {name, name.replace("-", "_")} and wanted <= words:
            return
    raise AssertionError(f"no test of a rule has {name}={value}")


@pytest.mark.parametrize("number", ROWS)
def test_a_rule_has_a_test(number):
    start = f"test_{number.replace('.', '_')}_"
    assert any(name.partition("::")[2].startswith(start) for name in FUNCTIONS)


@pytest.mark.parametrize("number", ROWS)
def test_the_functions_of_a_rule_exist(number):
    """`module.name` is defined in that module, a name alone in the module last named."""
    module = ""
    for name in in_code(ROWS[number][-1]):
        if (FOLDER / f"{name}.pyx").exists():
            continue
        module = name.rpartition(".")[0] or module
        sources = [FOLDER / f"{module}{suffix}" for suffix in (".pyx", ".pxd")]
        text = "\n".join(p.read_text(encoding="utf-8") for p in sources if p.exists())
        pattern = rf"^ *(?:def|cdef|cpdef)\b.*\b{name.rpartition('.')[2]}\("
        assert re.search(pattern, text, re.MULTILINE), f"{name} is not defined in {module}"


@pytest.mark.parametrize("number", ROWS)
def test_a_rule_names_settings_that_exist(number):
    """In the column of rulings, and where a rule speaks of a value of one: `name=value`."""
    text = " ".join(ROWS[number])
    assert set(in_code(ROWS[number][2])) <= set(SETTINGS)
    for name, value in re.findall(r"`([a-z0-9-]+)=([a-z0-9-]+)`", text):
        assert value in SETTINGS[name].values


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_worked_examples_of_the_rulebooks_are_among_the_tests(example):
    (node,) = [node for node in FUNCTIONS.values() if node.name == EXAMPLES[example]]
    assert "example" in ast.get_docstring(node)


def test_no_two_tests_have_the_same_name():
    """Within a file the second would hide the first."""
    for path in TESTS.glob("test_*.py"):
        names = re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(names) == len(set(names)), path.name
