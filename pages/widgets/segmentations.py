"""The segmentations of one text by every tokenizer of the app, for the start page."""

from dataclasses import dataclass, replace

import streamlit as st

from lessons.texts import TEXTS
from pages.figures.phrases import count_of
from pages.figures.runs import LONGEST_TEXT, Source
from pages.widgets import address, training
from pages.widgets.settings import MOST_MERGES, default_settings
from pages.widgets.source import OWN, suited
from tokenizers import baselines, bpe
from tokenizers.encoding import Encoding
from tokenizers.metrics import Metrics, measure

LEARNED_FROM = {OWN: "this very text"} | {id_: TEXTS[id_].title for id_ in ("prose", "languages")}
WHY = {
    True: "Learned and shown on the same text: nothing can be unknown. Choose another text to see "
    "how these pieces fare on words they have never met.",
    False: "What the other text does not have becomes [UNK], or falls into small pieces.",
}
TRAIN, ENCODE = "pages/views/bpe_train.py", "pages/views/bpe_encode.py"
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
    ]


def _baseline(unit: str, text: str, learned: str) -> Row:
    shown = text[:LONGEST_SHOWN]
    model = baselines.train(shown if learned == OWN else TEXTS[learned].text or "", unit)
    encoding = baselines.encode(shown, model)
    metrics = measure(shown, encoding, len(model.vocab) - 1)
    # BPE without a merge has characters; merged to the end it has words.
    if unit == "words":
        query = {"merges": str(MOST_MERGES), "split": "spaces", "step": str(MOST_MERGES)}
        return _row("Words", encoding, metrics, text, query, "See BPE grow up to words →")
    return _row("Characters", encoding, metrics, text, {}, "See BPE start from characters →")


def _bpe(text: str, learned: str) -> Row:
    material = text if learned == OWN else TEXTS[learned].text or ""
    pipeline, settings = default_settings(suited(learned))
    trace = training.run(Source(text=material), pipeline, settings).trace
    shown = text[:LONGEST_SHOWN]
    encoding = bpe.encode(shown, trace.model())
    metrics = measure(shown, encoding, trace.vocab_sizes[-1])
    name = f"BPE, {count_of(len(trace), 'merge')}"
    note = f"{settings.end_mark} marks the end of a word."
    if learned == OWN:
        return replace(_row(name, encoding, metrics, text, {}, "Step through it →"), note=note)
    query = {"corpus": learned, "say": text[: address.LONGEST_TEXT]}
    return Row(name, encoding, _figures(metrics), ENCODE, query, "Step through it →", note)


def _row(
    name: str, encoding: Encoding, metrics: Metrics, text: str, query: dict, invitation: str
) -> Row:
    """Return a row that leads to the training page, on this very text."""
    own = {"text": text} if len(text) <= address.LONGEST_TEXT else {}
    query = {"corpus": OWN, **own, **query}
    return Row(name, encoding, _figures(metrics), TRAIN, query, invitation)


def _figures(metrics: Metrics) -> str:
    figures = [
        count_of(metrics.tokens, "token"),
        f"{metrics.characters_per_token or 0:.1f} characters a token",
        f"{count_of(metrics.vocabulary, 'piece')} in the vocabulary",
    ]
    if metrics.unknown:
        figures.append(f"**{metrics.unknown:,} unknown**")
    return " · ".join(figures)
