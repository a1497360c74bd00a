"""Compare · Side by side: one text split by chosen tokenizers, aligned and compared."""

from functools import partial

import streamlit as st

from pages.compare import blocks, exports, panels, results, selection
from pages.shared.aligned.aligned_view import aligned_view
from pages.shared.aligned.aligned_view_message import AlignedView, legend
from pages.shared.controls import live, url_state, user_text, user_tokenizer
from pages.shared.controls.heading import controls_row, heading
from pages.shared.controls.url_state import IN_URL, whole_number
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.menu import fill_document_menu, open_menu
from pages.shared.limits import MAX_COMPARED_CHARS
from pages.shared.work.results import key_of

actions = heading(
    "Compare · Side by side", "where tokenizers agree on a text, and what each one costs"
)
with actions:
    example = panels.sample()
    choosing = st.popover("Tokenizers")
take = open_menu(actions)
specs = selection.choose_tokenizers(choosing)
with controls_row():
    box = user_text.text_box("Your text", example.text, 40, label_visibility="collapsed")
    live.apply_while_typing()
    ids = st.toggle("Show ids", key="ids", **IN_URL)
    published = [entry.published for entry in specs if entry.published]
    added = user_tokenizer.added_tokens_control(published, is_short=True)
if box.state == "asking":
    url_state.end_early()
if not box.text.strip():
    st.info("There is no text to split. Type or paste one into the box.")
    url_state.end_early()
text = box.text[:MAX_COMPARED_CHARS]
if len(box.text) > MAX_COMPARED_CHARS:
    st.info(
        f"The text has {len(box.text):,} characters; the first {MAX_COMPARED_CHARS:,} are compared."
    )

special = user_tokenizer.special_tokens_control(text, published, "Published models read")
sources = tuple(entry.source(text) for entry in specs)
tokenizers, names = results.named_tokenizers(specs, sources, special, added)
key = key_of("compare", text, selection.serialize(specs), special, added)
comparison = results.comparison(key, text, tokenizers, 0)
if len(comparison.chunks) and comparison.last + 1 < comparison.words:
    first = whole_number("Show the words from number", 1, comparison.words, 1, key="from_word") - 1
    comparison = results.comparison(key_of(key, first), text, tokenizers, first)
    shown_words = f"words {comparison.first + 1:,} to {comparison.last + 1:,}"
    st.caption(
        f"The figures cover the whole text; the picture shows {shown_words} of "
        f"{comparison.words:,}."
    )
if comparison.hidden:
    hidden = count_of(comparison.hidden, "more character")
    st.caption(f"The last word shown has {hidden}; the figures count them.")

tooltips, links = (
    results.tooltips(tokenizers, comparison),
    results.token_links(text, tokenizers, comparison),
)
view = AlignedView(
    names,
    comparison.chunks,
    ids,
    tooltips,
    links,
    panels.agreement(comparison),
    legend(tokenizers),
)
aligned_view(view)
below, model = panels.figures(comparison, panels.training_note(specs, names))
export = exports.ComparisonExport(text, tokenizers, comparison, *model, results.tokens_of)
fill_document_menu(
    take,
    partial(blocks.document, text, comparison, view, below),
    partial(exports.of_comparison, export),
)
panels.closer_look(panels.LookContext(text, tokenizers, sources, key, comparison))
