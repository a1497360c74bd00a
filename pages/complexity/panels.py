"""The controls of Compare · Complexity, and the presentation of the counts."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.texts import TEXTS
from pages.complexity import findings, growth_view
from pages.complexity.counting import count, count_all
from pages.complexity.counts import (
    FORMS,
    MAX_TEXT_CHARS,
    MAX_WORD_CHARS,
    OPERATIONS,
    CountRequest,
    OperationGrowth,
)
from pages.shared.controls import panels, terms, url_state, user_text
from pages.shared.controls.sources import source_control
from pages.shared.controls.url_state import choice, segments, whole_number
from pages.shared.routes import page_file
from pages.shared.work import results
from tokenizers.experiments.complexity import operations

USER = "own"
TEXT_NAMES = {
    "prose": "The tide table",
    "languages": "Nineteen languages",
    USER: "Your own text",
}
LARGEST_INPUTS = {str(2**k): f"{2**k:,} characters" for k in range(7, 15)}
STEP_PAGES = {
    "bpe_train": ("bpe_train", "See the pairs counted, merge by merge"),
    "bpe_merges": ("bpe_train", "See the pairs counted, merge by merge"),
    "bpe_space": ("bpe_train", "See the words and their pairs, merge by merge"),
    "bpe_encode": ("bpe_encode", "See the merges of one word"),
    "wordpiece_encode": ("wordpiece_encode", "See every candidate of one word"),
    "unigram_encode": ("unigram_lattice", "See the edges of one word"),
    "unigram_train": ("unigram_train", "See the rounds of training"),
}
"""The page that steps through each operation."""


def choose_request(actions: DeltaGenerator) -> CountRequest:
    """Show the controls in a popover of the heading, and return the request."""
    below, first = st.container(), TEXTS["prose"].text or ""
    box = None
    with actions, st.popover("What grows, and how far"):
        corpus = source_control("The text", TEXT_NAMES, "prose", key="grows")
        if corpus == USER:
            box = user_text.text_box("Paste or write a text", first, 140, below)
        form = choice("What grows", FORMS, "words", key="form")
        largest = choice("The largest input", LARGEST_INPUTS, "4096", key="largest")
        merges = whole_number("Merges or pieces (V, m)", 1, 500, 50, key="rules")
    if box and box.state == "asking":
        url_state.end_early()
    text = box.text if box else TEXTS[corpus].text or ""
    request = CountRequest(text[:MAX_TEXT_CHARS], form, merges, int(largest))
    _limit_notes(request, len(text))
    return request


def _limit_notes(request: CountRequest, length: int) -> None:
    """Show how large the inputs become, if smaller than requested."""
    if length > MAX_TEXT_CHARS:
        st.info(f"The text has {length:,} characters; the first {MAX_TEXT_CHARS:,} are used.")
    if len(request.sizes) > 1 and request.sizes[-1] < request.largest:
        why = f"the text has {len(request.text):,} characters"
        if request.form != "words":
            why = f"one word is grown to {MAX_WORD_CHARS:,} characters at most"
        st.caption(f"The largest input has {request.sizes[-1]:,} characters: {why}.")


def count_operation(request: CountRequest) -> OperationGrowth:
    """Choose an operation and count its work; the page run ends here until that is done."""
    operation = segments(
        "The operation", OPERATIONS, "bpe_train", key="operation", label_visibility="collapsed"
    )
    doing = f"Counting the operations: {OPERATIONS[operation]} …"
    key = results.key_of("complexity", request, operation)
    return results.result_of(key, count, doing, request, operation)


def growth(found: OperationGrowth) -> None:
    """Show one operation's summary sentence, chart and counts, and the page that steps through."""
    growth_view.growth_view(found)
    page, label = STEP_PAGES[found.operation]
    st.page_link(page_file(page), label=label)


def below(found: OperationGrowth, request: CountRequest) -> None:
    """Show the chosen panel."""
    choices = {
        "Claims and counts": lambda: _claims(request),
        "Every size": lambda: st.html(findings.growth_table(found)),
        "The code": lambda: panels.show_code(
            operations.pairs_in_text,
            operations.pairs_in_changed,
            operations.kept_in_training,
            operations.pairs_scanned,
            operations.candidates_tried,
            operations.edges_in_training,
            operations.exponent,
        ),
    }
    panels.panel_choice(choices)


def count_all_operations(request: CountRequest) -> tuple[OperationGrowth, ...]:
    """Count all operations; the page run ends here until that is done."""
    key = results.key_of("complexity", request)
    return results.result_of(key, count_all, "Counting all operations …", request)


def _claims(request: CountRequest) -> None:
    st.html(findings.claims_table(count_all_operations(request)))
    terms.caption(
        "O(·) is an upper bound, so less is no contradiction. The sources’ table: a published "
        "lesson on tokenization, which bounds BPE training by corpus size times merges, BPE "
        "encoding by input times rules, and Viterbi by input times the longest piece. Nothing is "
        "timed: one operation is one look, whatever it costs."
    )
