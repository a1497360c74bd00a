"""Exercises in training by hand (merging), in equally hard variants with other words.

Letters are permuted (see `equal_difficulty.py`), and so are the words' counts. Both can decide
ties, so every variant is trained and measured (`difficulty`), and only equally hard ones are kept.
"""

import random
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from pages.shared.export.worksheets.tasks.equal_difficulty import (
    equally_hard,
    letter_permutation,
    shuffled,
)
from tokenizers import wordpiece
from tokenizers.bpe import merge_steps
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece.matching import match_steps

WordCounts = tuple[tuple[str, int], ...]
"""The words of a run with their counts, in order."""

Cross = tuple[int, int, int]
"""(head, tail, n): a new word made of the first n letters of one word and the rest of another."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The work that a run takes by hand, and then splitting a new word with the result.

    For each step, `pairs` contains the number of pairs to count before it, `tied` how many of them
    tie, `found_in` how many words contain the merged pair, and `changed` how many counts change.
    `splitting` is the number of merges or matches for the new word.
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
    """Return the difficulty of a run, and of splitting the new word made by `cross`, if any."""
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
    """Return the pairs whose count step `k` changes, with their counts before and after."""
    before, after = trace.state(k - 1).pair_counts, trace.state(k).pair_counts
    pairs = dict.fromkeys([*before, *after])
    counts = {pair: (before.get(pair, 0), after.get(pair, 0)) for pair in pairs}
    return {pair: (was, now) for pair, (was, now) in counts.items() if was != now}


def variants(trace: Trace[Any], number: int, seed: int) -> list[Trace[Any]]:
    """Return `number` equally hard runs, the given one first.

    The same seed gives the same runs, and a larger number only adds runs. Raises UserError if too
    few runs are found.
    """
    cross, settings = best_cross(trace), replace(trace.settings, num_merges=len(trace))
    first = tuple(trace.corpus.word_counts.items())

    def draw(rng: random.Random, is_late: bool) -> WordCounts:
        # In late draws, every word keeps its count.
        return tuple(
            permuted_corpus(trace.corpus, rng, with_counts=not is_late).word_counts.items()
        )

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
    """Return the corpus with its letters, and optionally its counts, permuted.

    >>> permuted_corpus(Corpus({"low": 5, "lower": 2}), random.Random(4)).word_counts
    {'lew': 2, 'lewor': 5}
    """
    letters = letter_permutation("".join(corpus.word_counts), rng)
    counts = list(corpus.word_counts.values())
    if with_counts:
        counts = shuffled(counts, rng)
    words = [word.translate(letters) for word in corpus.word_counts]
    return replace(corpus, word_counts=dict(zip(words, counts, strict=True)), text=None)


# ---- a new word ----


def best_cross(trace: Trace[Any]) -> Cross | None:
    """Return how to make, from two words, the new word that the run's merges shorten most.

    Return None if no new word can be made, e.g. of a single word.
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
    """Return the word made by a cross."""
    head, tail, n = cross
    return trace.words[head][:n] + trace.words[tail][n:]


def _saved(trace: Trace[Any], word: str) -> int:
    return len(trace.settings.symbols(word)) - len(trace.model().encode(word).tokens)


def num_splitting_steps(trace: Trace[Any], word: str) -> int:
    """Return the number of merges, or matches, that split a word."""
    model = trace.model()
    if isinstance(model, wordpiece.Model):
        return len(list(match_steps(word, model.vocab, model.settings.mark)))
    return len(list(merge_steps(model.settings.symbols(word), model.ranks)))
