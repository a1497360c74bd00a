"""Tokenizers that were trained ahead, on a text large enough to learn words and their parts from.

The text is `TEXTS["python"]`. All of them have the same size, and each is what training here gives
with the settings of `SETTINGS`: `make.py` made the files beside this one, and says how to make them
again. Covers which there are, and opening one as a model like those that pages train. Leaves out
everything that needs the steps of the training, which are not kept.
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
UNIGRAM_LOSS = "best_alternative"  # far quicker than the exact one, and hardly another result
SIZE = 4_000  # pieces in each vocabulary, that for the unknown not counted
TABLE: Mapping[str, Any] = tomllib.loads((FOLDER / "python.toml").read_text(encoding="utf-8"))
"""Which Python wrote the text, its licence, and the SHA-256 of the text and of every file."""

Model = bpe.Model | wordpiece.Model | unigram.Model


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """How one of them was trained, and what opens its file."""

    pipeline: Pipeline
    settings: bpe.Settings | wordpiece.Settings | UnigramSettings


def usual_unigram(size: int) -> UnigramSettings:
    """Return the settings of Unigram in its usual form, for a vocabulary of `size` pieces.

    They are those of the textbook but for the seeds, which repeat as in the libraries (all
    substrings would be ten times as many), and for the loss.
    """
    return replace(convention_settings("textbook", size), seed="repeats", loss=UNIGRAM_LOSS)


SETTINGS: Mapping[str, TrainingRecipe] = {
    "bpe": TrainingRecipe(
        Pipeline((), "punctuation"), bpe.Settings(base="end_of_word", vocab_size=SIZE)
    ),
    "bytes": TrainingRecipe(Pipeline((), "gpt2"), bpe.Settings(base="bytes", vocab_size=SIZE)),
    # By the score, a text of this size would give rare letters, and no piece of a common word.
    "wordpiece": TrainingRecipe(
        Pipeline((), "bert"), wordpiece.Settings(vocab_size=SIZE, convention="hugging_face")
    ),
    "unigram": TrainingRecipe(Pipeline((), "metaspace"), usual_unigram(SIZE)),
}
"""The tokenizers by their kind, which is one of `pages.shared.training.tokenizer_kinds.KINDS`."""


def tokenizer_json(kind: str) -> bytes:
    """Return the tokenizer.json of a kind, as other programs read it."""
    return lzma.decompress((FOLDER / f"{kind}.json.xz").read_bytes())


@cache
def open_trained(kind: str) -> Model:
    """Return the tokenizer of a kind, the same as from training it. KeyError for other kinds.

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
