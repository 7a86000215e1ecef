"""Tries ideas and prints the table: `python -m bench.ideas [NAME ...]`, all without names.

An idea with a result from the same sources is skipped and a test that was broken off goes on, so
commit first. `--list` lists the ideas, `--table` prints the results that there are. With another
`--games` or `--movetime` the tests are short ones: their table is printed and nothing is kept.
"""

import argparse
import sys

from bench.ideas.catalogue import IDEAS
from bench.ideas.table import lines, stored
from bench.ideas.trial import GAMES, TIME_MS, count, trial
from bench.interrupts import exit_on_signal
from bench.registry import Out


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.ideas", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--list", action="store_true", help="list the ideas")
    only.add_argument("--table", action="store_true", help="print the stored results only")
    parser.add_argument("--games", type=count, default=GAMES, help="at most, for a short try")
    parser.add_argument("--movetime", type=count, default=TIME_MS, help="for a short try")
    asked = parser.parse_args(arguments)
    found = {result["idea"]["name"]: result for result in stored()} if asked.table else {}
    known = list(found if asked.table else IDEAS)
    names = asked.names or known
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no idea {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    if asked.list:
        for name in names:
            print(f"{name:18} {IDEAS[name].what} ({IDEAS[name].sides})")
        return 0
    code = 0
    if asked.table:
        results = [found[name] for name in names]
    elif (asked.games, asked.movetime) != (GAMES, TIME_MS):
        results = [_short(name, asked.games, asked.movetime) for name in names]
    else:
        from bench import figures

        code = figures.main([f"idea-{name}" for name in names])
        results = stored()
    print("\n".join(lines(results)))
    return code


def _short(name: str, games: int, time_ms: int) -> Out:
    out: Out = {}
    trial(out, IDEAS[name], games, time_ms)
    print(f"{name}: {out['gain']}", file=sys.stderr, flush=True)
    return out


if __name__ == "__main__":
    exit_on_signal()
    sys.exit(main(sys.argv[1:]))
