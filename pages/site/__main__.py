"""`python -m pages.site OUT` writes the site into a folder and prints a line for each page."""

import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path

from pages.site.writing import write


def main() -> int:
    """Write the site; return 1 and print the reason if that fails."""
    parser = ArgumentParser(prog="python -m pages.site", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder to write into; it is made if need be")
    try:
        write(parser.parse_args().out, partial(print, flush=True))
    except (OSError, ValueError) as error:
        print(f"The site could not be written: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
