"""Time of WordPiece training with all scores recorded, and of reading the recording.

    python benchmarks/wordpiece.py

Compares with the `WordPieceTrainer` of the PyPI library `tokenizers`, which is written in Rust,
records nothing and computes no scores: it merges by count. Both start from the same text, split as
in BERT, and make 2,000 pieces. Runs are interleaved, so that a busy machine slows both.
ORACLE_PYTHON is the interpreter with the library.
"""

from statistics import median
from time import perf_counter

from common import interleave, library, options, p95, seconds_of
from training import MAX_MILLISECONDS, megabytes_of, times_to_read

from tests.parity.corpora import english_prose
from tokenizers import wordpiece
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

NUM_MERGES = 2_000
MAX_RATIO = 1  # ours, by the library
NUM_RANKED = 100


def record(text: str, convention: str) -> Trace[wordpiece.Settings]:
    """Train on `text` and record everything."""
    corpus = Corpus.from_text(text, Pipeline((), "bert"))
    ties = "first_seen" if convention == "score" else "smallest_ids"
    settings = wordpiece.Settings(num_merges=NUM_MERGES, ties=ties, convention=convention)
    return Trace.record(corpus, settings)


def compare(text: str, repeats: int) -> None:
    """Print the training time by score, by count, and in the library."""
    vocab_size = record(text, "hugging_face").vocab_sizes[-1]
    with library("library.py") as theirs:
        runs = {
            "ours, by score": lambda: seconds_of(record, text, "score"),
            "ours, by count": lambda: seconds_of(record, text, "hugging_face"),
            "library, by count": lambda: theirs(texts=text, vocab_size=vocab_size)["seconds"],
        }
        times = interleave(runs, repeats)
    *_, of_library = times.values()
    print(f"{len(text):,} characters, {NUM_MERGES:,} merges")
    for run, its in times.items():
        print(
            f"{run:20}"
            f"best {min(its) * 1000:4.0f} ms, this / library {min(its) / min(of_library):.2f}    "
            f"median {median(its) * 1000:4.0f} ms, "
            f"this / library {median(its) / median(of_library):.2f}"
        )
    print(f"asked for: {MAX_RATIO} at most, by score")


def times_to_rank(trace: Trace, count: int) -> list[float]:
    """Return the times to find the best pairs of a state that was read, in ms, sorted."""
    times = []
    for n in range(count):
        state = trace.state(n * len(trace) // count)
        _ = state.pair_counts, state.token_counts
        begin = perf_counter()
        wordpiece.ranking(state, NUM_RANKED)
        times.append((perf_counter() - begin) * 1000)
    return sorted(times)


def read(text: str, count: int) -> None:
    """Print the times to read a state and to rank its pairs, and the size of a recording."""
    trace = record(text, "score")
    read, ranked = times_to_read(trace, count), times_to_rank(trace, count)
    pickled, in_memory = megabytes_of(trace)
    print(
        f"\nstate(k) at {count} random k: p50 {median(read):.1f} ms, p95 {p95(read):.1f} ms "
        f"(asked for: {MAX_MILLISECONDS} at most)\n"
        f"the {NUM_RANKED} best pairs of a state, with their exact order: "
        f"p50 {median(ranked):.1f} ms, p95 {p95(ranked):.1f} ms\n"
        f"size: {pickled:.1f} MB pickled, {in_memory:.1f} MB in memory with the text"
    )


def main() -> None:
    """Run both benchmarks."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=9, help="how often each training runs")
    parser.add_argument("--states", type=int, default=300, help="how many states are read")
    arguments = parser.parse_args()
    compare(english_prose(), arguments.repeats)
    read(english_prose(), arguments.states)


if __name__ == "__main__":
    main()
