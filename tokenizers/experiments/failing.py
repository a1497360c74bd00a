"""Where beliefs fail: for a size, all corpora are written down, and each is asked whether it does.

Every function yields, for each case of that size that it has looked at, a counterexample or None.
Where pairs tie, the tie rule would decide, and libraries disagree: only runs without a tie count.
No letter stands beside itself, since libraries count the overlapping pairs of a a a differently.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from tokenizers import wordpiece
from tokenizers.experiments.small_corpora import (
    EncodingCase,
    TieFreeRun,
    corpora,
    encodings,
    same_pieces,
    size_of,
    tie_free_runs,
    words,
)
from tokenizers.lattice import TIE_EPS, Lattice, by_length
from tokenizers.lattice.n_best import segmentations
from tokenizers.merging.state import Pair
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.matching import match_steps, pieces_of_matches

ALPHABET = "abcd"
"""The names of the letters while it is searched."""

Number = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one of two ways gives: its tokens, numbers by what they count, and the merges it did."""

    name: str
    tokens: Split
    numbers: Mapping[str, Number]
    merges: tuple[Pair, ...] = ()

    def renamed(self, names: dict[int, int]) -> "Outcome":
        """Return the same with other letters, by a table of `str.maketrans`."""
        tokens = tuple([token.translate(names) for token in self.tokens])
        merges = tuple([(a.translate(names), b.translate(names)) for a, b in self.merges])
        return replace(self, tokens=tokens, merges=merges)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A corpus on which a belief fails, and the two sides that ought to be the same.

    `word` is what is cut up after `num_merges` merges; `others` is a second corpus, where it takes
    two. `size` is counted in letters, see above.
    """

    word_counts: Mapping[str, int]
    word: str
    num_merges: int
    outcomes: tuple[Outcome, Outcome]
    size: int
    others: Mapping[str, int] | None = None

    def renamed(self, letters: str) -> "Counterexample":
        """Return the same with other letters; `letters` stand for those of `ALPHABET` in turn."""
        names = str.maketrans(ALPHABET, letters)
        first, second = (side.renamed(names) for side in self.outcomes)
        others = self.others and {word.translate(names): n for word, n in self.others.items()}
        counts = {word.translate(names): n for word, n in self.word_counts.items()}
        word = self.word.translate(names)
        return Counterexample(counts, word, self.num_merges, (first, second), self.size, others)


# --- BPE ------------------------------------------------------------------------------------------


def longest_match(size: int, letters: str) -> Iterator[Counterexample | None]:
    """BPE against the longest match over its own vocabulary."""
    for asked in encodings(size, letters):
        merged = asked.tokens
        matched = pieces_of_matches(match_steps(asked.word, asked.vocab, mark="")) or ()
        if merged == matched:
            yield None
        else:
            by_merges = _outcome("BPE, merge by merge", merged, asked.merges)
            yield _example(asked, by_merges, _outcome("The longest piece first", matched))


def last_token(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The tokens of a word but the last, before and after a letter is added to it."""
    for asked in encodings(size, letters):
        before = asked.run.tokens(asked.word[:-1], asked.num_merges)
        after = asked.tokens
        if not before or after[: len(before) - 1] == before[:-1]:
            yield None
        else:
            shorter = _outcome("Before the last letter", before, asked.merges)
            yield _example(asked, shorter, _outcome("With the last letter", after, asked.merges))


def more_merges(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The number of tokens of a word, with one merge and one merge more."""
    for asked in encodings(size, letters):
        before = asked.run.tokens(asked.word, asked.num_merges - 1)
        after = asked.tokens
        if len(after) <= len(before):
            yield None
        else:
            fewer = _outcome("Before the merge", before, asked.merges[:-1])
            yield _example(asked, fewer, _outcome("After the merge", after, asked.merges))


def _outcome(name: str, tokens: Split, merges: tuple[Pair, ...] = ()) -> Outcome:
    return Outcome(name, tokens, {"tokens": len(tokens)}, merges)


def _example(asked: EncodingCase, first: Outcome, second: Outcome) -> Counterexample:
    counts = asked.run.word_counts
    return Counterexample(counts, asked.word, asked.num_merges, (first, second), asked.size)


def same_vocabulary(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The tokens of a word by two runs that end with the same pieces."""
    for of_first in range(2, size):
        for of_second in range(of_first, size - of_first):
            for first, second in same_pieces(of_first, of_second, letters):
                for word in words(size - of_first - of_second, letters):
                    if first.alphabet.issuperset(word):
                        yield _two_cuts(first, second, word)


def _two_cuts(first: TieFreeRun, second: TieFreeRun, word: str) -> Counterexample | None:
    by_first, by_second = (learned.tokens(word, len(learned.merges)) for learned in (first, second))
    if by_first == by_second:
        return None
    size = size_of(first.word_counts) + size_of(second.word_counts) + len(word)
    sides = (
        _outcome("Learned from the first corpus", by_first, first.merges),
        _outcome("Learned from the second", by_second, second.merges),
    )
    merges = len(first.merges)
    return Counterexample(first.word_counts, word, merges, sides, size, second.word_counts)


def most_frequent_first(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The most frequent word, and the word that is the first to become one token."""
    for learned in tie_free_runs(size, letters):
        whole = {word: _whole_after(learned, word) for word in learned.word_counts}
        counts = learned.word_counts
        most, *rest = sorted(counts, key=lambda word: -counts[word])
        first = min(whole, key=whole.__getitem__)
        is_alone = all(counts[most] > counts[word] for word in rest)
        by_count = _becomes("The most frequent word", most, counts, whole)
        by_merges = _becomes("The first to be one token", first, counts, whole)
        fails = is_alone and whole[first] < whole[most] <= len(learned.merges)
        asked = EncodingCase(learned, len(learned.merges), "")
        yield _example(asked, by_count, by_merges) if fails else None


def _whole_after(learned: TieFreeRun, word: str) -> int:
    """Return after how many merges a word is one token; one more than there are if it never is."""
    merges = range(1, len(learned.merges) + 1)
    return next((n for n in merges if len(learned.tokens(word, n)) == 1), len(merges) + 1)


def _becomes(name: str, word: str, counts: Mapping[str, int], whole: Mapping[str, int]) -> Outcome:
    return Outcome(name, (word,), {"times in the corpus": counts[word], "merges": whole[word]})


# --- WordPiece ------------------------------------------------------------------------------------


def score_is_tie_breaker(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The pair seen most often, and the pair of the highest score: neither ties with any other."""
    return map(_by_score, corpora(size, letters))


def _by_score(word_counts: Mapping[str, int]) -> Counterexample | None:
    state = wordpiece.start(Corpus(word_counts), wordpiece.Settings(mark=""))
    counts = state.pair_counts
    scores = {pair: wordpiece.score(state, pair) for pair in counts}
    if len(set(counts.values())) < len(counts) or len(set(scores.values())) < len(counts):
        return None
    by_count, by_score = max(counts, key=counts.__getitem__), max(scores, key=scores.__getitem__)
    if by_count == by_score:
        return None
    first, second = (
        Outcome(name, pair, {"count": counts[pair], "score": scores[pair]})
        for name, pair in (("Most often seen: BPE", by_count), ("Highest score", by_score))
    )
    return Counterexample(word_counts, "", 1, (first, second), size_of(word_counts))


# --- Unigram --------------------------------------------------------------------------------------


def fewest_is_likeliest(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The fewest pieces of a word of the corpus, and the most probable ones."""
    for word_counts in corpora(size, letters, shortest=1):
        probabilities = first_probabilities(word_counts)
        for word in word_counts:
            yield _by_probability(word_counts, word, probabilities)


def first_probabilities(word_counts: Mapping[str, int]) -> dict[str, Fraction]:
    """Return how often each part of a word stands in the corpus, as a share of all of them.

    With such probabilities the training of a Unigram model begins.
    """
    counts: Counter[str] = Counter()
    for word, count in word_counts.items():
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                counts[word[start:end]] += count
    total = sum(counts.values())
    return {piece: Fraction(count, total) for piece, count in counts.items()}


def _by_probability(
    word_counts: Mapping[str, int], word: str, probabilities: Mapping[str, Fraction]
) -> Counterexample | None:
    logs = {piece: math.log(share) for piece, share in probabilities.items()}
    lattice = Lattice.build(word, logs)
    likeliest, *others = segmentations(lattice, 2)
    ways = by_length(lattice)
    is_tied = others and lattice.log_prob(likeliest) - lattice.log_prob(others[0]) < TIE_EPS
    if is_tied or ways[0].count > 1 or ways[0].length == len(likeliest):
        return None
    first, second = (
        Outcome(
            name, pieces, {"pieces": len(pieces), "probability": _product(pieces, probabilities)}
        )
        for name, pieces in (
            ("The fewest pieces", lattice.pieces(ways[0].best)),
            ("The most probable pieces", lattice.pieces(likeliest)),
        )
    )
    return Counterexample(word_counts, word, 0, (first, second), size_of(word_counts))


def _product(pieces: Split, probabilities: Mapping[str, Fraction]) -> Fraction:
    return math.prod((probabilities[piece] for piece in pieces), start=Fraction(1))
