"""Types for the counted and the claimed growth of an algorithm's work.

`counting.py` fills these values in a worker; the exponents follow from them.
"""

from dataclasses import dataclass

from tokenizers.experiments.complexity.operations import exponent

FORMS = {
    "words": "The text, split into words",
    "whole": "The text as one long word",
    "repeats": "aaaa…, one long word",
    "unmatched": "A long word with no known pieces",
}
MAX_TEXT_CHARS = 16_384
MAX_WORD_CHARS = 1_024  # at this length, WordPiece tries half a million candidates
MIN_CHARS = 32
UNMATCHED = "∎"
SOURCES_TABLE = "the sources’ table"
OUR_METHOD = "the way it is done here"


@dataclass(frozen=True, slots=True)
class GrowthClaim:
    """The claimed growth of a count: its formula, its source, its value at every size.

    The values omit the constant factor, which O(·) does not give.
    """

    formula: str
    source: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class OperationCount:
    """A count at every size, its meaning, and the claim about it."""

    name: str
    meaning: str
    formula: str
    claim: GrowthClaim
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OperationGrowth:
    """The counts of one operation at `sizes`, which `axis` describes; `unit` is what is counted."""

    operation: str
    axis: str
    sizes: tuple[int, ...]
    series: tuple[OperationCount, ...]
    note: str = ""
    unit: str = "operation"


OPERATIONS = {
    "bpe_train": "BPE training, longer text",
    "bpe_merges": "BPE training, more merges",
    "bpe_space": "BPE training, memory",
    "bpe_encode": "BPE encoding",
    "wordpiece_encode": "WordPiece encoding",
    "unigram_encode": "Unigram encoding",
    "unigram_train": "Unigram training",
}
NUM_FITTED = 5  # number of sizes, the largest; small inputs are not asymptotic yet


@dataclass(frozen=True, slots=True)
class CountRequest:
    """The input that grows, and its limits; `merges` is V, m, or the pieces that Unigram learns."""

    text: str
    form: str = "words"
    merges: int = 50
    largest: int = 4_096

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes: powers of two up to the largest that the text and the form allow."""
        most = min(self.largest, MAX_TEXT_CHARS if self.form == "words" else MAX_WORD_CHARS)
        if self.form in ("words", "whole"):
            most = min(most, len(self.input_text))
        return tuple([2**k for k in range(5, most.bit_length()) if 2**k <= most])

    @property
    def input_text(self) -> str:
        """The text whose prefixes are the inputs."""
        if self.form == "words":
            return self.text
        if self.form == "whole":
            return "".join(self.text.split())
        return ("a" if self.form == "repeats" else UNMATCHED) * MAX_WORD_CHARS


# --- Exponents --------------------------------------------------------------------------------


def measured_exponent(growth: OperationGrowth, series: OperationCount) -> float | None:
    """Return the exponent of a count over the largest sizes."""
    return exponent(growth.sizes[-NUM_FITTED:], series.counts[-NUM_FITTED:])


def claimed_exponent(growth: OperationGrowth, series: OperationCount) -> float | None:
    """Return the exponent of a claim over the largest sizes."""
    return exponent(growth.sizes[-NUM_FITTED:], series.claim.values[-NUM_FITTED:])


def claim_line(series: OperationCount) -> list[float]:
    """Return the claimed growth at every size, scaled to meet the count at the largest."""
    if not series.counts:
        return []
    scale = series.counts[-1] / (series.claim.values[-1] or 1.0)
    return [scale * value for value in series.claim.values]
