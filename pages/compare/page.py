"""Compare · Side by side: one text, cut by any set of tokenizers, aligned, counted and compared."""

from functools import partial

import streamlit as st

from pages.compare import exports, panels, results, selection
from pages.compare.aligned_view import strip
from pages.compare.aligned_view_message import Drawn, legend
from pages.shared.controls import live, settings, url_state, user_text, user_tokenizer
from pages.shared.controls.heading import heading
from pages.shared.controls.url_state import IN_ADDRESS, whole_number
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.menu import take_screen
from pages.shared.limits import LONGEST_SHOWN
from pages.shared.work.results import key_of

heading("Compare · Side by side", "where tokenizers agree on a text, and what each one costs")
left, right = st.columns([3, 1])
with right:
    example = panels.ready()
with left:
    own = user_text.text_box("Your text", example.text, 100)
    live.apply_while_typing()
if own.text == example.text:
    right.caption(example.note)
entries = selection.entries()
large = settings.presenter()
if own.state == "asking":
    url_state.end_early()
if not own.text.strip():
    st.info("There is no text to split. Type or paste one into the box.")
    url_state.end_early()
text = own.text[:LONGEST_SHOWN]
if len(own.text) > LONGEST_SHOWN:
    st.info(f"The text has {len(own.text):,} characters; the first {LONGEST_SHOWN:,} are compared.")

published = [entry.published for entry in entries if entry.published]
special = user_tokenizer.special(text, published, "Published models read")
added = user_tokenizer.added(published)
sources = tuple(entry.source(text) for entry in entries)
asked, names = results.contestants(entries, sources, special, added)
key = key_of("compare", text, selection.write(entries), special, added)
compared = results.compared(key, text, asked, 0)
if len(compared.chunks) and compared.last + 1 < compared.words:
    first = whole_number("Show the words from number", 1, compared.words, 1, key="from_word") - 1
    compared = results.compared(key_of(key, first), text, asked, first)
    shown_words = f"words {compared.first + 1:,} to {compared.last + 1:,}"
    st.caption(
        f"The figures cover the whole text; the picture shows {shown_words} of {compared.words:,}."
    )
if compared.hidden:
    hidden = count_of(compared.hidden, "more character")
    st.caption(f"The last word shown has {hidden}; the figures count them.")

said, switch = st.columns([6, 1], vertical_alignment="center")
with said:
    panels.agreement(compared)
    trained = panels.learned_from(entries, names)
with switch:
    ids = st.toggle("Show ids", key="ids", **IN_ADDRESS)
told, leads = results.told(asked, compared), results.leads_of(text, asked, compared)
drawn = Drawn(names, compared.chunks, ids, told, leads)
strip(drawn, large)
menu = st.container()
st.caption(legend(asked))
model = panels.figures(compared)
taken = exports.Taken(text, asked, compared, drawn, *model, trained, results.tokens_of)
with menu:
    take_screen(partial(exports.html_file, taken), partial(exports.of_comparison, taken))
panels.look(panels.Scene(text, asked, sources, key, compared))
