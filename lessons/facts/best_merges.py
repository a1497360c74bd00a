"""Facts about a tiny corpus that is merged greedily, as in BPE, and in the optimal order.

There is only position 0: the picture shows all merges at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts, require, whole_number
from lessons.format.errors import LessonLookupError, among, entry
from lessons.format.words import RichText, Tokens, count_of, in_row, join_list, percent
from tokenizers.merging.state import Pair


@dataclass(frozen=True, slots=True)
class Order:
    """Merges in order, with the words' splits and token total at the start and after each merge."""

    title: str
    merges: tuple[Pair, ...]
    splits: tuple[tuple[Tokens, ...], ...]
    tokens: tuple[int, ...]

    @property
    def saved(self) -> int:
        """The number of tokens saved by all merges."""
        return self.tokens[0] - self.tokens[-1]


@dataclass(frozen=True, slots=True)
class BestMergesFacts(PictureFacts):
    """The merge orders "greedy" and "best", and the results of an exhaustive search.

    `first_pairs` maps each possible first merge to its count and to the fewest tokens reachable
    after it. Of the `orders` possible, `as_good` reach the fewest tokens.
    """

    word_counts: Mapping[str, int]
    by_name: Mapping[str, Order]
    first_pairs: Mapping[Pair, tuple[int, int]]
    orders: int
    as_good: int

    def tokens(self) -> Tokens:
        """Return all tokens."""
        splits = (split for one in self.by_name.values() for words in one.splits for split in words)
        return tuple(dict.fromkeys(token for split in splits for token in split))

    def order(self, name: str, field: str) -> Order:
        """Return one of the two orders. Raises LessonLookupError for an unknown name."""
        require(name, f"{field}:best")
        return entry(self.by_name, name, "there is no order of merges called")

    def field_words(self, at: int, argument: str) -> RichText:
        """The words, each with its count."""
        return join_list([(f"{n:,} × ", ("word", word)) for word, n in self.word_counts.items()])

    def field_start(self, at: int, argument: str) -> RichText:
        """The number of tokens before the first merge, when each character is one."""
        return (f"{self.by_name['best'].tokens[0]:,}",)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """`{tokens:best}`: how many tokens an order leaves; `{tokens:best 1}` is after 1 merge."""
        name, _, step = argument.partition(" ")
        tokens = self.order(name, "tokens").tokens
        number = whole_number(step, "tokens:best 1") if step else len(tokens) - 1
        if number >= len(tokens):
            raise LessonLookupError(f"There are only {count_of(len(tokens) - 1, 'merge')} here.")
        return (f"{tokens[number]:,}",)

    def field_saved(self, at: int, argument: str) -> RichText:
        """`{saved:best}`: how many tokens an order saves."""
        return (f"{self.order(argument, 'saved').saved:,}",)

    def field_part(self, at: int, argument: str) -> RichText:
        """The greedy order's savings as a percentage of the best order's savings."""
        return (percent(self.by_name["greedy"].saved / max(self.by_name["best"].saved, 1)),)

    def field_merges(self, at: int, argument: str) -> RichText:
        """`{merges:best}`: the pairs that an order merges, first to last."""
        return join_list([in_row(pair) for pair in self.order(argument, "merges").merges])

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:best forth}`: the tokens of a word after all merges of an order."""
        name, _, word = argument.partition(" ")
        splits = self.order(name, "split").splits[-1]
        among(word, self.word_counts, "is not a word here", 8)
        return in_row(splits[list(self.word_counts).index(word)])

    def field_orders(self, at: int, argument: str) -> RichText:
        """How many orders of merges there are."""
        return (f"{self.orders:,}",)

    def field_as_good(self, at: int, argument: str) -> RichText:
        """The number of orders that leave the fewest tokens."""
        return (f"{self.as_good:,}",)

    def field_firsts(self, at: int, argument: str) -> RichText:
        """How many pairs can be merged first."""
        return (f"{len(self.first_pairs):,}",)

    def field_neighbors(self, at: int, argument: str) -> RichText:
        """The number of adjacent pairs, over distinct words, counting repeated pairs."""
        return (f"{sum(len(word) - 1 for word in self.word_counts):,}",)
