"""The segmentation with the fewest pieces, by dynamic programming.

Covers one string and a vocabulary without probabilities. Leaves out how a text is cut into words,
and the best segmentation by probability, which need not be the shortest: see `lattice.py`.
"""

import math
from collections.abc import Container

from tokenizers.text.symbols import Split


def fewest_pieces(text: str, vocab: Container[str], longest: int | None = None) -> Split | None:
    """Return the fewest pieces that spell `text`, or None if no pieces do.

    Of several segmentations as short, it is the one whose last piece is the longest, then the one
    before it, and so on. `longest` is the length of the longest piece in characters, if it is
    known. It takes one look-up for each of the n · `longest` stretches of the text.

    >>> fewest_pieces("superbad", {"super", "superb", "bad", "a", "d"})
    ('super', 'bad')
    """
    ways: list[tuple[float, int]] = [(0, 0)]  # for each end: the pieces to it, the last one's start
    for end in range(1, len(text) + 1):
        starts = range(max(0, end - (longest or end)), end)
        found = ((ways[start][0] + 1, start) for start in starts if text[start:end] in vocab)
        ways.append(min(found, default=(math.inf, 0)))
    return _walked_back(text, ways) if ways[-1][0] < math.inf else None


def _walked_back(text: str, ways: list[tuple[float, int]]) -> Split:
    pieces: list[str] = []
    end = len(text)
    while end:
        start = ways[end][1]
        pieces.append(text[start:end])
        end = start
    return tuple(reversed(pieces))
