"""Facts about the tokens of an image, a grid of patches, and of a sound, indices of codebooks.

There is only position 0.
"""

from dataclasses import dataclass

from lessons.facts.base import PictureFacts, require, whole_number
from lessons.facts.chunks import Vectors, vector_text
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, in_row
from tokenizers.experiments.research.codebooks import (
    bits_per_second,
    grid,
    nearest,
    tokens_per_second,
)


@dataclass(frozen=True, slots=True)
class ImageGrid:
    """The pixels of an image, and those along the edge of a patch."""

    width: int
    height: int
    patch: int


@dataclass(frozen=True, slots=True)
class Codec:
    """The samples a second, those of a frame, the codebooks, and the entries of each of them."""

    rate: int
    hop: int
    codebooks: int
    entries: int


@dataclass(frozen=True, slots=True)
class SignalsFacts(PictureFacts):
    """An image and a codec, and a few vectors with a codebook small enough for a hand."""

    image: ImageGrid
    codec: Codec
    vectors: Vectors
    codebook: Vectors

    def indices(self) -> list[int]:
        """Return the index of the codebook's nearest entry for each vector."""
        return [nearest(vector, self.codebook) for vector in self.vectors]

    def tokens(self) -> Tokens:
        """Return the indices as tokens."""
        return tuple(map(str, range(len(self.codebook))))

    def field_width(self, at: int, argument: str) -> RichText:
        """The width of the image in pixels."""
        return (f"{self.image.width:,}",)

    def field_height(self, at: int, argument: str) -> RichText:
        """The height of the image in pixels."""
        return (f"{self.image.height:,}",)

    def field_patch(self, at: int, argument: str) -> RichText:
        """The edge of a patch in pixels."""
        return (f"{self.image.patch:,}",)

    def field_columns(self, at: int, argument: str) -> RichText:
        """The patches in a row."""
        return (f"{grid(self.image.width, self.image.height, self.image.patch)[0]:,}",)

    def field_patches(self, at: int, argument: str) -> RichText:
        """The patches of the image, or `{patches:32}` with patches of another size."""
        size = whole_number(argument, "patches:32") if argument else self.image.patch
        if not size:
            raise LessonLookupError("A patch has at least one pixel.")
        columns, rows = grid(self.image.width, self.image.height, size)
        return (f"{columns * rows:,}",)

    def field_pixels(self, at: int, argument: str) -> RichText:
        """The pixels of the image."""
        return (f"{self.image.width * self.image.height:,}",)

    def field_rate(self, at: int, argument: str) -> RichText:
        """The samples of a second of sound."""
        return (f"{self.codec.rate:,}",)

    def field_hop(self, at: int, argument: str) -> RichText:
        """The samples of a frame."""
        return (f"{self.codec.hop:,}",)

    def field_frames(self, at: int, argument: str) -> RichText:
        """The frames of a second."""
        return (f"{tokens_per_second(self.codec.rate, self.codec.hop):,.4g}",)

    def field_codebooks(self, at: int, argument: str) -> RichText:
        """The codebooks, each of which gives a frame one token."""
        return (f"{self.codec.codebooks:,}",)

    def field_entries(self, at: int, argument: str) -> RichText:
        """The entries of a codebook."""
        return (f"{self.codec.entries:,}",)

    def field_per_second(self, at: int, argument: str) -> RichText:
        """The tokens of a second."""
        codec = self.codec
        return (f"{tokens_per_second(codec.rate, codec.hop, codec.codebooks):,.6g}",)

    def field_bits(self, at: int, argument: str) -> RichText:
        """The bits that the tokens of a second need."""
        codec = self.codec
        bits = bits_per_second(codec.rate, codec.hop, codec.codebooks, codec.entries)
        return (f"{bits:,.0f}",)

    def field_vector(self, at: int, argument: str) -> RichText:
        """`{vector:0}`: a vector of the small example."""
        return (vector_text(self.vectors[self._number(argument, "vector")]),)

    def field_index(self, at: int, argument: str) -> RichText:
        """`{index:0}`: the index of the nearest entry for a vector of the small example."""
        return (f"{self.indices()[self._number(argument, 'index')]}",)

    def field_codes(self, at: int, argument: str) -> RichText:
        """The indices of all vectors of the small example."""
        return in_row(map(str, self.indices()))

    def _number(self, argument: str, field: str) -> int:
        number = whole_number(require(argument, f"{field}:0"), f"{field}:0")
        if number >= len(self.vectors):
            raise LessonLookupError(f"There are {len(self.vectors)} vectors. The first is 0.")
        return number
