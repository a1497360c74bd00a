"""Inputs of the vocabulary-size page, and the panels below its slider."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM as LARGE
from lessons.trained import SIZE, TABLE
from pages.shared.controls import costs, live, sources, terms, url_state, user_text, user_tokenizer
from pages.shared.controls.panels import show_chart
from pages.shared.controls.url_state import choices
from pages.shared.corpus.corpus_picker import USER_TEXT
from pages.shared.drawing.charts import Chart
from pages.shared.limits import MAX_COMPARED_CHARS
from pages.shared.training.published import (
    REAL,
    PublishedTokenizer,
    is_published,
    published_tokenizer,
)
from pages.shared.training.source import CorpusSource
from pages.shared.work import results
from pages.sizes import size_message
from pages.sizes.words import unknown_words, words_chart, words_finding

FIRST_TEXT = (TEXTS["prose"].text or "").partition(".")[0] + "."
PRETRAINED = "ahead"  # existing links use this value
LEARNED_FROM = {
    USER_TEXT: "this very text",
    PRETRAINED: f"{TEXTS[LARGE].title}, trained ahead",
    **{id_: sample.title for id_, sample in TEXTS.items()},
}
MOST = 4  # tokenizers, because the curves have four distinct marks


def text_box() -> user_text.UserText:
    """Show the box for the text, a single line that grows while it has the focus."""
    box = user_text.text_box("Your text", FIRST_TEXT, 40, label_visibility="collapsed")
    live.apply_while_typing()
    return box


def text_to_split(box: user_text.UserText) -> str:
    """Return the part of the text that is split, or end the page if it is empty."""
    if box.state == "asking":
        url_state.end_early()
    if not box.text.strip():
        st.info("There is no text to split. Type or paste one into the box.")
        url_state.end_early()
    size, cut = len(box.text), box.text[:MAX_COMPARED_CHARS]
    if size > MAX_COMPARED_CHARS:
        st.info(
            f"The text has {size:,} characters; the first {MAX_COMPARED_CHARS:,} are split here."
        )
    if len(cut) > size_message.MAX_DRAWN:
        st.caption(
            f"The first {size_message.MAX_DRAWN:,} characters are drawn; all {len(cut):,} are "
            "counted in the figures and the curves."
        )
    return cut


def source(actions: DeltaGenerator, text: str, kinds: Sequence[str]) -> CorpusSource | None:
    """Ask what the tokenizers learn from, unless all are published; None means pretrained.

    Without URL parameters, the page starts with the pretrained tokenizers.
    """
    if all(is_published(kind) for kind in kinds):
        return CorpusSource()
    with actions, st.popover("Training text"):
        learned = sources.source_control(
            "Trained on", LEARNED_FROM, "prose", key="learned", bare_url_default=PRETRAINED
        )
        if learned == PRETRAINED:
            size = len(TEXTS[LARGE].text or "")
            st.caption(
                f"{size:,} characters of English from the documentation of Python "
                f"{TABLE['python']}, © {TABLE['owner']}; to {SIZE:,} pieces each."
            )
    if learned == PRETRAINED:
        return None
    if learned == USER_TEXT:
        return CorpusSource(text=text)
    sample = TEXTS[learned]
    return CorpusSource(text=sample.text or "", counts=sample.counts)


def kinds(actions: DeltaGenerator) -> tuple[str, ...]:
    """Ask for the kinds of tokenizers; return them in the order in which the page lists them."""
    names = dict(size_message.NAMES)
    for user_tokenizer_ in user_tokenizer.user_tokenizers():
        if user_tokenizer_.info.has_merges:
            names[REAL + user_tokenizer_.name] = PublishedTokenizer(user_tokenizer_.name).title
    with actions, st.popover("Tokenizers"):
        chosen = choices(
            f"Tokenizers, at most {MOST}", names, ("bpe", "wordpiece", "unigram"), key="resized"
        )
    if not chosen:
        st.info("No tokenizer is selected. Choose at least one.")
        url_state.end_early()
    kinds = tuple(kind for kind in names if kind in chosen)
    if len(kinds) > MOST:
        st.info(f"The first {MOST} of those selected are shown: that is how many fit.")
    return kinds[:MOST]


def model() -> tuple[int, str]:
    """Ask for the embedding dimension and the number format of the model."""
    with st.sidebar:
        st.subheader("What a vocabulary costs")
        width, precision = costs.width(), costs.precision()
        terms.caption(
            "A model keeps a vector of d numbers for each id, that of [UNK] too: the embedding. A "
            "layer of attention compares each of the T tokens with each: T² pairs for each head. "
            "We do not add the two up: the first is paid once, the second for every text."
        )
    return width, precision


# --- Below the slider -----------------------------------------------------------------------------


def read(kind: str, pieces: Sequence[str]) -> list[str]:
    """Return a tokenizer's pieces as displayed; published models' pieces are decoded to text."""
    if is_published(kind):
        return results.call_or_end_page(
            published_tokenizer(kind), PublishedTokenizer.token_texts, pieces
        )
    return list(pieces)


def whole_words(source: CorpusSource | None, text: str) -> None:
    """Show how many of the text's words a list of whole words lacks, by length of the list."""
    of_theirs = source and (source.text or source.counts)
    source = source if source and of_theirs else CorpusSource(TEXTS[LARGE].text or "")
    key = results.key_of("unknown words", source, text)
    rows = results.result_of(key, unknown_words, "Counting the words …", source, text)
    st.markdown("**A list of whole words instead**")
    show_chart(Chart("The chart of unknown words", words_chart(rows), words_finding(rows)), "words")
    st.markdown(words_finding(rows))
    st.caption(
        "The list has the most frequent words of "
        f"{'what the tokenizers are trained on' if of_theirs else TEXTS[LARGE].title}, split at "
        "spaces. Each word on it costs a row of the embedding, and most are seldom needed."
    )
