"""Numbers as SentencePiece keeps them: in float32."""

import struct

_FLOAT32 = struct.Struct("f")


def as_float32(value: float) -> float:
    """Return the nearest of the numbers that have 24 binary digits, as SentencePiece keeps them.

    >>> as_float32(0.1)
    0.10000000149011612
    """
    return _FLOAT32.unpack(_FLOAT32.pack(value))[0]
