"""The segmentation with the fewest pieces, by dynamic programming.

Covers one string and a vocabulary without probabilities. Leaves out how a text is cut into words,
and the best segmentation by probability, which need not be the shortest: see `lattice.py`.
"""

import math
from collections.abc import Container, Sequence

from tokenizers.text.symbols import Split


def fewest_pieces(text: str, vocab: Container[str]) -> Split | None:
    """Return the fewest pieces that spell `text`, or None if no pieces do.

    Of several segmentations as short, it is the one whose last piece is the longest, then the one
    before it, and so on. It takes one look-up for each stretch of the text.

    >>> fewest_pieces("superbad", {"super", "superb", "bad", "a", "d"})
    ('super', 'bad')
    """
    counts, starts = [0.0], [0]  # for each end: the pieces up to it, and where the last one begins
    for end in range(1, len(text) + 1):
        ways = ((counts[start] + 1, start) for start in range(end) if text[start:end] in vocab)
        count, start = min(ways, default=(math.inf, 0))
        counts.append(count)
        starts.append(start)
    return tuple(backtrace(text, starts)) if counts[-1] < math.inf else None


def backtrace(text: str, starts: Sequence[int]) -> list[str]:
    """Return the pieces of a way through `text`; `starts` says for each end where it begins."""
    pieces, end = list[str](), len(text)
    while end:
        pieces.append(text[starts[end] : end])
        end = starts[end]
    return pieces[::-1]
