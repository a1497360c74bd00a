"""The count of `python -m tokenizers.text.count`, on as many machines as Dask has.

    PYTHONPATH=. python docs/counting/count_with_dask.py counts.parquet texts/*.txt

With `--scheduler tcp://…` it counts on that cluster, whose machines need this repository on their
PYTHONPATH too. Needs `pip install distributed`. Left out: more different words than one machine can
hold; then count in a database (see README.md in this folder).
"""

import argparse
from pathlib import Path

import dask.bag
from distributed import Client

from tokenizers.text.corpus import Pipeline
from tokenizers.text.count import write_table


def main() -> None:
    """Count the words of the files that the command line names, line by line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--scheduler", help="its address; without one, this machine is the cluster")
    asked = parser.parse_args()
    with Client(asked.scheduler) if asked.scheduler else Client(n_workers=2):
        lines = dask.bag.read_text(asked.files, blocksize="16MB", encoding="utf-8")
        words = lines.map(str.rstrip, "\r\n").map(Pipeline().words).flatten()
        counts = words.frequencies(split_every=16).compute()
    write_table(sorted(counts, key=lambda row: (-row[1], row[0])), asked.out)


if __name__ == "__main__":
    main()
