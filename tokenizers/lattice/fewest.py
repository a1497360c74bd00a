"""The segmentation with the fewest pieces, by dynamic programming.

The most probable segmentation, which need not be the shortest, is in `lattice.py`.
"""

import math
from collections.abc import Container, Sequence

from tokenizers.text.symbols import Split


def fewest_pieces(text: str, vocab: Container[str]) -> Split | None:
    """Return the fewest pieces that spell `text`, or None if no pieces do.

    Among equally short segmentations, the one with the longest last piece is returned, then the
    longest piece before it, and so on. Looks up every substring once.

    >>> fewest_pieces("superbad", {"super", "superb", "bad", "a", "d"})
    ('super', 'bad')
    """
    counts, starts = [0.0], [0]  # for each end: how many pieces up to it, and the last one's start
    for end in range(1, len(text) + 1):
        found = ((counts[start] + 1, start) for start in range(end) if text[start:end] in vocab)
        count, start = min(found, default=(math.inf, 0))
        counts.append(count)
        starts.append(start)
    return tuple(backtrace(text, starts)) if counts[-1] < math.inf else None


def backtrace(text: str, starts: Sequence[int]) -> list[str]:
    """Follow the backpointers and return the pieces; `starts[end]` is the start of a piece."""
    pieces, end = list[str](), len(text)
    while end:
        pieces.append(text[starts[end] : end])
        end = starts[end]
    return pieces[::-1]
