"""Functions that search for counterexamples, one for each true-or-false belief.

Each enumerates the cases of a given size and yields a counterexample or None for each. Only runs
without ties are considered, since libraries have different tie rules. No letter is doubled, since
libraries count the overlapping pairs of a a a differently.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from tokenizers import wordpiece
from tokenizers.experiments.beliefs.small_corpora import (
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
from tokenizers.wordpiece.matching import longest_matches

ALPHABET = "abcd"
"""The letters used during the search."""

Number = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of two differing outcomes, with its tokens, figures by name, and the merges applied."""

    name: str
    tokens: Split
    numbers: Mapping[str, Number]
    merges: tuple[Pair, ...] = ()

    def renamed(self, names: dict[int, int]) -> "Outcome":
        """Return this outcome with its letters renamed by `names`, a `str.maketrans` table."""
        tokens = tuple([token.translate(names) for token in self.tokens])
        merges = tuple([(a.translate(names), b.translate(names)) for a, b in self.merges])
        return replace(self, tokens=tokens, merges=merges)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A corpus on which a belief fails, and the two outcomes that the belief claims to be equal.

    `word` is split by `num_merges` merges; `others` is the second corpus, if there are two. `size`
    is a number of letters, as `counterexamples` defines it.
    """

    word_counts: Mapping[str, int]
    word: str
    num_merges: int
    outcomes: tuple[Outcome, Outcome]
    size: int
    others: Mapping[str, int] | None = None

    def renamed(self, letters: str) -> "Counterexample":
        """Return this counterexample with the letters of `ALPHABET` replaced by `letters`."""
        names = str.maketrans(ALPHABET, letters)
        first, second = (side.renamed(names) for side in self.outcomes)
        others = self.others and {word.translate(names): n for word, n in self.others.items()}
        counts = {word.translate(names): n for word, n in self.word_counts.items()}
        word = self.word.translate(names)
        return Counterexample(counts, word, self.num_merges, (first, second), self.size, others)


# --- BPE ------------------------------------------------------------------------------------------


def longest_match(size: int, letters: str) -> Iterator[Counterexample | None]:
    """Compare BPE with the longest match over BPE's own vocabulary."""
    for case in encodings(size, letters):
        merged = case.tokens
        matched = longest_matches(case.word, case.vocab, mark="") or ()
        if merged == matched:
            yield None
        else:
            by_merges = _outcome("BPE, merge by merge", merged, case.merges)
            yield _example(case, by_merges, _outcome("The longest piece first", matched))


def last_token(size: int, letters: str) -> Iterator[Counterexample | None]:
    """Compare all of a word's tokens but the last before and after a letter is added."""
    for case in encodings(size, letters):
        before = case.run.tokens(case.word[:-1], case.num_merges)
        after = case.tokens
        if not before or after[: len(before) - 1] == before[:-1]:
            yield None
        else:
            shorter = _outcome("Before the last letter", before, case.merges)
            yield _example(case, shorter, _outcome("With the last letter", after, case.merges))


def more_merges(size: int, letters: str) -> Iterator[Counterexample | None]:
    """Compare a word's number of tokens before and after one more merge."""
    for case in encodings(size, letters):
        before = case.run.tokens(case.word, case.num_merges - 1)
        after = case.tokens
        if len(after) <= len(before):
            yield None
        else:
            fewer = _outcome("Before the merge", before, case.merges[:-1])
            yield _example(case, fewer, _outcome("After the merge", after, case.merges))


def _outcome(name: str, tokens: Split, merges: tuple[Pair, ...] = ()) -> Outcome:
    return Outcome(name, tokens, {"tokens": len(tokens)}, merges)


def _example(case: EncodingCase, first: Outcome, second: Outcome) -> Counterexample:
    counts = case.run.word_counts
    return Counterexample(counts, case.word, case.num_merges, (first, second), case.size)


def same_vocabulary(size: int, letters: str) -> Iterator[Counterexample | None]:
    """Compare a word's tokens by two runs that end with the same pieces."""
    for first_size in range(2, size):
        for second_size in range(first_size, size - first_size):
            for first, second in same_pieces(first_size, second_size, letters):
                for word in words(size - first_size - second_size, letters):
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
    """Compare the most frequent word with the first word that becomes one token."""
    for learned in tie_free_runs(size, letters):
        whole = {word: _whole_after(learned, word) for word in learned.word_counts}
        counts = learned.word_counts
        most, *rest = sorted(counts, key=lambda word: -counts[word])
        first = min(whole, key=whole.__getitem__)
        is_alone = all(counts[most] > counts[word] for word in rest)
        by_count = _becomes("The most frequent word", most, counts, whole)
        by_merges = _becomes("The first to be one token", first, counts, whole)
        fails = is_alone and whole[first] < whole[most] <= len(learned.merges)
        case = EncodingCase(learned, len(learned.merges), "")
        yield _example(case, by_count, by_merges) if fails else None


def _whole_after(learned: TieFreeRun, word: str) -> int:
    """Return after how many merges a word is one token, or the total plus 1 if it never is."""
    merges = range(1, len(learned.merges) + 1)
    return next((n for n in merges if len(learned.tokens(word, n)) == 1), len(merges) + 1)


def _becomes(name: str, word: str, counts: Mapping[str, int], whole: Mapping[str, int]) -> Outcome:
    return Outcome(name, (word,), {"times in the corpus": counts[word], "merges": whole[word]})


# --- WordPiece ------------------------------------------------------------------------------------


def score_is_tie_breaker(size: int, letters: str) -> Iterator[Counterexample | None]:
    """Compare the most frequent pair with the highest-scoring pair in corpora without ties."""
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
    """Compare each word's split into the fewest pieces with its most probable split."""
    for word_counts in corpora(size, letters, shortest=1):
        probabilities = first_probabilities(word_counts)
        for word in word_counts:
            yield _by_probability(word_counts, word, probabilities)


def first_probabilities(word_counts: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the count of each substring of the words as a fraction of the total.

    A Unigram model's training starts from such probabilities.
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
    groups = by_length(lattice)
    is_tied = others and lattice.log_prob(likeliest) - lattice.log_prob(others[0]) < TIE_EPS
    if is_tied or groups[0].count > 1 or groups[0].length == len(likeliest):
        return None
    first, second = (
        Outcome(
            name, pieces, {"pieces": len(pieces), "probability": _product(pieces, probabilities)}
        )
        for name, pieces in (
            ("The fewest pieces", lattice.pieces(groups[0].best)),
            ("The most probable pieces", lattice.pieces(likeliest)),
        )
    )
    return Counterexample(word_counts, word, 0, (first, second), size_of(word_counts))


def _product(pieces: Split, probabilities: Mapping[str, Fraction]) -> Fraction:
    return math.prod((probabilities[piece] for piece in pieces), start=Fraction(1))
