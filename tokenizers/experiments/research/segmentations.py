"""All the ways to write a text with the tokens of one vocabulary, not only the tokenizer's own.

A tokenizer cuts a text in one way, its *canonical* segmentation. Other sequences of its tokens
decode to the same text; Zheng and others 2025 ("Broken Tokens?") gave such sequences to models, and
Geh and others 2025 looked for those that get past a filter. `count_segmentations`,
`draw_segmentation` and `longest_segmentation` are the plain algorithms, for a text and a set of
strings; `SegmentationGraph` does the same for tokens with ids, and more. Counts are exact integers.
"""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

from tokenizers.errors import UserError

# --- In plain code --------------------------------------------------------------------------------

Text = TypeVar("Text", str, bytes)


def count_segmentations(text: Text, vocab: Collection[Text]) -> list[int]:
    """Return in how many ways tokens spell the rest of `text` from each position; [0] is for all.

    >>> count_segmentations("abc", {"a", "b", "c", "ab", "bc"})
    [3, 2, 1, 1]
    """
    counts = [0] * len(text) + [1]  # nothing is left at the end: one way, without any token
    for start in reversed(range(len(text))):
        for end in range(start + 1, len(text) + 1):
            if text[start:end] in vocab:
                counts[start] += counts[end]
    return counts


def draw_segmentation(text: Text, vocab: Collection[Text], rng: random.Random) -> list[Text]:
    """Draw one of the segmentations, each with the same probability; there must be one."""
    counts, tokens, start = count_segmentations(text, vocab), list[Text](), 0
    while start < len(text):
        number, end = rng.randrange(counts[start]), start
        while number >= 0:  # a token is taken as often as there are ways to go on after it
            end += 1
            number -= counts[end] if text[start:end] in vocab else 0
        tokens.append(text[start:end])
        start = end
    return tokens


def longest_segmentation(text: Text, vocab: Collection[Text]) -> list[Text]:
    """Return a segmentation with the most tokens, of several the one whose tokens come first."""
    best: list[list[Text] | None] = [None] * len(text) + [[]]
    for start in reversed(range(len(text))):
        for end in range(start + 1, len(text) + 1):
            rest = best[end] if text[start:end] in vocab else None
            if rest is not None and len(rest) >= len(best[start] or []):
                best[start] = [text[start:end], *rest]
    return best[0] or []


# --- As a graph of tokens with ids ----------------------------------------------------------------


class PlacedToken(NamedTuple):
    """A token of the vocabulary, and the positions between which it spells the text."""

    start: int
    end: int
    id: int


Segmentation = tuple[PlacedToken, ...]
Cost = tuple[int, ...]
"""Costs are compared by their first number, then by the second, and so on."""


@dataclass(frozen=True)
class SegmentationGraph:
    """The tokens that fit a text of `size` units, by the position at which they start.

    A unit is a byte, or a character where a vocabulary has no bytes. Two tokens that spell the same
    are two tokens, so the segmentations that are counted differ in their ids.
    """

    size: int
    leaving: tuple[tuple[PlacedToken, ...], ...]

    @cached_property
    def counts(self) -> Sequence[int]:
        """The number of ways to write the rest of the text from each position."""
        counts = [0] * self.size + [1]
        for tokens in reversed(self.leaving):
            for token in tokens:
                counts[token.start] += counts[token.end]
        return counts

    @property
    def number(self) -> int:
        """The number of segmentations."""
        return self.counts[0]

    def check(self) -> None:
        """Raise UserError if there is no segmentation."""
        if not self.number:
            raise UserError("No tokens of this vocabulary spell this text in such a way.")

    def draw(self, rng: random.Random) -> Segmentation:
        """Draw a segmentation, each with probability 1 / `number`. Raises UserError if none."""
        self.check()
        path, position = list[PlacedToken](), 0
        while position < self.size:
            number = rng.randrange(self.counts[position])
            for token in self.leaving[position]:
                if number < self.counts[token.end]:
                    path.append(token)
                    break
                number -= self.counts[token.end]
            position = path[-1].end
        return tuple(path)

    def probability(self, path: Segmentation) -> Fraction:
        """Return the exact probability with which `draw` returns a segmentation."""
        chance = Fraction(1)
        for token in path:
            chance *= Fraction(self.counts[token.end], self.counts[token.start])
        return chance

    def cheapest(self, cost: Callable[[PlacedToken], Cost]) -> Segmentation:
        """Return the segmentation with the smallest sum of costs. Raises UserError if none.

        Of several, the one whose tokens are listed first is returned, from the left.
        """
        self.check()
        best: list[tuple[Cost, PlacedToken | None] | None] = [None] * (self.size + 1)
        best[self.size] = (), None
        for position in reversed(range(self.size)):
            for token in self.leaving[position]:
                if rest := best[token.end]:
                    own = cost(token)
                    total = tuple(map(sum, zip(own, rest[0] or (0,) * len(own), strict=True)))
                    here = best[position]
                    if here is None or total < here[0]:
                        best[position] = total, token
        path, position = list[PlacedToken](), 0
        while (here := best[position]) and (token := here[1]):
            path.append(token)
            position = token.end
        return tuple(path)

    def keep(self, condition: Callable[[PlacedToken], bool]) -> "SegmentationGraph":
        """Return the graph of the tokens that meet a condition."""
        return SegmentationGraph(
            self.size, tuple([tuple(filter(condition, tokens)) for tokens in self.leaving])
        )

    def finer(self, path: Segmentation) -> "SegmentationGraph":
        """Return the graph of the segmentations that only cut the tokens of `path` further.

        Broken Tokens draws from these.
        """
        ends = [token.end for token in path for _ in range(token.end - token.start)]
        return self.keep(lambda token: token.end <= ends[token.start])

    def longest(self) -> Segmentation:
        """Return a segmentation with the most tokens."""
        return self.cheapest(lambda token: (-1,))

    def farthest(self, path: Segmentation) -> Segmentation:
        """Return a segmentation with the fewest boundaries of `path`, of these the shortest."""
        ends = {token.end for token in path[:-1]}
        return self.cheapest(lambda token: (token.end in ends, 1))


def shared_boundaries(one: Segmentation, other: Segmentation) -> int:
    """Return how many boundaries inside the text two segmentations have in common."""
    return len({token.end for token in one[:-1]} & {token.end for token in other[:-1]})


# --- Split further, as a provider could -----------------------------------------------------------


def split_highest(
    ids: Sequence[int], parts: Mapping[int, Sequence[tuple[int, int]]], splits: int
) -> list[int]:
    """Split the token with the highest id in two, `splits` times.

    `parts` has the ways to cut each token of more than one character in two, by its id. The way is
    taken whose smaller id is largest, of several the first; of a repeated token, the first is cut.
    This is the heuristic of Velasco and others 2025. They then ask the language model whether it
    could have written the result, which is not done here. Stops early when nothing is left to cut.

    >>> split_highest([7, 9, 9], {9: [(1, 8), (4, 5)], 7: []}, 5)
    [7, 4, 5, 4, 5]
    """
    found = list(ids)
    for _ in range(splits):
        can_cut = [n for n, id_ in enumerate(found) if id_ in parts]
        at = max(can_cut, key=found.__getitem__, default=None)
        if at is None or not parts[found[at]]:
            break
        found[at : at + 1] = max(parts[found[at]], key=min)
    return found
