"""Where three vocabularies meet: the pieces they share, and the words they cut alike.

Everything is plain set operations on what `race.py` recorded. Shares are Jaccard's: what both have
by what either has.
"""

from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from pages.race.race import NAMES, Race, Runner
from tokenizers.text.symbols import Split

MOST_SIZES = 200  # compared along the axis; more cannot be told apart on a screen
PAIRS = ((0, 1), (0, 2), (1, 2))
HAVE = tuple([found for size in (3, 2, 1) for found in combinations(range(len(NAMES)), size)])
"""The seven ways in which a piece can stand in three vocabularies, all of them first."""


def said(runners: Sequence[int]) -> str:
    """Return who has something, in words.

    >>> said((0, 1, 2)), said((0, 2)), said((1,))
    ('all three', 'BPE and Unigram', 'WordPiece alone')
    """
    if len(runners) == len(NAMES):
        return "all three"
    names = " and ".join(NAMES[n] for n in runners)
    return names if len(runners) > 1 else f"{names} alone"


def jaccard(some: Set[str], others: Set[str]) -> float:
    """Return the share of what either has that both have; 0 where neither has anything.

    >>> jaccard({"a", "b", "c"}, {"b", "c", "d"})
    0.5
    """
    both = len(some & others)
    either = len(some) + len(others) - both
    return both / either if either else 0.0


@dataclass(frozen=True, slots=True)
class Meeting:
    """The three at one position: their vocabularies, and how far they share them."""

    vocabs: tuple[frozenset[str], ...]

    @property
    def regions(self) -> dict[tuple[int, ...], set[str]]:
        """Return the pieces that stand in exactly these of the vocabularies, by `HAVE`.

        >>> found = Meeting((frozenset("abc"), frozenset("bcd"), frozenset("c"))).regions
        >>> found[0, 1], found[1,], found[2,]
        ({'b'}, {'d'}, set())
        """
        found: dict[tuple[int, ...], set[str]] = {have: set() for have in HAVE}
        for piece in frozenset().union(*self.vocabs):
            found[tuple([n for n, vocab in enumerate(self.vocabs) if piece in vocab])].add(piece)
        return found

    @property
    def either(self) -> int:
        """How many pieces at least one of them has."""
        return len(frozenset.union(*self.vocabs))

    @property
    def all_three(self) -> int:
        """How many pieces all three have."""
        return len(frozenset.intersection(*self.vocabs))

    def both(self, pair: tuple[int, int]) -> int:
        """Return how many pieces two of them share."""
        return len(self.vocabs[pair[0]] & self.vocabs[pair[1]])

    def share(self, pair: tuple[int, int]) -> float:
        """Return what share of their pieces two of them share."""
        return jaccard(self.vocabs[pair[0]], self.vocabs[pair[1]])

    @property
    def closest(self) -> tuple[int, int]:
        """The pair that shares most."""
        return max(PAIRS, key=self.share)


def meeting(race: Race, position: int) -> Meeting:
    """Return the vocabularies at a position of the race."""
    stages = race.stages(position)
    return Meeting(tuple([r.vocab(s) for r, s in zip(race.runners, stages, strict=True)]))


def meetings(race: Race) -> Iterator[Meeting]:
    """Yield the vocabularies at every position, in turn."""
    yield from map(Meeting, zip(*(_walk(race, one) for one in race.runners), strict=True))


def _walk(race: Race, runner: Runner) -> Iterator[frozenset[str]]:
    """Yield the pieces of one runner at every position."""
    stages = iter(enumerate(runner.vocabularies()))
    at, vocab = next(stages)
    for position in range(race.last + 1):
        while at < runner.stage(position, race.last):
            at, vocab = next(stages)
        yield vocab


def most_used(race: Race, pieces: Collection[str]) -> list[str]:
    """Return pieces, those first that stand most often in the corpus as the three cut it."""
    uses: Counter[str] = Counter()
    for runner in race.runners:
        for split, count in zip(runner.splits, race.words.values(), strict=True):
            for piece in split:
                uses[piece] += count
    return sorted(pieces, key=lambda piece: (-uses[piece], piece))


# --- Words ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A word as each of the three cuts it; `alike` are those that cut it alike, () for none."""

    text: str
    count: int
    splits: tuple[Split, ...]

    @property
    def alike(self) -> tuple[int, ...]:
        """Who cuts it alike."""
        if len(set(self.splits)) == 1:
            return tuple(range(len(self.splits)))
        return next((pair for pair in PAIRS if self.splits[pair[0]] == self.splits[pair[1]]), ())


def words(race: Race) -> list[Word]:
    """Return every word as the three cut it where they meet, the most frequent first."""
    splits = zip(*(runner.splits for runner in race.runners), strict=True)
    found = [
        Word(text, count, tuple(cuts))
        for (text, count), cuts in zip(race.words.items(), splits, strict=True)
    ]
    return sorted(found, key=lambda word: -word.count)


# --- Along the axis of sizes ----------------------------------------------------------------------


def shares_by_size(race: Race, pair: tuple[int, int]) -> list[tuple[int, int, float]]:
    """Return (size, pieces that both have, their share) wherever two runners have one size.

    Two that grow have every size in common that both come through, of which at most about
    `MOST_SIZES` are taken; one that grows and Unigram have those that Unigram has on record. Where
    a merge makes a piece anew and the size stays, the last stage counts.
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
