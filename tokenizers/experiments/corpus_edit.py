"""Change how often one word occurs, train again, and find the first merge that is another one.

Two runs are the same up to a merge when they join the same pairs in the same order; how often these
were seen may differ. Up to there every word is split alike in both, so the count of any pair
differs by a plain rule: by the change of the word's count, times how often the pair stands in the
word. Covers BPE and WordPiece, which both learn by merging; leaves out Unigram, which has no order
of steps to compare.
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
    """Return the corpus with `word` seen `count` times: 0 takes it out, a new word comes last.

    Raises ValueError, in a sentence, for a count below 0, for a word that is none, and where the
    counts add up to more than a corpus may hold.

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
    """Return the number, from 1, of the first merge that differs; None where none does.

    Where one run ends and the other goes on, they differ at the first merge that only one has.

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
    """What one count of the word does: the first merge that changes, None where none does."""

    count: int
    first: int | None

    def changes(self, merge: int | None) -> bool:
        """Whether `merge`, or one before it, changes; with None, whether any merge does."""
        return self.first is not None and (merge is None or self.first <= merge)


def probe(pairs: Sequence[Pair], corpus: Corpus, settings: Settings) -> int | None:
    """Train on `corpus` until it leaves the merges `pairs`; return the first that differs."""
    algorithm = ALGORITHMS[type(settings)]
    k = 0
    for k, step in enumerate(algorithm.train(corpus, settings), start=1):
        if k > len(pairs) or step.pair != pairs[k - 1]:
            return k
    return k + 1 if k < len(pairs) else None


def counts_outward(count: int, most: int) -> Iterator[int]:
    """Yield the counts nearest to `count`, itself first, the smaller of two as near before.

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
    """Train once for each of the counts of `word`, and return what each does, by count.

    Nothing is skipped: where merges go by the score, a larger change need not show earlier, see
    `bisect`. `should_stop` is asked after each count, with how many are done.
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
    """Return the nearest probe below `count` that changes `merge` or an earlier one, and above it.

    With None it is any merge. None stands where no probe does.
    """
    reaching = [probe for probe in probes if probe.changes(merge)]
    below = [probe for probe in reaching if probe.count < count]
    above = [probe for probe in reaching if probe.count > count]
    return (below[-1] if below else None), (above[0] if above else None)


def bisect(
    base: Trace[Any], word: str, merge: int | None, farthest: int
) -> tuple[Probe | None, Probe | None]:
    """Return what `nearest` does, for all counts up to `farthest`, by halving.

    That is right only for merges by count. As long as the merges before it are the same, the count
    of every pair is a straight line over the count of the word, and so is what the merged pair is
    ahead of another: it stays ahead on one unbroken stretch. A score is a quotient of such lines,
    and may come back: ValueError.
    """
    if base.settings.by_score:
        raise UserError("Where merges go by the score, every count has to be tried.")
    count = base.corpus.word_counts.get(word, 0)

    def tried(other: int) -> Probe:
        corpus = with_count(base.corpus, word, other)
        return Probe(other, probe(base.pairs, corpus, base.settings))

    return _halve(tried, count, 0, merge), _halve(tried, count, max(farthest, count), merge)


def _halve(tried: Callable[[int], Probe], near: int, far: int, merge: int | None) -> Probe | None:
    """Return the probe nearest to `near` that reaches the merge, if the one at `far` does."""
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
    """What is known of one pair just before a step: all that decides whether it is merged.

    `count` is how often it stands in the corpus, `parts` the same of its first and its second
    symbol, `in_word` how often the pair, and each of these, stands in the word whose count was
    changed. All are 0 where there is none.
    """

    pair: Pair
    count: int
    parts: tuple[int, int]
    in_word: int
    parts_in_word: tuple[int, int]


def evidence(trace: Trace[Any], k: int, pair: Pair, word: str) -> Evidence:
    """Return what is known of `pair` just before step `k`, and what of it is in `word`.

    `k` may be one more than there are steps. The word need not be in the corpus of the run.
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
    """Return the split of a word, in the corpus or not, by the merges before step `k`."""
    state = State([trace.settings.symbols(word)], [1], {"": 0}, trace.settings.mark)
    for pair in trace.pairs[: k - 1]:
        if pair in state.pair_counts:
            state.apply(state.merge(pair))
    return state.splits[0]
