"""Write a model trained here as Hugging Face's `tokenizer.json`.

The library then gives the same ids for a text, and the same text for ids. Features that the format
lacks are expressed by other components. For example, an end-of-word mark that is a separate symbol
is written as a private-use character, which a replacement inserts.

Two differences remain. The library matches `<unk>` and `<0xC3>` in a text as Unigram pieces, and
it adds up in double precision, which can change near-ties of SentencePiece's conventions.
"""

import json
from typing import Any

from tokenizers import bpe, unigram, wordpiece
from tokenizers.errors import UserError
from tokenizers.lattice import LOG_ZERO
from tokenizers.text.normalizers import PLAIN_PUNCTUATION
from tokenizers.text.pre_tokenizers import BY_NUMBERS, PENN
from tokenizers.text.symbols import METASPACE

END = "\ue000"
"""The character that replaces the end-of-word mark, which the library lacks as a symbol."""

JsonObject = dict[str, Any]
_HTML = r"""<!--(?:-?>|[\s\S]*?(?:-->|\z))|<[/!?]?[A-Za-z](?:=\s*"[^"<]*"|=\s*'[^'<]*'|[^<>])*+>"""
_GPT2 = r"'(?:[stmd]|re|ve|ll)| ?(?:\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+)|\s+(?!\S)|\s+"


def write_tokenizer_json(model: bpe.Model | wordpiece.Model | unigram.Model) -> str:
    """Return a model's file; raises UserError if the format cannot express its pipeline."""
    if isinstance(model, bpe.Model):
        parts = _bpe(model)
    elif isinstance(model, wordpiece.Model):
        parts = _wordpiece(model)
    else:
        parts = _unigram(model)
    head: JsonObject = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": []}
    return json.dumps(head | {"post_processor": None} | parts, ensure_ascii=False, indent=1)


# --- The stages before the model ------------------------------------------------------------------


def _component(type_: str, **parameters: Any) -> JsonObject:
    return {"type": type_, **parameters}


def _replace(pattern: str, content: str, kind: str = "Regex") -> JsonObject:
    return _component("Replace", pattern={kind: pattern}, content=content)


def _split(pattern: str, behavior: str, kind: str = "Regex", invert: bool = False) -> JsonObject:
    return _component("Split", pattern={kind: pattern}, behavior=behavior, invert=invert)


def _sequence(key: str, parts: list[JsonObject]) -> JsonObject | None:
    """Return several components as a `Sequence`, a single one unchanged, and None for none."""
    return _component("Sequence", **{key: parts}) if len(parts) > 1 else next(iter(parts), None)


def _metaspace(split: bool) -> JsonObject:
    return _component("Metaspace", replacement=METASPACE, prepend_scheme="always", split=split)


def _bert(strip_accents: bool, lowercase: bool, cleans: bool = True) -> JsonObject:
    return _component(
        "BertNormalizer",
        clean_text=cleans,
        handle_chinese_chars=cleans,
        strip_accents=strip_accents,
        lowercase=lowercase,
    )


_NFC, _FUSE = _component("NFC"), _component("Fuse")
_BYTE_LEVEL = _component("ByteLevel", add_prefix_space=False, trim_offsets=False, use_regex=False)
NORMALIZERS: dict[str, list[JsonObject]] = {
    "html": [_replace(_HTML, "")],
    "nfc": [_NFC],
    "nfkc": [_component("NFKC")],
    "quotes": [_replace(f"[{marks}]", plain) for marks, plain in PLAIN_PUNCTUATION.items()],
    "accents": [_bert(strip_accents=True, lowercase=False, cleans=False), _NFC],
    "lower": [_component("Lowercase")],
    "spaces": [_replace(r"\s{2,}", " ")],
    "sentencepiece_spaces": [
        _replace(r"\A +", ""),
        _replace(f"[ {METASPACE}]+\\z", ""),
        _replace(" {2,}", " "),
    ],
    "bert": [_bert(strip_accents=True, lowercase=True)],
    "bert_cased": [_bert(strip_accents=False, lowercase=False)],
}
"""Maps each of the core's normalizers to the library's components that do the same."""

PRE_TOKENIZERS: dict[str, list[JsonObject]] = {
    "spaces": [_component("WhitespaceSplit")],
    "punctuation": [_component("Whitespace")],
    "bert": [_component("BertPreTokenizer")],
    "gpt2": [_split(_GPT2, "Isolated")],
    **{name: [_split(pattern, "Isolated")] for name, pattern in BY_NUMBERS.items()},
    "penn": [_split(PENN, "Removed", invert=True)],
    "metaspace": [_metaspace(split=True)],
    "metaspace_whole": [],
    "none": [],
}
"""Maps each of the core's pre-tokenizers likewise; `metaspace_whole` becomes normalizers."""

_WORD_ENDS = {
    "spaces": r"(?<=\S)(?=\s|\z)",
    "punctuation": r"(?<=[\w\u200c\u200d])(?![\w\u200c\u200d])|(?<=[^\w\s\u200c\u200d])"
    r"(?![^\w\s\u200c\u200d])",
}
"""Patterns for word ends, for the pre-tokenizers whose word ends can be seen in the text."""


def _stages(normalizers: tuple[str, ...], pre_tokenizer: str, base: str) -> JsonObject:
    """Return the normalizer and the pre-tokenizer, which also prepare the symbols of `base`."""
    before = [part for name, parts in NORMALIZERS.items() if name in normalizers for part in parts]
    if missing := sorted(set(normalizers) - NORMALIZERS.keys()):
        raise UserError(f"A tokenizer.json has no normalizer that does what {missing[0]} does.")
    cuts = list(PRE_TOKENIZERS[pre_tokenizer])
    if pre_tokenizer == "metaspace_whole":
        before += _replace(" ", METASPACE, "String"), _component("Prepend", prepend=METASPACE)
    if base == "end_of_word":
        if pre_tokenizer not in _WORD_ENDS:
            known = " or ".join(_WORD_ENDS)
            raise UserError(
                f"A tokenizer.json cannot put an end mark behind each word that {pre_tokenizer} "
                f"cuts. Train with words cut by {known}, or without the mark."
            )
        before.append(_replace(_WORD_ENDS[pre_tokenizer], END))
        cuts = [_component("WhitespaceSplit"), _split(END, "MergedWithPrevious", "String")]
    if base == "metaspace" and not pre_tokenizer.startswith("metaspace"):
        if pre_tokenizer in ("gpt2", *BY_NUMBERS, "none"):
            raise UserError(
                f"A tokenizer.json cannot put {METASPACE} before words that hold spaces, as "
                f"{pre_tokenizer} leaves them. Train with another pre-tokenizer."
            )
        cuts.append(_metaspace(split=False))
    if base == "bytes":
        cuts.append(_BYTE_LEVEL)
    return {
        "normalizer": _sequence("normalizers", before),
        "pre_tokenizer": _sequence("pretokenizers", cuts),
    }


# --- The models -----------------------------------------------------------------------------------


# `stop` is 0 because stripping at the end makes the library panic on an empty text.
_NO_FIRST_SPACE = _component("Strip", content=" ", start=1, stop=0)


def _decoder(base: str) -> JsonObject | None:
    """Return the decoder that is equivalent to `encoding.decode`."""
    if base == "bytes":
        return _BYTE_LEVEL
    if base == "end_of_word":
        return _sequence("decoders", [_replace(END, " ", "String"), _FUSE, _replace(r" \z", "")])
    if base == "metaspace":
        return _sequence("decoders", [_replace(METASPACE, " ", "String"), _FUSE, _NO_FIRST_SPACE])
    return _FUSE


def _bpe(model: bpe.Model) -> JsonObject:
    settings = model.settings
    mark = settings.end_mark if settings.base == "end_of_word" else ""
    pairs = sorted(model.ranks, key=model.ranks.__getitem__)
    return {
        **_stages(model.pipeline.normalizers, model.pipeline.pre_tokenizer, settings.base),
        "decoder": _decoder(settings.base),
        "model": _component(
            "BPE",
            dropout=None,
            unk_token=settings.unk,
            continuing_subword_prefix=None,
            end_of_word_suffix=None,
            fuse_unk=False,
            byte_fallback=False,
            ignore_merges=False,
            vocab={_with_end_character(piece, mark): id_ for piece, id_ in model.vocab.items()},
            merges=[[_with_end_character(a, mark), _with_end_character(b, mark)] for a, b in pairs],
        ),
    }


def _with_end_character(piece: str, mark: str) -> str:
    """Return a piece with its end-of-word mark, if any, replaced by `END`."""
    return piece.removesuffix(mark) + END if mark and piece.endswith(mark) else piece


def _wordpiece(model: wordpiece.Model) -> JsonObject:
    settings = model.settings
    has_end = settings.base == "end_of_word"
    end = settings.end_mark if has_end else ""
    back = [_component("WordPiece", prefix=settings.mark, cleanup=False)] if settings.mark else []
    back += [_replace(END, end, "String")] if has_end and settings.mark else []
    return {
        **_stages(model.pipeline.normalizers, model.pipeline.pre_tokenizer, settings.base),
        "decoder": _sequence("decoders", back) or _decoder(settings.base),
        "model": _component(
            "WordPiece",
            unk_token=settings.unk,
            continuing_subword_prefix=settings.mark,
            max_input_chars_per_word=model.max_word_length + has_end,
            vocab={_with_end_character(piece, end): id_ for piece, id_ in model.vocab.items()},
        ),
    }


def _unigram(model: unigram.Model) -> JsonObject:
    pieces = sorted(model.vocab, key=model.vocab.__getitem__)
    if [model.vocab[piece] for piece in pieces] != list(range(len(pieces))):
        raise UserError("The ids of a Unigram model must be 0, 1, 2 and so on to be written.")
    # Pieces that never match get the lowest score, so that unknown characters' score is unchanged.
    least = min(model.pieces.values(), default=0.0)
    scores = [model.log_probs.get(piece, least) for piece in pieces]
    back = [
        _replace(model.unk, unigram.UNKNOWN_TEXT, "String"),
        *([_component("ByteFallback")] if model.byte_fallback else []),
        _replace(METASPACE, " ", "String"),
        _FUSE,
        _NO_FIRST_SPACE,
    ]
    return {
        **_stages(model.pipeline.normalizers, model.pipeline.pre_tokenizer, "characters"),
        "decoder": _sequence("decoders", back),
        "model": _component(
            "Unigram",
            unk_id=model.vocab[model.unk],
            byte_fallback=model.byte_fallback,
            vocab=[
                [piece, score if score > LOG_ZERO else least]
                for piece, score in zip(pieces, scores, strict=True)
            ],
        ),
    }
