"""Pretrained tokenizers, trained on a text large enough to learn words and their parts.

The text is `TEXTS["python"]`. All have the same vocabulary size and the settings in `SETTINGS`;
`make.py` rebuilds their files. They open as models like the ones that pages train, but
without training steps, which are not stored.
"""

import json
import lzma
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tokenizers import bpe, unigram, wordpiece
from tokenizers.formats.tokenizer_json_writer import END
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram.settings import Settings as UnigramSettings
from tokenizers.unigram.settings import convention_settings

FOLDER = Path(__file__).parent
LEARNED_FROM = "python"  # the text of `lessons.texts.TEXTS`
UNIGRAM_LOSS = "best_alternative"  # much faster than "exact", with nearly the same result
SIZE = 4_000  # pieces in each vocabulary, without [UNK]
TABLE: Mapping[str, Any] = tomllib.loads((FOLDER / "python.toml").read_text(encoding="utf-8"))
"""The Python version of the text, its licence, and the SHA-256 of the text and every file."""

Model = bpe.Model | wordpiece.Model | unigram.Model


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """The pipeline and settings of a pretrained tokenizer."""

    pipeline: Pipeline
    settings: bpe.Settings | wordpiece.Settings | UnigramSettings


def usual_unigram(size: int) -> UnigramSettings:
    """Return the usual settings of Unigram for a vocabulary of `size` pieces.

    They differ from the textbook's only in the loss and in the seeds. The seeds are repeated
    substrings, as in the libraries, because all substrings would be ten times as many.
    """
    return replace(convention_settings("textbook", size), seed="repeats", loss=UNIGRAM_LOSS)


SETTINGS: Mapping[str, TrainingRecipe] = {
    "bpe": TrainingRecipe(
        Pipeline((), "punctuation"), bpe.Settings(base="end_of_word", vocab_size=SIZE)
    ),
    "bytes": TrainingRecipe(Pipeline((), "gpt2"), bpe.Settings(base="bytes", vocab_size=SIZE)),
    # On a text of this size, the WordPiece score favors rare letters over common word parts.
    "wordpiece": TrainingRecipe(
        Pipeline((), "bert"), wordpiece.Settings(vocab_size=SIZE, convention="hugging_face")
    ),
    "unigram": TrainingRecipe(Pipeline((), "metaspace"), usual_unigram(SIZE)),
}
"""Training recipes by kind of tokenizer (`pages.shared.training.tokenizer_kinds.KINDS`)."""


def tokenizer_json(kind: str) -> bytes:
    """Return the tokenizer.json of a kind of tokenizer."""
    return lzma.decompress((FOLDER / f"{kind}.json.xz").read_bytes())


@cache
def open_trained(kind: str) -> Model:
    """Return the pretrained tokenizer of a kind of tokenizer. Raises KeyError if unknown.

    >>> open_trained("wordpiece").encode("tokenizers").tokens
    ('token', '##izer', '##s')
    """
    settings, pipeline = SETTINGS[kind].settings, SETTINGS[kind].pipeline
    part = json.loads(tokenizer_json(kind))["model"]
    if isinstance(settings, bpe.Settings):
        mark = settings.end_mark
        vocab = {piece.replace(END, mark): id_ for piece, id_ in part["vocab"].items()}
        merges = [(a.replace(END, mark), b.replace(END, mark)) for a, b in part["merges"]]
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        return bpe.Model(vocab, ranks, settings, pipeline)
    if isinstance(settings, wordpiece.Settings):
        return wordpiece.Model(part["vocab"], settings, pipeline)
    pieces = dict(part["vocab"])
    vocab = {piece: n for n, piece in enumerate(pieces)}
    log_probs = {piece: score for piece, score in pieces.items() if piece != unigram.UNK}
    return unigram.Model(vocab, log_probs, pipeline=pipeline)
