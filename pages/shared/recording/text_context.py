"""Show the text around the current word in a recording of an encoding.

The strip of the text holds the tokens of finished words, the current split of the current word, and
the initial splits of the next words. The frames of each algorithm describe how it splits a word.
"""

from collections.abc import Sequence

from lessons.format.words import join_list
from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.recording.frame_types import ELLIPSIS, NoteFrame, TokenStrip, clip_strip
from tokenizers.text.symbols import Split

CONTEXT_TOKENS = 24  # tokens shown before and after the current word


class TextContext:
    """A text whose words are encoded one by one; each has an `initial` and a `final` split."""

    def __init__(self, initial: Sequence[Split], final: Sequence[Split]) -> None:
        self._initial, self._final = initial, final

    def start_strip(self) -> TokenStrip:
        """Return the strip of the text before its first word."""
        return TokenStrip("text", self._next(0), self._next(0))

    def strip(self, n: int, before: Split, after: Split, new: tuple[int, ...] = ()) -> TokenStrip:
        """Return the strip of the text around word `n`; `new` are indices into `after`."""
        past, following = self._past(n), self._next(n + 1)
        new = tuple(len(past) + at for at in new)
        return clip_strip(
            TokenStrip("text", (*past, *before, *following), (*past, *after, *following), new)
        )

    def _past(self, n: int) -> Split:
        """Return the last tokens before word `n`."""
        symbols: list[str] = []
        for split in reversed(self._final[:n]):
            symbols[:0] = split
            if len(symbols) > CONTEXT_TOKENS:
                return (ELLIPSIS, *symbols[-CONTEXT_TOKENS:])
        return tuple(symbols)

    def _next(self, n: int) -> Split:
        """Return the text starting at word `n`, in whole words if they fit."""
        symbols: list[str] = []
        for split in self._initial[n:]:
            if symbols and len(symbols) + len(split) > CONTEXT_TOKENS:
                return (*symbols, ELLIPSIS)
            symbols.extend(split)
        return (
            tuple(symbols)
            if len(symbols) <= CONTEXT_TOKENS
            else (*symbols[:CONTEXT_TOKENS], ELLIPSIS)
        )


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
