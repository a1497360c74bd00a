"""Base symbols: the symbols of a word before anything is merged.

| base | a word becomes |
| --- | --- |
| `characters` | its characters |
| `end_of_word` | its characters and an end-of-word mark, a separate symbol |
| `bytes` | its UTF-8 bytes, each shown as GPT-2's glyph (a printable character) for it |
| `metaspace` | its characters, after a leading `▁` (SentencePiece) |

Sennrich et al. (2016) use a separate mark; Hugging Face appends the mark to the last character.
"""

from collections.abc import Iterable

Split = tuple[str, ...]
"""One word as a tuple of symbols or pieces."""

BASES = ("characters", "end_of_word", "bytes", "metaspace")
END_MARK = "</w>"
METASPACE = "▁"

_PRINTABLE = (*range(33, 127), *range(161, 173), *range(174, 256))
_OTHERS = [byte for byte in range(256) if byte not in _PRINTABLE]
GLYPH_OF_BYTE: dict[int, str] = {byte: chr(byte) for byte in _PRINTABLE} | {
    byte: chr(256 + n) for n, byte in enumerate(_OTHERS)
}
BYTE_OF_GLYPH: dict[str, int] = {glyph: byte for byte, glyph in GLYPH_OF_BYTE.items()}


def base_symbols(word: str, base: str, end_mark: str = END_MARK) -> Split:
    """Return the symbols of `word` before the first merge.

    >>> base_symbols("low", "end_of_word")
    ('l', 'o', 'w', '</w>')
    >>> base_symbols(" é", "bytes")
    ('Ġ', 'Ã', '©')
    """
    if base == "bytes":
        return tuple([GLYPH_OF_BYTE[byte] for byte in word.encode()])
    if base == "end_of_word":
        return (*word, end_mark)
    if base == "metaspace" and not word.startswith(METASPACE):
        return (METASPACE, *word)
    return tuple(word)


def alphabet(splits: Iterable[Split], base: str) -> list[str]:
    """Return the base symbols by code point: all 256 bytes, or the symbols that `splits` use."""
    if base == "bytes":
        return sorted(BYTE_OF_GLYPH)
    return sorted({symbol for split in splits for symbol in split})


def text_of_glyphs(glyphs: str) -> str:
    """Return the text that byte-level glyphs spell; bytes that are not UTF-8 become U+FFFD.

    >>> text_of_glyphs("ĠcafÃ©")
    ' café'
    """
    return bytes(BYTE_OF_GLYPH[glyph] for glyph in glyphs).decode(errors="replace")
