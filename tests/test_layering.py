"""Arrows between packages point one way; words of one layer do not appear in another."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import engine
from stale import PACKAGES, ROOT

IMPORT_LINE = re.compile(
    r"^\s*(?:from\s+([\w.]+)\s+c?import\b|c?import\s+([\w., ]+))", re.MULTILINE
)
PROTOCOL_WORDS = re.compile(
    r"\b(bestmove|uciok|ugiok|uhiok|isready|readyok|setoption|ucinewgame)\b"
)

# Folders of bench, each of which imports only those before it; but all may name the test that ends
# a run.
LEVELS = ("statistics", "referee", "luck", "records", "tournament", "report", "ladder", "commands")
TEST = ("bench.plan", "bench.tournament.sequential")


def sources(*places, suffixes=(".py", ".pyx", ".pxd", ".pyi")):
    found = [p for place in places for p in sorted((ROOT / place).rglob("*")) if p.is_file()]
    return [path for path in found if path.suffix in suffixes]


@cache
def imports(path):
    """Return the absolute names of the modules that a source imports, late imports too."""
    text = path.read_text()
    if path.suffix in (".pyx", ".pxd"):
        lines = (a or b for a, b in IMPORT_LINE.findall(text))
        return {name.split(" as ")[0].strip() for line in lines for name in line.split(",")}
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write absolute imports"
            found.add(str(node.module))
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("level", LEVELS)
def test_imports_inside_bench_point_one_way(level):
    barred = ["bench.cli", *(f"bench.{name}." for name in LEVELS[LEVELS.index(level) + 1 :])]
    if level in LEVELS[: LEVELS.index("report")]:
        barred += ["bench.runner", "click"]
    for path in sources(f"bench/{level}"):
        found = {name for name in imports(path) if f"{name}.".startswith(tuple(barred))}
        found = {name for name in found if not name.startswith(TEST)}
        assert not found, f"{path.relative_to(ROOT)} imports {sorted(found)}"


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package):
    allowed = PACKAGES[: PACKAGES.index(package) + 1]
    files = sources(package)
    assert files
    for path in files:
        tops = {name.split(".")[0] for name in imports(path)}
        wrong = tops & ({*PACKAGES, "drakkar", "tests", "stale"} - set(allowed))
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_the_parser_of_imports_sees_all_kinds(tmp_path):
    code = "from a.b cimport (c,\n  d)\ncimport e, f.g as h\nimport i\n    from j import k\n"
    path = tmp_path / "x.pyx"
    path.write_text(code)
    assert imports(path) == {"a.b", "e", "f.g", "i", "j"}
    path = tmp_path / "x.py"
    path.write_text("import a.b as c\ndef f():\n    from d.e import f\n")
    assert imports(path) == {"a.b", "d.e", "d.e.f"}


def test_types_import_nothing_of_the_project():
    for path in [ROOT / "engine/types.pxd"]:
        assert {name.split(".")[0] for name in imports(path)} == {"libc"}


def test_rules_core_names_no_game():
    games = {f"engine.games.{name}" for name in engine.available()}
    for path in sources("engine"):
        place = path.relative_to(ROOT / "engine").parts
        own = f"engine.games.{place[1]}" if place[0] == "games" and len(place) > 2 else ""
        for name in imports(path):
            game = ".".join(name.split(".")[:3])
            assert game not in games or game == own, f"{path.relative_to(ROOT)} imports {name}"


def code_words(path):
    """Return the words of a source without its comments and docstrings."""
    text = path.read_text()
    if path.suffix != ".py":
        return re.sub(r'"""[\s\S]*?"""|#.*', "", text).lower()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant("")
    return ast.unparse(tree).lower()


@pytest.mark.parametrize("package", ["search", "protocol"])
def test_no_game_is_named(package):
    names = re.compile(rf"\b({'|'.join(engine.available())})\b")
    files = sources(package)
    assert files
    for path in files:
        found = names.search(code_words(path))
        assert not found, f"{path.relative_to(ROOT)} names the game {found.group()}"


@pytest.mark.parametrize("package", ["engine", "search"])
def test_no_protocol_words(package):
    for path in sources(package):
        found = PROTOCOL_WORDS.search(path.read_text())
        assert not found, f"{path.relative_to(ROOT)} speaks the protocol: {found.group()}"


def test_compiled_modules_seen_from_python_have_types():
    python = sources(*PACKAGES, suffixes=(".py",)) + [ROOT / "drakkar.py"]
    seen = {name for path in python if path.exists() for name in imports(path)}
    for name in sorted(seen):
        module = ROOT / Path(*name.split("."))
        if module.with_suffix(".pyx").exists():
            assert module.with_suffix(".pyi").exists(), f"{name} has no .pyi"


def test_every_package_folder_is_a_package():
    for path in sources(*PACKAGES, suffixes=(".py", ".pyx")):
        assert (path.parent / "__init__.py").exists(), f"{path.parent} has no __init__.py"
