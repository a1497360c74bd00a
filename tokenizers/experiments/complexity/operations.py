"""Count the operations of the algorithms, step by step, from traces.

The functions count the items that this package's algorithms, or naive versions, look at; nothing is
timed. Each function defines what it counts as one operation. The counts grow like some power of the
input size; `exponent` estimates that power.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import sub
from typing import Any

import numpy as np

from tokenizers.bpe import MergeStep
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.steps import Expectation
from tokenizers.wordpiece.matching import Match

# --- Learning merges ------------------------------------------------------------------------------


def pairs_in_text(trace: Trace[Any]) -> tuple[int, ...]:
    """Return, for each step, the number of pairs in the whole text, which naive training counts.

    Repeated words count each time. The sum is at most N·V for a text of N symbols and V merges.
    """
    words = trace.corpus.num_words
    return tuple([tokens - words for tokens in trace.num_tokens[: len(trace)]])


def pairs_in_words(trace: Trace[Any]) -> tuple[int, ...]:
    """Return, for each step, the number of pairs in all distinct words."""
    lengths = _lengths(trace)
    now = sum(lengths) - len(lengths)
    fewer = [sum(map(len, trace.step(k).changed_words.values())) for k in range(1, len(trace) + 1)]
    return tuple(accumulate(fewer, sub, initial=now))[: len(trace)]


def pairs_in_changed(trace: Trace[Any]) -> tuple[int, ...]:
    """Return, for each step, the number of pairs in the distinct words that the step changes.

    This package's training examines just these pairs; it skips words that have lost the merged pair
    in an earlier step.
    """
    lengths = _lengths(trace)
    counts: list[int] = []
    for k in range(1, len(trace) + 1):
        resplit = trace.step(k).changed_words
        counts.append(sum(lengths[word] - 1 for word in resplit))
        for word, places in resplit.items():
            lengths[word] -= len(places)
    return tuple(counts)


def kept_in_training(trace: Trace[Any]) -> tuple[int, int, int]:
    """Return the numbers of distinct words' symbols, distinct pairs, and pieces kept in memory.

    Symbols and pairs are counted before the first merge, pieces after the last.
    """
    return sum(_lengths(trace)), len(trace.state(0).pair_counts), trace.vocab_sizes[-1]


def _lengths(trace: Trace[Any]) -> list[int]:
    return [len(trace.settings.symbols(word)) for word in trace.words]


# --- Applying merges ------------------------------------------------------------------------------


def pairs_rule_by_rule(num_symbols: int, num_rules: int, steps: Iterable[MergeStep]) -> int:
    """Return the number of pairs examined if every merge rule in turn scans the whole word.

    This is at most n·m for n symbols and m rules; a merge shortens the word for the later rules.

    >>> pairs_rule_by_rule(3, 10, [])
    20
    """
    whole = num_rules * max(num_symbols - 1, 0)
    return whole - sum(num_rules - 1 - step.rank for step in steps)


def pairs_scanned(num_symbols: int, num_steps: int) -> int:
    """Return the number of pairs examined if all pairs are scanned for the best before each merge.

    The last scan finds no pair. For n symbols and n - 1 merges the number is n (n - 1) / 2.

    >>> pairs_scanned(4, 3)
    6
    """
    return sum(num_symbols - 1 - done for done in range(min(num_steps + 1, num_symbols)))


def pairs_looked_up(num_symbols: int, steps: Iterable[MergeStep]) -> int:
    """Return the number of rank look-ups with a priority queue, as in `bpe.merge_steps`.

    Each initial pair is looked up once; after each merge, its pairs to the left and right are.
    """
    starts, count = list(range(num_symbols)), max(num_symbols - 1, 0)
    for step in steps:
        at = bisect_left(starts, step.start)
        del starts[at + 1]
        count += (at > 0) + (at + 1 < len(starts))
    return count


# --- Matching -------------------------------------------------------------------------------------


def candidates_tried(matches: Iterable[Match]) -> int:
    """Return the number of candidates looked up in the vocabulary, including those found."""
    return sum(len(match.rejected) + (match.piece is not None) for match in matches)


# --- Lattices -------------------------------------------------------------------------------------


def substrings(length: int, longest: int) -> int:
    """Return the number of substrings of up to `longest` characters, i.e. of possible edges.

    It is at most n·k, and n (n + 1) / 2 if pieces may be as long as the string.

    >>> substrings(4, 2), substrings(4, 4)
    (7, 10)
    """
    return sum(min(longest, length - start) for start in range(length))


def edges_of(words: Iterable[str], pieces: Mapping[str, float], unknown: float) -> Iterator[int]:
    """Yield each word's number of lattice edges; Viterbi or forward makes an addition for each."""
    for word in words:
        yield len(Lattice.build(word, pieces, unknown).edges)


def edges_in_training(trace: UnigramTrace) -> tuple[int, ...]:
    """Return, for each E step, the number of edges in the lattices of all distinct words.

    In the textbook algorithm, the forward and the backward pass each visit every edge once.
    """
    words = trace.word_counts
    names = trace.seed.pieces.names
    lattices = Lattices.build(list(words), list(words.values()), names)
    counts: list[int] = []
    for step in trace.steps:
        if isinstance(step, Expectation):
            there = np.zeros(len(names) + 1, bool)
            there[step.log_probs.ids] = there[-1] = True  # -1: a character that isn't a piece
            counts.append(int(there[lattices.pieces].sum()))
    return tuple(counts)


# --- Growth ---------------------------------------------------------------------------------------


def exponent(sizes: Sequence[int], counts: Sequence[float]) -> float | None:
    """Return the exponent of growth, computed as the least-squares slope on logarithmic scales.

    It is None if there are fewer than two distinct sizes, or if a count is not positive.

    >>> round(exponent([1, 2, 4, 8], [3, 12, 48, 192]), 9)
    2.0
    """
    if len(set(sizes)) < 2 or min(counts) <= 0:
        return None
    x, y = np.log(np.array(sizes, float)), np.log(np.array(counts, float))
    x -= x.mean()
    return float(x @ (y - y.mean()) / (x @ x))
