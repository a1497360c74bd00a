"""BPE over bytes in two files, a vocabulary in JSON and a list of merges with one per line.

GPT-2's `encoder.json` and `vocab.bpe` are such files, and so are the `vocab.json` and `merges.txt`
of RoBERTa, Qwen 2 and many others. They lack the pattern that splits texts into words. Unless a
`Scheme` is given, GPT-2's or Qwen's pattern is used. BPE over characters is not supported.
"""

import json
from collections.abc import Mapping

from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.formats.byte_pieces import split_of
from tokenizers.formats.json_cursor import JsonCursor, parse
from tokenizers.formats.json_models import read_model
from tokenizers.formats.schemes import SCHEMES, Scheme, refuse_too_long
from tokenizers.formats.tiktoken import refuse_other_base
from tokenizers.runtime.added_tokens import AddedTokens
from tokenizers.runtime.components import ComponentSequence
from tokenizers.runtime.decoders import ByteLevel as FromBytes
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.normalizers import Unicode
from tokenizers.runtime.pre_tokenizers import ByteLevel
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.file_text import to_utf8
from tokenizers.text.symbols import BYTE_OF_GLYPH

FORMAT = "vocab.json + merges.txt"
_CAVEATS = (
    "How a text is cut into words: it is done by the pattern of {name}.",
    "Which pieces are special tokens: they are those that no merge makes, in < > or [ ].",
    "Which tokens are put around a text: none are.",
    "How often anything occurred in the training text.",
)
"""Sentences on what the two files lack and what is used instead."""

_OF_SIZE = {SCHEMES[name].pieces: name for name in ("qwen3", "qwen3.5")}
_VOCAB = "an object with an id for each piece"
_VERSION = "#version: 0.2\n"


def read_vocab_merges(vocab: bytes, merges: bytes, scheme: Scheme | None = None) -> LoadedTokenizer:
    """Return the tokenizer with this vocabulary and these merges.

    `scheme` only provides the split pattern; the default is GPT-2's, or Qwen's for as many pieces
    as Qwen's lists have.
    Raises UserError if the files are not BPE over bytes.
    """
    model = read_model(
        JsonCursor(
            {"type": "BPE", "vocab": parse(vocab, _VOCAB).value, "merges": read_merges(merges)}, ""
        )
    )
    assert isinstance(model, BPE)
    _refuse_other_alphabets(model.vocab)
    scheme = scheme or SCHEMES[_OF_SIZE.get(len(model.vocab), "gpt2")]
    to_bytes = ByteLevel(add_prefix_space=False, use_regex=False)
    return LoadedTokenizer(
        name=FORMAT,
        format=FORMAT,
        model=model,
        added=AddedTokens.control(_specials(model)),
        normalizer=Unicode(scheme.form) if scheme.form else None,
        pre_tokenizer=ComponentSequence("pre-tokenizers", (split_of(scheme), to_bytes)),
        decoder=FromBytes(),
        caveats=tuple(sentence.format(name=scheme.name) for sentence in _CAVEATS),
    )


def write_vocab_merges(model: bpe.Model) -> tuple[bytes, bytes]:
    """Return `vocab.json` and `merges.txt`; raises UserError if the base is not bytes."""
    refuse_other_base(model)
    pairs = sorted(model.ranks, key=model.ranks.__getitem__)
    lines = "".join([f"{first} {second}\n" for first, second in pairs])
    vocab = json.dumps(dict(model.vocab), ensure_ascii=False)
    return vocab.encode(), (_VERSION + lines).encode()


def read_merges(data: bytes) -> list[list[str]]:
    """Return the pairs of a list of merges; raises UserError, which says in which line."""
    refuse_too_long(data, "list of merges")
    try:
        lines = to_utf8(data).decode().split("\n")
    except UnicodeDecodeError as error:
        raise UserError(f"The merges are not UTF-8: byte {error.start:,} is wrong.") from error
    merges: list[list[str]] = []
    for number, line in enumerate(lines, start=1):
        pair = line.removesuffix("\r").split(" ")
        if line.startswith("#version") or pair == [""]:
            continue
        if len(pair) != 2 or not all(pair):
            raise UserError(
                f"Line {number:,} of the merges is “{line[:60]}”. Each line must be two "
                "pieces with one space between them."
            )
        merges.append(pair)
    return merges


def _refuse_other_alphabets(vocab: Mapping[str, int]) -> None:
    missing = [glyph for glyph in BYTE_OF_GLYPH if glyph not in vocab]
    if len(missing) > 128 or any(piece.endswith("</w>") for piece in vocab):
        raise UserError(
            "The vocabulary is not one over bytes, and its files do not tell how a text becomes "
            "its symbols. Open the tokenizer.json of the same model instead."
        )
    if missing:
        raise UserError(
            f"The vocabulary has no “{missing[0]}”, which stands for the byte "
            f"0x{BYTE_OF_GLYPH[missing[0]]:02X}, so some texts could not be encoded. Open the "
            "tokenizer.json of the same model instead."
        )


def _specials(model: BPE) -> dict[str, int]:
    """Return the pieces that no merge makes and that look like control tokens."""
    made = set(model.ranks.made)
    return {
        piece: id_
        for piece, id_ in model.vocab.items()
        if len(piece) > 2 and piece[0] + piece[-1] in ("<>", "[]") and id_ not in made
    }
