"""What a text becomes before any tokenizer has learned: bytes, patches, characters and words.

They are the ends and the middle of one axis, on which a tokenizer's pieces lie as well.
"""

from collections.abc import Mapping

PATCH = 4  # bytes
BYTE_VALUES = 256


def fixed_patches(text: bytes, size: int = PATCH) -> tuple[bytes, ...]:
    """Cut bytes into patches of `size`, as MegaByte (Yu and others 2023) does; the last is shorter.

    >>> fixed_patches(b"low tide")
    (b'low ', b'tide')
    """
    return tuple([text[n : n + size] for n in range(0, len(text), size)])


def unlearned_units(text: str) -> Mapping[str, int]:
    """Return how many bytes, patches of `PATCH` bytes, characters and words a text has.

    >>> dict(unlearned_units("Zoë set it."))
    {'bytes': 12, 'fixed': 3, 'characters': 11, 'words': 3}
    """
    raw = text.encode()
    return {
        "bytes": len(raw),
        "fixed": len(fixed_patches(raw)),
        "characters": len(text),
        "words": len(text.split()),
    }
