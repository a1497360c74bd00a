"""Byte-level BPE on bytes that need not be text: a picture, or a text that was cut in half.

Where the bytes are UTF-8 they are split as the text that they are; every run that is not is one
word of its own, as in tiktoken. Left out: `UTF-8` of half a surrogate, which counts as no text.
"""

import regex

from tokenizers.bpe.encoding import Model, encode, merge_steps, split_after
from tokenizers.errors import UserError
from tokenizers.text.symbols import BYTE_OF_GLYPH, GLYPH_OF_BYTE, Split

_RUN = regex.compile(r"[\udc80-\udcff]+|[^\udc80-\udcff]+")


def encode_bytes(data: bytes, model: Model) -> Split:
    """Return the tokens of any bytes; ValueError for a model that is not on bytes.

    All bytes come back where the model's pipeline leaves every text as it is, as GPT-2's does.
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
    """Return the bytes that a token of glyphs stands for.

    >>> bytes_of_glyphs("ĠÃ")
    b' \\xc3'
    """
    return bytes(BYTE_OF_GLYPH[glyph] for glyph in token)
