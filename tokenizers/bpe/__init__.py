"""Byte-pair encoding: train by merging the most frequent pair, encode by replaying the merges."""

from tokenizers.bpe.by_rank import merge_by_rank
from tokenizers.bpe.encoding import (
    Dropout,
    MergeStep,
    Model,
    candidates,
    encode,
    merge_steps,
    split_after,
    split_word,
)
from tokenizers.bpe.settings import Settings
from tokenizers.bpe.training import model, start, train

__all__ = [
    "Dropout",
    "MergeStep",
    "Model",
    "Settings",
    "candidates",
    "encode",
    "merge_by_rank",
    "merge_steps",
    "model",
    "split_after",
    "split_word",
    "start",
    "train",
]
