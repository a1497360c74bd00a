"""Time of recorded BPE training, and of reading the recording.

    python benchmarks/training.py

Compares with the PyPI library `tokenizers`, which is written in Rust and records nothing: the same
byte-level merges (GPT-2's pattern, ties by smallest ids), from the same text to the finished
merges, which must be equal. Runs are interleaved, so that a busy machine slows both. ORACLE_PYTHON
is the interpreter with the library.
"""

import os
import pickle
import random
import re
import tracemalloc
from pathlib import Path
from statistics import median
from time import perf_counter

from common import LibraryCall, interleave, library, options, p95

from tests.parity.corpora import english_prose
from tokenizers.bpe import Settings
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

NUM_MERGES, MANY_MERGES = 8_000, 10_000
LARGE = 1_100_000  # characters
MAX_RATIO = 0.8  # ours, by the library
MAX_MILLISECONDS, MAX_MEGABYTES = 2, 60  # to read a state (p95), to keep a trace
NUM_SPLITS = 20


def large_text() -> str:
    """Return the prose, then modules of the standard library in alphabetical order."""
    modules = sorted(Path(os.__file__).parent.glob("*.py"))
    sources = (module.read_text(encoding="utf-8") for module in modules)
    return "\n\n".join([english_prose(), *sources])[:LARGE]


def lines_of(text: str) -> list[str]:
    """Return `text` in pieces of a dozen words, cut where GPT-2's pattern cuts it anyway."""
    words = re.split(r"(?<=\S)(?= \S)", text)
    return ["".join(words[n : n + 12]) for n in range(0, len(words), 12)]


def record(text: str, num_merges: int) -> Trace:
    """Train on `text` and record everything."""
    corpus = Corpus.from_text(text, Pipeline((), "gpt2"))
    return Trace.record(corpus, Settings("bytes", num_merges=num_merges, ties="smallest_ids"))


# --- Training -------------------------------------------------------------------------------------


def timed_record(text: str) -> tuple[float, str]:
    """Return how long a recorded run took, in seconds, and its merges, one a line."""
    begin = perf_counter()
    trace = record(text, NUM_MERGES)
    return perf_counter() - begin, "\n".join(map(" ".join, trace.pairs))


def compare(name: str, text: str, theirs: LibraryCall, repeats: int) -> None:
    """Print how long both take; SystemExit unless the merges are the same."""
    lines = lines_of(text)

    def timed_library(texts: str | list[str]) -> tuple[float, str]:
        answer = theirs(texts=texts, num_merges=NUM_MERGES)
        return answer["seconds"], answer["merges"]

    runs = {
        "ours, all recorded": lambda: timed_record(text),
        "library, one string": lambda: timed_library(text),
        "library, list of lines": lambda: timed_library(lines),
    }
    found = interleave(runs, repeats)
    if len({merges for its in found.values() for _, merges in its}) > 1:
        raise SystemExit(f"{name}: the merges are not the same in all runs")
    print(f"\n{name}: {len(text):,} characters, {NUM_MERGES:,} merges, the same in all runs")
    times = {run: [seconds for seconds, _ in its] for run, its in found.items()}
    ours, *_ = times.values()
    for run, its in times.items():
        print(
            f"{run:24}"
            f"best {min(its) * 1000:4.0f} ms, ours / this {min(ours) / min(its):.2f}    "
            f"median {median(its) * 1000:4.0f} ms, ours / this {median(ours) / median(its):.2f}"
        )
    print(f"asked for: {MAX_RATIO} at most, against one string")


# --- Reading a record -----------------------------------------------------------------------------


def times_to_read(trace: Trace, count: int) -> list[float]:
    """Return how long it takes to read all of a state, in ms, at random steps, sorted."""
    rng = random.Random(1)
    times = []
    for _ in range(count):
        k, words = rng.randint(0, len(trace)), rng.choices(range(len(trace.words)), k=NUM_SPLITS)
        begin = perf_counter()
        state = trace.state(k)
        _ = state.pair_counts, state.token_counts, state.vocab, [state.split(w) for w in words]
        times.append((perf_counter() - begin) * 1000)
    return sorted(times)


def megabytes_of(trace: Trace) -> tuple[float, float]:
    """Return the size of a trace, pickled and in memory (that of a copy that has been read)."""
    sent = pickle.dumps(trace)
    tracemalloc.start()
    copy = pickle.loads(sent)
    copy.split(0, 0)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return len(sent) / 1e6, size / 1e6


def read(text: str, count: int) -> None:
    """Print how long it takes to read a state of a long run, and how large the record is."""
    trace = record(text, MANY_MERGES)
    times = times_to_read(trace, count)
    pickled, in_memory = megabytes_of(trace)
    print(f"\nA record of {len(trace):,} merges over {len(text):,} characters")
    print(
        f"state(k) at {count} random k, with counts, vocabulary and {NUM_SPLITS} splits: "
        f"p50 {median(times):.1f} ms, p95 {p95(times):.1f} ms "
        f"(asked for: {MAX_MILLISECONDS} at most)"
    )
    print(
        f"size: {pickled:.1f} MB pickled, {in_memory:.1f} MB in memory with the text "
        f"(asked for: {MAX_MEGABYTES} at most)"
    )


def main() -> None:
    """Run both benchmarks."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=9, help="how often each training runs")
    parser.add_argument("--states", type=int, default=300, help="how many states are read")
    arguments = parser.parse_args()
    large = large_text()
    with library("library.py") as theirs:
        compare("Prose", english_prose(), theirs, arguments.repeats)
        compare("Prose and source code", large, theirs, arguments.repeats)
    read(large, arguments.states)


if __name__ == "__main__":
    main()
