"""The plan of a lesson's picture, which `planning.py` expresses in the core's values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lessons.format.errors import LessonError, one_of
from lessons.format.reading import PictureSpec
from lessons.texts import TEXTS, SampleText
from tokenizers.runtime.tokenizer import Special
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram import UNKNOWN_PENALTY

SIZE = 60  # pieces, by default
LONGEST = 2_000  # characters of a text shown without steps
LONGEST_STEPPED = 200  # characters of a text encoded step by step
WORDS = Pipeline()
SPLITS: Mapping[str, str] = {
    "words": "spaces",
    "characters": "none",
    "bpe": "punctuation",
    "bytes": "gpt2",
    "wordpiece": "bert",
    "unigram": "metaspace",
}
"""The pre-tokenizer of each tokenizer kind, as in pages/compare."""
KINDS = tuple(SPLITS)
"""The tokenizer kinds, as in pages/shared/training/tokenizer_kinds.py."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The inputs of a picture; inputs that its kind of picture does not use are empty.

    `text` or `counts` is the training corpus, `corpus` its id if it is a sample, `input_text` the
    text to split, `pieces` a given vocabulary, with log probabilities for a lattice. `kinds` names
    tokenizers or a pipeline's model; `off` names a pipeline's disabled stages. `models` names
    published tokenizers; `texts` has their inputs by name, `encoders` says how to encode the texts,
    `special` how to treat special tokens in them. Unigram training always shows `pinned` pieces.
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
        """Return the training corpus. Raises UserError for invalid counts."""
        if self.counts is not None:
            return Corpus.from_counts(self.counts, self.pipeline)
        return Corpus.from_text(self.text or "", self.pipeline)

    @property
    def unknown(self) -> float:
        """The log probability, in nats, of a character outside the vocabulary."""
        return min(self.pieces.values(), default=0.0) - UNKNOWN_PENALTY


def sample_of(picture: PictureSpec) -> SampleText:
    """Return the sample corpus of a picture. Raises LessonError if it is unknown."""
    known = tuple(TEXTS)
    return TEXTS[one_of(picture.values.get("corpus"), known, picture.line, "there is no corpus")]


def sample_fields(sample: SampleText) -> dict[str, Any]:
    """Return the fields of a plan for training on a sample."""
    return {"text": sample.text, "counts": sample.counts, "corpus": sample.id}


def stepped_text(picture: PictureSpec, key: str = "text", text: str | None = None) -> str:
    """Return the text to encode step by step, which is `text` or else the value of `key`.

    Raises LessonError if the text is empty or too long.
    """
    given: str = picture.values.get(key, "") if text is None else text
    if not 0 < len(given) <= LONGEST_STEPPED:
        what = f"a {'word' if key == 'word' else 'text'} of 1 to {LONGEST_STEPPED} characters"
        message = f'The picture {picture.name} needs {what}. Write: {key} = "…"'
        raise LessonError(picture.line, message)
    return given
