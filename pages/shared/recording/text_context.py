"""What the films of an encoding share: the text around the word at hand, and what became of it.

The strip of the text holds the tokens of the words that are finished, the word at hand as it is
cut up at this step, and the next words as they are before their turn. Left out: how a word is cut
up, which each algorithm's own film says.
"""

from collections.abc import Sequence

from lessons.format.words import join_list
from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.recording.frame_types import NoteFrame, TokenStrip, clip_strip
from tokenizers.text.symbols import Split

ELLIPSIS = "…"  # what stands for the rest of the text
CONTEXT_TOKENS = 24  # tokens of the text shown before and after the word at hand


class TextContext:
    """A text while its words are encoded; `ahead` is how each word looks until its turn comes."""

    def __init__(self, ahead: Sequence[Split]) -> None:
        self._ahead = ahead
        self._done: list[str] = []

    def start_strip(self) -> TokenStrip:
        """Return the strip of the text before its first word."""
        return TokenStrip("text", self._next(0), self._next(0))

    def strip(self, n: int, before: Split, after: Split, new: tuple[int, ...] = ()) -> TokenStrip:
        """Return the strip of the text around word `n`; `new` are indices into `after`."""
        left_out = (ELLIPSIS,) if len(self._done) > CONTEXT_TOKENS else ()
        past, ahead = (*left_out, *self._done[-CONTEXT_TOKENS:]), self._next(n + 1)
        new = tuple(len(past) + at for at in new)
        return clip_strip(
            TokenStrip("text", (*past, *before, *ahead), (*past, *after, *ahead), new)
        )

    def finish(self, tokens: Split) -> None:
        """Take the tokens of the word at hand, which is finished."""
        self._done.extend(tokens)

    def _next(self, n: int) -> Split:
        """Return what comes next in the text, from word `n` on, in whole words if they fit."""
        symbols: list[str] = []
        for split in self._ahead[n:]:
            if symbols and len(symbols) + len(split) > CONTEXT_TOKENS:
                return (*symbols, ELLIPSIS)
            symbols.extend(split)
        return (
            tuple(symbols)
            if len(symbols) <= CONTEXT_TOKENS
            else (*symbols[:CONTEXT_TOKENS], ELLIPSIS)
        )


def tokens_text(tokens: Sequence[str]) -> RichText:
    """Return how many tokens a word has become, and which.

    >>> tokens_said(["un", "##able"])[2:]
    (('token', 'un'), ' and ', ('token', '##able'))
    """
    shown = join_list([(("token", token),) for token in tokens[:CONTEXT_TOKENS]])
    more = (" …",) if len(tokens) > CONTEXT_TOKENS else ()
    return (("strong", count_of(len(tokens), "token")), ", ", *shown, *more)


def ids_note(ids: Sequence[int]) -> NoteFrame:
    """Return the ids of the tokens of a word as the note under it."""
    more = ", …" if len(ids) > CONTEXT_TOKENS else ""
    return NoteFrame(("ids " + ", ".join(f"{id_:,}" for id_ in ids[:CONTEXT_TOKENS]) + more,))
