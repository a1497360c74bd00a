"""Write a Unigram model trained here as SentencePiece's `.model` and `.vocab`.

SentencePiece adds up in float32 along the whole text, so ties break as in the conventions
`sentencepiece` and `sentencepiece_classic` of `tokenizers.unigram`. With the pre-tokenizer
`metaspace` alone, it also adds a `▁` to a text that begins with a space. Only SentencePiece's own
normalizers are supported, because others would have to be compiled into a character map. The map of
`nmt_nfkc`, which has no rules for newer characters, must be taken from an existing file.
"""

from tokenizers.errors import UserError
from tokenizers.lattice import LOG_ZERO
from tokenizers.runtime.sentencepiece import model_file
from tokenizers.runtime.sentencepiece.charsmap import CharsMap
from tokenizers.runtime.sentencepiece.model_file import (
    BYTE,
    CONTROL,
    NORMAL,
    UNKNOWN,
    UNUSED,
    ModelFile,
    NormalizerSpec,
)
from tokenizers.unigram import BYTES, Model

_NORMALIZERS = ("nmt_nfkc", "sentencepiece_spaces")
_PRE_TOKENIZERS = ("metaspace", "metaspace_whole")


def to_model_file(model: Model, charsmap: CharsMap | None = None) -> ModelFile:
    """Convert a Unigram model to a `.model`'s contents; `charsmap` is the map of `nmt_nfkc`.

    A piece of probability zero becomes unused; a piece without a probability, other than the
    unknown piece and the byte pieces, becomes a control piece. Raises UserError if SentencePiece
    does not support the pipeline, or if the ids are not 0, 1, 2 …
    """
    pieces = sorted(model.vocab, key=model.vocab.__getitem__)
    if [model.vocab[piece] for piece in pieces] != list(range(len(pieces))):
        raise UserError("SentencePiece numbers its pieces 0, 1, 2 …; the ids here have gaps.")
    kinds = bytes(_kind(piece, model) for piece in pieces)
    logs = [model.log_probs.get(piece, LOG_ZERO) for piece in pieces]
    scores = [log if log > LOG_ZERO else 0.0 for log in logs]
    return ModelFile(
        tuple(pieces),
        scores,
        kinds,
        byte_fallback=model.byte_fallback,
        normalizer=_normalizer(model, charsmap),
    )


def _kind(piece: str, model: Model) -> int:
    if piece == model.unk:
        return UNKNOWN
    if piece in model.pieces:
        return NORMAL
    if piece in model.log_probs:
        return UNUSED
    return BYTE if model.byte_fallback and piece in BYTES else CONTROL


def _normalizer(model: Model, charsmap: CharsMap | None) -> NormalizerSpec:
    pipeline = model.pipeline
    for name in pipeline.normalizers:
        if name not in _NORMALIZERS:
            raise UserError(
                f"SentencePiece has no normalizer “{name}”. Train with these alone: "
                f"{', '.join(_NORMALIZERS)}."
            )
    if pipeline.pre_tokenizer not in _PRE_TOKENIZERS:
        raise UserError(
            f"SentencePiece has no pre-tokenizer “{pipeline.pre_tokenizer}”. Train with one of "
            f"these: {', '.join(_PRE_TOKENIZERS)}."
        )
    has_rules = "nmt_nfkc" in pipeline.normalizers
    if has_rules and charsmap is None:
        raise UserError(
            "The rules of nmt_nfkc are a table of SentencePiece's. Take it from a .model that was "
            "trained with it, or train here without nmt_nfkc."
        )
    return NormalizerSpec(
        "nmt_nfkc" if has_rules else "identity",
        charsmap if has_rules else None,
        remove_extra_whitespaces="sentencepiece_spaces" in pipeline.normalizers,
    )


def write_model(model: Model, charsmap: CharsMap | None = None) -> bytes:
    """Return a Unigram model's `.model`; raises UserError as `to_model_file` does."""
    return model_file.write(to_model_file(model, charsmap))


def write_vocab(model: Model) -> str:
    """Return a Unigram model's `.vocab`, which lists each piece and its score for human readers.

    Scores have six digits, as in the library; that is too imprecise for encoding.
    """
    pieces = sorted(model.vocab, key=model.vocab.__getitem__)
    return "".join([f"{piece}\t{model.pieces.get(piece, 0.0):g}\n" for piece in pieces])
