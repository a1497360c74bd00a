"""Texts to start from: small corpora, a page of prose, one passage in many languages.

All of them were written for this project and are free to use under its licence, but for the
small corpora: those are the words that published introductions use, so that their
figures can be checked. Leaves out the lessons themselves and the texts that people paste.

- `prose.txt`: a paragraph per line.
- `languages.toml`: the passages of `LANGUAGES`, each with its code, names, script and direction.
- `examples.toml`: the small corpora, as counts or as a text, with the settings to show them by.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Passage:
    """The one passage in one language; `code` is BCP 47, `direction` is "ltr" or "rtl"."""

    code: str
    name: str
    native_name: str
    script: str
    direction: str
    text: str


@dataclass(frozen=True, slots=True)
class SampleText:
    """A corpus to start from: a text or else word counts, and the settings that suit it.

    The settings are `base` and `end_mark` (see `tokenizers.symbols`), `pre_tokenizer` (see
    `tokenizers.pre_tokenizers`) and `merges`, how many to learn at first.
    """

    id: str
    title: str
    note: str
    settings: Mapping[str, str | int]
    text: str | None = None
    counts: Mapping[str, int] | None = None


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _passages() -> tuple[Passage, ...]:
    return tuple(
        Passage(row["code"], row["name"], row["native"], row["script"], row["dir"], row["text"])
        for row in tomllib.loads(_read("languages.toml"))["passage"]
    )


LANGUAGES: tuple[Passage, ...] = _passages()

_PROSE = SampleText(
    id="prose",
    title="The tide table",
    note="A page of English with families of words: low, lower, lowest; walk, walked, walking.",
    settings={
        "base": "end_of_word",
        "end_mark": "</w>",
        "pre_tokenizer": "punctuation",
        "merges": 200,
    },
    text=_read("prose.txt").strip(),
)

_LANGUAGES = SampleText(
    id="languages",
    title=f"One morning in {len(LANGUAGES)} languages",
    note="The same passage in every language: which ones get whole words, which ones single bytes?",
    settings={"base": "bytes", "end_mark": "</w>", "pre_tokenizer": "gpt2", "merges": 500},
    text="\n\n".join(passage.text for passage in LANGUAGES),
)


def _in_order() -> dict[str, SampleText]:
    """Return all samples by id, the best known first, then the long ones, then the rest."""
    rows = tomllib.loads(_read("examples.toml"))["example"]
    examples = {row["id"]: SampleText(**row) for row in rows}
    first = {"b2": examples.pop("b2"), _PROSE.id: _PROSE, _LANGUAGES.id: _LANGUAGES}
    return first | examples


TEXTS: dict[str, SampleText] = _in_order()
