"""Facts about how many units one text becomes: bytes, patches, characters, pieces, words.

There is only position 0. A row is named as in `lessons/units.py`, such as `bytes` or `o200k`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import TextFacts, require
from lessons.format.errors import entry
from lessons.format.words import RichText, Tokens, decimal, in_row, percent
from lessons.units import Unit
from tokenizers.measures.units import PATCH


@dataclass(frozen=True, slots=True)
class UnitsFacts(TextFacts):
    """The rows by name."""

    rows: Mapping[str, Unit]

    def tokens(self) -> Tokens:
        """Return the units of all rows."""
        return tuple(dict.fromkeys(token for row in self.rows.values() for token in row.tokens))

    def row(self, name: str, field: str) -> Unit:
        """Return a row. Raises LessonLookupError if there is none of that name."""
        return entry(self.rows, require(name, f"{field}:bytes"), "there is no row called")

    def field_count(self, at: int, argument: str) -> RichText:
        """`{count:bytes}`: how many units of a kind the text becomes."""
        return (f"{len(self.row(argument, 'count').tokens):,}",)

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:words}`: the units of a kind."""
        return in_row(self.row(argument, "split").tokens)

    def field_per_unit(self, at: int, argument: str) -> RichText:
        """`{per_unit:o200k}`: the average number of bytes for a unit."""
        units = self.row(argument, "per_unit").tokens
        return (decimal(len(self.text.encode()) / len(units), 1),)

    def field_pairs(self, at: int, argument: str) -> RichText:
        """`{pairs:o200k}`: the pairs for attention, in percent of those over bytes."""
        units = self.row(argument, "pairs").tokens
        return (percent((len(units) / len(self.text.encode())) ** 2),)

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """`{vocabulary:o200k}`: the vocabulary, in words or as a number."""
        return (self.row(argument, "vocabulary").vocabulary,)

    def field_fixed(self, at: int, argument: str) -> RichText:
        """The bytes of a patch of fixed size."""
        return (f"{PATCH}",)
