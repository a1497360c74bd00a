"""The segmentations of one text by every tokenizer of the app, for the start page."""

from collections import Counter
from dataclasses import dataclass, replace
from math import prod

import streamlit as st

from lessons.texts import TEXTS
from pages.figures.lattice_parts import ways
from pages.figures.phrases import count_of
from pages.figures.runs import LONGEST_TEXT, Source
from pages.widgets import address, training
from pages.widgets.settings import (
    MOST_MERGES,
    default_settings,
    default_unigram,
    default_wordpiece,
)
from pages.widgets.source import OWN, suited
from tokenizers import baselines, bpe, unigram, wordpiece
from tokenizers.encoding import Encoding
from tokenizers.lattice import num_segmentations
from tokenizers.metrics import Metrics, measure

LEARNED_FROM = {OWN: "this very text"} | {id_: TEXTS[id_].title for id_ in ("prose", "languages")}
WHY = {
    True: "Learned and shown on the same text: nothing can be unknown. Choose another text to see "
    "how these pieces fare on words they have never met.",
    False: "What the other text does not have becomes [UNK], or falls into small pieces.",
}
TRAIN, ENCODE = "pages/views/bpe_train.py", "pages/views/bpe_encode.py"
WORDPIECE_TRAIN, WORDPIECE_ENCODE = (
    "pages/views/wordpiece_train.py",
    "pages/views/wordpiece_encode.py",
)
LATTICE = "pages/views/unigram_lattice.py"
UNIGRAM_LOSS = "best_alternative"  # far quicker than the exact one, and here hardly another result
LONGEST_SHOWN = 20_000
"""Characters of a text that are cut up on the start page."""


@dataclass(frozen=True, slots=True)
class Row:
    """One way of cutting the text: its tokens, its figures in words, and the page that steps it."""

    name: str
    encoding: Encoding
    figures: str
    page: str
    query: dict[str, str]
    invitation: str
    note: str = ""


def of(text: str, learned: str) -> list[Row]:
    """Return the segmentations of `text` by tokenizers that learned from it, or from a sample."""
    if not text.strip():
        st.info("The box holds nothing to cut. Write or paste a text into it.")
        return []
    if len(text) > LONGEST_SHOWN:
        st.info(
            f"The text has {len(text):,} characters; the first {LONGEST_SHOWN:,} are cut up here. "
            f"BPE learns from up to {LONGEST_TEXT:,}."
        )
    return [
        _baseline("words", text, learned),
        _baseline("characters", text, learned),
        _bpe(text, learned),
        _wordpiece(text, learned),
        _unigram(text, learned),
    ]


def _material(text: str, learned: str) -> str:
    """Return the text that is learned from."""
    return text if learned == OWN else TEXTS[learned].text or ""


def _baseline(unit: str, text: str, learned: str) -> Row:
    shown = text[:LONGEST_SHOWN]
    model = baselines.train(_material(shown, learned), unit)
    encoding = baselines.encode(shown, model)
    metrics = measure(shown, encoding, len(model.vocab) - 1)
    # BPE without a merge has characters; merged to the end it has words.
    if unit == "words":
        query = {"merges": str(MOST_MERGES), "split": "spaces", "step": str(MOST_MERGES)}
        return _row("Words", encoding, metrics, text, query, "See BPE grow up to words →")
    return _row("Characters", encoding, metrics, text, {}, "See BPE start from characters →")


def _bpe(text: str, learned: str) -> Row:
    pipeline, settings = default_settings(suited(learned))
    trace = training.run(Source(text=_material(text, learned)), pipeline, settings).trace
    shown = text[:LONGEST_SHOWN]
    encoding = bpe.encode(shown, trace.model())
    metrics = measure(shown, encoding, trace.vocab_sizes[-1])
    row = _row(
        f"BPE, {count_of(len(trace), 'merge')}", encoding, metrics, text, {}, "Step through BPE →"
    )
    note = f"`{settings.end_mark}` marks the end of a word." if "end" in settings.base else ""
    return replace(_elsewhere(row, ENCODE, text, learned), note=note)


def _wordpiece(text: str, learned: str) -> Row:
    pipeline, settings = default_wordpiece(suited(learned))
    material = Source(text=_material(text, learned))
    trace = training.run(material, pipeline, settings, tells=False).trace
    shown = text[:LONGEST_SHOWN]
    encoding = wordpiece.encode(shown, trace.model())
    metrics = measure(shown, encoding, trace.vocab_sizes[-1])
    name = f"WordPiece, {count_of(len(trace), 'merge')}"
    row = _row(name, encoding, metrics, text, {}, "Step through WordPiece →", WORDPIECE_TRAIN)
    note = f"`{settings.mark}` marks what does not begin a word."
    return replace(_elsewhere(row, WORDPIECE_ENCODE, text, learned), note=note)


def _unigram(text: str, learned: str) -> Row:
    pipeline, settings = default_unigram(suited(learned))
    settings = replace(settings, loss=UNIGRAM_LOSS)
    _, run = training.unigram_run(
        Source(text=_material(text, learned)), pipeline, settings, tells=False
    )
    logs = run.trace.model_pieces(len(run.trace))
    model = unigram.Model(unigram.vocabulary(logs), logs, pipeline=pipeline)
    shown = text[:LONGEST_SHOWN]
    encoding = unigram.encode(shown, model)
    metrics = measure(shown, encoding, len(logs))
    number = prod(
        num_segmentations(model.lattice(word)) ** times
        for word, times in Counter(pipeline(shown).words).items()
    )
    query = {"pieces_from": "learned", "loss": UNIGRAM_LOSS, "say": text[: address.LONGEST_TEXT]}
    if learned != OWN:
        query["corpus"] = learned
    row = _row("Unigram", encoding, metrics, text, query, "Step through the lattice →", LATTICE)
    return replace(row, note=f"The most probable of {ways(number)} to cut it by these pieces.")


def _elsewhere(row: Row, page: str, text: str, learned: str) -> Row:
    """Return the row leading to a page that encodes, if the pieces come from another text."""
    if learned == OWN:
        return row
    query = {"corpus": learned, "say": text[: address.LONGEST_TEXT]}
    return replace(row, page=page, query=query)


def _row(
    name: str,
    encoding: Encoding,
    metrics: Metrics,
    text: str,
    query: dict,
    invitation: str,
    page: str = TRAIN,
) -> Row:
    """Return a row that leads to a page that learns, on this very text."""
    own = {"text": text} if len(text) <= address.LONGEST_TEXT else {}
    query = {"corpus": OWN, **own, **query}
    return Row(name, encoding, _figures(metrics), page, query, invitation)


def _figures(metrics: Metrics) -> str:
    figures = [
        count_of(metrics.tokens, "token"),
        f"{metrics.characters_per_token or 0:.1f} characters a token",
        f"{count_of(metrics.vocabulary, 'piece')} in the vocabulary",
    ]
    if metrics.unknown:
        figures.append(f"**{metrics.unknown:,} unknown**")
    return " · ".join(figures)
