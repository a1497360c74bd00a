"""Compare · Corpus surgery: change one word's count, and see the first merge that changes."""

from functools import partial

import streamlit as st

from pages.corpus_edit import exports
from pages.corpus_edit import panels as corpus_edit_panels
from pages.corpus_edit.comparison import train_whole, try_counts
from pages.shared.controls import panels, url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.corpus.corpus_picker import describe_corpus
from pages.shared.corpus.what_if import word_and_count
from pages.shared.export.menu import two_runs_export_menu
from pages.shared.training.count_edit import run_count_edit
from pages.shared.work import results
from tokenizers.experiments.research import corpus_edit

heading("Compare · Corpus surgery", "change the count of one word: which merge changes first?")
source, pipeline, settings = corpus_edit_panels.corpus_and_settings()

key = results.key_of("corpus edit", source, pipeline, settings)
whole, notes = results.result_of(key, train_whole, "Training …", source, pipeline, settings)
for note in notes:
    st.info(escape_markdown(note))
word, count = word_and_count(whole.corpus, "word", "count")
edit = results.result_of(
    results.key_of(key, word, count), run_count_edit, "Training again …", whole, word, count
)
corpus_edit_panels.result(edit)
menu = st.container()
corpus_edit_panels.consequences(edit)
corpus_edit_panels.next_steps(edit)

probes = results.result_of(
    results.key_of(key, "counts", word), try_counts, "Training once for every count …", whole, word
)
corpus_edit_panels.thresholds(edit, probes, key)
if st.toggle("The code", key="code", **url_state.IN_URL):
    panels.show_code(
        corpus_edit.with_count, corpus_edit.first_difference, corpus_edit.probe, corpus_edit.bisect
    )
with menu:
    two_runs_export_menu(
        partial(exports.record_both, edit),
        edit.first or 0,
        partial(exports.edit_exports, edit, probes),
        exports.about(edit, describe_corpus(pipeline, settings)),
        exports.LEFT_OUT,
    )
