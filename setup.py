"""Build every Cython module found in the import packages; metadata lives in pyproject.toml.

ENGINE_DEBUG=1 turns on bounds checks and C asserts, ENGINE_SANITIZE=1 the address and
undefined-behaviour sanitizers.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests"))
import stale  # noqa: E402  (not installed, so not on the path of a build front end)

DEBUG = "debug" in stale.mode()
# -ffp-contract=off keeps floating point results equal between compilers and machines.
CFLAGS = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-std=c11"]
LDFLAGS: list[str] = []
if DEBUG:
    CFLAGS = ["-O1", "-g", "-UNDEBUG", "-ffp-contract=off", "-std=c11"]
if "sanitize" in stale.mode():
    flags = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
    CFLAGS += flags
    LDFLAGS += flags

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": True,
}


class BuildModules(build_ext):
    """Build what is stale by content, and write down what was built from what.

    A build in place skips modules that fit their sources; any other build makes all anew.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        self.force = True  # times of files are not asked

    def run(self) -> None:
        if self.inplace:
            wanted = stale.stale_modules()
            self.extensions = [ext for ext in self.extensions if ext.name in wanted]
        inputs = {ext.name: stale.inputs(ext.name) for ext in self.extensions}
        made = cythonize(
            [Extension(ext.name, list(ext.sources)) for ext in self.extensions],
            build_dir="build/cython",
            compiler_directives=DIRECTIVES,
            force=True,
        )
        sources = {ext.name: ext.sources for ext in made}
        for ext in self.extensions:
            ext.sources = sources[ext.name]
        super().run()
        if self.inplace:
            stale.write_record(inputs)


setup(
    cmdclass={"build_ext": BuildModules},
    ext_modules=[
        Extension(
            name,
            [str(source)],
            extra_compile_args=CFLAGS,
            extra_link_args=LDFLAGS,
        )
        for name, source in stale.module_sources().items()
    ],
)
