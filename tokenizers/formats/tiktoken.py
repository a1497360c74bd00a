"""`.tiktoken` files list byte pieces in base64, one per line, each with its rank, i.e. its id.

The file contains nothing else, so a `Scheme` provides the split pattern and the special tokens.
Source of the format: `tiktoken.load` in tiktoken 0.14.0.
"""

import re
from base64 import b64encode
from operator import itemgetter

from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.formats.byte_pieces import read_base64_pieces, tokenizer_of_bytes
from tokenizers.formats.schemes import SCHEMES, Scheme, detect_scheme, refuse_too_long
from tokenizers.runtime.models.byte_bpe import bytes_of
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.file_text import to_utf8

FORMAT = ".tiktoken"
PUBLISHED = (
    "How a text is cut into words, and the special tokens: they are those published for {name}."
)
CHOSEN = "How a text is cut into words, and the special tokens: they are {name}."
MERGES_AND_COUNTS = (
    "Which pair each merge joined: it is reconstructed, from what lower ranks make of the piece.",
    "How often anything occurred in the training text.",
)
"""The information that ranks of pieces lack, with what is used instead."""

_LINES = re.compile(rb"(?:(?:[A-Za-z0-9+/]+={0,2}|=) [0-9]{1,9}(?:\r?\n|\Z)|\r?\n)*+")


def read_tiktoken(data: bytes, scheme: Scheme | None = None, name: str = FORMAT) -> LoadedTokenizer:
    """Return a `.tiktoken` file's tokenizer, with its pieces written as byte-level glyphs.

    Without a `scheme`, a published scheme is detected by the file's `name` or the number of pieces.
    Raises UserError, which says where, if the file is invalid.
    """
    vocab = read_ranks(data)
    scheme = scheme or detect_scheme(name, len(vocab))
    how = PUBLISHED if scheme.name in SCHEMES else CHOSEN
    caveats = (how.format(name=scheme.name), *MERGES_AND_COUNTS)
    return tokenizer_of_bytes(vocab, scheme, FORMAT, caveats)


def read_ranks(data: bytes) -> dict[str, int]:
    """Return a `.tiktoken` file's pieces, written as byte-level glyphs, with their ranks.

    Raises UserError if the file is invalid.
    """
    data = to_utf8(data)
    refuse_too_long(data, ".tiktoken file")
    lines = _LINES.match(data)
    if lines is None or lines.end() < len(data):
        raise UserError(_bad_line_message(data, lines.end() if lines else 0))
    fields = data.split()
    return read_base64_pieces(fields[::2], list(map(int, fields[1::2])), ".tiktoken file")


def write_tiktoken(model: bpe.Model) -> bytes:
    """Return the `.tiktoken` file of a model trained here on bytes; ids become ranks.

    tiktoken merges any two neighbours that spell a piece, and never splits a word that is a piece,
    so it splits a few rare words differently. Raises UserError if the base is not bytes.
    """
    refuse_other_base(model)
    ranks = sorted(model.vocab.items(), key=itemgetter(1))
    return b"".join(b"%b %d\n" % (b64encode(bytes_of(piece)), rank) for piece, rank in ranks)


def refuse_other_base(model: bpe.Model) -> None:
    """Raise UserError if the model was not trained on bytes."""
    if model.settings.base != "bytes":
        raise UserError(
            "These files hold BPE over bytes, and this run began with characters. Train on UTF-8 "
            "bytes, or write a tokenizer.json."
        )


# --- Errors ---------------------------------------------------------------------------------------


def _bad_line_message(data: bytes, at: int) -> str:
    number, line = data.count(b"\n", 0, at) + 1, data[at : at + 60].partition(b"\n")[0]
    return (
        f"Line {number:,} of the .tiktoken file is “{line.decode(errors='replace')}”. Each line "
        "must be a piece in base64, a space and its rank."
    )
