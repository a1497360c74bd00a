"""Pipeline: a text goes through every stage to ids and back; any token can be followed."""

from functools import partial

import streamlit as st

from pages.pipeline import blocks, exports, panels, stage_table
from pages.pipeline.rows import TOKENS_SHOWN
from pages.shared.controls import live, url_state, user_text
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import whole_number
from pages.shared.export.document.show_blocks import show_blocks
from pages.shared.export.menu import document_export_menu
from pages.shared.limits import MAX_COMPARED_CHARS
from pages.shared.training.published import is_published
from tokenizers.errors import user_message

actions = heading("Pipeline", "from raw text to ids and back, one stage at a time")
with actions:
    example = panels.example()
    kind, corpus = panels.model_and_corpus(example)
pipeline = panels.pipeline(example, kind)
below = st.container()
with st.container(horizontal=True, key="text_and_stages"):
    box = user_text.text_box("Your text", example.text, 40, below, label_visibility="collapsed")
    live.apply_while_typing()
    off = panels.disabled_stages(pipeline, kind)
is_example = box.text == example.text and panels.matches_example(
    example, kind, corpus, pipeline, off
)
if box.state == "asking":
    url_state.end_early()
if not box.text:
    st.info("There is no text to follow. Type or paste one into the box.")
    url_state.end_early()
text = box.text[:MAX_COMPARED_CHARS]
if len(box.text) > MAX_COMPARED_CHARS:
    st.info(
        f"The text has {len(box.text):,} characters; the first {MAX_COMPARED_CHARS:,} are followed."
    )
try:
    model = panels.published(kind, text) or panels.trained(kind, corpus, text, example, pipeline)
    names = panels.normalizer_titles(pipeline, model)
    name, view = panels.view_of_text(text, model, off, 0, names)
except ValueError as error:
    st.error(escape_markdown(user_message(error)))
    url_state.end_early()
if view.metrics.tokens > TOKENS_SHOWN:
    count = view.metrics.tokens
    first = whole_number("Show the tokens from number", 1, count, 1, key="from_token") - 1
    name, view = panels.view_of_text(text, model, off, first, names)


@st.fragment
def main_fragment() -> None:
    """Show the stages, and below them the chosen token's rulers, the losses, and model inputs."""
    at = stage_table.stage_table(view.table, name)
    if is_example:
        st.caption(example.note)
    if not is_published(kind):
        st.caption(panels.TRAINED_WITH_ALL if off else panels.TRY_IT)
    document = partial(blocks.document, view, text, panels.name_of(kind), at)
    document_export_menu(document, partial(exports.of_trace, view), "This journey")
    panels.rulers(view, at)
    show_blocks(blocks.losses(view))
    panels.published_stages(model)
    panels.model_inputs(view, model)


main_fragment()
