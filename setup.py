"""Build every Cython module found in the import packages; metadata lives in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGES = ["engine", "search", "protocol", "gui_adapter", "bench"]
DEBUG = bool(os.environ.get("ENGINE_DEBUG"))
# -ffp-contract=off keeps floating point results equal between compilers and machines.
CFLAGS = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-std=c11"]
LDFLAGS: list[str] = []
if DEBUG:
    CFLAGS = ["-O1", "-g", "-UNDEBUG", "-ffp-contract=off", "-std=c11"]
if os.environ.get("ENGINE_SANITIZE"):
    flags = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
    CFLAGS += flags
    LDFLAGS += flags

sources = sorted(path for package in PACKAGES for path in Path(package).rglob("*.pyx"))
setup(
    ext_modules=cythonize(
        [
            Extension(
                ".".join(path.with_suffix("").parts),
                [str(path)],
                extra_compile_args=CFLAGS,
                extra_link_args=LDFLAGS,
            )
            for path in sources
        ],
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
            "embedsignature": True,
        },
    )
)
