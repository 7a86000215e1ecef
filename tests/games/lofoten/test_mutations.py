"""The faults of mutations.py fit the sources, and its verdicts are right.

Whether the tests notice the faults is measured by the script itself.
"""

import mutations
import pytest
from faults import Fault
from mutations import FAULTS, ROOT, Run, Trouble, changed_text, noticed_by

SLOW = "tests/a.py::test_slow[x y]"


def test_there_are_enough_with_a_name_each():
    """Also no two faults are the same change."""
    assert len(FAULTS) >= 30
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len({(fault.file, fault.old, fault.new) for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_old_text_occurs_once(fault):
    """A change of the rules has to be made in the table as well."""
    assert fault.file.endswith((".pyx", ".pxd"))
    text = (ROOT / fault.file).read_text()
    assert changed_text(text, fault) != text


def test_a_stale_fault_is_refused():
    fault = Fault("name", "what it means", "file", "old", "new")
    assert changed_text("an old text", fault) == "an new text"
    for text in ("a text", "an old, old text"):
        with pytest.raises(Trouble, match="name: its old text is"):
            changed_text(text, fault)


@pytest.mark.parametrize(
    "code, silence, end, verdict",
    [
        (0, 0, "", None),
        (1, 0, " FAILED [ 50%]\n", SLOW),
        (1, 0, " PASSED [ 50%]\ntests/b.py::test_b ERROR [100%]\n", "tests/b.py::test_b"),
        (2, 0, " PASSED [ 50%]\nERROR tests/c.py\n", "tests/c.py (cannot be imported)"),
        (-11, 0, " Fatal Python error: Segmentation fault\n", f"{SLOW} (the process crashed)"),
        (3, 0, " ", f"{SLOW} (the process crashed)"),
        (None, 160, " ", f"{SLOW} (hangs)"),
        (None, 140, " ", None),
        (None, 160, " PASSED [100%]\n", None),
    ],
)
def test_verdicts(code, silence, end, verdict):
    """Running out of time counts only if one test takes much longer than without the fault."""
    log = f"collected 2 items\n\ntests/a.py::test_a[1] PASSED [ 10%]\n{SLOW}{end}"
    assert noticed_by(Run(code, log, silence), {SLOW: 30.0}) == verdict


def test_a_run_without_tests_is_no_verdict():
    with pytest.raises(Trouble, match="code 4"):
        noticed_by(Run(4, "the build is stale", 0), {})


def test_durations_are_summed():
    log = "3.50s call     tests/a.py::test_a[x y]\n0.25s setup    tests/a.py::test_a[x y]\n"
    assert mutations.durations_in(log) == {"tests/a.py::test_a[x y]": 3.75}


def test_all_other_tests_are_run():
    first, rest = mutations.groups_of_tests(ROOT, {"tests/test_start.py::test_a": 1.0})
    assert "tests/games/lofoten/test_rules_market.py" in first
    assert rest[-1] == "tests/test_start.py" and rest[0].startswith("tests/games/lofoten/")
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")}
    assert found - {*first, *rest} == {"tests/games/lofoten/test_mutations.py"}


@pytest.mark.parametrize("again", [0, 1])
def test_a_failure_counts_if_it_comes_again(again, monkeypatch):
    """A test that fails by chance is left out, and the tests behind it are run."""
    calls = []

    def run_tests(tree, files, limit):
        calls.append(files)
        if len(calls) == 1:
            return Run(1, "tests/a.py::test_a FAILED [ 10%]\n", 0.0)
        return Run(again, "", 0.0)

    monkeypatch.setattr(mutations, "run_tests", run_tests)
    monkeypatch.setattr(
        mutations, "groups_of_tests", lambda *args: [["tests/0.py", "tests/a.py", "tests/b.py"]]
    )
    run = mutations.run_all_tests(ROOT, {}, 60.0)
    assert noticed_by(run, {}) == ("tests/a.py::test_a" if again else None)
    assert calls[1] == ["tests/a.py::test_a"]
    rest = [["tests/a.py", "tests/b.py", "--deselect=tests/a.py::test_a"]]
    assert calls[2:] == ([] if again else rest)
