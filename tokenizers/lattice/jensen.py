"""Jensen's inequality for the sum over all segmentations: every way to share them out bounds it.

For any shares q of the segmentations, log Z is at least what is expected of log p under q together
with the entropy of q. It is equal where q are the shares that the model itself gives. EM makes the
bound larger in turn with the probabilities.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers.lattice.lattice import LOG_ZERO


@dataclass(frozen=True, slots=True)
class Bound:
    """The two parts of a lower bound of log Z, in nats."""

    expected: float
    entropy: float

    @property
    def value(self) -> float:
        """The bound itself."""
        return self.expected + self.entropy


def lower_bound(log_probs: Sequence[float], shares: Sequence[float]) -> Bound:
    """Return the bound by `shares` of the segmentations that have these log probabilities.

    A segmentation without a share takes no part, even one that cannot happen.

    >>> lower_bound([math.log(0.5), math.log(0.25)], [1, 0]).value == math.log(0.5)
    True
    """
    both = [(log, share) for log, share in zip(log_probs, shares, strict=True) if share]
    if any(log == LOG_ZERO for log, _ in both):
        return Bound(LOG_ZERO, 0.0)
    expected = math.fsum(share * log for log, share in both)
    return Bound(expected, -math.fsum(share * math.log(share) for _, share in both))
