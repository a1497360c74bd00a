"""How much work an algorithm does: operations counted from its record, step by step.

What is counted is what the algorithms in this folder look at, or would look at if they were done
the plain way; nothing is timed. Each function says what one operation is. The counts grow with the
input as some power of its size, which `exponent` finds.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import sub
from typing import Any

import numpy as np

from tokenizers.bpe import AppliedMerge
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.steps import Expectation
from tokenizers.wordpiece.matching import Match

# --- Learning merges ------------------------------------------------------------------------------


def pairs_in_text(trace: Trace[Any]) -> tuple[int, ...]:
    """Return, for each step, the pairs of the whole text: what is counted anew the plain way.

    A word that occurs twice is gone through twice. The sum is at most N·V for a text of N symbols
    and V merges.
    """
    words = trace.corpus.num_words
    return tuple([tokens - words for tokens in trace.num_tokens[: len(trace)]])


def pairs_in_words(trace: Trace[Any]) -> tuple[int, ...]:
    """Return, for each step, the pairs of all different words, each taken once."""
    lengths = _lengths(trace)
    now = sum(lengths) - len(lengths)
    fewer = [sum(map(len, trace.step(k).changed_words.values())) for k in range(1, len(trace) + 1)]
    return tuple(accumulate(fewer, sub, initial=now))[: len(trace)]


def pairs_in_changed(trace: Trace[Any]) -> tuple[int, ...]:
    """Return, for each step, the pairs of the different words that it changes.

    These are all that this package's training looks at again, but for the words that have lost the
    pair to an earlier step, which it passes by.
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
    """Return what training has in memory: symbols of distinct words, distinct pairs, and pieces.

    Symbols and pairs are those before the first merge, pieces those at the end.
    """
    return sum(_lengths(trace)), len(trace.state(0).pair_counts), trace.vocab_sizes[-1]


def _lengths(trace: Trace[Any]) -> list[int]:
    return [len(trace.settings.symbols(word)) for word in trace.words]


# --- Applying merges ------------------------------------------------------------------------------


def pairs_rule_by_rule(num_symbols: int, num_rules: int, steps: Iterable[AppliedMerge]) -> int:
    """Return the pairs looked at when every merge rule goes through the whole word in its turn.

    At most n·m for n symbols and m rules; a merge shortens the word for the rules that follow.

    >>> pairs_rule_by_rule(3, 10, [])
    20
    """
    whole = num_rules * max(num_symbols - 1, 0)
    return whole - sum(num_rules - 1 - step.rank for step in steps)


def pairs_scanned(num_symbols: int, num_steps: int) -> int:
    """Return the pairs looked at when the best of all is looked for before every merge.

    The last look finds none. With n symbols and n - 1 merges that is n (n - 1) / 2.

    >>> pairs_scanned(4, 3)
    6
    """
    return sum(num_symbols - 1 - done for done in range(min(num_steps + 1, num_symbols)))


def pairs_looked_up(num_symbols: int, steps: Iterable[AppliedMerge]) -> int:
    """Return the pairs whose rank is looked up with a queue, as in `bpe.merge_steps`.

    All of them once, and after a merge the pairs to its left and to its right.
    """
    starts, count = list(range(num_symbols)), max(num_symbols - 1, 0)
    for step in steps:
        at = bisect_left(starts, step.start)
        del starts[at + 1]
        count += (at > 0) + (at + 1 < len(starts))
    return count


# --- Matching -------------------------------------------------------------------------------------


def candidates_tried(matches: Iterable[Match]) -> int:
    """Return how many candidates were looked up in the vocabulary, those found among them."""
    return sum(len(match.rejected) + (match.piece is not None) for match in matches)


# --- Lattices -------------------------------------------------------------------------------------


def substrings(length: int, longest: int) -> int:
    """Return the substrings of up to `longest` characters: what may be an edge of a lattice.

    At most n·k, and n (n + 1) / 2 where pieces may be as long as the string.

    >>> substrings(4, 2), substrings(4, 4)
    (7, 10)
    """
    return sum(min(longest, length - start) for start in range(length))


def edges_of(words: Iterable[str], pieces: Mapping[str, float], unknown: float) -> Iterator[int]:
    """Yield for each word the edges of its lattice: what Viterbi and forward add up once each."""
    for word in words:
        yield len(Lattice.build(word, pieces, unknown).edges)


def edges_in_training(trace: UnigramTrace) -> tuple[int, ...]:
    """Return, for each E step, the edges of the lattices of all different words.

    As the textbook does it, forward and backward go through each of them once.
    """
    words = trace.word_counts
    names = trace.seed.pieces.names
    lattices = Lattices.build(list(words), list(words.values()), names)
    counts: list[int] = []
    for step in trace.steps:
        if isinstance(step, Expectation):
            there = np.zeros(len(names) + 1, bool)
            there[step.log_probs.ids] = there[-1] = True  # -1: a character that is no piece
            counts.append(int(there[lattices.pieces].sum()))
    return tuple(counts)


# --- Growth ---------------------------------------------------------------------------------------


def exponent(sizes: Sequence[int], counts: Sequence[float]) -> float | None:
    """Return the power of the size by which the counts grow: the slope on logarithmic scales.

    It is fitted by least squares. None where there are not two sizes, or a count is not positive.

    >>> round(exponent([1, 2, 4, 8], [3, 12, 48, 192]), 9)
    2.0
    """
    if len(set(sizes)) < 2 or min(counts) <= 0:
        return None
    x, y = np.log(np.array(sizes, float)), np.log(np.array(counts, float))
    x -= x.mean()
    return float(x @ (y - y.mean()) / (x @ x))
