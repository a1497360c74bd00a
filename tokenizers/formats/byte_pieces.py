"""Byte pieces in base64, which several formats list, and the tokenizer that they make.

Such a tokenizer merges as tiktoken does: see `tokenizers.runtime.models.byte_bpe`.
"""

import re
from binascii import a2b_base64
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from tokenizers.errors import UserError
from tokenizers.formats.schemes import PUBLISHED_PATTERNS, Scheme
from tokenizers.runtime.added_tokens import AddedToken, AddedTokens
from tokenizers.runtime.decoders import ByteLevel
from tokenizers.runtime.models.byte_bpe import ByteBPE, glyphs_of
from tokenizers.runtime.normalizers import Unicode
from tokenizers.runtime.patterns import Pattern
from tokenizers.runtime.pre_tokenizers import Split
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.symbols import BYTE_OF_GLYPH

_TOKEN = re.compile(r"\\[pP]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}\+|\[\^?\]?|.", re.DOTALL)
_EMPTY = b"="
"""Base64 that is not strict, of no bytes at all: Whisper's list has such a piece."""


def read_base64_pieces(
    pieces: Sequence[bytes], ids: Sequence[int], file: str, first: int = 0
) -> dict[str, int]:
    """Return pieces given in base64, written as byte-level glyphs, with their ids.

    Errors call the file `file` and an id minus `first` its rank. Raises UserError if a piece is not
    base64, if a piece or an id is repeated, or if there is no piece for a single byte.
    """
    texts = _glyphs(pieces, file)
    vocab = dict(zip(texts, ids, strict=True))
    if len(vocab) < len(texts) or len(set(ids)) < len(ids):
        raise UserError(_duplicate_message(texts, [id_ - first for id_ in ids], file))
    missing = [byte for glyph, byte in BYTE_OF_GLYPH.items() if glyph not in vocab]
    if missing:
        raise UserError(
            f"The {file} has no piece for the single byte 0x{missing[0]:02X}, so some "
            "texts could not be encoded. It may have been cut off: download it again."
        )
    return vocab


def tokenizer_of_bytes(
    vocab: Mapping[str, int], scheme: Scheme, format_: str, caveats: Sequence[str]
) -> LoadedTokenizer:
    """Return the tokenizer with these pieces, written as glyphs, under a scheme.

    Raises UserError if a special token has the id of a piece, or if the pattern is invalid.
    """
    _refuse_used_ids(scheme.specials, vocab)
    normalizer = Unicode(scheme.form) if scheme.form else None
    specials = tuple(
        AddedToken(name, id_, normalized=normalizer is not None, special=True)
        for name, id_ in scheme.specials.items()
    )
    return LoadedTokenizer(
        name=scheme.name,
        format=format_,
        model=ByteBPE(vocab),
        added=AddedTokens(specials, normalizer),  # looked for in the text that tiktoken gets
        normalizer=normalizer,
        pre_tokenizer=split_of(scheme),
        decoder=ByteLevel(),
        caveats=tuple(caveats),
    )


def split_of(scheme: Scheme) -> Split:
    """Return what splits a text by a scheme's pattern, which may be written as for tiktoken.

    As there, text that the pattern doesn't match is dropped; published patterns match all of it.
    Raises UserError if the pattern is invalid.
    """
    try:
        is_linear = scheme.pattern in PUBLISHED_PATTERNS
        pattern = Pattern(_as_oniguruma(scheme.pattern), is_linear=is_linear)
    except ValueError as error:
        raise UserError(f"The pattern that cuts a text into words: {error}.") from error
    is_published = scheme.pieces > 0
    return Split(pattern, "Isolated" if is_published else "Removed", invert=not is_published)


def _as_oniguruma(source: str) -> str:
    """Rewrite what Rust reads in another way than Oniguruma: `$`, `^`, and `a{1,3}+`.

    >>> _as_oniguruma(r"\\p{N}{1,3}+|[$^]|\\s++$")
    '(?>\\\\p{N}{1,3})|[$^]|\\\\s++\\\\z'
    """
    parts: list[str] = []
    groups: list[int] = []  # start indices of the open groups
    atom, depth = 0, 0  # start of the last atom; nesting depth of classes
    for token in _TOKEN.findall(source):
        if depth == 0:
            if token.endswith("}+") and parts:
                parts[atom] = f"(?>{parts[atom]}"
                parts.append(f"{token[:-1]})")
                continue
            atom = groups.pop() if token == ")" and groups else len(parts)
            if token == "(":
                groups.append(atom)
            token = {"$": r"\z", "^": r"\A"}.get(token, token)
        depth += token[0] == "["
        depth -= token == "]" and depth > 0
        parts.append(token)
    return "".join(parts)


def _glyphs(pieces: Sequence[bytes], file: str) -> list[str]:
    """Decode base64 byte strings and write the bytes as glyphs."""
    try:
        raw = list(map(_decoded, pieces))
    except ValueError:
        raise UserError(_bad_base64_message(pieces, file)) from None
    blob = glyphs_of(b"".join(raw))  # all at once is three times as fast as one by one
    ends = list(accumulate(map(len, raw)))
    return [blob[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _decoded(piece: bytes) -> bytes:
    return b"" if piece == _EMPTY else a2b_base64(piece, strict_mode=True)


# --- Errors ---------------------------------------------------------------------------------------


def _bad_base64_message(pieces: Sequence[bytes], file: str) -> str:
    for number, piece in enumerate(pieces, start=1):
        try:
            _decoded(piece)
        except ValueError as error:
            shown = piece[:60].decode(errors="replace")
            return f"Piece {number:,} of the {file}, “{shown}”, is not base64: {error}."
    return ""


def _duplicate_message(pieces: Sequence[str], ranks: Sequence[int], file: str) -> str:
    for what, values in (("piece", pieces), ("rank", ranks)):
        value, times = Counter(values).most_common(1)[0]
        if times > 1:
            shown = f"“{value[:60]}”" if isinstance(value, str) else f"{value:,}"
            return f"The {file} has the {what} {shown} {times:,} times; each must be unique."
    return ""


def _refuse_used_ids(specials: Mapping[str, int], vocab: Mapping[str, int]) -> None:
    """Raise UserError if a special token has the id of a piece."""
    used = {id_: name for name, id_ in specials.items()}
    for piece, id_ in vocab.items():
        if id_ in used:
            raise UserError(
                f"The special token {used[id_][:60]} and the piece “{piece[:60]}” both have the id "
                f"{id_:,}. Choose a scheme without special tokens, or give them other ids."
            )
