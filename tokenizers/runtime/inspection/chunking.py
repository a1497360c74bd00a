"""Cut a text into chunks of at most so many tokens, which may overlap.

The tokens are those of the whole text, so each chunk's ids are a slice of the text's ids, with the
tokens around them that the model expects around every text. A chunk begins and ends between two
tokens, and never inside a character as a reader sees it (a grapheme cluster, such as a letter with
its accents).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import regex

from tokenizers.errors import UserError
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.tokenizer import LoadedTokenizer, Special

Around = tuple[tuple[int, ...], tuple[int, ...]]
"""The ids before and after a text."""
_CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A part of a text: its span in characters, and its ids with the tokens around them.

    `first` and `last` are the range of its tokens among those of the whole text.
    """

    start: int
    end: int
    first: int
    last: int
    ids: tuple[int, ...]


def split_into_chunks(
    loaded: LoadedTokenizer,
    text: str,
    max_tokens: int,
    overlap: int = 0,
    around: Around = ((), ()),
    special: Special = "control",
) -> list[TextChunk]:
    """Return the chunks of a text, each as long as possible; together they cover the text.

    Each chunk gets the ids `around` it (see `tokens_around`), which `max_tokens` counts, too.
    Neighbours share at most `overlap` tokens: fewer if more would begin inside a character, or
    leave no room for anything new. Raises UserError if a chunk has no room for a token, if
    `overlap` leaves none, if a character has more tokens than a chunk, and as
    `LoadedTokenizer.encode` does.
    """
    before, after = around
    room = max_tokens - len(before) - len(after)
    if room < 1:
        raise UserError(
            f"The model puts {len(before) + len(after):,} tokens of its own around every text, so "
            f"a part of at most {max_tokens:,} has no room for any text. Allow more tokens."
        )
    if not 0 <= overlap < room:
        raise UserError(
            f"An overlap of {overlap:,} tokens is too much: a part holds {room:,} tokens of the "
            f"text, so the overlap can be 0 to {room - 1:,}. Choose a smaller one."
        )
    encoding = replace(loaded, post_processor=None).encode(text, special=special)
    borders = _borders(text, encoding)
    starts = [*(start for start, _ in encoding.offsets), len(text)]
    return [
        TextChunk(
            starts[first] if first else 0,
            starts[last] if last < len(encoding.ids) else len(text),
            first,
            last,
            (*before, *encoding.ids[first:last], *after),
        )
        for first, last in _ranges(borders, room, overlap, text, starts)
    ]


def tokens_around(loaded: LoadedTokenizer) -> Around:
    """Return the ids that the model expects before and after every text.

    A template that has the text twice, or not at all, counts as if it had it at its end.
    """
    if not loaded.post_processor:
        return (), ()
    token = LoadedEncoding(("a",), (0,), ((0, 1),), ("a",), (0,), (0,), (0,))
    found = LoadedEncoding.concatenate(loaded.post_processor([token], True))
    at = found.sources.index(0) if 0 in found.sources else len(found.ids)
    return found.ids[:at], found.ids[at + 1 :]


def _borders(text: str, encoding: LoadedEncoding) -> list[int]:
    """Return the token indices at which a chunk may begin or end.

    At such a border no token before it reaches beyond the start of a token after it, and this start
    is between two characters. A token that covers no text belongs to what follows.
    """
    offsets = encoding.offsets
    if not offsets:
        return [0]
    between = {0, *accumulate(len(match[0]) for match in _CLUSTER.finditer(text))}
    reached = list(accumulate((end for _, end in offsets), max))
    begins = list(accumulate((start for start, _ in reversed(offsets)), min))[::-1]
    found, last = [0], 0
    for n in range(1, len(offsets)):
        start = offsets[n][0]
        if reached[n - 1] <= start == begins[n] and last < start < len(text) and start in between:
            found.append(n)
            last = start
    return [*found, len(offsets)]


def _ranges(
    borders: Sequence[int], room: int, overlap: int, text: str, starts: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield the range of tokens of each chunk."""
    for a, b in pairwise(borders):
        if b - a > room:
            shown = text[starts[a] : starts[b]]
            raise UserError(
                f"“{shown}” is {b - a:,} tokens, and a part has room for {room:,}. A part never "
                "ends inside a character: allow more tokens."
            )
    if len(borders) < 2:
        if text:
            yield 0, 0
        return
    first = 0
    while True:
        at = bisect_right(borders, first + room) - 1
        last = borders[at]
        yield first, last
        if at + 1 == len(borders):
            return
        # Far enough back to overlap, but near enough that the next chunk reaches beyond this one.
        first = borders[bisect_left(borders, max(last - overlap, borders[at + 1] - room))]
