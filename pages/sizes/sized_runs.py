"""A tokenizer at every recorded size: of a training run, or pretrained.

Segmentation at each size is in `by_size.py`, published tokenizers are in `published.py`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lessons.trained import SIZE, open_trained
from lessons.trained.prefix_models import open_prefix_models
from pages.shared.training.tokenizer_kinds import Model, TrainedTokenizer
from tokenizers import bpe, unigram
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Pipeline
from tokenizers.text.symbols import Split
from tokenizers.wordpiece import MARK

PRETRAINED_STOPPED = f"the vocabulary has reached {SIZE:,} pieces"


@dataclass(frozen=True, slots=True)
class SizedRun:
    """A tokenizer at rising sizes, why they end, and notes on what was left out.

    `merges[n]` is the number of merges at the size number n, for BPE; `new[n]` are the pieces that
    the size before does not have; `model` returns the tokenizer of the size number n.
    """

    kind: str
    pipeline: Pipeline
    sizes: tuple[int, ...]
    merges: tuple[int, ...]
    new: tuple[Split, ...]
    model: Callable[[int], Model]
    stopped: str
    notes: tuple[str, ...] = ()

    @property
    def extra_ids(self) -> int:
        """The number of ids besides the pieces: one if there is an unknown token."""
        return len(self.model(-1).vocab) - self.sizes[-1]


# --- Of a run -------------------------------------------------------------------------------------


def sized_run_of(learned: TrainedTokenizer) -> SizedRun:
    """Return a training run by size."""
    trace, steps = learned.trace, tuple(map(learned.step, learned.sizes))
    assert isinstance(trace, Trace | UnigramTrace)
    return SizedRun(
        learned.kind,
        learned.pipeline,
        learned.sizes,
        steps,
        tuple(_new_pieces(trace, steps)),
        lambda n: learned.model(learned.sizes[n]),
        trace.stop_reason,
        learned.notes,
    )


def _new_pieces(trace: Trace | UnigramTrace, steps: Sequence[int]) -> Iterator[Split]:
    """Yield for every size the pieces that the size before does not have; for the first, all.

    Unigram shrinks: its new pieces are those that it dropped on the way to the size before.
    """
    if isinstance(trace, Trace):
        added = [(*trace.alphabet, *trace.tokens[: steps[0]])]
        added += [trace.tokens[before:step] for before, step in pairwise(steps)]
        known = set[str]()
    else:
        added = map(trace.state, steps)
        known = {unigram.UNK}
    for pieces in added:
        fresh = tuple([piece for piece in dict.fromkeys(pieces) if piece not in known])
        known.update(fresh)
        yield fresh


# --- Pretrained -----------------------------------------------------------------------------------


def pretrained_run(kind: str) -> SizedRun:
    """Return a pretrained tokenizer by size."""
    model = open_trained(kind)
    if isinstance(model, unigram.Model):
        return _pretrained_unigram(model)
    pieces = [piece for piece in model.vocab if piece != model.unk]
    if isinstance(model, bpe.Model):
        made = list(map("".join, model.ranks))
    else:
        made = [piece for piece in pieces if len(piece.removeprefix(MARK)) > 1]
    merged = set(made)
    base = [piece for piece in pieces if piece not in merged]
    merges, known = {len(base): 0}, dict.fromkeys(base)
    for done, piece in enumerate(made, start=1):  # two merges may make the same piece
        known[piece] = None
        merges[len(known)] = done
    new = (tuple(base), *((piece,) for piece in [*known][len(base) :]))
    sizes, steps = tuple(merges), tuple(merges.values())
    return SizedRun(kind, model.pipeline, sizes, steps, new, lambda _: model, PRETRAINED_STOPPED)


def _pretrained_unigram(model: unigram.Model) -> SizedRun:
    """Return pretrained Unigram: the model, and the models it was pruned to."""
    smaller = open_prefix_models()
    known, sizes = set(smaller.pieces), (*smaller.sizes, len(model.log_probs))
    last = tuple([piece for piece in model.log_probs if piece not in known])
    new = [smaller.pieces[low:high] for low, high in pairwise((0, *smaller.sizes))]

    def at(n: int) -> unigram.Model:
        return model if n in (-1, len(sizes) - 1) else smaller.model(n)

    return SizedRun("unigram", model.pipeline, sizes, sizes, (*new, last), at, PRETRAINED_STOPPED)
