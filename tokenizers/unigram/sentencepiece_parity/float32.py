"""Rounding to float32, in which SentencePiece stores its numbers."""

import struct

_FLOAT32 = struct.Struct("f")


def as_float32(value: float) -> float:
    """Round to the nearest float32.

    >>> as_float32(0.1)
    0.10000000149011612
    """
    return _FLOAT32.unpack(_FLOAT32.pack(value))[0]
