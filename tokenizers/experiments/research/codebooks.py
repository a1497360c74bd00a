"""Tokens of images and of sound: a grid of patches, and the number of the nearest vector on a list.

A Vision Transformer (Dosovitskiy and others 2020) cuts an image into squares; each of them is a
vector, so there is no vocabulary. Codecs of sound such as SoundStream (2021) and EnCodec (2022),
and VQ-VAE (2017) before them, make a vector of each short stretch and write down which entry of a
*codebook*, a list of learned vectors, is nearest. There, the codebook is the vocabulary.
"""

import math
from collections.abc import Sequence

Vector = Sequence[float]


def grid(width: int, height: int, patch: int) -> tuple[int, int]:
    """Return the columns and rows of whole patches; what is left at the edges is dropped.

    >>> grid(224, 224, 16), grid(225, 230, 16)
    ((14, 14), (14, 14))
    """
    return width // patch, height // patch


def nearest(vector: Vector, codebook: Sequence[Vector]) -> int:
    """Return the index of the codebook's nearest entry, the first one if several are as near.

    >>> nearest([0.9, 0.2], [[0, 0], [1, 0], [0, 1]])
    1
    """
    return min(range(len(codebook)), key=lambda n: (math.dist(vector, codebook[n]), n))


def residual_codes(vector: Vector, codebooks: Sequence[Sequence[Vector]]) -> tuple[int, ...]:
    """Return one index for each codebook: each encodes what those before it have left.

    >>> residual_codes([0.9, 0.2], [[[0, 0], [1, 0]], [[0, 0], [0, 0.25]]])
    (1, 1)
    """
    left: list[float] = list(vector)
    codes: list[int] = []
    for codebook in codebooks:
        codes.append(nearest(left, codebook))
        left = [a - b for a, b in zip(left, codebook[codes[-1]], strict=True)]
    return tuple(codes)


def tokens_per_second(rate: int, hop: int, codebooks: int = 1) -> float:
    """Return the tokens for a second of sound with `rate` samples, one frame for `hop` of them.

    >>> tokens_per_second(24_000, 320), tokens_per_second(24_000, 320, 8)
    (75.0, 600.0)
    """
    return rate / hop * codebooks


def bits_per_second(rate: int, hop: int, codebooks: int, entries: int) -> float:
    """Return the bits that these tokens need, each an index of a codebook with `entries` entries.

    >>> bits_per_second(24_000, 320, 8, 1024)
    6000.0
    """
    return tokens_per_second(rate, hop, codebooks) * math.log2(entries)
