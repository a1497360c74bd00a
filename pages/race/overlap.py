"""The overlap of three vocabularies, i.e. the pieces they share and the words they split alike.

This module has plain set operations on the runs that `race.py` recorded. A pair's share is its
Jaccard index, i.e. the number of pieces that both have divided by the number that either has.
"""

from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from pages.race.race import NAMES, Race, Runner
from tokenizers.text.symbols import Split

MOST_SIZES = 200  # sizes compared; more are indistinguishable on a screen
PAIRS = ((0, 1), (0, 2), (1, 2))
GROUPS = tuple([found for size in (3, 2, 1) for found in combinations(range(len(NAMES)), size)])
"""The seven nonempty groups of runners that can have a piece in common, all three first."""


def group_name(runners: Sequence[int]) -> str:
    """Return the name of a group of runners.

    >>> group_name((0, 1, 2)), group_name((0, 2)), group_name((1,))
    ('all three', 'BPE and Unigram', 'WordPiece alone')
    """
    if len(runners) == len(NAMES):
        return "all three"
    names = " and ".join(NAMES[n] for n in runners)
    return names if len(runners) > 1 else f"{names} alone"


def jaccard(some: Set[str], others: Set[str]) -> float:
    """Return the Jaccard index of two sets; 0 if both are empty.

    >>> jaccard({"a", "b", "c"}, {"b", "c", "d"})
    0.5
    """
    both = len(some & others)
    either = len(some) + len(others) - both
    return both / either if either else 0.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """The three vocabularies at one position, and how far they overlap."""

    vocabs: tuple[frozenset[str], ...]

    @property
    def regions(self) -> dict[tuple[int, ...], set[str]]:
        """Return, for each of `GROUPS`, the pieces that its runners and no others have.

        >>> found = Overlap((frozenset("abc"), frozenset("bcd"), frozenset("c"))).regions
        >>> found[0, 1], found[1,], found[2,]
        ({'b'}, {'d'}, set())
        """
        found: dict[tuple[int, ...], set[str]] = {have: set() for have in GROUPS}
        for piece in frozenset().union(*self.vocabs):
            found[tuple([n for n, vocab in enumerate(self.vocabs) if piece in vocab])].add(piece)
        return found

    @property
    def num_in_any(self) -> int:
        """The number of pieces that at least one vocabulary has."""
        return len(frozenset.union(*self.vocabs))

    @property
    def num_in_all(self) -> int:
        """The number of pieces that all three have."""
        return len(frozenset.intersection(*self.vocabs))

    def num_shared(self, pair: tuple[int, int]) -> int:
        """Return the number of pieces that both vocabularies of a pair have."""
        return len(self.vocabs[pair[0]] & self.vocabs[pair[1]])

    def share(self, pair: tuple[int, int]) -> float:
        """Return the Jaccard index of a pair of vocabularies."""
        return jaccard(self.vocabs[pair[0]], self.vocabs[pair[1]])

    @property
    def closest(self) -> tuple[int, int]:
        """The pair of vocabularies with the largest Jaccard index."""
        return max(PAIRS, key=self.share)


def overlap_at(race: Race, position: int) -> Overlap:
    """Return the vocabularies at a position of the race."""
    stages = race.stages(position)
    return Overlap(tuple([r.vocab(s) for r, s in zip(race.runners, stages, strict=True)]))


def iter_overlaps(race: Race) -> Iterator[Overlap]:
    """Yield the vocabularies at every position, in turn."""
    yield from map(
        Overlap, zip(*(_iter_vocabularies(race, one) for one in race.runners), strict=True)
    )


def _iter_vocabularies(race: Race, runner: Runner) -> Iterator[frozenset[str]]:
    """Yield the pieces of one runner at every position."""
    stages = iter(enumerate(runner.vocabularies()))
    at, vocab = next(stages)
    for position in range(race.last + 1):
        while at < runner.stage(position, race.last):
            at, vocab = next(stages)
        yield vocab


def most_used(race: Race, pieces: Collection[str]) -> list[str]:
    """Return the pieces, sorted by their number of uses in all three splits of the corpus."""
    uses: Counter[str] = Counter()
    for runner in race.runners:
        for split, count in zip(runner.splits, race.words.values(), strict=True):
            for piece in split:
                uses[piece] += count
    return sorted(pieces, key=lambda piece: (-uses[piece], piece))


# --- Words ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RaceWord:
    """A word with its count in the corpus and the splits by the three tokenizers."""

    text: str
    count: int
    splits: tuple[Split, ...]

    @property
    def agreeing(self) -> tuple[int, ...]:
        """The runners that split the word alike; () if no two do."""
        if len(set(self.splits)) == 1:
            return tuple(range(len(self.splits)))
        return next((pair for pair in PAIRS if self.splits[pair[0]] == self.splits[pair[1]]), ())


def words(race: Race) -> list[RaceWord]:
    """Return every word with its splits at the goal, the most frequent words first."""
    splits = zip(*(runner.splits for runner in race.runners), strict=True)
    found = [
        RaceWord(text, count, tuple(cuts))
        for (text, count), cuts in zip(race.words.items(), splits, strict=True)
    ]
    return sorted(found, key=lambda word: -word.count)


# --- Comparison at equal sizes --------------------------------------------------------------------


def shares_by_size(race: Race, pair: tuple[int, int]) -> list[tuple[int, int, float]]:
    """Return (size, number of common pieces, Jaccard index) for sizes that both runners have.

    BPE and WordPiece are compared at about `MOST_SIZES` evenly spaced sizes, Unigram at the sizes
    that it recorded. A merge that makes an existing piece keeps the size; the last stage counts.
    """
    one, other = (race.runners[n] for n in pair)
    sizes = sorted(set(one.sizes) & set(other.sizes))
    every = max(1, -(-len(sizes) // MOST_SIZES))
    wanted = {*sizes[::every], *sizes[-1:]}
    some, others = _by_size(one, wanted), _by_size(other, wanted)
    return [
        (size, len(some[size] & others[size]), jaccard(some[size], others[size]))
        for size in sorted(wanted)
    ]


def _by_size(runner: Runner, wanted: Container[int]) -> dict[int, frozenset[str]]:
    stages = zip(runner.sizes, runner.vocabularies(), strict=True)
    return {size: vocab for size, vocab in stages if size in wanted}
