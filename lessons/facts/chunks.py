"""Facts about chunks that begin where a vector points elsewhere than the one before.

There is only position 0. Indices are 0-based; the first unit begins a chunk in any case.
"""

from dataclasses import dataclass

from lessons.facts.base import TextFacts, require, whole_number
from lessons.facts.patches import display_form
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, decimal, in_row
from tokenizers.experiments.research.chunks import BOUNDARY, boundary_probabilities, cosine
from tokenizers.experiments.research.patches import patches

Vectors = tuple[tuple[float, ...], ...]


def vector_text(vector: tuple[float, ...]) -> str:
    """Return a vector for display.

    >>> vector_text((1, -2))
    '(1, −2)'
    """
    return f"({', '.join(f'{x:g}' for x in vector)})".replace("-", "−")


@dataclass(frozen=True, slots=True)
class ChunksFacts(TextFacts):
    """A text in ASCII with a vector for each byte."""

    vectors: Vectors

    @property
    def probabilities(self) -> list[float]:
        """The probability of a boundary before each byte."""
        return boundary_probabilities(self.vectors, self.vectors)

    def tokens(self) -> Tokens:
        """Return the characters and the chunks."""
        return (*self.text, *self.cut())

    def cut(self, boundary: float = BOUNDARY) -> Tokens:
        """Return the chunks, which begin where the probability is higher than `boundary`."""
        return tuple(map(display_form, patches(self.text.encode(), self.probabilities, boundary)))

    def index(self, argument: str, field: str) -> int:
        """Parse the index of a vector. Raises LessonLookupError for the first or past the end."""
        number = whole_number(require(argument, f"{field}:1"), f"{field}:1")
        if not 0 < number < len(self.vectors):
            raise LessonLookupError(
                f"There are vectors 1 to {len(self.vectors) - 1} with one before them."
            )
        return number

    def field_vector(self, at: int, argument: str) -> RichText:
        """`{vector:2}`: the vector of a byte, from 1 on."""
        return (vector_text(self.vectors[self.index(argument, "vector")]),)

    def field_before(self, at: int, argument: str) -> RichText:
        """`{before:2}`: the vector before that of a byte."""
        return (vector_text(self.vectors[self.index(argument, "before") - 1]),)

    def field_cosine(self, at: int, argument: str) -> RichText:
        """`{cosine:2}`: the cosine of the angle between a byte's vector and the one before."""
        n = self.index(argument, "cosine")
        return (decimal(cosine(self.vectors[n], self.vectors[n - 1])),)

    def field_probability(self, at: int, argument: str) -> RichText:
        """`{probability:2}`: the probability of a boundary before a byte."""
        return (decimal(self.probabilities[self.index(argument, "probability")]),)

    def field_boundary(self, at: int, argument: str) -> RichText:
        """The probability above which a chunk begins."""
        return (f"{BOUNDARY:g}",)

    def field_chunks(self, at: int, argument: str) -> RichText:
        """The number of chunks."""
        return (f"{len(self.cut()):,}",)

    def field_split(self, at: int, argument: str) -> RichText:
        """The chunks."""
        return in_row(self.cut())
