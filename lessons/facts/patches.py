"""The record of a text as bytes, with how hard each is to guess, and cut into patches.

There is only position 0. Places count bytes from 0. Entropies are in nats.
"""

from dataclasses import dataclass

from lessons.facts.base import TextFacts, needs, whole_number
from lessons.format.errors import LessonLookupError
from lessons.format.words import Text, Tokens, decimal, in_row, percent
from tokenizers.experiments.patches import patches


def face(patch: bytes) -> str:
    """Return bytes as they are shown: as text, or by number where they are no whole characters.

    >>> face(b"low "), face("ë".encode()[:1])
    ('low ', '<0xC3>')
    """
    try:
        return patch.decode()
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte < 128 else f"<0x{byte:02X}>" for byte in patch)


def in_patches(count: int) -> str:
    """Return the number with its noun.

    >>> in_patches(1), in_patches(7)
    ('1 patch', '7 patches')
    """
    return "1 patch" if count == 1 else f"{count:,} patches"


@dataclass(frozen=True, slots=True)
class PatchesFacts(TextFacts):
    """A text, the entropy before each of its bytes in `hard`, and the threshold of the cut."""

    hard: tuple[float, ...]
    threshold: float
    order: int

    @property
    def raw(self) -> bytes:
        """The text as bytes."""
        return self.text.encode()

    def tokens(self) -> Tokens:
        """Return the bytes and the patches."""
        return (*(face(self.raw[n : n + 1]) for n in range(len(self.raw))), *self.cut())

    def cut(self, threshold: float | None = None) -> Tokens:
        """Return the patches as they are shown, by the picture's threshold or by another."""
        by = self.threshold if threshold is None else threshold
        return tuple(map(face, patches(self.raw, self.hard, by)))

    def place(self, argument: str, field: str) -> int:
        """Return the place that is asked for. Raises LessonLookupError for one behind the text."""
        number = whole_number(needs(argument, f"{field}:4"), f"{field}:4")
        if number >= len(self.hard):
            raise LessonLookupError(
                f"The text has only {len(self.hard)} bytes. The first is number 0."
            )
        return number

    def field_characters(self, at: int, argument: str) -> Text:
        """How many characters it has."""
        return (f"{len(self.text):,}",)

    def field_bytes(self, at: int, argument: str) -> Text:
        """How many bytes it has."""
        return (f"{len(self.raw):,}",)

    def field_words(self, at: int, argument: str) -> Text:
        """How many words it has between spaces."""
        return (f"{len(self.text.split()):,}",)

    def field_patches(self, at: int, argument: str) -> Text:
        """How many patches it is cut into."""
        return (f"{len(self.cut()):,}",)

    def field_split(self, at: int, argument: str) -> Text:
        """The patches."""
        return in_row(self.cut())

    def field_per_patch(self, at: int, argument: str) -> Text:
        """How many bytes a patch has, on average."""
        return (decimal(len(self.raw) / len(self.cut()), 1),)

    def field_pairs(self, at: int, argument: str) -> Text:
        """The share of attention's pairs that patches have, of those that bytes would have."""
        return (percent((len(self.cut()) / len(self.raw)) ** 2),)

    def field_entropy(self, at: int, argument: str) -> Text:
        """`{entropy:4}`: how hard the byte at a place is to guess."""
        return (decimal(self.hard[self.place(argument, "entropy")], 1),)

    def field_byte(self, at: int, argument: str) -> Text:
        """`{byte:4}`: the byte at a place."""
        n = self.place(argument, "byte")
        return in_row([face(self.raw[n : n + 1])])

    def field_threshold(self, at: int, argument: str) -> Text:
        """The threshold: a patch begins where the entropy is above it."""
        return (f"{self.threshold:g}",)

    def field_order(self, at: int, argument: str) -> Text:
        """How many bytes the model looks back."""
        return (f"{self.order:,}",)
