"""The bytes that a vocabulary's tokens spell, independent of how the file format writes them.

GPT-2's glyphs become their bytes, SentencePiece's `▁` a space, and `<0xC3>` a byte. WordPiece's
`##` stays, since it marks a piece as the continuation of a word. Added tokens stay unchanged.
"""

import regex

from tokenizers.runtime.decoders import ByteLevel
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.tokenizer import LoadedTokenizer, flatten_components
from tokenizers.text.symbols import BYTE_OF_GLYPH
from tokenizers.unigram import BYTES

_NO_UTF8 = regex.compile("[\udc80-\udcff]+")  # what "surrogateescape" decodes invalid bytes to
_LATIN = str.maketrans({glyph: chr(byte) for glyph, byte in BYTE_OF_GLYPH.items()})


def is_byte_level(loaded: LoadedTokenizer) -> bool:
    """Whether the tokens are written in GPT-2's byte glyphs."""
    by_decoder = any(isinstance(part, ByteLevel) for part in flatten_components(loaded.decoder))
    return by_decoder or isinstance(loaded.model, ByteBPE)


class Speller:
    """Maps the tokens of one tokenizer to bytes."""

    def __init__(self, loaded: LoadedTokenizer) -> None:
        self._added = loaded.added.ids
        self._is_byte_level = is_byte_level(loaded)

    def __call__(self, token: str) -> bytes:
        """Return the bytes of a token."""
        if token in self._added:
            return token.encode()
        if self._is_byte_level:
            try:
                return token.translate(_LATIN).encode("latin-1")
            except UnicodeEncodeError:  # a token with a glyph that stands for no byte
                return token.encode()
        if token in BYTES:
            return bytes([BYTES[token]])
        return token.replace("▁", " ").encode()

    def display_form(self, token: str) -> str:
        """Return a token for display: GPT-2's glyphs as text or bytes, others as written."""
        return display_bytes(self(token)) if self._is_byte_level else token


def text_of(spelled: bytes) -> str | None:
    """Decode UTF-8; return None if the bytes end or begin inside a character.

    >>> text_of(b"low"), text_of(b"\\xc3")
    ('low', None)
    """
    try:
        return spelled.decode()
    except UnicodeDecodeError:
        return None


def display_bytes(spelled: bytes) -> str:
    """Return bytes as text for display, with incomplete characters as hexadecimal bytes.

    >>> display_bytes(b"low"), display_bytes(b" \\xf0\\x9f"), display_bytes(b"\\xa6")
    ('low', ' ⟨F0 9F⟩', '⟨A6⟩')
    """
    return _NO_UTF8.sub(_in_brackets, spelled.decode(errors="surrogateescape"))


def _in_brackets(run: regex.Match[str]) -> str:
    return f"⟨{run[0].encode(errors='surrogateescape').hex(' ').upper()}⟩"
