"""Compare · Corpus surgery: change one word's count, and see the first merge that changes."""

from functools import partial

import streamlit as st

from pages.shared.controls import address, panels
from pages.shared.controls.heading import heading
from pages.shared.controls.plain import as_is
from pages.shared.corpus.corpus_line import in_words
from pages.shared.corpus.what_if import word_and_count
from pages.shared.learning.operation import operate
from pages.shared.taking.menu import take_two_runs
from pages.shared.work import results
from pages.surgery import panels as surgery_panels
from pages.surgery import taking
from pages.surgery.operation import train_whole, try_counts
from tokenizers.experiments import surgery

heading("Compare · Corpus surgery", "change the count of one word: which merge changes first?")
source, pipeline, settings = surgery_panels.corpus_and_settings()

key = results.key_of("surgery", source, pipeline, settings)
whole, notes = results.result_of(key, train_whole, "Training …", source, pipeline, settings)
for note in notes:
    st.info(as_is(note))
word, count = word_and_count(whole.corpus, "word", "count")
operation = results.result_of(
    results.key_of(key, word, count), operate, "Training again …", whole, word, count
)
surgery_panels.result(operation)
menu = st.container()
surgery_panels.consequences(operation)
surgery_panels.way_on(operation)

probes = results.result_of(
    results.key_of(key, "counts", word), try_counts, "Training once for every count …", whole, word
)
surgery_panels.thresholds(operation, probes, key)
if st.toggle("The code", key="code", **address.IN_ADDRESS):
    panels.code(surgery.with_count, surgery.first_difference, surgery.probe, surgery.bisect)
with menu:  # at the end: while both runs are filmed, nothing else is missing
    take_two_runs(
        lambda: results.result_of(
            results.key_of(key, "film", word, count),
            taking.film_both,
            "Filming both runs …",
            operation,
        ),
        operation.first or 0,
        partial(taking.of_operation, operation, probes),
        taking.about(operation, in_words(pipeline, settings)),
        taking.LEFT_OUT,
    )
