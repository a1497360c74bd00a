"""The pretrained tokenizers at smaller sizes, for the page that compares sizes.

BPE and WordPiece are greedy: a smaller vocabulary is a prefix of the full one, and needs no data of
its own. Unigram is pruned further, down to single characters, and `make.py` stores each vocabulary
on the way.
"""

import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import count

import numpy as np

from lessons.texts import TEXTS
from lessons.trained import FOLDER, LEARNED_FROM, SETTINGS, open_trained
from tokenizers import unigram
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.em import expect, maximize
from tokenizers.unigram.pieces import TrainingState
from tokenizers.unigram.pruning import prune
from tokenizers.unigram.settings import Settings as UnigramSettings
from tokenizers.unigram.training import load, seed_of

FILE = FOLDER / "unigram-smaller.json.xz"
SHRINKING_FACTOR = 0.85  # share of the pieces kept by each pruning
DIGITS = 6  # decimals of a log probability


@dataclass(frozen=True, slots=True)
class PrefixModels:
    """Unigram at increasing sizes; model n has `sizes[n]` pieces and `log_probs[n]`, in nats."""

    pieces: tuple[str, ...]
    sizes: tuple[int, ...]
    log_probs: tuple[tuple[float, ...], ...]

    def model(self, n: int) -> unigram.Model:
        """Return the tokenizer of size `sizes[n]`."""
        known = dict(zip(self.pieces, self.log_probs[n], strict=False))
        vocab = {unigram.UNK: 0} | {piece: id_ for id_, piece in enumerate(known, start=1)}
        return unigram.Model(vocab, known, pipeline=SETTINGS["unigram"].pipeline)


@cache
def open_prefix_models() -> PrefixModels:
    """Return Unigram at all stored sizes, which are smaller than `SIZE`."""
    part = json.loads(lzma.decompress(FILE.read_bytes()))
    rows = tuple(tuple(row) for row in part["log_probs"])
    return PrefixModels(tuple(part["pieces"]), tuple(map(len, rows)), rows)


def to_json(found: PrefixModels) -> str:
    """Return the content of `FILE`, uncompressed."""
    rows = [[round(score, DIGITS) for score in row] for row in found.log_probs]
    part = {"pieces": found.pieces, "log_probs": rows}
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))


def shrink() -> PrefixModels:
    """Prune the pretrained Unigram model repeatedly, on the text it was trained on."""
    growing = list(_prunings())[::-1]
    pieces = tuple(dict.fromkeys(piece for known in growing for piece in known))
    rows = tuple(tuple(known[piece] for piece in pieces[: len(known)]) for known in growing)
    return PrefixModels(pieces, tuple(map(len, rows)), rows)


def _prunings() -> Iterator[Mapping[str, float]]:
    """Yield the pieces' log probabilities after each pruning and the EM steps that follow it."""
    training, model = SETTINGS["unigram"], open_trained("unigram")
    assert isinstance(training.settings, UnigramSettings)
    assert isinstance(model, unigram.Model)
    settings = replace(
        training.settings, vocab_size=1, schedule="fraction", shrinking_factor=SHRINKING_FACTOR
    )
    corpus = Corpus.from_text(TEXTS[LEARNED_FROM].text or "", training.pipeline)
    log_probs = np.array(list(model.log_probs.values()))
    seed = seed_of(load(corpus, settings), model.log_probs, log_probs, np.exp(log_probs))
    run = TrainingState(seed, settings)
    _fit(run, 0)
    for round_ in count(1):
        if not prune(run, round_, lambda _: None).removed:
            return
        yield _fit(run, round_)


def _fit(run: TrainingState, round_: int) -> Mapping[str, float]:
    """Run the EM of one round; return the log probabilities, in nats."""
    for sub_iteration in range(1, run.settings.sub_iterations + 1):
        maximize(run, expect(run, round_, sub_iteration))
    return run.model.table().dict()
