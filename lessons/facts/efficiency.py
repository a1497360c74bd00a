"""Facts about how evenly tokens are used; each row is a set of token counts.

There is only position 0. The measure is the Rényi efficiency, of the order that the paper which
introduced the measure recommends.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.format.errors import entry
from lessons.format.words import RichText, Tokens, decimal, in_row, percent
from tokenizers.measures.efficiency import ALPHA, renyi_efficiency, renyi_entropy


@dataclass(frozen=True, slots=True)
class Usage:
    """The counts of tokens, under the title shown on the screen."""

    title: str
    counts: Mapping[str, int]

    @property
    def tokens(self) -> int:
        """How many tokens there are in total."""
        return sum(self.counts.values())

    @property
    def efficiency(self) -> float:
        """The efficiency, from 0 to 1."""
        return renyi_efficiency(self.counts)

    @property
    def most(self) -> str:
        """The most frequent token."""
        return max(self.counts, key=self.counts.__getitem__)


@dataclass(frozen=True, slots=True)
class EfficiencyFacts(PictureFacts):
    """Rows of counted tokens, by name."""

    rows: Mapping[str, Usage]

    def tokens(self) -> Tokens:
        """Return all tokens."""
        return tuple(dict.fromkeys(token for row in self.rows.values() for token in row.counts))

    def row(self, name: str) -> Usage:
        """Return a row, by default the only one. Raises LessonLookupError for another name."""
        if not name and len(self.rows) == 1:
            return next(iter(self.rows.values()))
        return entry(self.rows, name, "there is no row called")

    def field_tokens(self, at: int, argument: str) -> RichText:
        """`{tokens:even}`: how many tokens a row has."""
        return (f"{self.row(argument).tokens:,}",)

    def field_kinds(self, at: int, argument: str) -> RichText:
        """`{kinds:even}`: how many different tokens a row has."""
        return (f"{len(self.row(argument).counts):,}",)

    def field_most(self, at: int, argument: str) -> RichText:
        """`{most:even}`: the most frequent token."""
        return in_row([self.row(argument).most])

    def field_share(self, at: int, argument: str) -> RichText:
        """`{share:even}`: the percentage of a row's tokens that are the most frequent token."""
        row = self.row(argument)
        return (percent(row.counts[row.most] / row.tokens),)

    def field_efficiency(self, at: int, argument: str) -> RichText:
        """`{efficiency:even}`: a row's efficiency of order α."""
        return (percent(self.row(argument).efficiency),)

    def field_shannon(self, at: int, argument: str) -> RichText:
        """`{shannon:even}`: a row's efficiency of order 1."""
        return (percent(renyi_efficiency(self.row(argument).counts, 1)),)

    def field_effective(self, at: int, argument: str) -> RichText:
        """`{effective:even}`: how many equally frequent tokens would have the same entropy."""
        return (decimal(math.exp(renyi_entropy(self.row(argument).counts)), 1),)

    def field_alpha(self, at: int, argument: str) -> RichText:
        """The order α."""
        return (f"{ALPHA:g}",)
