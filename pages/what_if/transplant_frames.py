"""Frames of a transplanted token: how orthogonal matching pursuit finds a vector for it.

Each chosen token has two frames, the choice and the fit of all weights. The last frame takes the
weights to the base model.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lessons.format.vectors import (
    in_parentheses,
    number_text,
    product_text,
    sum_text,
    vector_text,
)
from lessons.format.words import RichText, join_list
from pages.shared.recording.frame_types import (
    Column,
    Frame,
    FrameSource,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    StepQuestion,
    TableFrame,
    TableRow,
)
from pages.shared.recording.packing import record
from tokenizers.experiments.research.transplant import (
    Choice,
    Vector,
    dot,
    mean,
    weighted_sum,
)
from tokenizers.experiments.research.vector_table import Transplant

PARTS = (
    PicturePart(
        "table",
        "Tokens that both models have",
        (
            Column("token", "tokens"),
            Column("donor", "text"),
            Column("product", "number"),
            Column("weight", "number"),
        ),
    ),
    PicturePart(
        "table", "The sum so far", (Column("", "text"), Column("vector", "text")), side="right"
    ),
    PicturePart("note", "", side="across"),
)


def record_transplant(given: Transplant) -> Recording:
    """Record the search for a new token's vector."""
    frames = TransplantFrames(given, given.steps)
    choices = tuple(range(1, 2 * len(frames.steps), 2))
    targets = [JumpTarget("a token is chosen", choices, has_tick=True)]
    return record("Transplanting a token", PARTS, frames, targets)


@dataclass(frozen=True)
class TransplantFrames(FrameSource):
    """The frames of a search, whose `steps` are those of `given`."""

    given: Transplant
    steps: Sequence[Choice]

    def __len__(self) -> int:
        return 2 * len(self.steps) + 1 + bool(self.steps)

    @property
    def content(self) -> object:
        return self.given, self.steps

    @property
    def largest(self) -> Collection[int]:
        return range(len(self))

    @property
    def common_tokens(self) -> Sequence[str]:
        return [self.given.token, *self.given.donor]

    def frame(self, k: int) -> Frame:
        """Return the start, a choice, the fit after it, or the transfer at the end."""
        if not k:
            return self._start()
        n = (k - 1) // 2
        if n == len(self.steps):
            return self._transfer()
        return self._fit(n) if k % 2 == 0 else self._choose(n)

    def _start(self) -> Frame:
        token, target = self.given.token, vector_text(self.given.target)
        sentence: RichText = (
            ("token", token),
            f" is new: in the donor model its vector is {target}, and the base model has none. "
            "Which shared tokens, each times a weight, add up to it?",
        )
        if not self.steps:
            sentence = (
                ("token", token),
                f" has the vector {target} in the donor model. It is at a right angle to every "
                "shared token, so none can be chosen.",
            )
        return Frame(sentence, (self._tokens({}, {}), self._sum({}, self.given.target), _NO_NOTE))

    def _choose(self, n: int) -> Frame:
        step = self.steps[n]
        before = self._before(n)
        residual = self.steps[n - 1].residual if n else self.given.target
        product = product_text(self.given.donor[step.token], residual)
        sign = " in size" if step.products[step.token] < 0 else ""
        sentence: RichText = (
            f"{vector_text(residual)} is left. " if n else "At first all of it is left. ",
            ("new", step.token),
            f" has the largest product with it{sign}: {product}. We choose it.",
        )
        best = abs(step.products[step.token])
        tied = [t for t, product in step.products.items() if abs(product) == best]
        if len(tied) > 1:
            sentence = (*sentence, " ", ("tie", "Others tie; the first in the list is taken."))
        options = tuple((token,) for token in step.products)
        right = tuple(i for i, (token,) in enumerate(options) if token in tied)
        question = StepQuestion(
            ("Which shared token is chosen next?",),
            options,
            right,
            (("token", step.token), f" has the largest product with what is left: {product}."),
        )
        table = self._tokens(before, step.products, step.token, tied)
        parts = (table, self._sum(before, residual), _NO_NOTE)
        return Frame(sentence, parts, question if len(options) > 1 else None)

    def _fit(self, n: int) -> Frame:
        step, before = self.steps[n], self._before(n)
        weights = join_list(
            [(("token", t), f" {number_text(weight)}") for t, weight in step.weights.items()]
        )
        sentence: list = ["The weights that leave the least: ", *weights]
        if any(before[token] != step.weights[token] for token in before):
            sentence.append(". All are fitted again, so earlier weights change")
        left = ". Nothing is left."
        if any(step.residual):
            length = number_text(dot(step.residual, step.residual))
            left = (
                f". {vector_text(step.residual)} is left, at a right angle to all chosen tokens; "
                f"the square of its length is {length}."
            )
        table = self._tokens(step.weights, {}, step.token)
        return Frame(
            (*sentence, left), (table, self._sum(step.weights, step.residual), self._equations(n))
        )

    def _transfer(self) -> Frame:
        given, weights = self.given, self.steps[-1].weights
        base = {token: given.base[token] for token in weights}
        middle = vector_text(mean(given.base.values()))
        sentence: RichText = (
            "The same weights in the base model give ",
            ("token", given.token),
            f" its vector: {sum_text(weights, base)}.",
        )
        note: RichText = (f"For comparison, the mean of all base vectors is {middle}.",)
        rows = [
            TableRow(
                (f"{in_parentheses(weight)} × {token}", vector_text(_times(weight, base[token])))
            )
            for token, weight in weights.items()
        ]
        rows.append(TableRow(("the new vector", vector_text(weighted_sum(weights, base))), "now"))
        table = TableFrame(tuple(rows), "", "The sum in the base model")
        return Frame(sentence, (self._tokens(weights, {}, is_base=True), table, NoteFrame(note)))

    def _before(self, n: int) -> Mapping[str, Fraction]:
        return self.steps[n - 1].weights if n else {}

    def _tokens(
        self,
        weights: Mapping[str, Fraction],
        products: Mapping[str, Fraction],
        now: str = "",
        tied: Collection[str] = (),
        is_base: bool = False,
    ) -> TableFrame:
        """Return the shared tokens with their vectors, in the donor or in the base model."""
        vectors = self.given.base if is_base else self.given.donor
        rows = []
        for token, vector in vectors.items():
            product = number_text(products[token]) if token in products else ""
            weight = number_text(weights[token]) if token in weights else ""
            mark = "now" if token == now else "tied" if token in tied else ""
            rows.append(TableRow(((token,), vector_text(vector), product, weight), mark))
        headings = ("token", "base", "product", "weight") if is_base else ()
        return TableFrame(tuple(rows), headings=headings)

    def _sum(self, weights: Mapping[str, Fraction], residual: Vector) -> TableFrame:
        donor = self.given.donor
        rows = [TableRow((f"{self.given.token} in the donor", vector_text(self.given.target)))]
        rows += [
            TableRow((f"− {in_parentheses(n)} × {token}", vector_text(_times(n, donor[token]))))
            for token, n in weights.items()
        ]
        rows.append(TableRow(("what is left", vector_text(residual)), "here"))
        return TableFrame(tuple(rows))

    def _equations(self, n: int) -> NoteFrame:
        """Return the equations of least squares: the rest's product with each chosen token is 0."""
        weights, donor = self.steps[n].weights, self.given.donor
        lines: list[RichText] = []
        for one in weights:
            terms = [
                f"{in_parentheses(weight)} × {in_parentheses(dot(donor[one], donor[other]))}"
                for other, weight in weights.items()
            ]
            right = number_text(dot(donor[one], self.given.target))
            lines.append((("token", one), f": {' + '.join(terms)} = {right}"))
        text: RichText = ("Least squares: the products of the sum and of the target agree for ",)
        return NoteFrame((*text, *join_list(lines), "."))


def _times(weight: Fraction, vector: Vector) -> Vector:
    return tuple([weight * value for value in vector])


_NO_NOTE = NoteFrame(())
