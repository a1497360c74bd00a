"""Counterexamples: the smallest corpus on which something that people believe of tokenizers fails.

A *belief* is a statement that can be decided for any one corpus. `search` writes down all corpora,
the smallest first, and asks of each whether the belief fails on it. *Small* is counted in letters:
those of the corpus, every word as often as it occurs, and of the word that is cut up, if any. Of
equally small ones, the one with fewer letters in the corpus comes first, then the one with fewer
different words, then the one whose words are shorter or earlier in the order of the letters. A
corpus that differs from another in the names of its letters alone may be passed by.

Where pairs tie, the tie rule would decide, and libraries disagree: only runs without a tie count.
No letter stands beside itself, since libraries count the overlapping pairs of a a a differently.
Left out: what a belief looks like on the page.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tokenizers import wordpiece
from tokenizers.experiments.small_corpora import (
    Asked,
    Run,
    corpora,
    encodings,
    runs,
    same_pieces,
    size_of,
    words,
)
from tokenizers.lattice import TIED, Lattice, by_length
from tokenizers.lattice.n_best import segmentations
from tokenizers.merging.state import Pair
from tokenizers.refusal import Refusal
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.matching import match_steps, split_by

ALPHABET = "abcd"
"""The names of the letters while it is searched."""

Number = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Side:
    """What one of two ways gives: its tokens, numbers by what they count, and the merges it did."""

    name: str
    tokens: Split
    numbers: Mapping[str, Number]
    merges: tuple[Pair, ...] = ()

    def renamed(self, names: dict[int, int]) -> "Side":
        """Return the same with other letters, by a table of `str.maketrans`."""

        def spelled(tokens: Split) -> Split:
            return tuple([token.translate(names) for token in tokens])

        merges = [
            (first.translate(names), second.translate(names)) for first, second in self.merges
        ]
        return Side(self.name, spelled(self.tokens), self.numbers, tuple(merges))


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A corpus on which a belief fails, and the two sides that ought to be the same.

    `word` is what is cut up after `num_merges` merges; `others` is a second corpus, where it takes
    two. `size` is counted in letters, see above.
    """

    word_counts: Mapping[str, int]
    word: str
    num_merges: int
    sides: tuple[Side, Side]
    size: int
    others: Mapping[str, int] | None = None

    def renamed(self, letters: str) -> "Counterexample":
        """Return the same with other letters; `letters` stand for those of `ALPHABET` in turn."""
        names = str.maketrans(ALPHABET, letters)
        first, second = (side.renamed(names) for side in self.sides)
        others = self.others and {word.translate(names): n for word, n in self.others.items()}
        counts = {word.translate(names): n for word, n in self.word_counts.items()}
        word = self.word.translate(names)
        return Counterexample(counts, word, self.num_merges, (first, second), self.size, others)


@dataclass(frozen=True, slots=True)
class Belief:
    """A statement, and how its failure is looked for.

    `find` yields, for a size and an alphabet, what each case looked at gives: a counterexample or
    None. Looked at are corpora of `largest` letters at most, of which `num_letters` are different.
    `why` says why the belief fails, or why no search will ever find that it does.
    """

    id: str
    statement: str
    find: Callable[[int, str], Iterator[Counterexample | None]]
    num_letters: int
    largest: int
    why: str


@dataclass(frozen=True, slots=True)
class Searched:
    """How a search went: what it found, if anything, and how many cases it looked at.

    `size` is that of the example, or up to which all cases have been looked at.
    """

    belief: Belief
    example: Counterexample | None
    size: int
    num_cases: int


def search(belief: str, letters: str = ALPHABET) -> Searched:
    """Look for the smallest counterexample to the belief of that name, in these letters.

    Taken are the first different letters, as many as the belief needs; where they are too few,
    some of `ALPHABET` are added. Raises ValueError for a belief that is not there.

    >>> found = search("longest_match", "xy").example
    >>> found.word_counts, found.word, [side.tokens for side in found.sides]
    ({'xy': 1, 'xyx': 1}, 'xyxy', [('xy', 'xy'), ('xyx', 'y')])
    """
    if belief not in BELIEFS:
        raise Refusal(f"There is no belief {belief!r}. Choose from: {', '.join(BELIEFS)}.")
    found = _search(belief)
    chosen = "".join(dict.fromkeys([*filter(str.isalpha, letters), *ALPHABET]))
    example = found.example and found.example.renamed(chosen[: len(ALPHABET)])
    return Searched(found.belief, example, found.size, found.num_cases)


@lru_cache(maxsize=16)
def _search(name: str) -> Searched:
    belief, num_cases = BELIEFS[name], 0
    for size in range(1, belief.largest + 1):
        for example in belief.find(size, ALPHABET[: belief.num_letters]):
            num_cases += 1
            if example is not None:
                return Searched(belief, example, size, num_cases)
    return Searched(belief, None, belief.largest, num_cases)


# --- BPE ------------------------------------------------------------------------------------------


def longest_match(size: int, letters: str) -> Iterator[Counterexample | None]:
    """BPE against the longest match over its own vocabulary."""
    for asked in encodings(size, letters):
        merged = asked.tokens
        matched = split_by(match_steps(asked.word, asked.vocab, mark="")) or ()
        if merged == matched:
            yield None
        else:
            by_merges = _cut("BPE, merge by merge", merged, asked.merges)
            yield _example(asked, by_merges, _cut("The longest piece first", matched))


def last_token(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The tokens of a word but the last, before and after a letter is added to it."""
    for asked in encodings(size, letters):
        before = asked.run.tokens(asked.word[:-1], asked.num_merges)
        after = asked.tokens
        if not before or after[: len(before) - 1] == before[:-1]:
            yield None
        else:
            shorter = _cut("Before the last letter", before, asked.merges)
            yield _example(asked, shorter, _cut("With the last letter", after, asked.merges))


def more_merges(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The number of tokens of a word, with one merge and one merge more."""
    for asked in encodings(size, letters):
        before = asked.run.tokens(asked.word, asked.num_merges - 1)
        after = asked.tokens
        if len(after) <= len(before):
            yield None
        else:
            fewer = _cut("Before the merge", before, asked.merges[:-1])
            yield _example(asked, fewer, _cut("After the merge", after, asked.merges))


def _cut(name: str, tokens: Split, merges: tuple[Pair, ...] = ()) -> Side:
    return Side(name, tokens, {"tokens": len(tokens)}, merges)


def _example(asked: Asked, first: Side, second: Side) -> Counterexample:
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


def _two_cuts(first: Run, second: Run, word: str) -> Counterexample | None:
    by_first, by_second = (learned.tokens(word, len(learned.merges)) for learned in (first, second))
    if by_first == by_second:
        return None
    size = size_of(first.word_counts) + size_of(second.word_counts) + len(word)
    sides = (
        _cut("Learned from the first corpus", by_first, first.merges),
        _cut("Learned from the second", by_second, second.merges),
    )
    merges = len(first.merges)
    return Counterexample(first.word_counts, word, merges, sides, size, second.word_counts)


def most_frequent_first(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The most frequent word, and the word that is the first to become one token."""
    for learned in runs(size, letters):
        whole = {word: _whole_after(learned, word) for word in learned.word_counts}
        counts = learned.word_counts
        most, *rest = sorted(counts, key=lambda word: -counts[word])
        first = min(whole, key=whole.__getitem__)
        is_alone = all(counts[most] > counts[word] for word in rest)
        by_count = _becomes("The most frequent word", most, counts, whole)
        by_merges = _becomes("The first to be one token", first, counts, whole)
        fails = is_alone and whole[first] < whole[most] <= len(learned.merges)
        asked = Asked(learned, len(learned.merges), "")
        yield _example(asked, by_count, by_merges) if fails else None


def _whole_after(learned: Run, word: str) -> int:
    """Return after how many merges a word is one token; one more than there are if it never is."""
    merges = range(1, len(learned.merges) + 1)
    return next((n for n in merges if len(learned.tokens(word, n)) == 1), len(merges) + 1)


def _becomes(name: str, word: str, counts: Mapping[str, int], whole: Mapping[str, int]) -> Side:
    return Side(name, (word,), {"times in the corpus": counts[word], "merges": whole[word]})


# --- WordPiece ------------------------------------------------------------------------------------


def score_is_tie_breaker(size: int, letters: str) -> Iterator[Counterexample | None]:
    """The pair seen most often, and the pair of the highest score: neither ties with any other."""
    for word_counts in corpora(size, letters):
        yield _by_score(word_counts)


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
        Side(name, pair, {"count": counts[pair], "score": scores[pair]})
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
    is_tied = others and lattice.log_prob(likeliest) - lattice.log_prob(others[0]) < TIED
    if is_tied or ways[0].count > 1 or ways[0].length == len(likeliest):
        return None
    first, second = (
        Side(name, pieces, {"pieces": len(pieces), "probability": _product(pieces, probabilities)})
        for name, pieces in (
            ("The fewest pieces", lattice.pieces(ways[0].best)),
            ("The most probable pieces", lattice.pieces(likeliest)),
        )
    )
    return Counterexample(word_counts, word, 0, (first, second), size_of(word_counts))


def _product(pieces: Split, probabilities: Mapping[str, Fraction]) -> Fraction:
    return math.prod((probabilities[piece] for piece in pieces), start=Fraction(1))


# --- The beliefs ----------------------------------------------------------------------------------

BELIEFS: Mapping[str, Belief] = {
    belief.id: belief
    for belief in (
        Belief(
            "longest_match",
            "BPE cuts a word by taking the longest piece of its vocabulary first.",
            longest_match,
            num_letters=3,
            largest=10,
            why="BPE does its merges in the order in which they were learned, wherever in the word "
            "they fit. A long piece that would fit first is never made when an earlier merge has "
            "taken one of its letters. The longest match is WordPiece's way.",
        ),
        Belief(
            "score_is_tie_breaker",
            "WordPiece's score only decides between pairs that BPE finds equally frequent.",
            score_is_tie_breaker,
            num_letters=4,
            largest=8,
            why="The score divides the count of a pair by how often its symbols occur. A rare pair "
            "whose symbols are seen nowhere else beats a frequent one whose symbols are "
            "everywhere, though nothing ties.",
        ),
        Belief(
            "fewest_is_likeliest",
            "The most probable segmentation of a Unigram model is the one with the fewest pieces.",
            fewest_is_likeliest,
            num_letters=3,
            largest=8,
            why="Every further piece brings a factor below 1, so few pieces have an advantage. But "
            "two frequent pieces can have a higher product than one rare piece.",
        ),
        Belief(
            "same_vocabulary",
            "Two BPE tokenizers with the same vocabulary cut every word in the same way.",
            same_vocabulary,
            num_letters=2,
            largest=16,
            why="The pieces are the same, the order of the merges is not, and encoding follows the "
            "order. A list of pieces alone does not say what BPE does with a word.",
        ),
        Belief(
            "last_token",
            "A letter added at the end of a word changes nothing but the last of its BPE tokens.",
            last_token,
            num_letters=3,
            largest=10,
            why="The new letter can complete a merge, whose token takes part in the next merge, "
            "and so on towards the front.",
        ),
        Belief(
            "most_frequent_first",
            "In BPE training, the most frequent word is the first to become one token.",
            most_frequent_first,
            num_letters=3,
            largest=10,
            why="BPE counts pairs, not words. A word with fewer letters needs fewer merges, and it "
            "shares those that the frequent word has paid for.",
        ),
        Belief(
            "more_merges",
            "One BPE merge more never makes more tokens out of a word.",
            more_merges,
            num_letters=3,
            largest=9,
            why="A merge learned later is done later: up to there the word is cut as before, and "
            "then the new merge joins neighbours or does nothing.",
        ),
    )
}
"""The beliefs by name, the best known first."""
