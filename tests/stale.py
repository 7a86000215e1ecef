"""Tell whether the compiled modules fit their sources. Not installed; standard library only.

Building writes down, for each compiled module, the content hash of every file that it was made
from and of the binary itself. Times play no part: a fresh checkout gives all files the same time,
and a changed `.pxd` makes every module stale that used it. `python tests/stale.py` prints what is
stale and exits with 1; tests/conftest.py refuses to run then.
"""

import hashlib
import json
import os
import re
import sys
import sysconfig
from pathlib import Path

PACKAGES = ("engine", "search", "protocol", "gui_adapter", "bench")
ROOT = Path(__file__).resolve().parent.parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
RECORD = ROOT / "build" / f"record{SUFFIX}.json"

Hashes = dict[str, str]

# `cimport a.b`, `from a cimport b` (b may be a module of package a) and `include "file"`.
CIMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+)?cimport\s+(\([^)]*\)|[^\n#]*)", re.MULTILINE)
INCLUDE = re.compile(r"^\s*include\s+[\"']([^\"']+)[\"']", re.MULTILINE)


def mode() -> str:
    """Return the kind of build that the environment asks for."""
    words = [word for word in ("DEBUG", "SANITIZE") if os.environ.get(f"ENGINE_{word}")]
    return "+".join(words).lower() or "release"


def module_sources() -> dict[str, Path]:
    """Return the source of each compiled module, paths relative to the project root."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.pyx")):
            source = path.relative_to(ROOT)
            found[".".join(source.with_suffix("").parts)] = source
    return found


def binary(module: str) -> Path:
    """Return the path of a compiled module, relative to the project root."""
    return Path(*module.split(".")).with_name(module.rpartition(".")[2] + SUFFIX)


def inputs(module: str) -> Hashes:
    """Return every file of the project that a module is compiled from, with its hash.

    Found here and not by Cython, whose own search misses `from package cimport module`.
    """
    source = module_sources()[module]
    found, new = set(), {source, source.with_suffix(".pxd")}
    while new:
        found |= new
        new = {path for file in new for path in _cimported(file)} - found
    headers = {p.relative_to(ROOT) for name in PACKAGES for p in (ROOT / name).rglob("*.h")}
    return {str(path): _digest(path) for path in sorted({Path("setup.py"), *found, *headers})}


def read_record() -> dict[str, Hashes]:
    """Return what the last builds wrote down: module -> file -> hash."""
    try:
        record: dict[str, Hashes] = json.loads(RECORD.read_text())
    except (OSError, ValueError):
        return {}
    return record


def write_record(built: dict[str, Hashes]) -> None:
    """Write down modules just built, each with its inputs as they were before the build."""
    record = {name: files for name, files in read_record().items() if name in module_sources()}
    for name, files in built.items():
        record[name] = {**files, str(binary(name)): _digest(binary(name)), "mode": mode()}
    RECORD.parent.mkdir(exist_ok=True)
    part = RECORD.with_suffix(".part")
    part.write_text(json.dumps(record, indent=1))
    part.replace(RECORD)


def stale_modules() -> dict[str, str]:
    """Return the modules that have to be built, each with the reason."""
    record = read_record()
    reasons = {name: _reason(name, record.get(name, {})) for name in module_sources()}
    return {name: reason for name, reason in reasons.items() if reason}


def _reason(module: str, files: dict[str, str]) -> str:
    if not (ROOT / binary(module)).exists():
        return "not built"
    if not files:
        return "built by other means than setup.py"
    if files["mode"] != mode():
        return f"a {files['mode']} build, wanted is a {mode()} build"
    changed = [f for f, digest in files.items() if f != "mode" and _digest(Path(f)) != digest]
    return f"{', '.join(changed)} changed since the build" if changed else ""


def _cimported(file: Path) -> set[Path]:
    if not (ROOT / file).exists():
        return set()
    text = (ROOT / file).read_text()
    paths = {file.parent / name for name in INCLUDE.findall(text)}
    for package, names in CIMPORT.findall(text):
        modules = re.findall(r"[\w.]+", names)
        if package:
            modules = [package, *(f"{package}.{name}" for name in modules)]
        paths |= {Path(*module.split(".")).with_suffix(".pxd") for module in modules}
        paths |= {Path(*module.split("."), "__init__.pxd") for module in modules}
    return {path for path in paths if (ROOT / path).is_file()}


def _digest(file: Path) -> str:
    path = ROOT / file
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "absent"


def main() -> int:
    """Print what is stale; 1 if anything is."""
    stale = stale_modules()
    for name, reason in stale.items():
        print(f"stale: {name}: {reason}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
