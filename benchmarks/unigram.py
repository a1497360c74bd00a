"""Time of recorded Unigram training, and the size of the recording.

    python benchmarks/unigram.py

Compares with SentencePiece 0.2.1 and 0.2.3, which are written in C++, train with several threads
and record nothing: the same 2,000 pieces, from the same text to the finished model. Runs are
interleaved, so that a busy machine slows both. The last lines give the time of the exact loss,
which no library computes, for 2,000 seeds. ORACLE_PYTHON and SENTENCEPIECE_0_2_1 are the locations
of the libraries.
"""

import itertools
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

from common import library, options, seconds_of

from lessons.texts import TEXTS
from tests.parity import FOLDERS
from tests.parity.corpora import english_prose
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Prune

VOCAB_SIZE = 2_000
MAX_RATIO = {"0.2.1": 1.0, "0.2.3": 1.0}  # ours, by the library
CONVENTIONS = {"0.2.1": "sentencepiece_classic", "0.2.3": "sentencepiece"}
SEEDS = 2_000


@contextmanager
def sentencepiece(version: str, text: str) -> Iterator[Callable[[], float]]:
    """Start SentencePiece; yield a function that trains there and returns the seconds."""
    request = {"lines": text.split("\n"), "vocab_size": VOCAB_SIZE, "model_type": "unigram"}

    def train() -> float:
        answer = ask(**request, normalization_rule_name="identity")
        assert answer["pieces"] == VOCAB_SIZE
        return answer["seconds"]

    with library("unigram_library.py", *FOLDERS[version]) as ask:
        yield train


def record(text: str, convention: str) -> UnigramTrace:
    """Train on `text` and record everything."""
    # Not `Corpus.from_text`: these conventions read the lines and count the words themselves.
    corpus = Corpus({}, text, Pipeline(("sentencepiece_spaces",), "metaspace"))
    return UnigramTrace.record(corpus, convention_settings(convention, VOCAB_SIZE))


def compare(version: str, text: str, repeats: int) -> None:
    """Print the training time here and in the library."""
    ours, theirs = [], []
    with sentencepiece(version, text) as train:
        train()
        for _ in range(repeats):
            theirs.append(train())
            ours.append(seconds_of(record, text, CONVENTIONS[version]))
    print(
        f"SentencePiece {version}: best {min(theirs) * 1000:.0f} ms, "
        f"median {median(theirs) * 1000:.0f} ms\n"
        f"ours, recorded:      best {min(ours) * 1000:.0f} ms, "
        f"median {median(ours) * 1000:.0f} ms; "
        f"ours / library: best {min(ours) / min(theirs):.2f}, "
        f"median {median(ours) / median(theirs):.2f} "
        f"(asked for: {MAX_RATIO[version]} at most)"
    )


def print_sizes(text: str) -> None:
    """Print the sizes of recordings."""
    for convention in CONVENTIONS.values():
        trace = record(text, convention)
        size = len(pickle.dumps(trace, pickle.HIGHEST_PROTOCOL)) / 1e6
        print(f"{convention}: {len(trace)} steps, {size:.1f} MB pickled")


def exact_loss() -> None:
    """Print the time to remove each of 2,000 seeds and segment the corpus again."""
    corpus = Corpus.from_text(TEXTS["prose"].text or "")
    for renormalise in (True, False):
        changes = {"seed_size": SEEDS, "max_rounds": 1, "renormalise": renormalise}
        settings = convention_settings("textbook", 1_000, **changes)
        times = [perf_counter()]

        def on_progress(_done: int, _total: int, times: list[float] = times) -> bool:
            times.append(perf_counter())
            return False

        trace = UnigramTrace.record(corpus, settings, on_progress)
        waits = [later - earlier for earlier, later in itertools.pairwise(times)]
        (prune,) = [step for step in trace.steps if isinstance(step, Prune)]
        everywhere = "in all words" if renormalise else "in the words that hold it"
        print(
            f"exact loss of {len(prune.losses):,} pieces {everywhere}: "
            f"{times[-1] - times[0]:.1f} s, asked to stop every {max(waits) * 1000:.0f} ms at least"
        )


def main() -> None:
    """Run all benchmarks."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=7, help="how often each training runs")
    repeats = parser.parse_args().repeats
    text = english_prose()
    print(f"{len(text):,} characters, {VOCAB_SIZE:,} pieces")
    for version in CONVENTIONS:
        compare(version, text, repeats)
    print_sizes(text)
    exact_loss()


if __name__ == "__main__":
    main()
