"""The tokenizer that BPE · Encode applies: trained ahead, or now in the worker pool."""

from collections.abc import Sequence
from dataclasses import dataclass

from lessons.trained import open_trained
from pages.bpe import runs
from pages.shared.drawing.trees import MergeSequence
from pages.shared.training.source import Source
from pages.shared.training.tokenizer_kinds import ahead_by
from pages.shared.work.results import key_of, trained
from tokenizers import bpe
from tokenizers.text.corpus import Pipeline


def model(
    source: Source, pipeline: Pipeline, settings: bpe.Settings
) -> tuple[str, bpe.Model, MergeSequence]:
    """Return the key of a run, its tokenizer and its merges: trained ahead, or trained now."""
    if kind := ahead_by(source, pipeline, settings):
        ready = open_trained(kind)
        assert isinstance(ready, bpe.Model)
        merges = _Merges(tuple(ready.ranks), tuple(map("".join, ready.ranks)))
        return key_of("ahead", kind), ready, merges
    found = trained(runs.train, source, pipeline, settings)
    return found.key, found.trace.model(), found.trace


@dataclass(frozen=True, slots=True)
class _Merges:
    """The merges of a tokenizer whose training is not on record."""

    pairs: Sequence[tuple[str, str]]
    tokens: Sequence[str]
