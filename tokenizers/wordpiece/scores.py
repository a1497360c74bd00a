"""The scores of pairs, and which is the highest: what WordPiece merges by.

The *score* of a pair is how often it occurs in the corpus, divided by how often its first symbol
does times how often its second does: high where two symbols are seldom seen without each other.

A merge makes both of its symbols rarer, and so changes the score of every pair that has one of
them: hundreds at each step, of which hardly any is ever merged. `ScoreQueue` therefore holds all
scores in one array of floating-point numbers, in which numpy works out those of a symbol at once.
They only say which pairs to look at: those that are the highest, or so close to it that rounding
may decide, are compared as whole numbers.
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
"""Times the highest score: what is less is less for certain, for rounding changes 2^-50 of each."""


class ScoreQueue:
    """The pairs that may be merged, those of the highest score first, ties by the rule.

    A pair has a number, under which its count, the numbers of its symbols and its score stand in
    arrays; what is seen less often than it must be has the score 0. `_is_best` says which pairs
    have the highest score, as long as any of them is left; `_best_heap` is a heap of those, with what
    sorts them and perhaps with some that are so no more.
    """

    def __init__(self, state: State, settings: Settings) -> None:
        self._state, self._min_count = state, max(settings.min_count, 1)
        self._tie_key = tie_key(state, settings.ties)
        self._digits = precision(state)
        self._pairs: list[Pair] = []
        self._number_of: dict[Pair, int] = {}
        self._symbols: dict[str, int] = {}
        self._pairs_with: dict[str, array[int]] = defaultdict(lambda: array("q"))
        self._tokens = np.ones(1024)  # of each symbol, 1 for one that is no more
        self._parts = np.zeros((2, 1024), np.int64)  # the symbols of each pair
        self._counts, self._scores = np.zeros(1024), np.zeros(1024)
        self._is_best = np.zeros(1024, bool)
        self._num_best, self._highest, self._near_best = 0, 0, 0.0
        self._best_heap: list[tuple[tuple[object, ...], Pair]] = []
        self._count(state.pair_counts)
        self._count_tokens(state.token_counts)
        self._compute_scores(np.arange(len(self._pairs)))

    def update(self, step: Merge) -> None:
        """Update the queue with the counts that `step` changed, including those of its symbols."""
        self._count(step.pair_count_deltas)
        changed = {*step.pair, step.token}
        self._count_tokens(changed)
        # Every pair whose count has changed has one of these symbols, too.
        pairs = [np.frombuffer(self._pairs_with[symbol], np.int64) for symbol in changed]
        self._rescore(np.concatenate(pairs))

    def _count(self, pairs: Iterable[Pair]) -> None:
        """Take over how often pairs occur now; give a number to those that are new."""
        counts, numbers, min_count = self._state.pair_counts, self._number_of, self._min_count
        where, occurs = list[int](), list[int]()
        for pair in pairs:
            count = counts.get(pair, 0)
            if (number := numbers.get(pair)) is None:
                if count < min_count:
                    continue
                number = self._add(pair)
            where.append(number)
            occurs.append(count if count >= min_count else 0)
        self._counts[where] = occurs

    def _count_tokens(self, symbols: Iterable[str]) -> None:
        """Take over how often symbols occur now."""
        counts = self._state.token_counts
        numbers = [self._symbol(symbol) for symbol in symbols]
        self._tokens[numbers] = [counts.get(symbol, 1) for symbol in symbols]

    def _add(self, pair: Pair) -> int:
        number = self._number_of[pair] = len(self._pairs)
        self._pairs.append(pair)
        if number == len(self._counts):
            self._counts, self._scores = _doubled(self._counts), _doubled(self._scores)
            self._parts, self._is_best = _doubled(self._parts), _doubled(self._is_best)
        for side, symbol in enumerate(pair):
            self._parts[side, number] = self._symbol(symbol)
        for symbol in set(pair):
            self._pairs_with[symbol].append(number)
        return number

    def _symbol(self, symbol: str) -> int:
        number = self._symbols.setdefault(symbol, len(self._symbols))
        if number == len(self._tokens):
            self._tokens = np.concatenate([self._tokens, np.ones_like(self._tokens)])
        return number

    def _compute_scores(self, numbers: np.ndarray) -> np.ndarray:
        """Work out the scores of the pairs of these numbers; return them."""
        first, second = self._parts[:, numbers]
        scores = self._counts[numbers] / (self._tokens[first] * self._tokens[second])
        self._scores[numbers] = scores
        return scores

    def _rescore(self, numbers: np.ndarray) -> None:
        """Score pairs anew: some of the best may be so no more, and some may have come to be."""
        scores = self._compute_scores(numbers)
        for number in set(numbers[self._is_best[numbers]].tolist()):
            self._is_best[number] = False
            self._num_best -= 1
        if self._num_best:
            self._add_candidates(numbers[scores >= self._near_best])

    def _add_candidates(self, numbers: np.ndarray) -> None:
        """Let pairs of about the highest score, or more, take their turn if they tie."""
        number: int
        for number in set(numbers.tolist()):
            score = self._exact_score(number)
            if score > self._highest:
                self._is_best[:], self._num_best = False, 0  # it begins anew
                return
            if score == self._highest:
                self._is_best[number] = True
                self._num_best += 1
                pair = self._pairs[number]
                heapq.heappush(self._best_heap, (self._tie_key(pair), pair))

    def _exact_score(self, number: int) -> int:
        """Return the score of a pair as a whole number, see `precision`."""
        first, second = pair = self._pairs[number]
        tokens = self._state.token_counts
        return (self._state.pair_counts[pair] << self._digits) // (tokens[first] * tokens[second])

    def best(self) -> Pair | None:
        """Return the pair to merge next; None when no pair is left that occurs often enough."""
        if not self._num_best:
            self._near_best = self._scores.max() * NEAR_BEST
            if not self._near_best:
                return None
            numbers = np.flatnonzero(self._scores >= self._near_best)
            self._highest = max(map(self._exact_score, numbers.tolist()))
            self._best_heap = []
            self._add_candidates(numbers)
        while True:
            key, pair = self._best_heap[0]
            if not self._is_best[self._number_of[pair]]:
                heapq.heappop(self._best_heap)
            elif (current := self._tie_key(pair)) != key:
                heapq.heapreplace(self._best_heap, (current, pair))
            else:
                return pair

    def is_tied(self, pair: Pair) -> bool:
        """Return whether a pair has the score of `best`, which was asked for just before."""
        number = self._number_of.get(pair)
        return number is not None and bool(self._is_best[number])

    def num_tied(self) -> int:
        """Return how many pairs have, that one among them."""
        return self._num_best

    def why_empty(self) -> str:
        """Say why `best` has found nothing."""
        counts = self._state.pair_counts.values()
        return too_rare_text(max(counts), self._min_count) if counts else NO_PAIR_LEFT


def _doubled(values: np.ndarray) -> np.ndarray:
    """Return an array with room for as much again, zeros."""
    return np.concatenate([values, np.zeros_like(values)], axis=-1)


def precision(state: Counts) -> int:
    """Return how many binary digits after the point tell any two scores apart.

    With N symbols in the corpus, a score has a denominator of at most N * N, so two that differ do
    so by at least 1 / N ** 4: cut off after these digits they are whole numbers in the same order,
    and equal only if the scores are. Floating-point numbers would not promise that.
    """
    return 4 * sum(state.token_counts.values()).bit_length()


def score(state: Counts, pair: Pair) -> Fraction:
    """Return the score of `pair`; KeyError for one that does not stand in the corpus."""
    first, second = pair
    return Fraction(state.pair_counts[pair], state.token_counts[first] * state.token_counts[second])


def ranking(state: Counts, limit: int | None = None, min_count: int = 1) -> list[Pair]:
    """Return the pairs seen `min_count` times or more, those of the highest score first.

    Pairs that tie stand in the order of `state.pair_counts`; `limit` keeps only the first ones.
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
    """Return the pairs that may be merged and are as good as `pair`, itself among them."""
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
