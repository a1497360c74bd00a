"""Training by merges, counted: the pairs it looks at, and what it has to keep."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from pages.complexity.counts import OURS, S2, Asked, Claim, Count, Growth
from tokenizers import bpe
from tokenizers.experiments import operations
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline


def _trace(asked: Asked, size: int) -> Trace[bpe.Settings]:
    """Train on the first `size` characters."""
    pipeline = Pipeline((), "punctuation" if asked.form == "words" else "none")
    corpus = Corpus.from_text(asked.grown[:size], pipeline)
    return Trace.record(corpus, bpe.Settings(num_merges=asked.merges))


def training(asked: Asked) -> Growth:
    """Return the pairs that training looks at, over the length of the text."""
    traces = [_trace(asked, size) for size in asked.sizes]
    lengths = [len(trace) for trace in traces]
    bound = [float(size * merges) for size, merges in zip(asked.sizes, lengths, strict=True)]
    counts = [[sum(count(trace)) for trace in traces] for count in _WAYS]
    note = (
        f"V is {lengths[-1]:,} merges for the longest text and {lengths[0]:,} for the shortest, "
        "which may run out of pairs."
    )
    axis = "N, characters of the text"
    return Growth("bpe_train", axis, asked.sizes, _counted(counts, bound), note)


def merges(asked: Asked) -> Growth:
    """Return the same counts after 1, 2, 4 … merges of the run on the longest text."""
    size = asked.sizes[-1]
    trace = _trace(asked, size)
    sizes = tuple([2**k for k in range(len(trace).bit_length()) if 2**k <= len(trace)])
    sums = [list(accumulate(count(trace))) for count in _WAYS]
    counts = [[total[merges - 1] for merges in sizes] for total in sums]
    bound = [float(size * merges) for merges in sizes]
    note = f"On {size:,} characters the run ended after {len(trace):,} merges: {trace.stop_reason}."
    return Growth("bpe_merges", "V, merges", sizes, _counted(counts, bound), note)


_WAYS: Mapping[Callable[[Trace[Any]], tuple[int, ...]], tuple[str, str, str, str]] = {
    operations.pairs_in_text: (
        "all pairs of the text",
        "pairs counted when the whole text is gone through before every merge",
        "Σ over merges of (tokens left − words)",
        S2,
    ),
    operations.pairs_in_words: (
        "pairs of distinct words",
        "the same, but a word that occurs often is gone through once",
        "Σ over merges of (tokens − 1) of each different word",
        S2,
    ),
    operations.pairs_in_changed: (
        "pairs of changed words",
        "only the words that hold the merged pair are gone through again",
        "Σ over merges of (tokens − 1) of each word that changes",
        f"the same bound; {OURS}",
    ),
}
"""What counts the work of every step, by ways to do it: name, meaning, formula, whose claim."""


def _counted(counts: Sequence[Sequence[int]], bound: Sequence[float]) -> tuple[Count, ...]:
    return tuple(
        Count(name, means, formula, Claim("O(N·V)", source, tuple(bound)), tuple(of))
        for (name, means, formula, source), of in zip(_WAYS.values(), counts, strict=True)
    )


# --- Space ----------------------------------------------------------------------------------------


def space(asked: Asked) -> Growth:
    """Return what training keeps, over the length of the text, with the same V."""
    traces = [_trace(asked, size) for size in asked.sizes]
    kept = [operations.kept_in_training(trace) for trace in traces]
    flat = Claim("O(V)", S2, tuple([float(asked.merges)] * len(kept)))
    rows = zip(_KEPT, zip(*kept, strict=True), strict=True)
    series = tuple(Count(name, means, formula, flat, of) for (name, means, formula), of in rows)
    note = (
        f"V is at most {asked.merges:,} merges, however long the text, so O(V) is a flat line. The "
        "vocabulary comes close to that; words and pairs grow with the text."
    )
    return Growth("bpe_space", "N, characters of the text", asked.sizes, series, note, "value")


_KEPT = (
    (
        "symbols of words",
        "a symbol of a distinct word, before the first merge; each word is kept once",
        "Σ over distinct words of their symbols",
    ),
    (
        "pairs with counts",
        "a distinct pair with its count, before the first merge",
        "pairs that occur in some word",
    ),
    ("vocabulary", "a piece of the vocabulary at the end", "base symbols + merges"),
)
