"""Read the vectors of a few tokens in two models, written by hand, one token a line."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import regex

from tokenizers.errors import UserError
from tokenizers.experiments.research.transplant import Choice, Vector, pursue

MOST_TOKENS = 8
MOST_NUMBERS = 4  # of a vector
LONGEST_NAME = 20  # characters of a token
EXAMPLE = """lower: 5 5
er: 3 1 | 0 3
low: 1 2 | 2 1
new: 2 0 | 1 -1
est: 0 1 | 1 1"""
_NUMBER = regex.compile(r"[-−]?\d{1,3}(?:\.\d{1,2})?")
_HOW = "Write, for example: low: 1 2 | 2 1"


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


def parse_vectors(written: str) -> Transplant:
    """Return the new token, its donor vector, and the shared tokens with both of their vectors.

    The first line is the new token's. Raises UserError for the first line that is wrong.
    """
    lines = [line.strip() for line in written.splitlines() if line.strip()]
    if not 2 <= len(lines) <= MOST_TOKENS + 1:
        raise UserError(
            f"Write the new token in the first line, and 1 to {MOST_TOKENS} shared tokens below it."
        )
    token, (target, *more) = _parse_line(1, lines[0])
    if more:
        raise UserError(
            f"Line 1: {token} is new, so it has no vector in the base model. Leave out: |"
        )
    donor: dict[str, Vector] = {}
    base: dict[str, Vector] = {}
    for n, line in enumerate(lines[1:], start=2):
        name, vectors = _parse_line(n, line)
        if len(vectors) != 2:
            raise UserError(f"Line {n}: {name} needs a second vector, after a |. {_HOW}")
        if name == token or name in donor:
            raise UserError(f"{name} is there twice. Give each token one line.")
        donor[name], base[name] = vectors
        first = next(iter(base.values()))
        if len(donor[name]) != len(target) or len(base[name]) != len(first):
            raise UserError(f"Line {n}: {name} has a vector of another length than those above.")
    return Transplant(token, target, donor, base, len(donor))


def _parse_line(n: int, line: str) -> tuple[str, list[Vector]]:
    """Return a line's token and its one or two vectors."""
    name, colon, rest = line.rpartition(":")
    if not colon or not name.strip() or len(name) > LONGEST_NAME:
        raise UserError(f"Line {n} has no token before a colon. {_HOW}")
    vectors: list[Vector] = []
    for part in rest.split("|"):
        numbers = part.replace(",", " ").split()
        if not 1 <= len(numbers) <= MOST_NUMBERS or not all(map(_NUMBER.fullmatch, numbers)):
            raise UserError(
                f"Line {n}: a vector is 1 to {MOST_NUMBERS} numbers below 1,000 with a space "
                f"between them, with at most two decimals. {_HOW}"
            )
        vectors.append(tuple([Fraction(number.replace("−", "-")) for number in numbers]))
    if len(vectors) > 2:
        raise UserError(f"Line {n} has more than one |. {_HOW}")
    return name.strip(), vectors
