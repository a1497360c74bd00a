"""All small corpora, in order of size, and what BPE learns from each: for `counterexamples.py`.

The size of a corpus is the number of its letters, every word as often as it occurs. No letter
stands beside itself: libraries count the overlapping pairs of a a a differently.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, product

from tokenizers import bpe
from tokenizers.merging.state import Pair
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import Split


def words(length: int, letters: str) -> Iterator[str]:
    """Yield the words of so many letters in which no letter stands beside itself.

    >>> list(words(3, "ab"))
    ['aba', 'bab']
    """
    for spelled in product(letters, repeat=length):
        if all(one != other for one, other in pairwise(spelled)):
            yield "".join(spelled)


@lru_cache(maxsize=256)
def corpora(size: int, letters: str, shortest: int = 2) -> tuple[Mapping[str, int], ...]:
    """Return the corpora of `size` letters in all, those with the fewest different words first.

    No word is shorter than `shortest`. Letters come up in their order.

    >>> corpora(4, "ab")
    ({'ab': 2}, {'abab': 1}, {'ab': 1, 'ba': 1})
    """
    known = list(chain.from_iterable(words(n, letters) for n in range(shortest, size + 1)))
    listed = [
        dict(Counter(chosen))
        for chosen in _multisets(size, known, 0)
        if letters.startswith("".join(dict.fromkeys("".join(chosen))))  # come up in their order
    ]
    return tuple(sorted(listed, key=len))


def _multisets(size: int, known: list[str], first: int) -> Iterator[tuple[str, ...]]:
    """Yield the ways to choose words of `size` letters in all, from number `first` on."""
    if not size:
        yield ()
    for number in range(first, len(known)):
        word = known[number]
        if len(word) > size:
            return  # and so are all that follow
        for rest in _multisets(size - len(word), known, number):
            yield (word, *rest)


# --- BPE ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TieFreeRun:
    """What BPE learned from a corpus: its merges up to the first tie, and its letters."""

    word_counts: Mapping[str, int]
    alphabet: frozenset[str]
    merges: tuple[Pair, ...]

    def tokens(self, word: str, num_merges: int) -> Split:
        """Return the tokens of a word by the first merges."""
        ranks = {pair: rank for rank, pair in enumerate(self.merges[:num_merges])}
        return bpe.split_after(word, bpe.merge_steps(word, ranks))

    def vocab(self, num_merges: int) -> frozenset[str]:
        """Return the pieces after the first merges."""
        return self.alphabet | {first + second for first, second in self.merges[:num_merges]}


@lru_cache(maxsize=256)
def tie_free_runs(size: int, letters: str) -> tuple[TieFreeRun, ...]:
    """Return what is learned from each of the `corpora`."""
    return tuple(map(train_until_tie, corpora(size, letters)))


def train_until_tie(word_counts: Mapping[str, int]) -> TieFreeRun:
    """Train BPE until no pair is left, or until two are the most frequent."""
    merges: list[Pair] = []
    for step in bpe.train(Corpus(word_counts), bpe.Settings()):
        if step.num_tied > 1:
            break
        merges.append(step.pair)
    return TieFreeRun(word_counts, frozenset("".join(word_counts)), tuple(merges))


@dataclass(frozen=True, slots=True)
class EncodingCase:
    """A word to be cut by the first merges of a run."""

    run: TieFreeRun
    num_merges: int
    word: str

    @property
    def size(self) -> int:
        """The letters of the corpus and of the word together."""
        return size_of(self.run.word_counts) + len(self.word)

    @property
    def merges(self) -> tuple[Pair, ...]:
        """The merges that are done."""
        return self.run.merges[: self.num_merges]

    @property
    def tokens(self) -> Split:
        """The tokens of the word."""
        return self.run.tokens(self.word, self.num_merges)

    @property
    def vocab(self) -> frozenset[str]:
        """The pieces that there are by then."""
        return self.run.vocab(self.num_merges)


def encodings(size: int, letters: str) -> Iterator[EncodingCase]:
    """Yield every run, every number of merges of it and every word, of `size` letters together."""
    for of_corpus in range(2, size):
        for learned in tie_free_runs(of_corpus, letters):
            for num_merges in range(1, len(learned.merges) + 1):
                for word in words(size - of_corpus, letters):
                    if learned.alphabet.issuperset(word):
                        yield EncodingCase(learned, num_merges, word)


def size_of(word_counts: Mapping[str, int]) -> int:
    """Return how many letters a corpus has."""
    return sum(len(word) * count for word, count in word_counts.items())


@lru_cache(maxsize=256)
def same_pieces(
    of_first: int, of_second: int, letters: str
) -> tuple[tuple[TieFreeRun, TieFreeRun], ...]:
    """Return the runs of corpora of these sizes that learn the same pieces in different ways."""
    by_vocab: dict[frozenset[str], list[TieFreeRun]] = {}
    for other in _all_runs(of_second, letters):
        by_vocab.setdefault(other.vocab(len(other.merges)), []).append(other)
    return tuple(
        [
            (learned, other)
            for learned in tie_free_runs(of_first, letters)
            for other in by_vocab.get(learned.vocab(len(learned.merges)), ())
            if other.merges != learned.merges
        ]
    )


@lru_cache(maxsize=64)
def _all_runs(size: int, letters: str) -> tuple[TieFreeRun, ...]:
    """Return the runs of all corpora of a size, whatever letters come up first."""
    known = list(chain.from_iterable(words(n, letters) for n in range(2, size + 1)))
    return tuple([train_until_tie(dict(Counter(chosen))) for chosen in _multisets(size, known, 0)])
