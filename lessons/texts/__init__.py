"""Sample texts, such as small corpora, a page of prose, and one passage in many languages.

They were written for this project and are free to use under its licence, with two exceptions. The
small corpora are words from published introductions, whose figures they check; and the large text
is Python's own documentation, under Python's licence.

- `prose.txt`: a paragraph per line.
- `python.txt.xz`: the large text, a paragraph per line, built by `lessons.trained.make`.
- `languages.toml`: the passages of `LANGUAGES`, each with its code, names, script,
  direction and published byte premium.
- `examples.toml`: the small corpora, as counts or text, with their settings.
- `vocabularies.toml`: small vocabularies with their probabilities, for the lattice of one word.
- `pipelines.toml`: texts with the pipeline stages to apply.
- `morphemes.toml`: words split into morphemes by hand.
- `comparisons.toml`: texts to compare tokenizers on, and common claims about published models.
"""

import lzma
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import bpe
from tokenizers.text.corpus import Corpus, Pipeline

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Passage:
    """The passage in one language; `code` is BCP 47, `direction` is "ltr" or "rtl".

    `byte_premium` is how many bytes the language needs for each of English, as published.
    """

    code: str
    name: str
    native_name: str
    script: str
    direction: str
    byte_premium: float
    text: str


@dataclass(frozen=True, slots=True)
class SampleText:
    """A sample corpus, which is a text or word counts, with its default settings.

    The settings are `base` and `end_mark` (see `tokenizers.text.symbols`), `pre_tokenizer` (see
    `tokenizers.text.pre_tokenizers`), the number of `merges`, and optionally `seeds`, the source of
    Unigram's seed pieces (default: all substrings).
    """

    id: str
    title: str
    note: str
    settings: Mapping[str, str | int]
    text: str | None = None
    counts: Mapping[str, int] | None = None

    @property
    def pipeline(self) -> Pipeline:
        """The sample's default pipeline."""
        return Pipeline((), str(self.settings["pre_tokenizer"]))

    def corpus(self) -> Corpus:
        """Return the sample's words with their counts."""
        if self.counts is not None:
            return Corpus.from_counts(self.counts, self.pipeline)
        return Corpus.from_text(self.text or "", self.pipeline)

    def bpe_settings(
        self, num_merges: int | None = None, vocab_size: int | None = None
    ) -> bpe.Settings:
        """Return the sample's BPE settings with limits on the merges or the vocabulary."""
        base, mark = str(self.settings["base"]), str(self.settings["end_mark"])
        return bpe.Settings(base, mark, num_merges, vocab_size)


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


LANGUAGES: tuple[Passage, ...] = tuple(
    Passage(
        row["code"],
        row["name"],
        row["native"],
        row["script"],
        row["dir"],
        row["byte_premium"],
        row["text"],
    )
    for row in tomllib.loads(_read("languages.toml"))["passage"]
)

_FOR_ENGLISH = {
    "base": "end_of_word",
    "end_mark": "</w>",
    "pre_tokenizer": "punctuation",
    "merges": 200,
}

_PROSE = SampleText(
    id="prose",
    title="The tide table",
    note="A page of English with families of words: low, lower, lowest; walk, walked, walking.",
    settings=_FOR_ENGLISH,
    text=_read("prose.txt").strip(),
)

PYTHON_TEXT = _HERE / "python.txt.xz"
_PYTHON = SampleText(
    id="python",
    title="Python's help pages",
    note="Half a million characters of English: what Python's help() says of the language and its "
    "standard library, without the code. © Python Software Foundation.",
    settings=_FOR_ENGLISH | {"seeds": "repeats"},
    text=lzma.decompress(PYTHON_TEXT.read_bytes()).decode(),
)

_LANGUAGES = SampleText(
    id="languages",
    title=f"One morning in {len(LANGUAGES)} languages",
    note="The same passage in every language: which ones get whole words, which ones single bytes?",
    settings={"base": "bytes", "end_mark": "</w>", "pre_tokenizer": "gpt2", "merges": 500},
    text="\n\n".join(passage.text for passage in LANGUAGES),
)

_EXAMPLES = {
    row["id"]: SampleText(**row) for row in tomllib.loads(_read("examples.toml"))["example"]
}
_LONG = {sample.id: sample for sample in (_PROSE, _PYTHON, _LANGUAGES)}
TEXTS: dict[str, SampleText] = {"b2": _EXAMPLES.pop("b2")} | _LONG | _EXAMPLES
"""All samples by id, in the order best known, long ones, the rest."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A text with a title."""

    id: str
    title: str
    note: str
    text: str


@dataclass(frozen=True, slots=True)
class Vocabulary(Sample):
    """Pieces with their probabilities, and a text to split by them.

    The probabilities need not sum to 1. `prior` maps numbers of pieces to probabilities; it is
    empty if the example has no length prior.
    """

    pieces: Mapping[str, float]
    prior: Mapping[int, float]


VOCABULARIES: dict[str, Vocabulary] = {
    row["id"]: Vocabulary(
        **{key: row[key] for key in ("id", "title", "note", "text")},
        pieces={piece: number / row["of"] for piece, number in row["pieces"].items()},
        prior={int(length): share for length, share in row.get("prior", {}).items()},
    )
    for row in tomllib.loads(_read("vocabularies.toml"))["vocabulary"]
}


@dataclass(frozen=True, slots=True)
class Example(Sample):
    """A text with the pipeline stages to apply.

    `stages` has `normalizers`, `pre_tokenizer`, `model` and `learned`, the training text of the
    model: "own" for the text itself, "example" for `material`, or the id of a sample.
    """

    stages: Mapping[str, Any]
    material: str = ""


PIPELINES: dict[str, Example] = {
    row["id"]: Example(**row) for row in tomllib.loads(_read("pipelines.toml"))["pipeline"]
}

MORPHEMES: tuple[tuple[str, ...], ...] = tuple(
    [tuple(word.split()) for word in tomllib.loads(_read("morphemes.toml"))["words"]]
)
"""A hundred words, each as its morphemes."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """Models, a claim about their tokenizers, the facts (`so`), and the nearest kinds of tokenizer.

    The kinds of tokenizer are listed in `pages.shared.training.tokenizer_kinds`.
    """

    models: str
    claim: str
    so: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KindDescription:
    """Common arguments for and against a kind of tokenizer; `kinds` as in `ModelComparison`."""

    name: str
    pros: str
    cons: str
    kinds: tuple[str, ...]


_COMPARED = tomllib.loads(_read("comparisons.toml"))
COMPARISONS: dict[str, Sample] = {
    row["id"]: Sample(**row | {"text": row["text"].strip("\n")}) for row in _COMPARED["comparison"]
}
"""Texts to compare tokenizers on."""
PUBLISHED: tuple[ModelComparison, ...] = tuple(
    ModelComparison(row["models"], row["said"], row["so"], tuple(row["kinds"]))
    for row in _COMPARED["published"]
)
KIND_DESCRIPTIONS: tuple[KindDescription, ...] = tuple(
    KindDescription(**row | {"kinds": tuple(row["kinds"])}) for row in _COMPARED["kind"]
)
