"""Load the tokenizer that BPE · Encode applies, or train it in the worker pool."""

from collections.abc import Sequence
from dataclasses import dataclass

from lessons.trained import open_trained
from pages.bpe import runs
from pages.shared.drawing.trees import MergeSequence
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import pretrained_kind
from pages.shared.work.results import find_or_train, key_of
from tokenizers import bpe
from tokenizers.text.corpus import Pipeline


def load_or_train(
    source: CorpusSource, pipeline: Pipeline, settings: bpe.Settings
) -> tuple[str, bpe.Model, MergeSequence]:
    """Return a run's key, its tokenizer and its merges; the run may be a pretrained one."""
    if kind := pretrained_kind(source, pipeline, settings):
        pretrained = open_trained(kind)
        assert isinstance(pretrained, bpe.Model)
        merges = _PretrainedMerges(tuple(pretrained.ranks), tuple(map("".join, pretrained.ranks)))
        return key_of("ahead", kind), pretrained, merges
    run = find_or_train(runs.train, source, pipeline, settings)
    return run.key, run.trace.model(), run.trace


@dataclass(frozen=True, slots=True)
class _PretrainedMerges:
    """The merges of a pretrained tokenizer, whose training is not recorded."""

    pairs: Sequence[tuple[str, str]]
    tokens: Sequence[str]
