"""One text on one axis: as bytes, patches, characters, a tokenizer's pieces, words and superwords.

Patches by entropy and superwords are learned from the page *The tide table*, with the settings of
the lessons on them. H-Net's chunks are missing: they need its trained network.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from lessons.facts.patches import display_form
from lessons.format.words import Tokens
from lessons.models import MODELS, open_model
from lessons.texts import TEXTS
from tokenizers import bpe
from tokenizers.bpe.superwords import LINES, SuperwordSettings
from tokenizers.experiments.research.patches import ByteModel, entropies, patches
from tokenizers.measures.units import BYTE_VALUES, PATCH, fixed_patches
from tokenizers.record.trace import Trace
from tokenizers.runtime.spelling import Speller
from tokenizers.text.corpus import Corpus

PAGE = "prose"
ORDER, THRESHOLD = 4, 1.5  # of the byte model, and of its patches in nats
MERGES, UNTIL = 400, 200  # of superwords
NO_VOCABULARY = "none: any bytes can be a patch"
MODELS_SHOWN = ("gpt2", "o200k")


@dataclass(frozen=True, slots=True)
class Unit:
    """What a text becomes in one kind of unit; `vocabulary` says which units there can be."""

    title: str
    vocabulary: str
    tokens: Tokens


def units_of(text: str, models: Sequence[str] = MODELS_SHOWN) -> dict[str, Unit]:
    """Return a text in each kind of unit, and in the pieces of published models, by name.

    Raises UserError for a lone surrogate.
    """
    raw = text.encode()
    superwords = _superword_model()
    cut = patches(raw, entropies(_byte_model(), raw), THRESHOLD)
    rows = {
        "bytes": Unit("Bytes (ByT5)", f"{BYTE_VALUES} values", _shown(fixed_patches(raw, 1))),
        "characters": Unit("Characters", "all of Unicode", tuple(text)),
        "fixed": Unit(
            f"Patches of {PATCH} bytes (MegaByte)", NO_VOCABULARY, _shown(fixed_patches(raw))
        ),
        "patches": Unit("Patches by entropy (as BLT)", NO_VOCABULARY, _shown(cut)),
        "words": Unit("Words between spaces", "every word there is", tuple(text.split())),
        "superwords": Unit(
            "Superwords (of our page)",
            f"{len(superwords.vocab):,} pieces",
            superwords.encode(text).tokens,
        ),
    }
    return rows | {name: _pieces(name, text) for name in models}


def _shown(parts: Sequence[bytes]) -> Tokens:
    return tuple(map(display_form, parts))


def _pieces(name: str, text: str) -> Unit:
    loaded = open_model(name)
    tokens = tuple(map(Speller(loaded).display_form, loaded.encode(text).tokens))
    return Unit(f"Pieces of {MODELS[name].title}", f"{len(loaded.vocab):,} pieces", tokens)


@cache
def _byte_model() -> ByteModel:
    return ByteModel.learn((TEXTS[PAGE].text or "").encode(), ORDER)


@cache
def _superword_model() -> bpe.Model:
    settings = SuperwordSettings(num_merges=MERGES, crossing="after", inside=UNTIL)
    return Trace.record(Corpus.from_text(TEXTS[PAGE].text or "", LINES), settings).model()
