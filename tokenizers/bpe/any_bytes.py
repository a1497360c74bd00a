"""Byte-level BPE on arbitrary bytes, such as a picture, or a text that was cut inside a character.

Valid UTF-8 is split as text; every run of other bytes is treated as one word, as in tiktoken.
Surrogates encoded as UTF-8 count as other bytes.
"""

import regex

from tokenizers.bpe.encoding import Model, encode, merge_steps, split_after
from tokenizers.errors import UserError
from tokenizers.text.symbols import BYTE_OF_GLYPH, GLYPH_OF_BYTE, Split

_RUN = regex.compile(r"[\udc80-\udcff]+|[^\udc80-\udcff]+")


def encode_bytes(data: bytes, model: Model) -> Split:
    """Return the tokens of any bytes. Raises UserError if the model's base is not bytes.

    The tokens spell exactly `data` if the model's pipeline, like GPT-2's, does not change texts.
    """
    if model.settings.base != "bytes":
        raise UserError("Only BPE on bytes can split bytes that are not text. Choose that base.")
    tokens: list[str] = []
    for run in _RUN.findall(data.decode(errors="surrogateescape")):
        if run[0] < "\udc80" or run[0] > "\udcff":
            tokens += encode(run, model).tokens
        else:
            symbols = [GLYPH_OF_BYTE[byte] for byte in run.encode(errors="surrogateescape")]
            tokens += split_after(symbols, merge_steps(symbols, model.ranks))
    return tuple(tokens)


def bytes_of_glyphs(token: str) -> bytes:
    """Return the bytes that a token's byte-level glyphs stand for.

    >>> bytes_of_glyphs("ĠÃ")
    b' \\xc3'
    """
    return bytes(BYTE_OF_GLYPH[glyph] for glyph in token)
