"""The same task with other words: runs by merging that are to be done by hand, and equally hard.

Letters of the same kind (vowels, or consonants, of one script) change places, and so do the counts
of the words. How hard a run is does not follow from that, since both decide ties: so every draw is
trained and measured (`difficulty`), and only one that is as hard as the first is kept. Left out:
texts of which nothing but the words changes, and Unigram.
"""

import random
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from tokenizers import wordpiece
from tokenizers.bpe import merge_steps
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace
from tokenizers.refusal import Refusal
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece.matching import match_steps

DRAWS = 400  # for one run; half of them leave every count with its word
_VOWELS = frozenset("aeiou")

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
        tied=tuple(trace.tied),
        found_in=tuple([len(step.resplit) for step in steps]),
        changed=tuple([len(recounted(trace, k)) for k in range(1, len(trace) + 1)]),
        splitting=num_splitting_steps(trace, crossed(trace, cross)) if cross else 0,
    )


def recounted(trace: Trace[Any], k: int) -> dict[Pair, tuple[int, int]]:
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
    cross = best_cross(trace)
    wanted, found = difficulty(trace, cross), [trace]
    drawn = {_words(trace.corpus)}
    for n in range(2, number + 1):
        other = _draw(trace, cross, wanted, drawn, random.Random(f"{seed} {n}"))
        if other is None:
            have = f"{n - 1} different sheets" if n > 2 else "one sheet"
            raise Refusal(
                f"These words give only {have} of the same difficulty. Ask for {n - 1:,}, or train "
                "on more words."
            )
        drawn.add(_words(other.corpus))
        found.append(other)
    return found


def _draw(
    trace: Trace[Any],
    cross: Cross | None,
    wanted: Difficulty,
    drawn: set[object],
    rng: random.Random,
) -> Trace[Any] | None:
    """Return a run over words that were not drawn before; None where no draw is as hard."""
    settings = replace(trace.settings, num_merges=len(trace))
    for draw in range(DRAWS):
        corpus = changed(trace.corpus, rng, with_counts=draw < DRAWS // 2)
        if _words(corpus) not in drawn:
            other = Trace.record(corpus, settings)
            if other.tied == trace.tied and difficulty(other, cross) == wanted:
                return other
    return None


def _words(corpus: Corpus) -> object:
    return tuple(corpus.word_counts.items())


def changed(corpus: Corpus, rng: random.Random, with_counts: bool = True) -> Corpus:
    """Return the corpus with its letters, and perhaps its counts, changed about.

    >>> changed(Corpus({"low": 5, "lower": 2}), random.Random(4)).word_counts
    {'lew': 2, 'lewor': 5}
    """
    letters = _permuted("".join(corpus.word_counts), rng)
    counts = list(corpus.word_counts.values())
    if with_counts:
        rng.shuffle(counts)
    words = [word.translate(letters) for word in corpus.word_counts]
    return replace(corpus, word_counts=dict(zip(words, counts, strict=True)), text=None)


def _permuted(text: str, rng: random.Random) -> dict[int, str]:
    """Return for each letter of a text the one that takes its place; capitals go with the small."""
    kinds = defaultdict[object, set[str]](set)
    for letter in filter(_has_one_form, text):
        kinds[_kind(letter.lower())].add(letter.lower())
    places: dict[int, str] = {}
    for letters in map(sorted, kinds.values()):
        for letter, other in zip(letters, rng.sample(letters, len(letters)), strict=True):
            places |= {ord(letter.upper()): other.upper(), ord(letter): other}
    return places


def _has_one_form(letter: str) -> bool:
    """Tell whether a character is a letter that can be written small and large, there and back."""
    small, large = letter.lower(), letter.upper()
    return letter.isalpha() and len(small) == len(large) == 1 and large.lower() == small


def _kind(letter: str) -> object:
    """Return what two letters must share to change places, so that words can still be said."""
    script = unicodedata.name(letter, "").partition(" ")[0]
    return script, unicodedata.category(letter), letter in _VOWELS


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
    new = [cross for cross in crosses if crossed(trace, cross) not in words]
    return max(new, key=lambda cross: _saved(trace, crossed(trace, cross)), default=None)


def crossed(trace: Trace[Any], cross: Cross) -> str:
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
