"""The memory of a vocabulary's embeddings, as text."""

WIDTHS = {"float32": 4, "float16": 2, "int8": 1}
"""Bytes of one number, by the name of its format."""


def memory_text(size: int) -> str:
    """Return a number of bytes in decimal and binary units.

    >>> memory_text(154_389_504), memory_text(500)
    ('154.4 MB (147.2 MiB)', '500 B')
    """
    if size < 1000:
        return f"{size} B"
    step = next(n for n in (3, 2, 1) if size >= 1000**n)
    decimal, binary = "_kMG"[step] + "B", "_KMG"[step] + "iB"
    return f"{size / 1000**step:,.1f} {decimal} ({size / 1024**step:,.1f} {binary})"
