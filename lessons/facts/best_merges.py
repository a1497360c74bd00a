"""The record of a tiny corpus merged twice: as BPE does it, and in the best order there is.

There is only position 0: what each merge does is in the picture all at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts, needs, whole_number
from lessons.format.errors import LessonLookupError, among, entry
from lessons.format.words import Text, Tokens, count_of, in_row, listed, percent
from tokenizers.merging.state import Pair


@dataclass(frozen=True, slots=True)
class Order:
    """Merges one after the other: the words at the start and after each, and all their tokens."""

    title: str
    merges: tuple[Pair, ...]
    splits: tuple[tuple[Tokens, ...], ...]
    tokens: tuple[int, ...]

    @property
    def saved(self) -> int:
        """How many tokens all merges save."""
        return self.tokens[0] - self.tokens[-1]


@dataclass(frozen=True, slots=True)
class BestMergesFacts(PictureFacts):
    """The two orders of merges, "greedy" and "best", and what trying all of them has shown.

    `firsts` maps each pair that can be merged first to how often it occurs, and to the fewest
    tokens that can follow. Of `orders` in all, `as_good` leave the fewest tokens.
    """

    word_counts: Mapping[str, int]
    taken: Mapping[str, Order]
    firsts: Mapping[Pair, tuple[int, int]]
    orders: int
    as_good: int

    def tokens(self) -> Tokens:
        """Return all tokens."""
        splits = (split for one in self.taken.values() for words in one.splits for split in words)
        return tuple(dict.fromkeys(token for split in splits for token in split))

    def order(self, name: str, field: str) -> Order:
        """Return one of the two orders. Raises LessonLookupError for another name."""
        needs(name, f"{field}:best")
        return entry(self.taken, name, "there is no order of merges called")

    def field_words(self, at: int, argument: str) -> Text:
        """The words, each with its count."""
        return listed([(f"{n:,} × ", ("word", word)) for word, n in self.word_counts.items()])

    def field_start(self, at: int, argument: str) -> Text:
        """How many characters there are: the tokens before the first merge."""
        return (f"{self.taken['best'].tokens[0]:,}",)

    def field_tokens(self, at: int, argument: str) -> Text:
        """`{tokens:best}`: how many tokens an order leaves; `{tokens:best 1}`: after one merge."""
        name, _, step = argument.partition(" ")
        tokens = self.order(name, "tokens").tokens
        number = whole_number(step, "tokens:best 1") if step else len(tokens) - 1
        if number >= len(tokens):
            raise LessonLookupError(f"There are only {count_of(len(tokens) - 1, 'merge')} here.")
        return (f"{tokens[number]:,}",)

    def field_saved(self, at: int, argument: str) -> Text:
        """`{saved:best}`: how many tokens an order saves."""
        return (f"{self.order(argument, 'saved').saved:,}",)

    def field_part(self, at: int, argument: str) -> Text:
        """How much of the best saving the greedy order saves."""
        return (percent(self.taken["greedy"].saved / max(self.taken["best"].saved, 1)),)

    def field_merges(self, at: int, argument: str) -> Text:
        """`{merges:best}`: the pairs of an order, one after the other."""
        return listed([in_row(pair) for pair in self.order(argument, "merges").merges])

    def field_split(self, at: int, argument: str) -> Text:
        """`{split:best forth}`: the tokens of a word after all merges of an order."""
        name, _, word = argument.partition(" ")
        splits = self.order(name, "split").splits[-1]
        among(word, self.word_counts, "is not a word here", 8)
        return in_row(splits[list(self.word_counts).index(word)])

    def field_orders(self, at: int, argument: str) -> Text:
        """How many orders of merges there are."""
        return (f"{self.orders:,}",)

    def field_as_good(self, at: int, argument: str) -> Text:
        """How many of them leave the fewest tokens."""
        return (f"{self.as_good:,}",)

    def field_firsts(self, at: int, argument: str) -> Text:
        """How many pairs can be merged first."""
        return (f"{len(self.firsts):,}",)

    def field_neighbors(self, at: int, argument: str) -> Text:
        """How many pairs of neighbors the words have, each word once, the same pair every time."""
        return (f"{sum(len(word) - 1 for word in self.word_counts):,}",)
