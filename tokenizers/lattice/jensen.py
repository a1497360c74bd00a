"""Jensen's inequality, which gives lower bounds of log Z, the log of the sum over segmentations.

For any distribution q over the segmentations, log Z is at least the expectation of log p under q
plus the entropy of q, with equality if q is the posterior under the model. EM maximizes the bound
alternately over q and over the pieces' probabilities.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers.lattice.lattice import LOG_ZERO


@dataclass(frozen=True, slots=True)
class Bound:
    """The two terms of a lower bound of log Z: expectation of log p and entropy, in nats."""

    expected: float
    entropy: float

    @property
    def value(self) -> float:
        """The bound itself."""
        return self.expected + self.entropy


def lower_bound(log_probs: Sequence[float], shares: Sequence[float]) -> Bound:
    """Return the bound for the distribution `shares` over segmentations with these `log_probs`.

    A segmentation with share 0 is ignored, even if its probability is 0.

    >>> lower_bound([math.log(0.5), math.log(0.25)], [1, 0]).value == math.log(0.5)
    True
    """
    both = [(log, share) for log, share in zip(log_probs, shares, strict=True) if share]
    if any(log == LOG_ZERO for log, _ in both):
        return Bound(LOG_ZERO, 0.0)
    expected = math.fsum(share * log for log, share in both)
    return Bound(expected, -math.fsum(share * math.log(share) for _, share in both))
