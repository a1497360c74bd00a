"""Enumerate all small corpora by size, and train BPE on each, for `counterexamples.py`.

A corpus's size is its number of letters, counting repeated words. No letter is doubled, because
libraries count the overlapping pairs of a a a differently.
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
    """Yield the words of `length` letters without doubled letters.

    >>> list(words(3, "ab"))
    ['aba', 'bab']
    """
    for spelled in product(letters, repeat=length):
        if all(one != other for one, other in pairwise(spelled)):
            yield "".join(spelled)


@lru_cache(maxsize=256)
def corpora(size: int, letters: str, shortest: int = 2) -> tuple[Mapping[str, int], ...]:
    """Return the corpora of `size` letters in total, those with the fewest distinct words first.

    No word is shorter than `shortest`. Letters first appear in alphabetical order.

    >>> corpora(4, "ab")
    ({'ab': 2}, {'abab': 1}, {'ab': 1, 'ba': 1})
    """
    known = list(chain.from_iterable(words(n, letters) for n in range(shortest, size + 1)))
    listed = [
        dict(Counter(chosen))
        for chosen in _multisets(size, known, 0)
        if letters.startswith("".join(dict.fromkeys("".join(chosen))))  # in alphabetical order
    ]
    return tuple(sorted(listed, key=len))


def _multisets(size: int, known: list[str], first: int) -> Iterator[tuple[str, ...]]:
    """Yield the ways to choose words with `size` letters in total from `known[first:]`."""
    if not size:
        yield ()
    for number in range(first, len(known)):
        word = known[number]
        if len(word) > size:
            return  # and so are all words after it
        for rest in _multisets(size - len(word), known, number):
            yield (word, *rest)


# --- BPE ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TieFreeRun:
    """A BPE run up to the first tie, with its merges and its alphabet."""

    word_counts: Mapping[str, int]
    alphabet: frozenset[str]
    merges: tuple[Pair, ...]

    def tokens(self, word: str, num_merges: int) -> Split:
        """Return a word's tokens after the first `num_merges` merges."""
        ranks = {pair: rank for rank, pair in enumerate(self.merges[:num_merges])}
        return bpe.split_after(word, bpe.merge_steps(word, ranks))

    def vocab(self, num_merges: int) -> frozenset[str]:
        """Return the pieces after the first `num_merges` merges."""
        return self.alphabet | {first + second for first, second in self.merges[:num_merges]}


@lru_cache(maxsize=256)
def tie_free_runs(size: int, letters: str) -> tuple[TieFreeRun, ...]:
    """Return a run on each of the `corpora`."""
    return tuple(map(train_until_tie, corpora(size, letters)))


def train_until_tie(word_counts: Mapping[str, int]) -> TieFreeRun:
    """Train BPE until no pair is left, or until two pairs tie."""
    merges: list[Pair] = []
    for step in bpe.train(Corpus(word_counts), bpe.Settings()):
        if step.num_tied > 1:
            break
        merges.append(step.pair)
    return TieFreeRun(word_counts, frozenset("".join(word_counts)), tuple(merges))


@dataclass(frozen=True, slots=True)
class EncodingCase:
    """A word to be split by the first `num_merges` merges of a run."""

    run: TieFreeRun
    num_merges: int
    word: str

    @property
    def size(self) -> int:
        """The number of letters in the corpus and the word together."""
        return size_of(self.run.word_counts) + len(self.word)

    @property
    def merges(self) -> tuple[Pair, ...]:
        """The first `num_merges` merges of the run."""
        return self.run.merges[: self.num_merges]

    @property
    def tokens(self) -> Split:
        """The tokens of the word."""
        return self.run.tokens(self.word, self.num_merges)

    @property
    def vocab(self) -> frozenset[str]:
        """The pieces after these merges."""
        return self.run.vocab(self.num_merges)


def encodings(size: int, letters: str) -> Iterator[EncodingCase]:
    """Yield every combination of run, number of merges and word with `size` letters in total."""
    for corpus_size in range(2, size):
        for learned in tie_free_runs(corpus_size, letters):
            for num_merges in range(1, len(learned.merges) + 1):
                for word in words(size - corpus_size, letters):
                    if learned.alphabet.issuperset(word):
                        yield EncodingCase(learned, num_merges, word)


def size_of(word_counts: Mapping[str, int]) -> int:
    """Return the number of letters of a corpus."""
    return sum(len(word) * count for word, count in word_counts.items())


@lru_cache(maxsize=256)
def same_pieces(
    first_size: int, second_size: int, letters: str
) -> tuple[tuple[TieFreeRun, TieFreeRun], ...]:
    """Return pairs of runs on corpora of these sizes, with the same pieces but other merges."""
    by_vocab: dict[frozenset[str], list[TieFreeRun]] = {}
    for other in _all_runs(second_size, letters):
        by_vocab.setdefault(other.vocab(len(other.merges)), []).append(other)
    return tuple(
        [
            (learned, other)
            for learned in tie_free_runs(first_size, letters)
            for other in by_vocab.get(learned.vocab(len(learned.merges)), ())
            if other.merges != learned.merges
        ]
    )


@lru_cache(maxsize=64)
def _all_runs(size: int, letters: str) -> tuple[TieFreeRun, ...]:
    """Return the runs on all corpora of a size, with letters in any order."""
    known = list(chain.from_iterable(words(n, letters) for n in range(2, size + 1)))
    return tuple([train_until_tie(dict(Counter(chosen))) for chosen in _multisets(size, known, 0)])
