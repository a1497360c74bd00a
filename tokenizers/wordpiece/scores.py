"""The scores of pairs, and the priority queue by which WordPiece merges the highest score first.

The *score* of a pair is its count divided by the product of its two symbols' counts. It is high if
the two symbols seldom occur without each other.

A merge makes both of its symbols rarer and so changes the score of every pair with one of them:
hundreds at each step, of which hardly any is ever merged. `ScoreQueue` therefore keeps all scores
in one float array and lets NumPy update the scores of all pairs with a symbol at once. The floats
only preselect pairs: those at or very near the maximum are then compared by exact integers.
"""

import heapq
from array import array
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from tokenizers.merging.queue import NO_PAIR_LEFT, tie_key, too_rare_text
from tokenizers.merging.state import Counts, Merge, Pair, State
from tokenizers.wordpiece.settings import Settings

NEAR_BEST = 1 - 2.0**-48
"""A score below NEAR_BEST times the highest is surely lower, as rounding errors are below 2^-50."""


class ScoreQueue:
    """The pairs that may be merged, the highest score first; ties are broken by the tie rule.

    Each pair has an index into the arrays of counts, symbols and scores; a pair below the minimum
    count has score 0. `_is_best` marks the pairs with the highest score, `_num_best` counts them.
    `_best_heap` is a heap of these pairs as (tie key, pair); it may hold outdated entries.
    """

    def __init__(self, state: State, settings: Settings) -> None:
        self._state, self._min_count = state, max(settings.min_count, 1)
        self._tie_key = tie_key(state, settings.ties)
        self._digits = precision(state)
        self._pairs: list[Pair] = []
        self._number_of: dict[Pair, int] = {}
        self._symbols: dict[str, int] = {}
        self._pairs_with: dict[str, array[int]] = defaultdict(lambda: array("q"))
        self._tokens = np.ones(1024)  # the count of each symbol, 1 for one that no longer occurs
        self._firsts, self._seconds = np.zeros((2, 1024), np.int64)  # the symbols of each pair
        self._counts, self._scores = np.zeros(1024), np.zeros(1024)
        self._is_best = np.zeros(1024, bool)
        self._num_best, self._highest, self._near_best = 0, 0, 0.0
        self._best_heap: list[tuple[tuple[object, ...], Pair]] = []
        self._count(state.pair_counts)
        self._count_tokens(state.token_counts)
        self._compute_scores(np.arange(len(self._pairs)))

    def update(self, step: Merge) -> None:
        """Update the counts of pairs and of symbols that `step` changed."""
        self._count(step.pair_count_deltas)
        changed = {*step.pair, step.token}
        self._count_tokens(changed)
        # Every pair whose count has changed contains one of these symbols.
        pairs = [np.frombuffer(self._pairs_with[symbol], np.int64) for symbol in changed]
        self._rescore(np.concatenate(pairs))

    def _count(self, pairs: Iterable[Pair]) -> None:
        """Update the counts of pairs; add the pairs that are new."""
        counts, numbers, min_count = self._state.pair_counts, self._number_of, self._min_count
        for pair in pairs:
            count = counts.get(pair, 0)
            if count < min_count:
                count = 0
            if (number := numbers.get(pair)) is None:
                if not count:
                    continue
                number = self._add(pair)
            self._counts[number] = count

    def _count_tokens(self, symbols: Iterable[str]) -> None:
        """Update the counts of symbols."""
        counts = self._state.token_counts
        for symbol in symbols:
            number = self._symbol(symbol)
            self._tokens[number] = counts.get(symbol, 1)

    def _add(self, pair: Pair) -> int:
        number = self._number_of[pair] = len(self._pairs)
        self._pairs.append(pair)
        if number == len(self._counts):
            self._counts, self._scores = _doubled(self._counts), _doubled(self._scores)
            self._firsts, self._seconds = _doubled(self._firsts), _doubled(self._seconds)
            self._is_best = _doubled(self._is_best)
        self._firsts[number], self._seconds[number] = map(self._symbol, pair)
        for symbol in set(pair):
            self._pairs_with[symbol].append(number)
        return number

    def _symbol(self, symbol: str) -> int:
        number = self._symbols.setdefault(symbol, len(self._symbols))
        if number == len(self._tokens):
            self._tokens = np.concatenate([self._tokens, np.ones_like(self._tokens)])
        return number

    def _compute_scores(self, numbers: np.ndarray) -> np.ndarray:
        """Compute, store and return the scores of the pairs with these indices."""
        # `take` is faster than an index in brackets, which matters for short arrays.
        first = self._tokens.take(self._firsts.take(numbers))
        second = self._tokens.take(self._seconds.take(numbers))
        scores = self._counts.take(numbers) / (first * second)
        self._scores[numbers] = scores
        return scores

    def _rescore(self, numbers: np.ndarray) -> None:
        """Recompute the scores of pairs, and which of the pairs have the highest score."""
        scores = self._compute_scores(numbers)
        for number in set(numbers[self._is_best.take(numbers)].tolist()):
            self._is_best[number] = False
            self._num_best -= 1
        if self._num_best:
            self._add_candidates(numbers[scores >= self._near_best])

    def _add_candidates(self, numbers: np.ndarray) -> None:
        """Mark the pairs that tie for the highest score; if one exceeds it, clear all marks."""
        number: int
        for number in set(numbers.tolist()):
            score = self._exact_score(number)
            if score > self._highest:
                self._is_best[:], self._num_best = False, 0  # `best` starts over
                return
            if score == self._highest:
                self._is_best[number] = True
                self._num_best += 1
                pair = self._pairs[number]
                heapq.heappush(self._best_heap, (self._tie_key(pair), pair))

    def _exact_score(self, number: int) -> int:
        """Return the score of a pair as an integer, see `precision`."""
        first, second = pair = self._pairs[number]
        tokens = self._state.token_counts
        return (self._state.pair_counts[pair] << self._digits) // (tokens[first] * tokens[second])

    def best(self) -> Pair | None:
        """Return the pair to merge next; None when no pair is frequent enough."""
        if not self._num_best:
            return self._start_over()
        while True:
            key, pair = self._best_heap[0]
            if not self._is_best[self._number_of[pair]]:
                heapq.heappop(self._best_heap)
            elif (current := self._tie_key(pair)) != key:
                heapq.heapreplace(self._best_heap, (current, pair))
            else:
                return pair

    def _start_over(self) -> Pair | None:
        """Find the pairs with the highest score of all; return the one to merge next."""
        scores = self._scores[: len(self._pairs)]
        self._near_best = scores.max(initial=0) * NEAR_BEST
        if not self._near_best:
            return None
        numbers: list[int] = np.flatnonzero(scores >= self._near_best).tolist()
        exact = [self._exact_score(number) for number in numbers]
        self._highest = max(exact)
        best = [n for n, score in zip(numbers, exact, strict=True) if score == self._highest]
        self._is_best[best], self._num_best = True, len(best)
        pairs = [self._pairs[number] for number in best]
        # A pair without a rival is merged at once; asked again, `best` computes its key.
        self._best_heap = [(self._tie_key(pair) if len(pairs) > 1 else (), pair) for pair in pairs]
        heapq.heapify(self._best_heap)
        return self._best_heap[0][1]

    def is_tied(self, pair: Pair) -> bool:
        """Return whether a pair has the same score as the last result of `best`."""
        number = self._number_of.get(pair)
        return number is not None and bool(self._is_best[number])

    def num_tied(self) -> int:
        """Return the number of pairs tied for best, including the best."""
        return self._num_best

    def why_empty(self) -> str:
        """Describe why `best` returned None."""
        counts = self._state.pair_counts.values()
        return too_rare_text(max(counts), self._min_count) if counts else NO_PAIR_LEFT


def _doubled(values: np.ndarray) -> np.ndarray:
    """Return an array extended to twice its length with zeros."""
    return np.concatenate([values, np.zeros_like(values)], axis=-1)


def precision(state: Counts) -> int:
    """Return how many binary digits after the point suffice to distinguish any two scores.

    With N symbols in the corpus, a score has a denominator of at most N * N, so different scores
    differ by at least 1 / N ** 4: truncated after these digits, they are integers in the same
    order, equal only if the scores are. Floats would not guarantee that.
    """
    return 4 * sum(state.token_counts.values()).bit_length()


def score(state: Counts, pair: Pair) -> Fraction:
    """Return the score of `pair`. Raises KeyError if it does not occur in the corpus."""
    first, second = pair
    return Fraction(state.pair_counts[pair], state.token_counts[first] * state.token_counts[second])


def ranking(state: Counts, limit: int | None = None, min_count: int = 1) -> list[Pair]:
    """Return the pairs that occur `min_count` times or more, the highest score first.

    Tied pairs keep the order of `state.pair_counts`. At most `limit` pairs are returned.
    """
    tokens, digits = state.token_counts, precision(state)
    scores = {
        pair: (count << digits) // (tokens[pair[0]] * tokens[pair[1]])
        for pair, count in state.pair_counts.items()
        if count >= min_count
    }
    if limit is None:
        return sorted(scores, key=scores.__getitem__, reverse=True)
    return heapq.nlargest(limit, scores, key=scores.__getitem__)


def tied_pairs(state: Counts, pair: Pair, settings: Settings) -> list[Pair]:
    """Return the pairs that may be merged and are as good as `pair`, including it."""
    counts = state.pair_counts
    may_be_merged = [other for other in counts if counts[other] >= settings.min_count]
    if settings.convention == "hugging_face":
        return [other for other in may_be_merged if counts[other] == counts[pair]]
    tokens, best = state.token_counts, score(state, pair)
    return [
        other
        for other in may_be_merged
        if counts[other] * best.denominator == best.numerator * tokens[other[0]] * tokens[other[1]]
    ]
