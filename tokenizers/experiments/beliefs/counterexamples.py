"""Counterexamples: the smallest corpus that refutes a common belief about tokenizers.

A *belief* is a statement that is either true or false for any one corpus. `search` enumerates all
corpora, the smallest first, until the belief fails on one. The size is the number of letters in the
corpus, counting repeated words, plus the letters of the word that is split, if any. Of equally
small cases, the one with fewer letters in the corpus comes first, then the one with fewer distinct
words, then the one whose words are shorter or alphabetically earlier. A corpus that differs from
another only in its letters' names may be skipped. `failing.py` enumerates the cases of each size.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tokenizers.errors import UserError
from tokenizers.experiments.beliefs import failing
from tokenizers.experiments.beliefs.failing import ALPHABET, Counterexample


@dataclass(frozen=True, slots=True)
class Belief:
    """A statement, and how to search for a counterexample.

    `find` yields, for each case of a given size and alphabet, a counterexample or None. The search
    covers sizes up to `max_size`, over an alphabet of `num_letters` letters. `why` explains why the
    belief fails, or why no search can refute it.
    """

    id: str
    statement: str
    find: Callable[[int, str], Iterator[Counterexample | None]]
    num_letters: int
    max_size: int
    why: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search, with the counterexample, if any, and the number of cases examined.

    `size` is the example's size, or the size up to which all cases have been examined.
    """

    belief: Belief
    example: Counterexample | None
    size: int
    num_cases: int


def search(belief: str, letters: str = ALPHABET) -> SearchResult:
    """Find the smallest counterexample to the belief with this name, spelled with `letters`.

    Use only as many distinct letters as the belief needs; if `letters` has too few, add letters of
    `ALPHABET`. Raises UserError if there is no such belief.

    >>> found = search("longest_match", "xy").example
    >>> found.word_counts, found.word, [side.tokens for side in found.outcomes]
    ({'xy': 1, 'xyx': 1}, 'xyxy', [('xy', 'xy'), ('xyx', 'y')])
    """
    if belief not in BELIEFS:
        raise UserError(f"There is no belief {belief!r}. Choose from: {', '.join(BELIEFS)}.")
    found = _search(belief)
    chosen = "".join(dict.fromkeys([*filter(str.isalpha, letters), *ALPHABET]))
    example = found.example and found.example.renamed(chosen[: len(ALPHABET)])
    return SearchResult(found.belief, example, found.size, found.num_cases)


@lru_cache(maxsize=16)
def _search(name: str) -> SearchResult:
    belief, num_cases = BELIEFS[name], 0
    for size in range(1, belief.max_size + 1):
        for example in belief.find(size, ALPHABET[: belief.num_letters]):
            num_cases += 1
            if example is not None:
                return SearchResult(belief, example, size, num_cases)
    return SearchResult(belief, None, belief.max_size, num_cases)


BELIEFS: Mapping[str, Belief] = {
    belief.id: belief
    for belief in (
        Belief(
            "longest_match",
            "BPE cuts a word by taking the longest piece of its vocabulary first.",
            failing.longest_match,
            num_letters=3,
            max_size=10,
            why="BPE does its merges in the order in which they were learned, wherever in the word "
            "they fit. A long piece that would fit first is never made when an earlier merge has "
            "taken one of its letters. The longest match is WordPiece's way.",
        ),
        Belief(
            "score_is_tie_breaker",
            "WordPiece's score only decides between pairs that BPE finds equally frequent.",
            failing.score_is_tie_breaker,
            num_letters=4,
            max_size=8,
            why="The score divides the count of a pair by the product of its symbols' counts. A "
            "rare pair whose symbols are seen nowhere else beats a frequent one whose symbols are "
            "everywhere, although no pairs tie.",
        ),
        Belief(
            "fewest_is_likeliest",
            "The most probable segmentation of a Unigram model is the one with the fewest pieces.",
            failing.fewest_is_likeliest,
            num_letters=3,
            max_size=8,
            why="Every further piece brings a factor below 1, so few pieces have an advantage. But "
            "two frequent pieces can have a higher product than one rare piece.",
        ),
        Belief(
            "same_vocabulary",
            "Two BPE tokenizers with the same vocabulary cut every word in the same way.",
            failing.same_vocabulary,
            num_letters=2,
            max_size=16,
            why="The pieces are the same, the order of the merges is not, and encoding follows the "
            "order. A list of pieces alone does not say what BPE does with a word.",
        ),
        Belief(
            "last_token",
            "A letter added at the end of a word changes nothing but the last of its BPE tokens.",
            failing.last_token,
            num_letters=3,
            max_size=10,
            why="The new letter can complete a merge, whose token takes part in the next merge, "
            "and so on toward the front.",
        ),
        Belief(
            "most_frequent_first",
            "In BPE training, the most frequent word is the first to become one token.",
            failing.most_frequent_first,
            num_letters=3,
            max_size=10,
            why="BPE counts pairs, not words. A word with fewer letters needs fewer merges, and it "
            "can use those that were made for the frequent word.",
        ),
        Belief(
            "more_merges",
            "One BPE merge more never makes more tokens out of a word.",
            failing.more_merges,
            num_letters=3,
            max_size=9,
            why="A merge learned later is done later: up to there the word is cut as before, and "
            "then the new merge joins neighbors or does nothing.",
        ),
    )
}
"""The beliefs by name, the best known first."""
