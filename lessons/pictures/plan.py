"""What a picture of a lesson is made from, as values of the core: see `planning.py`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lessons.format.errors import LessonError, one_of
from lessons.format.reading import PictureSpec
from lessons.texts import TEXTS, SampleText
from tokenizers.runtime.tokenizer import Special
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram import UNKNOWN_PENALTY

SIZE = 60  # pieces, where a lesson does not say how many
LONGEST = 2_000  # characters of a text that is cut at once
LONGEST_STEPPED = 200  # characters of a text that is cut step by step
WORDS = Pipeline()
SPLITS: Mapping[str, str] = {
    "words": "spaces",
    "characters": "none",
    "bpe": "punctuation",
    "bytes": "gpt2",
    "wordpiece": "bert",
    "unigram": "metaspace",
}
"""At what the tokenizers that can be set side by side split: as in pages/compare."""
KINDS = tuple(SPLITS)
"""Those tokenizers: as in pages/shared/training/tokenizer_kinds.py."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a picture is made from; what a kind of picture has no use for is empty.

    `text` or `counts` are what is learned from, `say` is the text to cut, `pieces` a vocabulary
    that is not learned: with probabilities for a lattice. `kinds` are tokenizers, the one of a
    pipeline first, `off` its stages that are left out. `corpus` is the id of a sample, if it is
    one. `models` are published tokenizers, with the `texts` that they cut by name, by which
    `encoders`, and how they read `special` tokens in them. A training by
    Unigram always shows the `pinned` pieces.
    """

    shows: str
    text: str | None = None
    counts: Mapping[str, int] | None = None
    pipeline: Pipeline = WORDS
    settings: Any = None
    input_text: str = ""
    pieces: Mapping[str, float] = field(default_factory=dict)
    prior: Mapping[int, float] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    size: int = SIZE
    off: tuple[str, ...] = ()
    corpus: str = ""
    models: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    encoders: tuple[str, ...] = ("own",)
    special: Special = "control"
    pinned: tuple[str, ...] = ()

    def words(self) -> Corpus:
        """Return the words that are learned from. Raises ValueError for counts that are none."""
        if self.counts is not None:
            return Corpus.from_counts(self.counts, self.pipeline)
        return Corpus.from_text(self.text or "", self.pipeline)

    @property
    def unknown(self) -> float:
        """The log probability, in nats, of a character that is no piece."""
        return min(self.pieces.values(), default=0.0) - UNKNOWN_PENALTY


def sample_of(picture: PictureSpec) -> SampleText:
    """Return the sample that a picture learns from. Raises LessonError if there is none."""
    known = tuple(TEXTS)
    return TEXTS[one_of(picture.values.get("corpus"), known, picture.line, "there is no corpus")]


def sample_fields(sample: SampleText) -> dict[str, Any]:
    """Return what the plan of a picture that learns from a sample says of it."""
    return {"text": sample.text, "counts": sample.counts, "corpus": sample.id}


def stepped_text(picture: PictureSpec, key: str = "text", text: str | None = None) -> str:
    """Return a text that is cut step by step: that of a key, or `text` where it is given.

    Raises LessonError if it is empty or too long.
    """
    given: str = picture.values.get(key, "") if text is None else text
    if not 0 < len(given) <= LONGEST_STEPPED:
        what = f"a {'word' if key == 'word' else 'text'} of 1 to {LONGEST_STEPPED} characters"
        message = f'The picture {picture.name} needs {what}. Write: {key} = "…"'
        raise LessonError(picture.line, message)
    return given
