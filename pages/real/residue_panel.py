"""The panel about tokens that only ever serve as parts of longer ones."""

import pandas as pd
import streamlit as st

from lessons.format.words import count_of, percent
from pages.real.residues import LONG_TEXT, MOST_ROWS, ResidueReport, find_residues
from pages.shared.controls import costs, terms
from pages.shared.controls.panels import TABLE_HEIGHT
from pages.shared.controls.url_state import choice
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.markup import NUMBER, Cell, table
from pages.shared.training.published import PublishedTokenizer, has_merges
from pages.shared.work.results import call_or_end_page

LIMITS = {
    "0": "never left",
    "0.01": "at most 1% left",
    "0.05": "at most 5% left",
    "0.1": "at most 10% left",
}
TEXTS_MEASURED = {LONG_TEXT: "Python’s help pages", "own": "your text above"}


def residue_panel(model: PublishedTokenizer, text: str) -> None:
    """Show which tokens a text makes only as parts, and what it costs to remove them."""
    if not (model.info.has_merges if model.info else has_merges(model.loaded.model)):
        terms.caption(
            "Merge residues are what merging leaves in a vocabulary, so only BPE has them. This "
            "tokenizer doesn’t merge. Choose another one above, such as GPT-2."
        )
        return
    first, second, third = st.columns([2, 2, 2], vertical_alignment="bottom")
    with first:
        measured = choice("Measured on", TEXTS_MEASURED, LONG_TEXT, key="residues_on")
    with second:
        limit = choice("A residue is", LIMITS, "0", key="residue_limit")
    with third:
        width = costs.width()
    on_text = text if measured == "own" else None
    with st.spinner("Merging every word …"):
        found = call_or_end_page(model, find_residues, on_text, float(limit))
    _result(found, width)
    if not found.num_residues:
        return
    left, right = st.columns(2)
    with left:
        more = f" (the {MOST_ROWS:,} made most often)" if found.num_residues > MOST_ROWS else ""
        st.caption(f"{count_of(found.num_residues, 'merge residue')}{more}")
        columns, alt = pd.DataFrame(found.table), "Merge residues"
        st.dataframe(columns, hide_index=True, height=TABLE_HEIGHT, alt=alt)
    with right:
        _changed_words(found)


def _result(found: ResidueReport, width: int) -> None:
    """Say how many residues there are, and what removing them saves and costs."""
    terms.caption(
        "A published tokenizer comes without the text that it was trained on. So a merge residue "
        "is measured on the text at hand: a token that its merges make, but that hardly any word "
        "keeps, because a longer token takes it. On another text the list would be another one."
    )
    share = percent(found.num_residues / max(found.num_made, 1))
    cost = "does not change one of them"
    if found.more:
        cost = f"makes them {found.more:,} more ({percent(found.more / found.num_tokens)})"
    st.markdown(
        f"The text has **{count_of(found.num_tokens, 'token')}**, and its merges make "
        f"{count_of(found.num_made, 'kind')} of token. **{found.num_residues:,}** of these "
        f"({share}) are residues: {percent(found.num_residues / found.size)} of the whole "
        f"vocabulary. Removing them **{cost}**, and saves {found.num_residues:,} vectors of "
        f"{width:,} numbers: **{count_of(found.num_residues * width, 'parameter')}**, or twice as "
        "many if the output has a table of its own."
    )


def _changed_words(found: ResidueReport) -> None:
    """Show the words in which a residue is left, before and after it is removed."""
    if not found.changed:
        st.caption(
            "No word of this text keeps one of them, so none changes. Other texts may: allow a "
            "token to be left in some words, and see how those are split."
        )
        return
    few = len(found.changed)
    of = f", the {few} most frequent" if found.num_changed > few else ""
    st.caption(
        f"{count_of(found.num_changed, 'word')} in which a residue is left{of}. It is split into "
        "its parts, and what is left is merged again."
    )
    rows = [
        (Cell(f"{count:,}", NUMBER), *(Cell(html_tiles(cut)) for cut in (before, after)))
        for count, before, after in found.changed
    ]
    heads = (Cell("times", NUMBER), Cell("its tokens"), Cell("without residues"))
    st.html(table(heads, rows, "Words that change", kind="pp-table"))
