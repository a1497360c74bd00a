"""Compare · Side by side: one text, cut by any set of tokenizers, aligned, counted and compared."""

import streamlit as st

from pages.figures.phrases import count_of
from pages.figures.side_by_side import Contestant, compare
from pages.widgets import (
    address,
    compare_panels,
    compare_set,
    compare_strip,
    memory,
    settings,
    training,
)
from pages.widgets.address import IN_ADDRESS, whole_number
from pages.widgets.heading import heading
from pages.widgets.plain import as_is
from pages.widgets.segmentations import LONGEST_SHOWN

heading("Compare · Side by side", "where tokenizers agree on a text, and what each of them costs")
left, right = st.columns([3, 1])
with right:
    example = compare_panels.ready()
    st.caption(example.note)
with left:
    own = memory.text_box("Your text", example.text, 100)
entries = compare_set.entries()
large = settings.presenter()
if own.state == "asking":
    address.end_early()
if not own.text.strip():
    st.info("The box holds nothing to cut. Write or paste a text into it.")
    address.end_early()
text = own.text[:LONGEST_SHOWN]
if len(own.text) > LONGEST_SHOWN:
    st.info(f"The text has {len(own.text):,} characters; the first {LONGEST_SHOWN:,} are compared.")

sources = tuple(entry.source(text) for entry in entries)
learned = training.learned(
    [(source, one.kind, one.size) for source, one in zip(sources, entries, strict=True)]
)
for note in dict.fromkeys(note for one in learned for note in one.notes):
    st.info(as_is(note))
sizes = [one.size(entry.size) for one, entry in zip(learned, entries, strict=True)]
names = list(compare_set.named(entries, sizes))
asked = tuple(
    Contestant(name, entry.kind, one.model(entry.size))
    for (name, _), entry, one in zip(names, entries, learned, strict=True)
)
key = training.key_of("compare", text, compare_set.write(entries))
compared = training.result_of(key, compare, "Cutting the text …", text, asked, 0)
if len(compared.chunks) and compared.last + 1 < compared.words:
    first = whole_number("Show the words from number", 1, compared.words, 1, key="from_word") - 1
    shown = training.key_of(key, first)
    compared = training.result_of(shown, compare, "Cutting the text …", text, asked, first)
    shown_words = f"words {compared.first + 1:,} to {compared.last + 1:,}"
    st.caption(f"The figures are of the whole text; drawn are {shown_words} of {compared.words:,}.")
if compared.hidden:
    hidden = count_of(compared.hidden, "more character")
    st.caption(f"The last word that is drawn goes on for {hidden}, which are counted all the same.")

said, switch = st.columns([6, 1], vertical_alignment="center")
with said:
    compare_panels.agreement(compared)
with switch:
    ids = st.toggle("Show ids", key="ids", **IN_ADDRESS)
compare_strip.strip(names, compared.chunks, ids, large)
compare_panels.legend()
compare_panels.figures(compared)
compare_panels.look(compare_panels.Scene(text, asked, sources, key, compared))
