"""Change the count of one word, train again, and find the first merge that differs.

Two runs are the same up to a merge if they have joined the same pairs in the same order; the pairs'
counts may differ. Until then both runs split every word alike, so a pair's count differs by the
change in the word's count times the pair's occurrences in the word. This works for BPE and
WordPiece; Unigram has no order of merges to compare.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tokenizers import bpe, wordpiece
from tokenizers.errors import UserError
from tokenizers.merging.state import Pair, State
from tokenizers.record.trace import ALGORITHMS, Trace
from tokenizers.text.corpus import Corpus

Settings = bpe.Settings | wordpiece.Settings


def with_count(corpus: Corpus, word: str, count: int) -> Corpus:
    """Return the corpus with a new count of `word`; a count of 0 removes it, a new word comes last.

    Raises UserError if the count is below 0, if the word is empty, or if the counts add up to more
    than a corpus may have.

    >>> with_count(Corpus({"hug": 10, "pug": 5}), "hug", 3).word_counts
    {'hug': 3, 'pug': 5}
    """
    if count < 0:
        raise UserError(f"The new count of “{word}” is {count:,}. Write 0 or a larger number.")
    counts = {**corpus.word_counts, word: count}
    if not count:
        del counts[word]
    checked = Corpus.from_counts(counts, corpus.pipeline)
    return Corpus(checked.word_counts, None, corpus.pipeline)


def first_difference(some: Sequence[Pair], others: Sequence[Pair]) -> int | None:
    """Return the number, from 1, of the first merge that differs; None if no merge differs.

    If one run ends earlier, the first merge that only the other run has differs.

    >>> first_difference([("u", "g"), ("u", "n")], [("u", "g"), ("h", "ug")])
    2
    >>> first_difference([("u", "g")], [("u", "g"), ("h", "ug")])
    2
    """
    for k, (one, other) in enumerate(zip(some, others, strict=False), start=1):
        if one != other:
            return k
    return None if len(some) == len(others) else min(len(some), len(others)) + 1


@dataclass(frozen=True, slots=True)
class Probe:
    """The effect of giving the word this `count`; `first` is the first changed merge, if any."""

    count: int
    first: int | None

    def changes(self, merge: int | None) -> bool:
        """Return whether `merge` or an earlier one changes; with None, whether any merge does."""
        return self.first is not None and (merge is None or self.first <= merge)


def probe(pairs: Sequence[Pair], corpus: Corpus, settings: Settings) -> int | None:
    """Train on `corpus` until a merge differs from `pairs`; return that merge's number, or None."""
    algorithm = ALGORITHMS[type(settings)]
    k = 0
    for k, step in enumerate(algorithm.train(corpus, settings), start=1):
        if k > len(pairs) or step.pair != pairs[k - 1]:
            return k
    return k + 1 if k < len(pairs) else None


def counts_outward(count: int, most: int) -> Iterator[int]:
    """Yield the counts up to `most` away from `count`, the nearest and then the smaller first.

    >>> list(counts_outward(2, 3))
    [2, 1, 3, 0, 4, 5]
    """
    yield count
    for distance in range(1, most + 1):
        if distance <= count:
            yield count - distance
        yield count + distance


def scan(
    base: Trace[Any],
    word: str,
    counts: Iterable[int],
    should_stop: Callable[[int], bool] = lambda done: False,
) -> tuple[Probe, ...]:
    """Train once for each of the counts of `word`; return the probes in order of count.

    No count is skipped, because with scores a larger change need not show earlier (see `bisect`).
    `should_stop` is called after each training with the number of counts done.
    """
    found: list[Probe] = []
    for done, count in enumerate(counts, start=1):
        corpus = with_count(base.corpus, word, count)
        found.append(Probe(count, probe(base.pairs, corpus, base.settings)))
        if should_stop(done):
            break
    return tuple(sorted(found, key=lambda probe: probe.count))


def nearest(
    probes: Sequence[Probe], count: int, merge: int | None = None
) -> tuple[Probe | None, Probe | None]:
    """Return the nearest probes below and above `count` that change `merge` or an earlier merge.

    If `merge` is None, any change counts. A probe is None if no count on its side qualifies.
    """
    reaching = [probe for probe in probes if probe.changes(merge)]
    below = [probe for probe in reaching if probe.count < count]
    above = [probe for probe in reaching if probe.count > count]
    return (below[-1] if below else None), (above[0] if above else None)


def bisect(
    base: Trace[Any], word: str, merge: int | None, farthest: int
) -> tuple[Probe | None, Probe | None]:
    """Return what `nearest` would for probes of all counts up to `farthest`, by binary search.

    This is correct only for merges by count. As long as the earlier merges are the same, every
    pair's count is linear in the word's count, and so is the merged pair's margin over any other
    pair, which is therefore positive on one interval. A score is a quotient of linear functions,
    whose order may change back. Raises UserError if merges go by score.
    """
    if base.settings.by_score:
        raise UserError("Where merges go by the score, every count has to be tried.")
    count = base.corpus.word_counts.get(word, 0)

    def tried(other: int) -> Probe:
        corpus = with_count(base.corpus, word, other)
        return Probe(other, probe(base.pairs, corpus, base.settings))

    return _halve(tried, count, 0, merge), _halve(tried, count, max(farthest, count), merge)


def _halve(tried: Callable[[int], Probe], near: int, far: int, merge: int | None) -> Probe | None:
    """Return the probe nearest to `near` that changes the merge, if the one at `far` does."""
    found = tried(far)
    if not found.changes(merge):
        return None
    while abs(far - near) > 1:
        middle = tried((near + far) // 2)
        if middle.changes(merge):
            found, far = middle, middle.count
        else:
            near = middle.count
    return found


@dataclass(frozen=True, slots=True)
class Evidence:
    """The counts of one pair just before a step, which decide whether the pair is merged.

    `count` is the pair's count in the corpus, and `parts` contains the counts of its two symbols.
    `in_word` and `parts_in_word` are the same counts within the word whose count was changed.
    """

    pair: Pair
    count: int
    parts: tuple[int, int]
    in_word: int
    parts_in_word: tuple[int, int]


def evidence(trace: Trace[Any], k: int, pair: Pair, word: str) -> Evidence:
    """Return the counts of `pair` just before step `k`, in the corpus and in `word`.

    `k` may be one more than the number of steps. The word need not be in the run's corpus.
    """
    state, (first, second) = trace.state(k - 1), pair
    split = split_before(trace, k, word)
    return Evidence(
        pair,
        state.pair_counts.get(pair, 0),
        (state.token_counts.get(first, 0), state.token_counts.get(second, 0)),
        list(pairwise(split)).count(pair),
        (split.count(first), split.count(second)),
    )


def split_before(trace: Trace[Any], k: int, word: str) -> tuple[str, ...]:
    """Split a word, which need not be in the corpus, by the merges before step `k`."""
    state = State([trace.settings.symbols(word)], [1], {"": 0}, trace.settings.mark)
    for pair in trace.pairs[: k - 1]:
        if pair in state.pair_counts:
            state.apply(state.merge(pair))
    return state.splits[0]
