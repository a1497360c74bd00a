"""Show the text around the current word in a recording of an encoding.

The strip of the text holds the tokens of finished words, the current split of the current word, and
the initial splits of the next words. The frames of each algorithm describe how it splits a word.
"""

from collections.abc import Sequence
from itertools import accumulate

from lessons.format.words import RichText, join_list
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import ELLIPSIS, NoteFrame, TokenStrip, clip_strip
from tokenizers.text.symbols import Split

CONTEXT_TOKENS = 24  # tokens shown before and after the current word


class TextContext:
    """A text whose words are encoded one by one; each has an `initial` and a `final` split."""

    def __init__(self, initial: Sequence[Split], final: Sequence[Split]) -> None:
        self._initial, self._final = initial, final

    def start_strip(self) -> TokenStrip:
        """Return the strip of the text before its first word."""
        symbols, starts = self._next(0)
        return TokenStrip("text", symbols, symbols, gaps=(starts[1:], starts[1:]))

    def strip(self, n: int, before: Split, after: Split, new: tuple[int, ...] = ()) -> TokenStrip:
        """Return the strip of the text around word `n`; `new` are indices into `after`."""
        (past, earlier), (following, later) = self._past(n), self._next(n + 1)
        new = tuple(len(past) + at for at in new)

        def gaps(split: Split) -> tuple[int, ...]:
            here, end = len(past), len(past) + len(split)
            return tuple(at for at in (*earlier, here, *(end + start for start in later)) if at)

        return clip_strip(
            TokenStrip(
                "text",
                (*past, *before, *following),
                (*past, *after, *following),
                new,
                gaps=(gaps(before), gaps(after)),
            )
        )

    def _past(self, n: int) -> tuple[Split, tuple[int, ...]]:
        """Return the last tokens before word `n`, and where words start in them."""
        first = n
        while first and sum(map(len, self._final[first:n])) <= CONTEXT_TOKENS:
            first -= 1
        symbols, starts = _joined(self._final[first:n])
        if len(symbols) <= CONTEXT_TOKENS:
            return symbols, starts
        cut = len(symbols) - CONTEXT_TOKENS - 1  # in whose place the ellipsis is
        return (ELLIPSIS, *symbols[cut + 1 :]), tuple(at - cut for at in starts if at > cut)

    def _next(self, n: int) -> tuple[Split, tuple[int, ...]]:
        """Return the text from word `n`, in whole words if they fit, and where words start."""
        end, size = n, 0
        while end < len(self._initial) and size + len(self._initial[end]) <= CONTEXT_TOKENS:
            size += len(self._initial[end])
            end += 1
        symbols, starts = _joined(self._initial[n : max(end, n + 1)])
        if end == len(self._initial):
            return symbols, starts
        return (*symbols[:CONTEXT_TOKENS], ELLIPSIS), starts


def _joined(splits: Sequence[Split]) -> tuple[Split, tuple[int, ...]]:
    """Return the symbols of several words, and where each word starts."""
    starts = tuple(accumulate(map(len, splits), initial=0))[:-1]
    return tuple(symbol for split in splits for symbol in split), starts


def tokens_text(tokens: Sequence[str]) -> RichText:
    """Return a text with the number of a word's tokens and a list of the tokens.

    >>> tokens_text(["un", "##able"])[2:]
    (('token', 'un'), ' and ', ('token', '##able'))
    """
    shown = join_list([(("token", token),) for token in tokens[:CONTEXT_TOKENS]])
    more = (" …",) if len(tokens) > CONTEXT_TOKENS else ()
    return (("strong", count_of(len(tokens), "token")), ", ", *shown, *more)


def ids_note(ids: Sequence[int]) -> NoteFrame:
    """Return a word's token ids as a note."""
    more = ", …" if len(ids) > CONTEXT_TOKENS else ""
    return NoteFrame(("ids " + ", ".join(f"{id_:,}" for id_ in ids[:CONTEXT_TOKENS]) + more,))
