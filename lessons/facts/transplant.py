"""Facts about a new token's vector, found in one model and taken to another.

Position 0 is the start. Each chosen token has two positions, its choice and the fit of all weights.
The last position has the vector in the base model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lessons.facts.base import PictureFacts, require, text_of, whole_number
from lessons.format.errors import LessonLookupError, entry
from lessons.format.vectors import number_text, product_text, sum_text, vector_text
from lessons.format.words import RichText, Tokens
from tokenizers.experiments.research.transplant import Choice, Vector, dot, mean, weighted_sum
from tokenizers.experiments.research.vector_table import Transplant


@dataclass(frozen=True, slots=True)
class TransplantFacts(PictureFacts):
    """The vectors, and the choices of orthogonal matching pursuit."""

    given: Transplant
    steps: tuple[Choice, ...]

    @property
    def last(self) -> int:
        """Two positions a choice, and the transfer."""
        return 2 * len(self.steps) + bool(self.steps)

    def tokens(self) -> Tokens:
        """Return the new token and the shared ones."""
        return (self.given.token, *self.given.donor)

    def find_chosen(self, value: Any) -> int:
        """`at = { chosen = "er" }`: when a token is chosen; the weights come one position later."""
        token = text_of(value, 'chosen = "er"')
        for n, step in enumerate(self.steps):
            if step.token == token:
                return 2 * n + 1
        raise LessonLookupError(f"The token “{token}” is never chosen.")

    def find_fitted(self, value: Any) -> int:
        """`at = { fitted = "er" }`: when the weights are fitted after a token is chosen."""
        return self.find_chosen(value) + 1

    def left(self, at: int) -> Vector:
        """Return what the sum leaves of the new token's vector at a position."""
        fitted = min(at // 2, len(self.steps))
        return self.steps[fitted - 1].residual if fitted else self.given.target

    def coming(self, at: int) -> Choice:
        """Return the step whose weights come next. Raises LessonLookupError after the last."""
        n = at // 2
        if n >= len(self.steps):
            raise LessonLookupError("Nothing more is chosen. Set at to an earlier moment.")
        return self.steps[n]

    def weights(self, at: int) -> Mapping[str, Fraction]:
        """Return the weights at a position. Raises LessonLookupError before the first fit."""
        fitted = min(at // 2, len(self.steps))
        if not fitted:
            raise LessonLookupError("There are no weights yet. Set at to a later moment.")
        return self.steps[fitted - 1].weights

    @property
    def vector(self) -> Vector:
        """The new token's vector in the base model."""
        if not self.steps:
            raise LessonLookupError("No token is chosen here, so there is no vector.")
        return weighted_sum(self.steps[-1].weights, self.given.base)

    def _of(self, vectors: Mapping[str, Vector], token: str) -> Vector:
        return entry(vectors, token, "there is no shared token called")

    def field_new(self, at: int, argument: str) -> RichText:
        """The new token."""
        return (("token", self.given.token),)

    def field_target(self, at: int, argument: str) -> RichText:
        """The new token's vector in the donor model."""
        return (vector_text(self.given.target),)

    def field_donor(self, at: int, argument: str) -> RichText:
        """`{donor:er}`: a shared token's vector in the donor model."""
        return (vector_text(self._of(self.given.donor, require(argument, "donor:er"))),)

    def field_base(self, at: int, argument: str) -> RichText:
        """`{base:er}`: a shared token's vector in the base model."""
        return (vector_text(self._of(self.given.base, require(argument, "base:er"))),)

    def field_left(self, at: int, argument: str) -> RichText:
        """What is left of the new token's vector."""
        return (vector_text(self.left(at)),)

    def field_product(self, at: int, argument: str) -> RichText:
        """`{product:er}`: a token's product with what is left."""
        return (number_text(dot(self._of(self.given.donor, argument), self.left(at))),)

    def field_worked(self, at: int, argument: str) -> RichText:
        """`{worked:er}`: the same with its terms."""
        return (product_text(self._of(self.given.donor, argument), self.left(at)),)

    def field_square(self, at: int, argument: str) -> RichText:
        """`{square:er}`: a token's product with itself in the donor model."""
        vector = self._of(self.given.donor, require(argument, "square:er"))
        return (number_text(dot(vector, vector)),)

    def field_weight(self, at: int, argument: str) -> RichText:
        """`{weight:er}`: a token's weight."""
        return (number_text(entry(self.weights(at), argument, "no weight for")),)

    def field_next_weight(self, at: int, argument: str) -> RichText:
        """`{next_weight:er}`: a token's weight after the next fit."""
        return (number_text(entry(self.coming(at).weights, argument, "no weight for")),)

    def field_sum(self, at: int, argument: str) -> RichText:
        """The weighted sum in the base model, with its result."""
        return (sum_text(self.weights(self.last), self.given.base),)

    def field_vector(self, at: int, argument: str) -> RichText:
        """The new token's vector in the base model; `{vector:2}` is its second number."""
        return self._whole_or_part(self.vector, argument, "vector:2")

    def field_mean(self, at: int, argument: str) -> RichText:
        """The mean of all vectors of the base model; `{mean:2}` is its second number."""
        return self._whole_or_part(mean(self.given.base.values()), argument, "mean:2")

    @staticmethod
    def _whole_or_part(vector: Vector, argument: str, example: str) -> RichText:
        if not argument:
            return (vector_text(vector),)
        n = whole_number(argument, example)
        if not 1 <= n <= len(vector):
            raise LessonLookupError(f"The vector has {len(vector)} numbers. Write: {{{example}}}")
        return (number_text(vector[n - 1]),)
