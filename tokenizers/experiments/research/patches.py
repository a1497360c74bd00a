"""Tokenization without a vocabulary cuts bytes into patches where the next byte is hard to predict.

A small n-gram model of bytes predicts the next one; a patch starts where the entropy of the
prediction is above a threshold. The method comes from the Byte Latent Transformer (Pagnoni and
others 2024), which uses a small neural network as its model. Entropies are in nats.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

KINDS = 256  # of bytes


@dataclass(frozen=True, slots=True)
class ByteModel:
    """An n-gram model; `seen[context]` counts the bytes seen after a context of at most `order`."""

    order: int
    seen: Mapping[bytes, Mapping[int, int]]

    @classmethod
    def learn(cls, text: bytes, order: int) -> "ByteModel":
        """Count every byte of a text after each of its contexts, including the empty one."""
        seen: dict[bytes, Counter[int]] = defaultdict(Counter)
        for position, byte in enumerate(text):
            for length in range(min(order, position) + 1):
                seen[text[position - length : position]][byte] += 1
        return cls(order, dict(seen))

    def expected(self, before: bytes) -> list[float]:
        """Return the probability of each byte after `before`.

        The counts of a context are interpolated with the distribution after the context that is one
        byte shorter. This distribution has the weight of one count, so no probability is 0.
        """
        shares = [1 / KINDS] * KINDS
        for length in range(min(self.order, len(before)) + 1):
            counts = self.seen.get(before[len(before) - length :])
            if counts is None:
                break  # no longer context has been seen either
            total = sum(counts.values()) + 1
            shares = [(counts.get(byte, 0) + share) / total for byte, share in enumerate(shares)]
        return shares

    def longest_seen(self, before: bytes) -> bytes:
        """Return the longest end of a context that has been seen: no longer one says more."""
        return next(
            (before[n:] for n in range(len(before) + 1) if before[n:] in self.seen), before[:0]
        )

    def entropy(self, before: bytes) -> float:
        """Return the entropy of the byte after `before`, which is 0 if that byte is certain."""
        return -sum(share * math.log(share) for share in self.expected(before))


def entropies(model: ByteModel, text: bytes) -> list[float]:
    """Return the entropy before each byte of a text."""
    contexts = [model.longest_seen(text[max(0, n - model.order) : n]) for n in range(len(text))]
    known = {context: model.entropy(context) for context in set(contexts)}  # most come again
    return [known[context] for context in contexts]


def patches(text: bytes, hard: Sequence[float], threshold: float) -> tuple[bytes, ...]:
    """Split a text before each byte whose entropy is above the threshold; `hard` lists entropies.

    >>> patches(b"low tide", [4, 2, 1, 1, 3, 2, 1, 1], 2.5)
    (b'low ', b'tide')
    """
    starts = [n for n in range(len(text)) if n == 0 or hard[n] > threshold]
    return tuple([text[a:b] for a, b in pairwise([*starts, len(text)])])
