"""What a tokenizer was at every size on record: of a run, or of one that was trained ahead.

Leaves out how a text is cut at each size (`by_size.py`), and published tokenizers
(`published.py`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lessons.trained import SIZE, open_trained
from lessons.trained.prefix_models import open_smaller
from pages.shared.training.tokenizer_kinds import Learned, Model
from tokenizers import bpe, unigram
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Pipeline
from tokenizers.text.symbols import Split
from tokenizers.wordpiece import MARK

AHEAD = f"the vocabulary has reached {SIZE:,} pieces"


@dataclass(frozen=True, slots=True)
class Record:
    """A tokenizer at sizes that go up, why there are no more, and what was left out, in sentences.

    `merges[n]` is how many merges it takes to the size number n, for BPE; `new[n]` are the pieces
    that the size before has not; `model` gives the tokenizer of the size number n.
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
    def beyond(self) -> int:
        """How many ids there are beyond the pieces: one where there is one for the unknown."""
        return len(self.model(-1).vocab) - self.sizes[-1]


# --- Of a run -------------------------------------------------------------------------------------


def record_of(learned: Learned) -> Record:
    """Return the record of a run."""
    trace, steps = learned.trace, tuple(map(learned.step, learned.sizes))
    assert isinstance(trace, Trace | UnigramTrace)
    return Record(
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
    """Yield for every size the pieces that the size before it has not; for the first, all.

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


# --- Trained ahead --------------------------------------------------------------------------------


def record_ahead(kind: str) -> Record:
    """Return the record of a tokenizer that was trained ahead, by its kind."""
    model = open_trained(kind)
    if isinstance(model, unigram.Model):
        return _shrunk(model)
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
    return Record(kind, model.pipeline, sizes, steps, new, lambda _: model, AHEAD)


def _shrunk(model: unigram.Model) -> Record:
    """Return the record of Unigram: the model, and what it was pruned to."""
    smaller = open_smaller()
    known, sizes = set(smaller.pieces), (*smaller.sizes, len(model.log_probs))
    last = tuple([piece for piece in model.log_probs if piece not in known])
    new = [smaller.pieces[low:high] for low, high in pairwise((0, *smaller.sizes))]

    def at(n: int) -> unigram.Model:
        return model if n in (-1, len(sizes) - 1) else smaller.model(n)

    return Record("unigram", model.pipeline, sizes, sizes, (*new, last), at, AHEAD)
