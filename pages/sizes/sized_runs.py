"""A tokenizer, trained in a run or pretrained, at every recorded vocabulary size.

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
    """A tokenizer at rising sizes; `stopped` says why there are no larger ones.

    For BPE, `merges[n]` is the number of merges at `sizes[n]`. `new[n]` has the pieces that the
    previous size lacks. `model(n)` returns the tokenizer of `sizes[n]`.
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
        """The number of ids that are not pieces, i.e. 1 if there is an unknown token."""
        return len(self.model(-1).vocab) - self.sizes[-1]


# --- From a training run --------------------------------------------------------------------------


def sized_run_of(learned: TrainedTokenizer) -> SizedRun:
    """Return the tokenizers that a training run passed through, by size."""
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
    """Yield, for every size, the pieces that the next smaller size lacks; for the first, all.

    Unigram shrinks, so a size's new pieces are the ones it drops to reach the next smaller size.
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
    """Return a pretrained tokenizer at all its sizes."""
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
    """Return the pretrained Unigram model and the smaller models that it was pruned to."""
    smaller = open_prefix_models()
    known, sizes = set(smaller.pieces), (*smaller.sizes, len(model.log_probs))
    last = tuple([piece for piece in model.log_probs if piece not in known])
    new = [smaller.pieces[low:high] for low, high in pairwise((0, *smaller.sizes))]

    def at(n: int) -> unigram.Model:
        return model if n in (-1, len(sizes) - 1) else smaller.model(n)

    return SizedRun("unigram", model.pipeline, sizes, sizes, (*new, last), at, PRETRAINED_STOPPED)
