"""Compare · Side by side: one text, cut by any set of tokenizers, aligned, counted and compared."""

import streamlit as st

from pages.compare import chosen_set, panels, strip
from pages.compare.side_by_side import Contestant, compare
from pages.shared.controls import address, memory, settings
from pages.shared.controls.address import IN_ADDRESS, whole_number
from pages.shared.controls.heading import heading
from pages.shared.controls.plain import as_is
from pages.shared.drawing.phrases import count_of
from pages.shared.learning.source import LONGEST_SHOWN
from pages.shared.work import results

heading("Compare · Side by side", "where tokenizers agree on a text, and what each one costs")
left, right = st.columns([3, 1])
with right:
    example = panels.ready()
with left:
    own = memory.text_box("Your text", example.text, 100)
if own.text == example.text:
    right.caption(example.note)
entries = chosen_set.entries()
large = settings.presenter()
if own.state == "asking":
    address.end_early()
if not own.text.strip():
    st.info("There is no text to split. Type or paste one into the box.")
    address.end_early()
text = own.text[:LONGEST_SHOWN]
if len(own.text) > LONGEST_SHOWN:
    st.info(f"The text has {len(own.text):,} characters; the first {LONGEST_SHOWN:,} are compared.")

sources = tuple(entry.source(text) for entry in entries)
learned = results.learned(
    [(source, one.kind, one.size) for source, one in zip(sources, entries, strict=True)]
)
for note in dict.fromkeys(note for one in learned for note in one.notes):
    st.info(as_is(note))
sizes = [one.size(entry.size) for one, entry in zip(learned, entries, strict=True)]
names = list(chosen_set.named(entries, sizes))
asked = tuple(
    Contestant(name, entry.kind, one.model(entry.size))
    for (name, _), entry, one in zip(names, entries, learned, strict=True)
)
key = results.key_of("compare", text, chosen_set.write(entries))
compared = results.result_of(key, compare, "Splitting the text …", text, asked, 0)
if len(compared.chunks) and compared.last + 1 < compared.words:
    first = whole_number("Show the words from number", 1, compared.words, 1, key="from_word") - 1
    shown = results.key_of(key, first)
    compared = results.result_of(shown, compare, "Splitting the text …", text, asked, first)
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
    panels.learned_from(entries, names)
with switch:
    ids = st.toggle("Show ids", key="ids", **IN_ADDRESS)
strip.strip(names, compared.chunks, ids, large)
panels.legend()
panels.figures(compared)
panels.look(panels.Scene(text, asked, sources, key, compared))
