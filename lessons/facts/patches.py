"""Facts about a text as bytes, the entropy before each byte, and the patches it is cut into.

There is only position 0. Byte indices are 0-based; entropies are in nats.
"""

from dataclasses import dataclass

from lessons.facts.base import TextFacts, require, whole_number
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, decimal, in_row, percent
from tokenizers.experiments.research.patches import patches


def display_form(patch: bytes) -> str:
    """Return bytes for display, as text or, if they are not whole characters, in hexadecimal.

    >>> display_form(b"low "), display_form("ë".encode()[:1])
    ('low ', '<0xC3>')
    """
    try:
        return patch.decode()
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte < 128 else f"<0x{byte:02X}>" for byte in patch)


def in_patches(count: int) -> str:
    """Return the number with "patch" or "patches".

    >>> in_patches(1), in_patches(7)
    ('1 patch', '7 patches')
    """
    return "1 patch" if count == 1 else f"{count:,} patches"


@dataclass(frozen=True, slots=True)
class PatchesFacts(TextFacts):
    """A text, the entropy before each byte, and the threshold above which a patch begins."""

    entropies: tuple[float, ...]
    threshold: float
    order: int

    @property
    def raw(self) -> bytes:
        """The text as bytes."""
        return self.text.encode()

    def tokens(self) -> Tokens:
        """Return the bytes and the patches."""
        return (*(display_form(self.raw[n : n + 1]) for n in range(len(self.raw))), *self.cut())

    def cut(self, threshold: float | None = None) -> Tokens:
        """Return the patches for display, cut at `threshold` or at the picture's threshold."""
        by = self.threshold if threshold is None else threshold
        return tuple(map(display_form, patches(self.raw, self.entropies, by)))

    def byte_index(self, argument: str, field: str) -> int:
        """Parse a byte index. Raises LessonLookupError if it is past the end."""
        number = whole_number(require(argument, f"{field}:4"), f"{field}:4")
        if number >= len(self.entropies):
            raise LessonLookupError(
                f"The text has only {len(self.entropies)} bytes. The first is number 0."
            )
        return number

    def field_characters(self, at: int, argument: str) -> RichText:
        """The number of characters of the text."""
        return (f"{len(self.text):,}",)

    def field_bytes(self, at: int, argument: str) -> RichText:
        """The number of bytes of the text."""
        return (f"{len(self.raw):,}",)

    def field_words(self, at: int, argument: str) -> RichText:
        """The number of words between spaces."""
        return (f"{len(self.text.split()):,}",)

    def field_patches(self, at: int, argument: str) -> RichText:
        """The number of patches."""
        return (f"{len(self.cut()):,}",)

    def field_split(self, at: int, argument: str) -> RichText:
        """The patches."""
        return in_row(self.cut())

    def field_per_patch(self, at: int, argument: str) -> RichText:
        """The average number of bytes per patch."""
        return (decimal(len(self.raw) / len(self.cut()), 1),)

    def field_pairs(self, at: int, argument: str) -> RichText:
        """The number of attention pairs over patches, in percent of the number over bytes."""
        return (percent((len(self.cut()) / len(self.raw)) ** 2),)

    def field_entropy(self, at: int, argument: str) -> RichText:
        """`{entropy:4}`: the entropy before the byte at an index."""
        return (decimal(self.entropies[self.byte_index(argument, "entropy")], 1),)

    def field_byte(self, at: int, argument: str) -> RichText:
        """`{byte:4}`: the byte at an index."""
        n = self.byte_index(argument, "byte")
        return in_row([display_form(self.raw[n : n + 1])])

    def field_threshold(self, at: int, argument: str) -> RichText:
        """The entropy above which a patch begins."""
        return (f"{self.threshold:g}",)

    def field_order(self, at: int, argument: str) -> RichText:
        """The order of the byte model, i.e. how many bytes of context it uses."""
        return (f"{self.order:,}",)
