"""Frames of a transplanted token: how orthogonal matching pursuit finds a vector for it.

Each chosen token has two frames, the choice and the fit of all weights. The last frame takes the
weights to the base model.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lessons.format.words import RichText, decimal, join_list
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
    pursue,
    weighted_sum,
)

PARTS = (
    PicturePart(
        "table",
        "Tokens that both models have",
        (
            Column("token", "tokens"),
            Column("donor", "text"),
            Column("product", "text"),
            Column("weight", "text"),
            Column("base", "text"),
        ),
    ),
    PicturePart(
        "table", "The sum so far", (Column("", "text"), Column("vector", "text")), side="right"
    ),
    PicturePart("note", "", side="across"),
)


@dataclass(frozen=True)
class Transplant:
    """A new token with its vector in the donor model, and the vectors of the shared tokens.

    At most `most` of them are chosen.
    """

    token: str
    target: Vector
    donor: Mapping[str, Vector]
    base: Mapping[str, Vector]
    most: int

    @property
    def steps(self) -> list[Choice]:
        """The choices, one by one."""
        return list(pursue(self.target, self.donor, self.most))


def number_text(number: Fraction) -> str:
    """Return a number with at most three decimals.

    >>> number_text(Fraction(-5, 2)), number_text(Fraction(4)), number_text(Fraction(1, 3))
    ('−2.5', '4', '0.333')
    """
    written = decimal(float(number), 3)
    return written.rstrip("0").rstrip(".") if "." in written else written


def vector_text(vector: Vector) -> str:
    """Return a vector's numbers in parentheses.

    >>> vector_text((Fraction(-1), Fraction(3)))
    '(−1, 3)'
    """
    return f"({', '.join(map(number_text, vector))})"


def product_text(first: Vector, second: Vector) -> str:
    """Return the sum that a dot product is, with its result.

    >>> product_text((Fraction(1), Fraction(2)), (Fraction(-1), Fraction(3)))
    '1 × (−1) + 2 × 3 = 5'
    """
    terms = [f"{number_text(a)} × {_in_parentheses(b)}" for a, b in zip(first, second, strict=True)]
    return f"{' + '.join(terms)} = {number_text(dot(first, second))}"


def _in_parentheses(number: Fraction) -> str:
    return f"({number_text(number)})" if number < 0 else number_text(number)


def sum_text(weights: Mapping[str, Fraction], vectors: Mapping[str, Vector]) -> str:
    """Return a weighted sum of vectors, with its result."""
    terms = [f"{_in_parentheses(n)} × {vector_text(vectors[t])}" for t, n in weights.items()]
    return f"{' + '.join(terms)} = {vector_text(weighted_sum(weights, vectors))}"


def record_transplant(given: Transplant) -> Recording:
    """Record the search for a new token's vector."""
    frames = _TransplantFrames(given, given.steps)
    choices = tuple(range(1, 2 * len(frames.steps), 2))
    targets = [JumpTarget("a token is chosen", choices, has_tick=True)]
    return record("Transplanting a token", PARTS, frames, targets)


@dataclass(frozen=True)
class _TransplantFrames(FrameSource):
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
                (f"{_in_parentheses(weight)} × {token}", vector_text(_times(weight, base[token])))
            )
            for token, weight in weights.items()
        ]
        rows.append(TableRow(("the new vector", vector_text(weighted_sum(weights, base))), "now"))
        table = TableFrame(tuple(rows), "", "The sum in the base model")
        return Frame(sentence, (self._tokens(weights, {}), table, NoteFrame(note)))

    def _before(self, n: int) -> Mapping[str, Fraction]:
        return self.steps[n - 1].weights if n else {}

    def _tokens(
        self,
        weights: Mapping[str, Fraction],
        products: Mapping[str, Fraction],
        now: str = "",
        tied: Collection[str] = (),
    ) -> TableFrame:
        rows = []
        for token, vector in self.given.donor.items():
            product = number_text(products[token]) if token in products else ""
            weight = number_text(weights[token]) if token in weights else ""
            cells = (
                (token,),
                vector_text(vector),
                product,
                weight,
                vector_text(self.given.base[token]),
            )
            mark = "now" if token == now else "tied" if token in tied else ""
            rows.append(TableRow(cells, mark))
        return TableFrame(tuple(rows))

    def _sum(self, weights: Mapping[str, Fraction], residual: Vector) -> TableFrame:
        donor = self.given.donor
        rows = [TableRow((f"{self.given.token} in the donor", vector_text(self.given.target)))]
        rows += [
            TableRow((f"− {_in_parentheses(n)} × {token}", vector_text(_times(n, donor[token]))))
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
                f"{_in_parentheses(weight)} × {_in_parentheses(dot(donor[one], donor[other]))}"
                for other, weight in weights.items()
            ]
            right = number_text(dot(donor[one], self.given.target))
            lines.append((("token", one), f": {' + '.join(terms)} = {right}"))
        text: RichText = ("Least squares: the products of the sum and of the target agree for ",)
        return NoteFrame((*text, *join_list(lines), "."))


def _times(weight: Fraction, vector: Vector) -> Vector:
    return tuple([weight * value for value in vector])


_NO_NOTE = NoteFrame(())
