"""Pipeline: a text goes through every stage to ids and back, and every token is followed."""

from functools import partial

import streamlit as st

from pages.pipeline import exports, panels, stage_table
from pages.pipeline.rows import SHOWN
from pages.shared.controls import live, settings, url_state, user_text
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import whole_number
from pages.shared.export.menu import take_screen
from pages.shared.limits import LONGEST_SHOWN
from tokenizers.errors import user_message

heading("Pipeline", "from raw text to ids and back, one stage at a time")
left, right = st.columns([3, 1])
with right:
    example = panels.example()
    kind, learned = panels.model_and_learned(example)
with left:
    own = user_text.text_box("Your text", example.text, 100)
    live.apply_while_typing()
    note = st.empty()
pipeline = panels.pipeline(example, kind)
large = settings.presenter()
with left:
    off = panels.left_out(pipeline, kind)
if own.text == example.text and panels.is_as_in(example, kind, learned, pipeline, off):
    note.caption(example.note)
if own.state == "asking":
    url_state.end_early()
if not own.text:
    st.info("There is no text to follow. Type or paste one into the box.")
    url_state.end_early()
text = own.text[:LONGEST_SHOWN]
if len(own.text) > LONGEST_SHOWN:
    st.info(f"The text has {len(own.text):,} characters; the first {LONGEST_SHOWN:,} are followed.")
try:
    model = panels.published(kind, text) or panels.trained(kind, learned, text, example, pipeline)
    names = panels.names_of(pipeline, model)
    name, laid = panels.journey(text, model, off, 0, names)
except ValueError as error:
    st.error(escape_markdown(user_message(error)))
    url_state.end_early()
if laid.metrics.tokens > SHOWN:
    count = laid.metrics.tokens
    first = whole_number("Show the tokens from number", 1, count, 1, key="from_token") - 1
    name, laid = panels.journey(text, model, off, first, names)


@st.fragment
def stage() -> None:
    """The stages under each other; below, the rulers of a token, what is lost, and x and y."""
    at = stage_table.rail(laid.rail, name, large)
    file = partial(exports.html_file, laid, text, panels.name_of(kind), at)
    take_screen(file, partial(exports.of_journey, laid), "This journey")
    panels.rulers(laid, at)
    panels.what_is_lost(laid)
    panels.given_to_a_model(laid, model)


stage()
