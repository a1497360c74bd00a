"""Text without a vocabulary: bytes, and patches of them, cut where the next byte is hard to guess.

Covers a small n-gram model of bytes, the entropy of what it expects next, and the cut: a patch
begins where the entropy is above a threshold. The cut is that of the Byte Latent Transformer
(Pagnoni and others 2024), whose model is a small neural network instead. Entropies are in nats.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

KINDS = 256  # of bytes


@dataclass(frozen=True, slots=True)
class ByteModel:
    """What came after each context: `seen[context]` counts the bytes after up to `order` bytes."""

    order: int
    seen: Mapping[bytes, Mapping[int, int]]

    @classmethod
    def learn(cls, text: bytes, order: int) -> "ByteModel":
        """Count every byte of a text after each of the contexts before it, the empty one too."""
        seen: dict[bytes, Counter[int]] = defaultdict(Counter)
        for place, byte in enumerate(text):
            for length in range(min(order, place) + 1):
                seen[text[place - length : place]][byte] += 1
        return cls(order, dict(seen))

    def expected(self, before: bytes) -> list[float]:
        """Return the probability of each byte after `before`.

        The counts of a context are mixed with what the context that is one byte shorter expects,
        as if that had been seen once. So no byte has probability 0.
        """
        shares = [1 / KINDS] * KINDS
        for length in range(min(self.order, len(before)) + 1):
            counts = self.seen.get(before[len(before) - length :])
            if counts is None:
                break  # a longer context has not been seen, either
            total = sum(counts.values()) + 1
            shares = [(counts.get(byte, 0) + share) / total for byte, share in enumerate(shares)]
        return shares

    def entropy(self, before: bytes) -> float:
        """Return how hard the byte after `before` is to guess: 0 if it is certain."""
        return -sum(share * math.log(share) for share in self.expected(before))


def entropies(model: ByteModel, text: bytes) -> list[float]:
    """Return the entropy before each byte of a text."""
    return [model.entropy(text[max(0, n - model.order) : n]) for n in range(len(text))]


def patches(text: bytes, hard: Sequence[float], threshold: float) -> tuple[bytes, ...]:
    """Cut a text before each byte whose entropy, in `hard`, is above the threshold.

    >>> patches(b"low tide", [4, 2, 1, 1, 3, 2, 1, 1], 2.5)
    (b'low ', b'tide')
    """
    starts = [n for n in range(len(text)) if n == 0 or hard[n] > threshold]
    return tuple([text[a:b] for a, b in pairwise([*starts, len(text)])])
