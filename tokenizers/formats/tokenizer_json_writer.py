"""Write a model trained here as Hugging Face's `tokenizer.json`.

The library then gives the same ids for a text, and the same text for ids. Features that the format
lacks are expressed by other components. For example, a replacement inserts the end-of-word mark. It
is a symbol of its own in BPE, which is written as a private-use character.

Three differences remain. The library matches `<unk>` and `<0xC3>` in a text as Unigram pieces. It
adds up in double precision, which can change near-ties of SentencePiece's conventions. And it reads
one score in seven one unit in the last place off (see `json_numbers`), which can change ties.
"""

import json
from typing import Any, NamedTuple

from tokenizers import bpe, unigram, wordpiece
from tokenizers.errors import UserError
from tokenizers.lattice import LOG_ZERO
from tokenizers.text.normalizers import PLAIN_PUNCTUATION
from tokenizers.text.pre_tokenizers import BY_NUMBERS, PENN
from tokenizers.text.symbols import METASPACE

END = "\ue000"
"""The character that BPE's end-of-word mark is written as, if no piece has it already."""
_PRIVATE = range(ord(END), 0xF900)
"""The private-use characters, which mean nothing."""

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


class _EndMark(NamedTuple):
    """An end-of-word mark and the string that is written instead, which is inserted in texts.

    The latter is a character for BPE, where the mark is a symbol; it becomes `other` where it is in
    a text, and no piece has either. WordPiece matches strings, and so also a mark in a text.
    """

    mark: str
    written: str
    other: str = ""

    @classmethod
    def of(cls, model: bpe.Model | wordpiece.Model) -> "_EndMark | None":
        """Return the mark of a model; None if it has none."""
        mark = model.settings.end_mark
        if model.settings.base != "end_of_word":
            return None
        if isinstance(model, wordpiece.Model):
            if any(map(str.isspace, mark)):
                raise UserError(
                    "A tokenizer.json cannot put an end mark that holds white space behind words. "
                    "Train with another mark."
                )
            return cls(mark, mark)
        used = set("".join(model.vocab))
        free = (chr(code) for code in _PRIVATE if chr(code) not in used)
        return cls(mark, next(free, "\uffff"), next(free, "\ufffe"))

    def write(self, piece: str) -> str:
        """Return a piece of the vocabulary with the mark as it is written."""
        if len(self.mark) == 1:  # the same symbol as where it occurs in a text
            return piece.replace(self.mark, self.written)
        has_mark = piece.endswith(self.mark)
        return piece.removesuffix(self.mark) + self.written if has_mark else piece

    def normalizers(self, word_ends: str) -> list[JsonObject]:
        """Return what puts the mark, and a space behind it, at every end of a word."""
        insert = _replace(word_ends, f"{self.written} ")
        if self.written == self.mark:
            return [insert]
        is_symbol = len(self.mark) == 1
        read = [_replace(self.mark, self.written, "String")] if is_symbol else []
        return [_replace(self.written, self.other, "String"), insert, *read]


def stages(
    normalizers: tuple[str, ...], pre_tokenizer: str, base: str, end: _EndMark | None = None
) -> JsonObject:
    """Return the normalizer and the pre-tokenizer, which also prepare the symbols of `base`."""
    before = [part for name, parts in NORMALIZERS.items() if name in normalizers for part in parts]
    if missing := sorted(set(normalizers) - NORMALIZERS.keys()):
        raise UserError(f"A tokenizer.json has no normalizer that does what {missing[0]} does.")
    if pre_tokenizer not in PRE_TOKENIZERS:
        raise UserError("A tokenizer.json cannot cut a text into lines. Train with words.")
    cuts = list(PRE_TOKENIZERS[pre_tokenizer])
    if pre_tokenizer == "metaspace_whole":
        before += _replace(" ", METASPACE, "String"), _component("Prepend", prepend=METASPACE)
    if end:
        if pre_tokenizer not in _WORD_ENDS:
            known = " or ".join(_WORD_ENDS)
            raise UserError(
                f"A tokenizer.json cannot put an end mark behind each word that {pre_tokenizer} "
                f"cuts. Train with words cut by {known}, or without the mark."
            )
        before += end.normalizers(_WORD_ENDS[pre_tokenizer])
        cuts = [_component("WhitespaceSplit")]
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


def _decoder(base: str, end: _EndMark | None = None) -> JsonObject | None:
    """Return the decoder that is equivalent to `encoding.decode`."""
    if base == "bytes":
        return _BYTE_LEVEL
    if end:
        to_spaces = [_replace(end.mark, " ", "String"), _replace(r" \z", "")]
        return _sequence("decoders", [_replace(end.written, end.mark, "String"), _FUSE, *to_spaces])
    if base == "metaspace":
        return _sequence("decoders", [_replace(METASPACE, " ", "String"), _FUSE, _NO_FIRST_SPACE])
    return _FUSE


def _bpe(model: bpe.Model) -> JsonObject:
    settings, end = model.settings, _EndMark.of(model)
    pairs = sorted(model.ranks, key=model.ranks.__getitem__)
    write = end.write if end else str
    merges = [[write(first), write(second)] for first, second in pairs]
    for pair, merge in zip(pairs, merges, strict=True):
        if write("".join(pair)) != "".join(merge):
            raise UserError(
                f"The training text has the end mark “{settings.end_mark}” in its words, which a "
                "tokenizer.json cannot tell from the end of a word. Train with another mark."
            )
    return {
        **stages(model.pipeline.normalizers, model.pipeline.pre_tokenizer, settings.base, end),
        "decoder": _decoder(settings.base, end),
        "model": _component(
            "BPE",
            dropout=None,
            unk_token=settings.unk,
            continuing_subword_prefix=None,
            end_of_word_suffix=None,
            fuse_unk=False,
            byte_fallback=False,
            ignore_merges=False,
            vocab={write(piece): id_ for piece, id_ in model.vocab.items()},
            merges=merges,
        ),
    }


def _wordpiece(model: wordpiece.Model) -> JsonObject:
    settings, end = model.settings, _EndMark.of(model)
    back = [_component("WordPiece", prefix=settings.mark, cleanup=False)] if settings.mark else []
    return {
        **stages(model.pipeline.normalizers, model.pipeline.pre_tokenizer, settings.base, end),
        "decoder": _sequence("decoders", back) or _decoder(settings.base, end),
        "model": _component(
            "WordPiece",
            unk_token=settings.unk,
            continuing_subword_prefix=settings.mark,
            max_input_chars_per_word=model.max_word_length + len(end.mark if end else ""),
            vocab=dict(model.vocab),
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
        **stages(model.pipeline.normalizers, model.pipeline.pre_tokenizer, "characters"),
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
