"""How fast is WordPiece training with every score recorded, and how fast is a record read?

    python benchmarks/wordpiece.py

Compares with the `WordPieceTrainer` of the PyPI library `tokenizers`, which is written in Rust,
records nothing and works out no score: it merges by count. Both start from the same text, cut as
BERT does, and make 2,000 pieces. Both run in turns, so that a busy machine slows both.
ORACLE_PYTHON names the interpreter that has the library. Leaves out encoding, drawing, and whether
results are right: see tests/.
"""

from statistics import median
from time import perf_counter

from measuring import in_turns, library, options, p95, seconds_of
from training import MOST_MILLISECONDS, megabytes_of, times_to_read

from tests.parity.corpora import english_prose
from tokenizers import wordpiece
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

NUM_MERGES = 2_000
MOST_TIMES_AS_LONG = 2  # ours, by the library
NUM_RANKED = 100


def record(text: str, convention: str) -> Trace[wordpiece.Settings]:
    """Train on `text` and record everything."""
    corpus = Corpus.from_text(text, Pipeline((), "bert"))
    ties = "first_seen" if convention == "score" else "smallest_ids"
    settings = wordpiece.Settings(num_merges=NUM_MERGES, ties=ties, convention=convention)
    return Trace.record(corpus, settings)


def compare(text: str, repeats: int) -> None:
    """Print how long training takes, by score and by count, and how long in the library."""
    vocab_size = record(text, "hugging_face").vocab_sizes[-1]
    with library("library.py") as theirs:
        runs = {
            "ours, by score": lambda: seconds_of(record, text, "score"),
            "ours, by count": lambda: seconds_of(record, text, "hugging_face"),
            "library, by count": lambda: theirs(texts=text, vocab_size=vocab_size)["seconds"],
        }
        times = in_turns(runs, repeats)
    *_, of_library = times.values()
    print(f"{len(text):,} characters, {NUM_MERGES:,} merges")
    for run, its in times.items():
        print(
            f"{run:20}"
            f"best {min(its) * 1000:4.0f} ms, this / library {min(its) / min(of_library):.2f}    "
            f"median {median(its) * 1000:4.0f} ms, "
            f"this / library {median(its) / median(of_library):.2f}"
        )
    print(f"asked for: {MOST_TIMES_AS_LONG} at most, by score")


def times_to_rank(trace: Trace, count: int) -> list[float]:
    """Return how long it takes to find the best pairs of a state that was read, in ms, sorted."""
    times = []
    for n in range(count):
        state = trace.state(n * len(trace) // count)
        _ = state.pair_counts, state.token_counts
        begin = perf_counter()
        wordpiece.ranking(state, NUM_RANKED)
        times.append((perf_counter() - begin) * 1000)
    return sorted(times)


def read(text: str, count: int) -> None:
    """Print how long it takes to read a state and to rank its pairs, and how large a record is."""
    trace = record(text, "score")
    read, ranked = times_to_read(trace, count), times_to_rank(trace, count)
    pickled, in_memory = megabytes_of(trace)
    print(
        f"\nstate(k) at {count} random k: p50 {median(read):.1f} ms, p95 {p95(read):.1f} ms "
        f"(asked for: {MOST_MILLISECONDS} at most)\n"
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
