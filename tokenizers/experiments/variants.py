"""The same task with other words: runs by merging that are to be done by hand, and equally hard.

Letters change places (see equal_difficulty.py), and so do the counts of the words. Both decide ties: so every
draw is trained and measured (`difficulty`), and only one that is as hard as the first is kept. Left
out: texts of which nothing but the words changes, encodings, and Unigram.
"""

import random
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from tokenizers import wordpiece
from tokenizers.bpe import merge_steps
from tokenizers.experiments.equal_difficulty import equally_hard, letter_permutation, shuffled
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece.matching import match_steps

WordCounts = tuple[tuple[str, int], ...]
"""The words of a run, with their counts, in their order."""

Cross = tuple[int, int, int]
"""A new word made of two: the first letters of one, so many, and of the other what follows them."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How much there is to do by hand in a run, and in splitting a new word by what it learned.

    Before each step: how many pairs there are to count. Of each step: how many pairs tie for it,
    in how many words its pair has to be found, and how many counts it changes. `splitting` is how
    many merges or matches the new word takes.
    """

    words: int
    symbols: int
    counts: tuple[int, ...]
    pairs: tuple[int, ...]
    tied: tuple[int, ...]
    found_in: tuple[int, ...]
    changed: tuple[int, ...]
    splitting: int


def difficulty(trace: Trace[Any], cross: Cross | None) -> Difficulty:
    """Measure a run, and the splitting of a new word, if there is one."""
    steps = [trace.step(k) for k in range(1, len(trace) + 1)]
    return Difficulty(
        words=len(trace.words),
        symbols=sum(len(trace.settings.symbols(word)) for word in trace.words),
        counts=tuple(sorted(trace.corpus.word_counts.values())),
        pairs=tuple([len(trace.state(k).pair_counts) for k in range(len(trace))]),
        tied=tuple(trace.num_tied),
        found_in=tuple([len(step.changed_words) for step in steps]),
        changed=tuple([len(changed_pair_counts(trace, k)) for k in range(1, len(trace) + 1)]),
        splitting=num_splitting_steps(trace, cross_words(trace, cross)) if cross else 0,
    )


def changed_pair_counts(trace: Trace[Any], k: int) -> dict[Pair, tuple[int, int]]:
    """Return the pairs whose count step `k` changes, each with its count before and after."""
    before, after = trace.state(k - 1).pair_counts, trace.state(k).pair_counts
    pairs = dict.fromkeys([*before, *after])
    counts = {pair: (before.get(pair, 0), after.get(pair, 0)) for pair in pairs}
    return {pair: (was, now) for pair, (was, now) in counts.items() if was != now}


def variants(trace: Trace[Any], number: int, seed: int) -> list[Trace[Any]]:
    """Return so many runs that are equally hard: the one that is given, then other ones.

    The same seed gives the same runs, and a larger number only more of them. Raises ValueError, in
    a sentence, where there are not as many.
    """
    cross, settings = best_cross(trace), replace(trace.settings, num_merges=len(trace))
    first = tuple(trace.corpus.word_counts.items())

    def draw(rng: random.Random, late: bool) -> WordCounts:
        # In the end, every count is left with its word.
        return tuple(permuted_corpus(trace.corpus, rng, with_counts=not late).word_counts.items())

    def run_of(words: WordCounts) -> Trace[Any]:
        if words == first:
            return trace
        corpus = replace(trace.corpus, word_counts=dict(words), text=None)
        return Trace[Any].record(corpus, settings)

    def measure(words: WordCounts) -> Difficulty | None:
        run = run_of(words)
        return difficulty(run, cross) if run.num_tied == trace.num_tied else None

    return [*map(run_of, equally_hard(first, number, seed, draw, measure, "train on more words"))]


def permuted_corpus(corpus: Corpus, rng: random.Random, with_counts: bool = True) -> Corpus:
    """Return the corpus with its letters, and perhaps its counts, changed about.

    >>> permuted_corpus(Corpus({"low": 5, "lower": 2}), random.Random(4)).word_counts
    {'lew': 2, 'lewor': 5}
    """
    letters = letter_permutation("".join(corpus.word_counts), rng)
    counts = list(corpus.word_counts.values())
    if with_counts:
        counts = shuffled(counts, rng)
    words = [word.translate(letters) for word in corpus.word_counts]
    return replace(corpus, word_counts=dict(zip(words, counts, strict=True)), text=None)


# ---- a word nobody has seen before ----


def best_cross(trace: Trace[Any]) -> Cross | None:
    """Return how to make a new word out of two old ones, the one that gets shortest by the run.

    None where nothing new comes of it, as with a single word.
    """
    words = trace.words
    crosses = [
        (head, tail, n)
        for head, tail in permutations(range(len(words)), 2)
        for n in range(1, min(len(words[head]) + 1, len(words[tail])))
    ]
    new = [cross for cross in crosses if cross_words(trace, cross) not in words]
    return max(new, key=lambda cross: _saved(trace, cross_words(trace, cross)), default=None)


def cross_words(trace: Trace[Any], cross: Cross) -> str:
    """Return the word that is made so."""
    head, tail, n = cross
    return trace.words[head][:n] + trace.words[tail][n:]


def _saved(trace: Trace[Any], word: str) -> int:
    return len(trace.settings.symbols(word)) - len(trace.model().encode(word).tokens)


def num_splitting_steps(trace: Trace[Any], word: str) -> int:
    """Return how many merges, or matches, it takes to split a word."""
    model = trace.model()
    if isinstance(model, wordpiece.Model):
        return len(list(match_steps(word, model.vocab, model.settings.mark)))
    return len(list(merge_steps(model.settings.symbols(word), model.ranks)))
