"""Count the pairs that training by merges looks at, and the memory that it needs."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from pages.complexity.counts import (
    OUR_METHOD,
    SOURCES_TABLE,
    CountRequest,
    GrowthClaim,
    OperationCount,
    OperationGrowth,
)
from pages.shared.drawing.phrasing import count_of
from tokenizers import bpe
from tokenizers.experiments.complexity import operations
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline


def _trace(request: CountRequest, size: int) -> Trace[bpe.Settings]:
    """Train on the first `size` characters."""
    pipeline = Pipeline((), "punctuation" if request.form == "words" else "none")
    corpus = Corpus.from_text(request.input_text[:size], pipeline)
    return Trace.record(corpus, bpe.Settings(num_merges=request.merges))


def training(request: CountRequest) -> OperationGrowth:
    """Return how many pairs training looks at, for each length of the text."""
    traces = [_trace(request, size) for size in request.sizes]
    lengths = [len(trace) for trace in traces]
    bound = [float(size * merges) for size, merges in zip(request.sizes, lengths, strict=True)]
    counts = [[sum(count(trace)) for trace in traces] for count in _METHODS]
    note = f"V is {count_of(request.merges, 'merge')}"
    if lengths[0] < request.merges:
        note += f"; the shortest text has pairs for only {lengths[0]:,}"
    if lengths[-1] < request.merges:
        note += f", the longest for {lengths[-1]:,}"
    axis = "N, characters of the text"
    return OperationGrowth("bpe_train", axis, request.sizes, _series(counts, bound), f"{note}.")


def merges(request: CountRequest) -> OperationGrowth:
    """Return how many pairs training has looked at after 1, 2, 4 … merges of the longest text."""
    size = request.sizes[-1]
    trace = _trace(request, size)
    sizes = tuple([2**k for k in range(len(trace).bit_length()) if 2**k <= len(trace)])
    sums = [list(accumulate(count(trace))) for count in _METHODS]
    counts = [[total[merges - 1] for merges in sizes] for total in sums]
    bound = [float(size * merges) for merges in sizes]
    note = f"On {size:,} characters the run ended after {len(trace):,} merges: {trace.stop_reason}."
    return OperationGrowth("bpe_merges", "V, merges", sizes, _series(counts, bound), note)


_METHODS: Mapping[Callable[[Trace[Any]], tuple[int, ...]], tuple[str, str, str, str]] = {
    operations.pairs_in_text: (
        "all pairs of the text",
        "pairs counted when the whole text is gone through before every merge",
        "Σ over merges of (tokens left − words)",
        SOURCES_TABLE,
    ),
    operations.pairs_in_words: (
        "pairs of distinct words",
        "the same, but a word that occurs often is gone through once",
        "Σ over merges of (tokens − 1) of each different word",
        SOURCES_TABLE,
    ),
    operations.pairs_in_changed: (
        "pairs of changed words",
        "only the words that hold the merged pair are gone through again",
        "Σ over merges of (tokens − 1) of each word that changes",
        f"the same bound; {OUR_METHOD}",
    ),
}
"""Functions that count each step's work, with name, meaning, formula, and the claim's source."""


def _series(counts: Sequence[Sequence[int]], bound: Sequence[float]) -> tuple[OperationCount, ...]:
    return tuple(
        OperationCount(name, means, formula, GrowthClaim("O(N·V)", source, tuple(bound)), tuple(of))
        for (name, means, formula, source), of in zip(_METHODS.values(), counts, strict=True)
    )


# --- Space ----------------------------------------------------------------------------------------


def space(request: CountRequest) -> OperationGrowth:
    """Return how much memory training needs, for each length of the text, with the same V."""
    traces = [_trace(request, size) for size in request.sizes]
    kept = [operations.kept_in_training(trace) for trace in traces]
    flat = GrowthClaim("O(V)", SOURCES_TABLE, tuple([float(request.merges)] * len(kept)))
    rows = zip(_MEMORY, zip(*kept, strict=True), strict=True)
    series = tuple(
        OperationCount(name, means, formula, flat, of) for (name, means, formula), of in rows
    )
    note = (
        f"V is at most {request.merges:,} merges, however long the text, so O(V) is a flat line. "
        "The vocabulary comes close to that; words and pairs grow with the text."
    )
    return OperationGrowth(
        "bpe_space", "N, characters of the text", request.sizes, series, note, "value"
    )


_MEMORY = (
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
