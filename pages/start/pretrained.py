"""The segmentations of a text by pretrained tokenizers, for the start page.

All of them were trained on one large text, to one vocabulary size.
"""

import streamlit as st

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM, SETTINGS, SIZE, TABLE
from pages.shared.limits import MAX_COMPARED_CHARS, MAX_IN_URL
from pages.shared.routes import page_file
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS
from pages.shared.work import results
from pages.start import trained_here
from pages.start.quick_compare import QuickResult, TokenizerRequest, train_and_split

_LARGE = TEXTS[LEARNED_FROM].text or ""
CORPUS_NOTE = (
    f"All learned from {TEXTS[LEARNED_FROM].title}: {len(_LARGE):,} characters of English from the "
    f"documentation of Python {TABLE['python']}, © {TABLE['owner']}. Your text wasn't part of it. "
    f"The four that learn pieces were trained ahead, to {SIZE:,} each."
)
_BYTES = {"base": KINDS["bytes"].base, "split": KINDS["bytes"].split}


def rows(text: str) -> list[trained_here.TrainedRow]:
    """Return a row for each of `KINDS`, which shows how this kind of tokenizer splits `text`."""
    shown = text[:MAX_COMPARED_CHARS]
    if len(text) > len(shown):
        st.info(f"The text has {len(text):,} characters; the first {len(shown):,} are split here.")
    requests = tuple(map(TokenizerRequest, KINDS))
    call = (
        results.key_of("pretrained", shown),
        train_and_split,
        CorpusSource(text=_LARGE),
        shown,
        requests,
    )
    (results_by_kind,) = results.results_of(
        [call], "Splitting the text …", trained_here.PROGRESS_DELAY
    )
    return [_row(kind, short, text) for kind, short in zip(KINDS, results_by_kind, strict=True)]


def _row(kind: str, result: QuickResult, text: str) -> trained_here.TrainedRow:
    """Return the row of a kind of tokenizer, with a link to the page that steps through it."""
    sample = {"say": text[:MAX_IN_URL]}
    here = {"corpus": LEARNED_FROM}
    page, query, link_label = {
        "words": (
            page_file("sizes"),
            {"learned": LEARNED_FROM, "resized": "bpe"},
            "From characters up to words →",
        ),
        "characters": (trained_here.TRAIN, here, "See BPE start from characters →"),
        "bpe": (trained_here.ENCODE, here | sample, "Step through BPE →"),
        "bytes": (trained_here.ENCODE, here | _BYTES | sample, "Step through BPE on bytes →"),
        "wordpiece": (trained_here.WORDPIECE_ENCODE, here | sample, "Step through WordPiece →"),
        "unigram": (
            trained_here.LATTICE,
            {"pieces_from": LEARNED_FROM} | sample,
            "Step through the lattice →",
        ),
    }[kind]
    return trained_here.TrainedRow(
        KINDS[kind].name, result, page, query, link_label, _note(kind, result)
    )


def _note(kind: str, result: QuickResult) -> str:
    if kind == "unigram":
        return trained_here.unigram_note(result)
    if kind == "wordpiece":
        mark = KINDS[kind].mark.split()[0]
        return (
            f"`{mark}` marks what does not begin a word. Learned as Hugging Face's trainer does: "
            "it merges the most frequent pair."
        )
    mark, means = KINDS[kind].mark.split(" ", 1) if kind in SETTINGS else ("", "")
    return f"`{mark}` {means}." if mark else ""
