"""Facts about data compressed as Gage did in 1994: what each replacement leaves, and what it costs.

There is only position 0. `{left:1}` and the like are about the data after replacement 1; without a
number, after the last one. Codes are shown as letters that the data does not use.
"""

from dataclasses import dataclass

from lessons.facts.base import TextFacts, whole_number
from lessons.facts.patches import display_form
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, in_row, percent
from tokenizers.experiments.research.compression import (
    BYTES,
    ENTRY,
    Replacement,
    lzw_size,
    with_table,
)

LETTERS = "XYZWVUTSRQPONMLKJIHGFEDCBA"  # in the order in which codes take them


@dataclass(frozen=True, slots=True)
class CompressionFacts(TextFacts):
    """A text, the replacements in its bytes, and the count below which pairs are left alone."""

    steps: tuple[Replacement, ...]
    threshold: int

    @property
    def raw(self) -> bytes:
        """The text as bytes."""
        return self.text.encode()

    @property
    def unused(self) -> int:
        """The number of byte values that the text does not use."""
        return BYTES - len(set(self.raw))

    def names(self) -> dict[int, str]:
        """Return a name for each code: a letter that the text has not, or else the code in hex."""
        free = [letter for letter in LETTERS if ord(letter) not in self.raw]
        codes = [step.code for step in self.steps]
        names = [*free, *(f"<{code:02X}>" for code in codes[len(free) :])]
        return dict(zip(codes, names, strict=False))

    def tokens(self) -> Tokens:
        """Return the bytes of the text, and the names of the codes."""
        return (*map(self.name, range(BYTES)), *self.names().values())

    def name(self, byte: int) -> str:
        """Return a byte of the data for display: the name of a code, or what it is in the text."""
        return self.names().get(byte) or display_form(bytes([byte]))

    def data(self, k: int) -> bytes:
        """Return the data after `k` replacements."""
        return self.steps[k - 1].data if k else self.raw

    def number(self, argument: str, field: str) -> int:
        """Parse the number of a replacement. Raises LessonLookupError if there are fewer."""
        if not argument:
            return len(self.steps)
        number = whole_number(argument, f"{field}:1")
        if number > len(self.steps):
            raise LessonLookupError(f"There are only {len(self.steps)} replacements.")
        return number

    def step(self, argument: str, field: str) -> Replacement:
        """Return a replacement. Raises LessonLookupError if there is no such one."""
        number = self.number(argument, field)
        if not number:
            raise LessonLookupError("At the start nothing is replaced. The first one is number 1.")
        return self.steps[number - 1]

    def total(self, k: int) -> int:
        """Return the bytes of data and table after `k` replacements."""
        return with_table(len(self.data(k)), k)

    def field_bytes(self, at: int, argument: str) -> RichText:
        """The number of bytes of the text."""
        return (f"{len(self.raw):,}",)

    def field_steps(self, at: int, argument: str) -> RichText:
        """The number of replacements."""
        return (f"{len(self.steps):,}",)

    def field_threshold(self, at: int, argument: str) -> RichText:
        """How often a pair must occur to be replaced."""
        return (f"{self.threshold:,}",)

    def field_left(self, at: int, argument: str) -> RichText:
        """`{left:1}`: the bytes of the data after a replacement, without the table."""
        return (f"{len(self.data(self.number(argument, 'left'))):,}",)

    def field_table(self, at: int, argument: str) -> RichText:
        """`{table:1}`: the bytes of the table after a replacement."""
        return (f"{with_table(0, self.number(argument, 'table')):,}",)

    def field_total(self, at: int, argument: str) -> RichText:
        """`{total:1}`: the bytes of data and table after a replacement."""
        return (f"{self.total(self.number(argument, 'total')):,}",)

    def field_share(self, at: int, argument: str) -> RichText:
        """`{share:1}`: data and table after a replacement, in percent of the bytes of the text."""
        return (percent(self.total(self.number(argument, "share")) / len(self.raw)),)

    def field_count(self, at: int, argument: str) -> RichText:
        """`{count:1}`: how often the pair of a replacement occurred."""
        return (f"{self.step(argument, 'count').count:,}",)

    def field_replaced(self, at: int, argument: str) -> RichText:
        """`{replaced:1}`: how many pairs a replacement replaced, each by one byte."""
        number = self.number(argument, "replaced")
        return (f"{len(self.data(max(number - 1, 0))) - len(self.data(number)):,}",)

    def field_pair(self, at: int, argument: str) -> RichText:
        """`{pair:1}`: the pair of a replacement."""
        return in_row(map(self.name, self.step(argument, "pair").pair))

    def field_code(self, at: int, argument: str) -> RichText:
        """`{code:1}`: the name of the code that takes its place."""
        return in_row([self.name(self.step(argument, "code").code)])

    def field_data(self, at: int, argument: str) -> RichText:
        """`{data:1}`: the data after a replacement."""
        return in_row(map(self.name, self.data(self.number(argument, "data"))))

    def field_entry(self, at: int, argument: str) -> RichText:
        """The bytes of an entry in the table."""
        return (f"{ENTRY}",)

    def field_pays(self, at: int, argument: str) -> RichText:
        """How many pairs must be replaced to save more than the entry costs."""
        return (f"{next(n for n in range(BYTES) if n > ENTRY)}",)

    def field_values(self, at: int, argument: str) -> RichText:
        """How many values a byte can have."""
        return (f"{BYTES}",)

    def field_used(self, at: int, argument: str) -> RichText:
        """How many different bytes the text has."""
        return (f"{BYTES - self.unused:,}",)

    def field_unused(self, at: int, argument: str) -> RichText:
        """How many byte values the text does not use."""
        return (f"{self.unused:,}",)

    def field_lzw(self, at: int, argument: str) -> RichText:
        """The bytes that LZW needs, with codes of 12 bits."""
        return (f"{lzw_size(self.raw):,}",)
