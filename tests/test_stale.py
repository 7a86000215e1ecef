"""A stale build is found by content, and the tests refuse to run on it."""

import importlib.util
import shutil

import conftest
import pytest

import stale

SOURCES = {
    "setup.py": "",
    "engine/__init__.py": "",
    "engine/struct.h": "",
    "engine/base.pxd": "cdef int f()\n",
    "engine/base.pyx": "cdef int f(): return 1\n",
    "engine/games/__init__.py": "",
    "engine/games/one/rules.pxd": "from engine.base cimport (\n    f)\n",
    "engine/games/one/rules.pyx": "",
    "engine/games/one/game.pyx": "from engine.games.one cimport rules\n",
    "search/loop.pyx": "from libc.math cimport sqrt\ncimport numpy as np\n",
}
BASE, RULES, GAME, LOOP = (
    "engine.base",
    "engine.games.one.rules",
    "engine.games.one.game",
    "search.loop",
)


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small project that counts as built, as the module `stale` of that project."""
    monkeypatch.delenv("ENGINE_DEBUG", raising=False)
    monkeypatch.delenv("ENGINE_SANITIZE", raising=False)
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "tests").mkdir()
    shutil.copy(stale.__file__, tmp_path / "tests")
    spec = importlib.util.spec_from_file_location("stale_copy", tmp_path / "tests" / "stale.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in module.module_sources():
        (tmp_path / module.binary(name)).write_text(f"binary of {name}")
    module.write_record({name: module.inputs(name) for name in module.module_sources()})
    return module


def change(tree, file, text="\n# changed"):
    path = tree.ROOT / file
    path.write_text((path.read_text() if path.exists() else "") + text)


def test_a_fresh_build_is_not_stale(tree):
    assert sorted(tree.module_sources()) == [BASE, GAME, RULES, LOOP]
    assert tree.stale_modules() == {}
    assert tree.main() == 0


@pytest.mark.parametrize(
    "file, stale_now",
    [
        ("engine/base.pyx", {BASE}),
        ("engine/base.pxd", {BASE, RULES, GAME}),
        ("engine/games/one/rules.pxd", {RULES, GAME}),
        ("engine/games/one/game.pxd", {GAME}),
        ("search/loop.pyx", {LOOP}),
        ("engine/struct.h", {BASE, RULES, GAME, LOOP}),
        ("setup.py", {BASE, RULES, GAME, LOOP}),
        ("engine/__init__.py", set()),
    ],
)
def test_a_change_makes_stale_all_that_used_it(tree, file, stale_now):
    change(tree, file)
    assert set(tree.stale_modules()) == stale_now
    for name in stale_now:
        tree.write_record({name: tree.inputs(name)})
    assert tree.stale_modules() == {}


def test_times_play_no_part(tree):
    for path in tree.ROOT.rglob("*.p*"):
        path.touch()
    assert tree.stale_modules() == {}


def test_a_missing_or_foreign_binary_is_stale(tree, capsys):
    (tree.ROOT / tree.binary(LOOP)).unlink()
    change(tree, tree.binary(BASE), "built by hand")
    assert tree.stale_modules()[LOOP] == "not built"
    assert set(tree.stale_modules()) == {BASE, LOOP}
    assert tree.main() == 1
    assert "stale: search.loop: not built" in capsys.readouterr().out


def test_another_kind_of_build_is_stale(tree, monkeypatch):
    monkeypatch.setenv("ENGINE_DEBUG", "1")
    assert "a release build, wanted is a debug build" in tree.stale_modules()[BASE]


def test_without_a_record_nothing_is_trusted(tree):
    tree.RECORD.write_text("no json")
    assert set(tree.stale_modules()) == {BASE, RULES, GAME, LOOP}


def test_pytest_refuses(monkeypatch, pytestconfig):
    conftest.pytest_configure(pytestconfig)
    monkeypatch.setattr(stale, "stale_modules", lambda: {"engine.game": "not built"})
    with pytest.raises(pytest.UsageError, match="(?s)run `make build`.*engine.game: not built"):
        conftest.pytest_configure(pytestconfig)
