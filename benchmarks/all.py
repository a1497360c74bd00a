"""One table: the speed of recorded training and of Unigram encoding, compared to each library.

    python benchmarks/all.py
    python benchmarks/all.py --only BPE WordPiece "Unigram / "

Each row is the ratio of our time to a library's, of the best and the median run, of nine. Runs are
interleaved, so that a busy machine slows both. For details see `training.py`, `wordpiece.py`,
`unigram.py` and `unigram_encoding.py`. Memory is tuned as in the app. With `--only`,
only the rows whose names begin like that are measured. `growth.py` has more sizes of texts.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from statistics import median
from typing import NamedTuple

import growth
import training
import unigram
import unigram_encoding
import wordpiece
from common import library, options, p95, processor_seconds_of, seconds_of

from pages.shared.work.worker import tune_memory
from tests.parity.corpora import english_prose
from tokenizers.unigram import WORDS, encode

Seconds = Callable[[], float]
LARGEST = 5_000_000  # characters
MAX_RATIO_LARGEST = {"0.2.3": 1.3}  # ours, by the library; the version is that of growth.py


class BenchmarkRow(NamedTuple):
    """A comparison: its name, the highest acceptable ratio, and functions that time both sides."""

    name: str
    floor: float
    ours: Seconds
    theirs: Seconds


def merging_rows(open_: ExitStack, prose: str) -> list[BenchmarkRow]:
    """Return the rows of BPE and WordPiece."""
    theirs = open_.enter_context(library("library.py"))
    size = wordpiece.record(prose, "hugging_face").vocab_sizes[-1]

    def bpe(text: str) -> tuple[Seconds, Seconds]:
        request = {"texts": text, "num_merges": training.NUM_MERGES}
        return lambda: training.timed_record(text)[0], lambda: theirs(**request)["seconds"]

    by_score = partial(seconds_of, wordpiece.record, prose, "score")
    by_count = partial(seconds_of, wordpiece.record, prose, "hugging_face")

    def their_wordpiece() -> float:
        return theirs(texts=prose, vocab_size=size)["seconds"]

    return [
        BenchmarkRow("BPE, 465 kB", 0.8, *bpe(prose)),
        BenchmarkRow("BPE, 1.1 MB", 0.8, *bpe(training.large_text())),
        BenchmarkRow("BPE, 5 MB", 0.5, *bpe(growth.text_of(LARGEST))),
        BenchmarkRow("WordPiece by score", 1.0, by_score, their_wordpiece),
        BenchmarkRow("WordPiece by count", 0.9, by_count, their_wordpiece),
    ]


def unigram_rows(open_: ExitStack, prose: str) -> list[BenchmarkRow]:
    """Return the rows of Unigram: training, against two versions of SentencePiece, and encoding."""
    rows = []
    texts = {"": (prose, unigram.MAX_RATIO), ", 5 MB": (growth.text_of(LARGEST), MAX_RATIO_LARGEST)}
    for size, (text, floors) in texts.items():
        for version, floor in floors.items():
            train = open_.enter_context(unigram.sentencepiece(version, text))
            ours = partial(seconds_of, unigram.record, text, unigram.CONVENTIONS[version])
            rows.append(
                BenchmarkRow(f"Unigram / SentencePiece {version}{size}", floor, ours, train)
            )
    file, whole = unigram_encoding.trained("0.2.3", "prose 8,000")
    words = replace(whole, convention="hugging_face", pipeline=WORDS)
    there = open_.enter_context(library("sentencepiece_library.py"))
    text = " ".join(prose.split())[: unigram_encoding.NUM_CHARACTERS]

    def theirs() -> float:
        return there(model=file, text=text, answer="offset_mapping")["seconds"]

    floors = unigram_encoding.MAX_RATIOS
    for name, floor, model in zip(("words", "whole"), floors, (words, whole), strict=True):
        ours = partial(processor_seconds_of, encode, text, model)
        rows.append(BenchmarkRow(f"Unigram encodes 100 kB, {name}", floor, ours, theirs))
    return rows


def measure(row: BenchmarkRow, repeats: int) -> str:
    """Return the line of a row; runs are interleaved, after one warm-up each."""
    times = [(row.ours(), row.theirs()) for _ in range(repeats + 1)][1:]
    ours, theirs = zip(*times, strict=True)
    return (
        f"{row.name:36}{min(ours) * 1000:8.0f}{min(theirs) * 1000:8.0f}"
        f"{min(ours) / min(theirs):8.2f}{median(ours) / median(theirs):8.2f}{row.floor:8.1f}"
    )


def main() -> None:
    """Print the table, then the time to read a state."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=9, help="how often each row is measured")
    parser.add_argument("--only", nargs="*", default=[""], help="how the rows' names begin")
    parser.add_argument("--states", type=int, default=300, help="how many states are read")
    arguments = parser.parse_args()
    tune_memory()
    prose = english_prose()
    print(f"{'':36}{'ours':>8}{'theirs':>8}{'best':>8}{'median':>8}{'floor':>8}")
    with ExitStack() as open_:
        for row in [*merging_rows(open_, prose), *unigram_rows(open_, prose)]:
            if row.name.startswith(tuple(arguments.only)):
                print(measure(row, arguments.repeats), flush=True)
    trace = training.record(training.large_text(), training.MANY_MERGES)
    times = training.times_to_read(trace, arguments.states)
    print(
        f"state(k) of {len(trace):,} merges: p50 {median(times):.1f} ms, p95 {p95(times):.1f} ms, "
        f"floor {training.MAX_MILLISECONDS}"
    )


if __name__ == "__main__":
    main()
