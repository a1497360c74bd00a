"""Unigram: a text is split into the pieces whose probabilities have the largest product."""

from tokenizers.unigram.encoding import (
    BYTES,
    CONVENTIONS,
    UNK,
    UNKNOWN_PENALTY,
    UNKNOWN_TEXT,
    WORDS,
    Model,
    decode,
    encode,
    split_word,
    vocabulary,
)
from tokenizers.unigram.viterbi import MAX_NATS, best_starts

__all__ = [
    "BYTES",
    "CONVENTIONS",
    "MAX_NATS",
    "UNK",
    "UNKNOWN_PENALTY",
    "UNKNOWN_TEXT",
    "WORDS",
    "Model",
    "best_starts",
    "decode",
    "encode",
    "split_word",
    "vocabulary",
]
