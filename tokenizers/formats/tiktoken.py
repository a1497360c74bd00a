"""`.tiktoken` files list byte pieces in base64, one per line, each with its rank, i.e. its id.

The file contains nothing else, so a `Scheme` provides the split pattern and the special tokens.
Source of the format: `tiktoken.load` in tiktoken 0.14.0.
"""

import re
from base64 import b64encode
from binascii import a2b_base64
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import itemgetter

from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.formats.schemes import Scheme, detect_scheme, refuse_too_long
from tokenizers.runtime.added_tokens import AddedTokens
from tokenizers.runtime.byte_bpe import ByteBPE, bytes_of, glyphs_of
from tokenizers.runtime.decoders import ByteLevel
from tokenizers.runtime.normalizers import Unicode
from tokenizers.runtime.patterns import Pattern
from tokenizers.runtime.pre_tokenizers import Split
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.file_text import to_utf8
from tokenizers.text.symbols import BYTE_OF_GLYPH

FORMAT = ".tiktoken"
_CAVEATS = (
    "How a text is cut into words, and the special tokens: they are those published for {name}.",
    "Which pair each merge joined: it is reconstructed, from what lower ranks make of the piece.",
    "How often anything occurred in the training text.",
)
"""The information that a `.tiktoken` file lacks, with what is used instead."""

_LINES = re.compile(rb"(?:[A-Za-z0-9+/]+={0,2} [0-9]{1,9}(?:\r?\n|\Z)|\r?\n)*+")


def read_tiktoken(data: bytes, scheme: Scheme | None = None, name: str = FORMAT) -> LoadedTokenizer:
    """Return a `.tiktoken` file's tokenizer, with its pieces written as byte-level glyphs.

    Without a `scheme`, a published scheme is detected by the file's `name` or the number of pieces.
    Raises UserError, which says where, if the file is invalid.
    """
    vocab = read_ranks(data)
    scheme = scheme or detect_scheme(name, len(vocab))
    _refuse_used_ids(scheme.specials, vocab)
    return LoadedTokenizer(
        name=scheme.name,
        format=FORMAT,
        model=ByteBPE(vocab),
        added=AddedTokens.control(scheme.specials),
        normalizer=Unicode("NFC") if scheme.nfc else None,
        pre_tokenizer=Split(Pattern(scheme.pattern), "Isolated"),
        decoder=ByteLevel(),
        caveats=tuple(sentence.format(name=scheme.name) for sentence in _CAVEATS),
    )


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
    pieces, ranks = _glyphs(fields[::2]), list(map(int, fields[1::2]))
    vocab = dict(zip(pieces, ranks, strict=True))
    if len(vocab) < len(pieces) or len(set(ranks)) < len(ranks):
        raise UserError(_duplicate_message(pieces, ranks))
    missing = [byte for glyph, byte in BYTE_OF_GLYPH.items() if glyph not in vocab]
    if missing:
        raise UserError(
            f"The .tiktoken file has no piece for the single byte 0x{missing[0]:02X}, so some "
            "texts could not be encoded. It may have been cut off: download it again."
        )
    return vocab


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
            f"This model's base is {model.settings.base}, but these files hold BPE over bytes. "
            "Train with the base bytes, or write a tokenizer.json."
        )


def _glyphs(pieces: Sequence[bytes]) -> list[str]:
    """Decode base64 byte strings and write the bytes as glyphs."""
    try:
        raw = [a2b_base64(piece, strict_mode=True) for piece in pieces]
    except ValueError:
        raise UserError(_bad_base64_message(pieces)) from None
    blob = glyphs_of(b"".join(raw))  # all at once is three times as fast as one by one
    ends = list(accumulate(map(len, raw)))
    return [blob[start:end] for start, end in zip([0, *ends], ends, strict=False)]


# --- Errors ---------------------------------------------------------------------------------------


def _bad_line_message(data: bytes, at: int) -> str:
    number, line = data.count(b"\n", 0, at) + 1, data[at : at + 60].partition(b"\n")[0]
    return (
        f"Line {number:,} of the .tiktoken file is “{line.decode(errors='replace')}”. Each line "
        "must be a piece in base64, a space and its rank."
    )


def _bad_base64_message(pieces: Sequence[bytes]) -> str:
    for number, piece in enumerate(pieces, start=1):
        try:
            a2b_base64(piece, strict_mode=True)
        except ValueError as error:
            shown = piece[:60].decode()
            return f"Piece {number:,} of the .tiktoken file, “{shown}”, is not base64: {error}."
    return ""


def _duplicate_message(pieces: Sequence[str], ranks: Sequence[int]) -> str:
    for what, values in (("piece", pieces), ("rank", ranks)):
        value, times = Counter(values).most_common(1)[0]
        if times > 1:
            shown = f"“{value[:60]}”" if isinstance(value, str) else f"{value:,}"
            return (
                f"The .tiktoken file has the {what} {shown} {times:,} times; each must be unique."
            )
    return ""


def _refuse_used_ids(specials: Mapping[str, int], vocab: Mapping[str, int]) -> None:
    """Raise UserError if a special token has the id of a piece."""
    used = {id_: name for name, id_ in specials.items()}
    for piece, id_ in vocab.items():
        if id_ in used:
            raise UserError(
                f"The special token {used[id_]} and the piece “{piece}” both have the id {id_:,}. "
                "Choose a scheme without special tokens, or give them other ids."
            )
