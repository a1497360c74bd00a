"""Count in a worker how every algorithm's work grows with its input, next to the claims in O(·).

`count` runs an algorithm on longer and longer inputs and counts its operations with
`tokenizers/experiments/complexity/operations.py`; a `GrowthClaim` holds what sources claim.
Training by merges is in `merging.py`, charts and sentences are in `findings.py`.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from lessons.trained import usual_unigram
from pages.complexity import merging
from pages.complexity.counts import (
    MAX_TEXT_CHARS,
    MAX_WORD_CHARS,
    MIN_CHARS,
    OUR_METHOD,
    SOURCES_TABLE,
    CountRequest,
    GrowthClaim,
    OperationCount,
    OperationGrowth,
)
from pages.shared.training.limits import limit_run
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS
from tokenizers import bpe, unigram, wordpiece
from tokenizers.errors import UserError
from tokenizers.experiments.complexity import operations
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.wordpiece.automaton import Automaton
from tokenizers.wordpiece.matching import match_steps

PIECES_OF_A = 16  # Unigram's pieces a, aa, aaa … for a word that consists of “a” only


def count(report: ProgressCallback, request: CountRequest, operation: str) -> OperationGrowth:
    """Count the work of one of `OPERATIONS` at every size.

    Raises UserError if the text is too short.
    """
    if len(request.sizes) < 2 or not request.text.strip():
        raise UserError(
            f"The text is too short to grow: it takes {2 * MIN_CHARS} characters, with words among "
            "them. Write more, or choose another one."
        )
    return COUNTERS[operation](request)


def count_all(report: ProgressCallback, request: CountRequest) -> tuple[OperationGrowth, ...]:
    """Count the work of all `OPERATIONS`. Raises UserError as `count` does, or if stopped."""
    found: list[OperationGrowth] = []
    for operation in COUNTERS:
        if report(len(found), len(COUNTERS)):
            raise UserError("You stopped it before everything was counted. Run it again.")
        found.append(count(report, request, operation))
    return tuple(found)


# --- Training -------------------------------------------------------------------------------------


def _unigram_training(request: CountRequest) -> OperationGrowth:
    pipeline = Pipeline((), "metaspace" if request.form == "words" else "none")
    edges, longest = [], []
    for size in request.sizes:
        trace = _unigram_run(CorpusSource(request.input_text[:size]), request.merges, pipeline)
        edges.append(operations.edges_in_training(trace))
        longest.append(max(map(len, trace.seed.pieces)))
    one_pass = [size * k for size, k in zip(request.sizes, longest, strict=True)]
    all_passes = [n * len(passes) for n, passes in zip(one_pass, edges, strict=True)]
    series = (
        OperationCount(
            "edges, first E step",
            "edges in the lattices of all distinct words, with all seed pieces",
            "Σ over distinct words of their edges",
            GrowthClaim(
                "O(N·k)", f"one pass of Viterbi: {SOURCES_TABLE}", tuple(map(float, one_pass))
            ),
            tuple([passes[0] for passes in edges]),
        ),
        OperationCount(
            "edges, whole training",
            "the same, added up over all E steps",
            "Σ over E steps, Σ over distinct words",
            GrowthClaim("O(N·k·E)", "a pass for each of E steps", tuple(map(float, all_passes))),
            tuple([sum(passes) for passes in edges]),
        ),
    )
    note = (
        f"Seed pieces are substrings seen at least twice: the longest has k = {longest[0]:,} "
        f"characters in the shortest text and {longest[-1]:,} in the longest, which took "
        f"{len(edges[-1]):,} E steps."
    )
    return OperationGrowth(
        "unigram_train", "N, characters of the text", request.sizes, series, note
    )


# --- Encoding -------------------------------------------------------------------------------------


def _training_corpus(request: CountRequest, kind: str) -> Corpus:
    """Return the training corpus; for the forms “whole” and “repeats”, it is one long word."""
    if request.form in ("whole", "repeats"):
        return Corpus.from_text(request.input_text[:MAX_WORD_CHARS], Pipeline((), "none"))
    return Corpus.from_text(request.text[:MAX_TEXT_CHARS], Pipeline((), KINDS[kind].split))


def _inputs(request: CountRequest, pre_tokenizer: str) -> list[tuple[str, ...]]:
    """Return the words of the input at every size."""
    pipeline = Pipeline((), pre_tokenizer if request.form == "words" else "none")
    return [tuple(pipeline.words(request.input_text[:size])) for size in request.sizes]


def _values(request: CountRequest, bound: Callable[[int], float]) -> tuple[float, ...]:
    return tuple([float(bound(size)) for size in request.sizes])


def _summed_counts(
    inputs: Sequence[Sequence[str]], counted: Callable[[str], tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return, for each way of counting, the sum over every input; counts each word once."""
    known = {word: counted(word) for word in dict.fromkeys(w for words in inputs for w in words)}
    nothing = counted("")  # for an input without words
    rows = [[known[word] for word in words] or [nothing] for words in inputs]
    sums = [tuple(map(sum, zip(*row, strict=True))) for row in rows]
    return list(zip(*sums, strict=True))


def _bpe_encoding(request: CountRequest) -> OperationGrowth:
    trace = Trace.record(_training_corpus(request, "bpe"), bpe.Settings(num_merges=request.merges))
    ranks = {pair: rank for rank, pair in enumerate(trace.pairs)}

    def counted(word: str) -> tuple[int, ...]:
        steps = list(bpe.merge_steps(word, ranks))
        size = len(word)
        return (
            operations.pairs_rule_by_rule(size, len(ranks), steps),
            operations.pairs_scanned(size, len(steps)),
            operations.pairs_looked_up(size, steps),
        )

    by_rule, scanned, looked_up = _summed_counts(_inputs(request, "punctuation"), counted)
    series = (
        OperationCount(
            "rule by rule",
            "pairs looked at when each merge rule goes through the whole word in its turn",
            f"Σ over the m = {len(ranks):,} rules of the pairs left",
            GrowthClaim("O(n·m)", SOURCES_TABLE, _values(request, lambda n: n * len(ranks))),
            by_rule,
        ),
        OperationCount(
            "best of all pairs",
            "pairs looked at when the best of all is looked for before every single merge; minbpe "
            "joins all places of a pair at once, and looks less often",
            "Σ over merges of the pairs left; at most n (n − 1) / 2",
            GrowthClaim("O(n²)", "the plain way", _values(request, lambda n: n * n)),
            scanned,
        ),
        OperationCount(
            "with a queue",
            "pairs whose rank is looked up: all once, then two after every merge",
            "n − 1 + at most 2 for each merge; a queue adds log n to each",
            GrowthClaim("O(n log n)", OUR_METHOD, _values(request, lambda n: n * math.log2(n))),
            looked_up,
        ),
    )
    return OperationGrowth("bpe_encode", "n, characters of the input", request.sizes, series)


def _wordpiece(request: CountRequest) -> OperationGrowth:
    if request.form == "repeats":
        vocab: Mapping[str, int] = wordpiece.vocabulary(["a", "##a"])
    else:
        settings = wordpiece.Settings(num_merges=request.merges)
        vocab = Trace.record(_training_corpus(request, "wordpiece"), settings).model().vocab
    automaton = Automaton(vocab)

    def counted(word: str) -> tuple[int, ...]:
        tried = operations.candidates_tried(match_steps(word, vocab))
        return tried, sum(1 for _ in automaton.walk(word))

    tried, moves = _summed_counts(_inputs(request, "bert"), counted)
    series = (
        OperationCount(
            "longest match",
            "candidates looked up, from the rest of the word down to one character",
            "Σ over pieces of (rejected + 1); n (n + 1) / 2 for a word of single characters",
            GrowthClaim("O(n²)", "Song et al. 2021", _values(request, lambda n: n * n)),
            tried,
        ),
        OperationCount(
            "LinMaxMatch",
            "moves of the automaton: a character is read, or a failure link followed",
            "at most n characters and n links",
            GrowthClaim("O(n)", "Song et al. 2021", _values(request, float)),
            moves,
        ),
    )
    note = "BERT’s tokenizer gives up on words of more than 100 characters; here all are tried."
    return OperationGrowth(
        "wordpiece_encode", "n, characters of the input", request.sizes, series, note
    )


def _unigram(request: CountRequest) -> OperationGrowth:
    pieces = _unigram_pieces(request)
    longest = max(map(len, pieces))
    unknown = min(pieces.values()) - unigram.UNKNOWN_PENALTY

    def counted(word: str) -> tuple[int, ...]:
        (edges,) = operations.edges_of([word], pieces, unknown)
        return operations.substrings(len(word), longest), edges

    tried, edges = _summed_counts(_inputs(request, "metaspace"), counted)
    series = (
        OperationCount(
            "substrings",
            f"substrings of up to k = {longest} characters, which may be pieces",
            "Σ over positions of min(k, characters left)",
            GrowthClaim("O(n·k)", SOURCES_TABLE, _values(request, lambda n: n * longest)),
            tried,
        ),
        OperationCount(
            "edges",
            "those that are pieces: what Viterbi adds up, one sum each",
            "edges of the lattice; at most n·k",
            GrowthClaim("O(n·k)", SOURCES_TABLE, _values(request, lambda n: n * longest)),
            edges,
        ),
    )
    size = request.sizes[-1]
    note = (
        f"A word of n characters has up to 2ⁿ⁻¹ segmentations: for n = {size:,} a number of "
        f"{math.floor((size - 1) * math.log10(2)) + 1:,} digits. Viterbi looks at each edge once."
    )
    return OperationGrowth(
        "unigram_encode", "n, characters of the input", request.sizes, series, note
    )


def _unigram_pieces(request: CountRequest) -> Mapping[str, float]:
    """Return pieces with their log probabilities."""
    if request.form == "repeats":
        return {"a" * k: -float(k) for k in range(1, PIECES_OF_A + 1)}
    text, pipeline = (
        CorpusSource(request.text[:MAX_TEXT_CHARS]),
        Pipeline((), KINDS["unigram"].split),
    )
    trace = _unigram_run(text, request.merges, pipeline)
    return trace.state(len(trace))


def _unigram_run(source: CorpusSource, extra: int, pipeline: Pipeline) -> UnigramTrace:
    """Train with `extra` pieces beyond the single characters.

    Seed pieces must occur twice, however short the text is. If all substrings were seeds, a short
    text would make more work than a longer one.
    """
    size = len(set("".join(pipeline.words(source.text)))) + extra
    corpus, settings, _ = limit_run(source, pipeline, usual_unigram(size))
    return UnigramTrace.record(corpus, settings)


COUNTERS: Mapping[str, Callable[[CountRequest], OperationGrowth]] = {
    "bpe_train": merging.training,
    "bpe_merges": merging.merges,
    "bpe_space": merging.space,
    "bpe_encode": _bpe_encoding,
    "wordpiece_encode": _wordpiece,
    "unigram_encode": _unigram,
    "unigram_train": _unigram_training,
}
"""The function that counts each of `OPERATIONS`."""
