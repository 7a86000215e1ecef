"""Put deliberate faults into the rules of Lofoten, one after another: some test must notice each.

The faults are the tables of faults.py and faults_modules.py. Every worker has a copy of the last
commit, built once; a fault then means compiling what depends on the changed file and running all
tests, those of the rules first, up to the first that fails. Before that all tests have to pass on
an unchanged copy. An hour or two for all faults:

    python tests/games/lofoten/mutations.py --jobs 2
    python tests/games/lofoten/mutations.py --only five_of_a_kind --unchanged-passes --uncommitted

Progress goes to stderr. The last line on stdout is one JSON object: mutations, missed, and rows of
name, fault, file, caught_by (null if nothing noticed it within three minutes) and seconds.
Exit code 1 if a fault is missed, 2 if the faults cannot be tried.
"""

import argparse
import contextlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests"), str(Path(__file__).resolve().parent)]

from faults import BASE_GAME, Fault  # noqa: E402
from faults_modules import MODULES  # noqa: E402

import stale  # noqa: E402  (in the folder of the tests)

FAULTS = BASE_GAME + MODULES
# Not run on a changed copy: it says that the faults still fit the sources.
OWN_TEST = "test_mutations.py"
LIMIT_SECONDS = 180
LIMIT_UNCHANGED_SECONDS = 900
# A test hangs if it takes longer than this, and five times as long as without the fault.
HANG_SECONDS = 60
# The exit code of pytest.
NO_TEST_LEFT = 5
# A fault may make the tests eat memory instead of failing.
MEMORY_KIB = 8 << 20
LIMITED = ("sh", "-c", f'ulimit -c 0; ulimit -v {MEMORY_KIB}; exec "$@"', "sh")

RESULT = re.compile(r"(tests/.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b")
# What a crash writes follows on the same line.
STARTED = re.compile(r"(tests/\S+\.py::.+?) *(?:Fatal Python error.*)?$")
NOT_COLLECTED = re.compile(r"ERROR (tests/\S+)$")
DURATION = re.compile(r"([\d.]+)s (?:call|setup|teardown) +(tests/.+)")


class Trouble(Exception):
    """Why the faults, or one of them, cannot be tried."""


class Run(NamedTuple):
    """How a run of the tests ended; `code` is None if its time was over."""

    code: int | None
    log: str
    silence: float  # seconds since the last line of the log


def last_lines(text: str) -> str:
    """Return the end of a long text."""
    return "\n".join(text.splitlines()[-40:])


# ---- copies of the sources ----


def git(*arguments: str) -> str:
    """Run git and return what it prints."""
    return subprocess.run(["git", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def built(tree: Path) -> list[Path]:
    """Return the compiled modules of a tree and the record of what they were built from."""
    files = [file for name in stale.PACKAGES for file in (tree / name).rglob(f"*{stale.SUFFIX}")]
    files.append(tree / stale.RECORD.relative_to(ROOT))
    return [file.relative_to(tree) for file in files if file.is_file()]


def source_of(path: Path) -> Path:
    """Return the source of a compiled module."""
    return path.with_name(path.name.removesuffix(stale.SUFFIX) + ".pyx")


def copy(source: Path, target: Path) -> None:
    """Copy a file; a process that still uses the old one keeps that."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    shutil.copy2(source, target)


def environment(tree: Path) -> dict[str, str]:
    """Return the environment of a usual build and of the tests as CI runs them."""
    kept = {k: v for k, v in os.environ.items() if k not in ("ENGINE_DEBUG", "ENGINE_SANITIZE")}
    return {**kept, "CI": "true", "PYTHONPATH": str(tree)}


def new_tree(tree: Path, uncommitted: bool) -> None:
    """Copy the last commit, or all files as they are now, and build what is not built yet."""
    if uncommitted:
        listed = git("-C", str(ROOT), "ls-files", "-z", "-c", "-o", "--exclude-standard")
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file():
                copy(ROOT / name, tree / name)
    else:
        git("clone", "--quiet", str(ROOT), str(tree))
    for path in built(ROOT):
        if path.name == stale.RECORD.name or (tree / source_of(path)).is_file():
            copy(ROOT / path, tree / path)
    build(tree)


def build(tree: Path) -> None:
    """Compile what is stale."""
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tree,
        env=environment(tree),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise Trouble("the build fails:\n" + last_lines(done.stdout))


def changed_text(text: str, fault: Fault) -> str:
    """Return the text of a file with the fault in it."""
    count = text.count(fault.old)
    if count != 1:
        raise Trouble(f"{fault.name}: its old text is {count} times in {fault.file}, not once")
    return text.replace(fault.old, fault.new)


@contextlib.contextmanager
def put_in(tree: Path, fault: Fault) -> Iterator[None]:
    """Put a fault into a tree and build it; take it out afterwards, with what was built."""
    path = tree / fault.file
    text = path.read_text()
    kept = {file: (tree / file).read_bytes() for file in built(tree)}
    path.write_text(changed_text(text, fault))
    try:
        build(tree)
        yield
    finally:
        path.write_text(text)
        for file, content in kept.items():
            if (tree / file).read_bytes() != content:
                (tree / file).unlink()
                (tree / file).write_bytes(content)


# ---- running the tests ----


def groups_of_tests(tree: Path, durations: dict[str, float]) -> list[list[str]]:
    """Return the files of tests: first those of the rules, then the game's and all others.

    Quick ones come first. Two groups, since collecting all tests takes longer than those of the
    rules, which notice most.
    """
    taken: defaultdict[str, float] = defaultdict(float)
    for test, seconds in durations.items():
        taken[test.partition("::")[0]] += seconds

    def order(file: str) -> tuple[bool, float, str]:
        return "/lofoten/" not in file, taken[file], file

    found = [str(path.relative_to(tree)) for path in (tree / "tests").rglob("test_*.py")]
    files = sorted((file for file in found if Path(file).name != OWN_TEST), key=order)
    of_rules = [file for file in files if "/lofoten/test_rules" in file]
    return [of_rules, [file for file in files if file not in of_rules]]


def run_all_tests(tree: Path, durations: dict[str, float], limit: float) -> Run:
    """Run all tests up to the first that fails, and fails again alone.

    On a busy machine a test of processes may fail by chance. `log` is that of the failure, or of
    the whole.
    """
    end = time.monotonic() + limit
    logs: list[str] = []
    spared: list[str] = []
    for files in groups_of_tests(tree, durations):
        while True:
            run = run_tests(tree, [*files, *spared], end - time.monotonic())
            logs.append(run.log)
            if run.code in (0, NO_TEST_LEFT):
                break
            test = failed_test(run.log)
            if not test or run_tests(tree, [test], end - time.monotonic()).code != 0:
                return run
            tell(f"passed over, for it fails by chance: {test}")
            spared.append(f"--deselect={test}")
            files = files[files.index(test.partition("::")[0]) :]
    return Run(0, "\n".join(logs), 0.0)


def run_tests(tree: Path, files: list[str], limit: float) -> Run:
    """Run some files of tests up to the first test that fails."""
    log = tree.with_name(f"{tree.name}.log")
    line = [*LIMITED, sys.executable, "-m", "pytest", "-x", "-v", "--color=no", "--tb=short"]
    line += ["-p", "no:cacheprovider", "--durations=0", "--durations-min=0.2", *files]
    with log.open("wb") as out:
        process = subprocess.Popen(
            line,
            cwd=tree,
            env=environment(tree),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(max(limit, 1))
        except subprocess.TimeoutExpired:
            code = None
        finally:
            # Also what the tests started, such as engines.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    silence = time.time() - log.stat().st_mtime
    return Run(code, log.read_text(errors="replace"), silence)


def durations_in(log: str) -> dict[str, float]:
    """Return how many seconds the slower tests took."""
    taken: defaultdict[str, float] = defaultdict(float)
    for seconds, test in (
        found.groups() for found in map(DURATION.match, log.splitlines()) if found
    ):
        taken[test] += float(seconds)
    return dict(taken)


def failed_test(log: str) -> str:
    """Return the first test that a log says has failed, or nothing."""
    results = (found.groups() for found in map(RESULT.match, log.splitlines()) if found)
    return next((test for test, result in results if result in ("FAILED", "ERROR")), "")


def noticed_by(run: Run, durations: dict[str, float]) -> str | None:
    """Return the test that a run ended with and, if it did not just fail, how; None if all passed.

    A run out of time has noticed something only if a test takes much longer than it should.
    """
    if run.code == 0:
        return None
    failed = failed_test(run.log)
    if failed:
        return failed
    running = ""
    for line in run.log.splitlines():
        broken = NOT_COLLECTED.match(line)
        if broken:
            return f"{broken[1]} (cannot be imported)"
        started = STARTED.match(line)
        if started and not RESULT.match(line):
            running = started[1]
    if run.code is None:
        usual = durations.get(running, HANG_SECONDS / 2)
        hangs = running and run.silence > max(HANG_SECONDS, 5 * usual)
        return f"{running} (hangs)" if hangs else None
    if running:
        return f"{running} (the process crashed)"
    raise Trouble(f"the tests end with code {run.code}:\n" + last_lines(run.log))


# ---- all faults ----


def tell(text: str) -> None:
    """Write a line of progress."""
    print(text, file=sys.stderr, flush=True)


def try_fault(tree: Path, fault: Fault, durations: dict[str, float]) -> dict[str, Any]:
    """Return the row of one fault; one that cannot be tried counts as missed."""
    start = time.monotonic()
    try:
        with put_in(tree, fault):
            run = run_all_tests(tree, durations, LIMIT_SECONDS)
        caught_by = noticed_by(run, durations)
    except Trouble as trouble:
        tell(f"{fault.name}: {trouble}")
        caught_by = None
    seconds = round(time.monotonic() - start, 1)
    tell(f"{fault.name}: {caught_by or 'MISSED'} ({seconds} s)")
    return {
        "name": fault.name,
        "fault": fault.fault,
        "file": fault.file,
        "caught_by": caught_by,
        "seconds": seconds,
    }


def try_faults(faults: list[Fault], folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Try faults with some workers and return what is told of them."""
    first = folder / "tree1"
    tell("building an unchanged copy")
    new_tree(first, options.uncommitted)
    for fault in faults:
        changed_text((first / fault.file).read_text(), fault)
    durations: dict[str, float] = {}
    if not options.unchanged_passes:
        tell("running all tests on the unchanged copy")
        run = run_all_tests(first, durations, LIMIT_UNCHANGED_SECONDS)
        if run.code != 0:
            raise Trouble(f"the unchanged copy ends with code {run.code}:\n" + last_lines(run.log))
        durations = durations_in(run.log)
    free: queue.SimpleQueue[Path] = queue.SimpleQueue()
    free.put(first)
    for number in range(2, min(options.jobs, len(faults)) + 1):
        tree = folder / f"tree{number}"
        shutil.copytree(first, tree, symlinks=True)
        free.put(tree)

    def work(fault: Fault) -> dict[str, Any]:
        tree = free.get()
        try:
            return try_fault(tree, fault, durations)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(work, faults))
    missed = sum(row["caught_by"] is None for row in rows)
    return {"mutations": len(rows), "missed": missed, "rows": rows}


def main(arguments: list[str] | None = None) -> int:
    """Try the faults that the command line names."""
    names = [fault.name for fault in FAULTS]
    parser = argparse.ArgumentParser(description="Which test notices each fault in the rules?")
    parser.add_argument("--jobs", type=int, default=1, help="workers, each with a copy (1)")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, help="only these")
    parser.add_argument("--list", action="store_true", help="list the faults")
    parser.add_argument("--uncommitted", action="store_true", help="take all files as they are now")
    parser.add_argument(
        "--unchanged-passes", action="store_true", help="do not test the unchanged copy first"
    )
    options = parser.parse_args(arguments)
    faults = [fault for fault in FAULTS if not options.only or fault.name in options.only]
    if options.list:
        for fault in faults:
            print(f"{fault.name}: {fault.fault} ({fault.file})")
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
            told = try_faults(faults, Path(folder), options)
    except (Trouble, subprocess.CalledProcessError) as trouble:
        tell(str(trouble))
        return 2
    print(json.dumps(told))
    return 1 if told["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
