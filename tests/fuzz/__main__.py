"""Tries many inputs from the command line: see the package."""

import argparse
import gc
import resource
import sys

from tests.fuzz.areas import AREAS
from tests.fuzz.running import outcome, run

MEMORY = 4 * 2**30  # bytes: a run that wants more fails, not the machine


def main() -> int:
    """Try inputs, and print what failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--input", type=int, help="only this one, with all that it says")
    parser.add_argument("--only", choices=list(AREAS), default="", help="one area")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if args.input is not None:
        print(outcome(args.seed, args.input, args.only))
        return 0
    gc.freeze()  # no search for garbage among the modules
    tally = run(args.seed, args.first, args.inputs, args.seconds, args.only)
    for _, line in tally.failures:
        print(line)
    for (area, kind), count in sorted(tally.counts.items()):
        print(f"{area:16}{kind:9}{count:9,}")
    seconds, n = tally.slowest
    print(
        f"{tally.inputs:,} inputs, {len(tally.failures):,} failures; slowest: {seconds:.1f} s ({n})"
    )
    return bool(tally.failures)


if __name__ == "__main__":
    sys.exit(main())
