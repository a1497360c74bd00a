"""Panels of the pages about merging, with charts, trees and tables for the current step."""

import streamlit as st

from pages.shared.controls import terms
from pages.shared.controls.panels import (
    MOST_ROWS,
    TABLE_HEIGHT,
    CodePair,
    show_both_codes,
    show_step_chart,
    show_tree,
)
from pages.shared.controls.url_state import IN_URL
from pages.shared.drawing.charts import (
    Chart,
    growth_chart,
    growth_finding,
    pair_chart,
    pair_finding,
)
from pages.shared.drawing.display_text import html_table, show_spaces
from pages.shared.drawing.formulas import count_formula, count_terms
from pages.shared.drawing.markup import html
from pages.shared.drawing.trees import MergeSequence, Tree, made_by
from pages.shared.training.script import merging_script
from tokenizers import bpe, plain
from tokenizers.experiments.research.residues import uses_after
from tokenizers.merging.queue import FrequencyQueue
from tokenizers.merging.state import State
from tokenizers.merging.training import next_merge, train_merges
from tokenizers.record.trace import Trace

MOST_TERMS = 12
CODES = CodePair(
    (plain.train_merges, plain.count_pairs, plain.choose, plain.merge),
    (train_merges, next_merge, State.merge, FrequencyQueue.update),
    "It counts every pair once, at the start. A merge changes only the pairs next to the places "
    "that it joins, so only their counts are updated, in the words that hold the pair; and a queue "
    "sorted by count always has the next pair ready.",
)

TREE_HEIGHT = 340  # px, for the five levels that most trees have


def run_and_token(trace: Trace, k: int) -> None:
    """Draw the chart of the whole run and, beside it, the tree of the current step's token."""
    left, right = st.columns(2)
    with left:
        growth(trace, k)
    with right:
        tree(trace, k)


def growth(trace: Trace, k: int) -> None:
    """Draw the chart of the whole run, with the current step marked."""
    alt = (
        f"Line charts over {len(trace):,} steps: the count of the merged pair falls from "
        f"{max(trace.counts, default=0):,} to {min(trace.counts, default=0):,}; the tokens of the "
        f"text fall from {trace.num_tokens[0]:,} to {trace.num_tokens[-1]:,}."
    )
    shown = Chart("The chart of the run", growth_chart(trace), growth_finding(trace, k), len(trace))
    show_step_chart(shown, k, "growth", alt)


def tree(trace: MergeSequence, k: int) -> None:
    """Draw how the current step's token, or one that the user types, was built."""
    wanted = st.text_input(
        "How was a token built?", key="token", placeholder="the token of this step", **IN_URL
    )
    token = _find(trace, wanted) if wanted else (trace.tokens[k - 1] if k else "")
    if wanted and not token:
        st.caption("No merge made that token. You can look tokens up in the vocabulary below.")
    elif not token:
        st.caption("Take a step to see how its token was built.")
    else:
        show_tree(Tree("The tree of the token", token, made_by(trace)), TREE_HEIGHT)


def _find(trace: MergeSequence, wanted: str) -> str:
    """Return the token that `wanted` names, as stored or as displayed; "" if there is none."""
    if wanted in trace.tokens:
        return wanted
    return next((token for token in trace.tokens if show_spaces(token) == wanted), "")


def count_word_by_word(trace: Trace, k: int) -> None:
    """Show how often each word contributes to the count of the merged pair."""
    if not k:
        st.caption("Take a step to see where the count of its pair comes from.")
        return
    terms = count_terms(trace, k)
    rows = [(word, count, inside, count * inside) for word, count, inside in terms[:MOST_TERMS]]
    table = html_table("The words that contain the pair", ("word", "f(w)", "n(w)", "f·n"), rows)
    left, right = st.columns(2)
    left.latex(count_formula(terms))
    box = (
        '<div class="pp-words-at-step">{}<p class="pp-caption">f(w): how often the word occurs; '
        "n(w): how often the pair of step {:,} occurs in it.</p></div>"
    )
    right.html(html(box, table, k))


def all_pairs(trace: Trace, k: int) -> None:
    """List every pair with its count after the step, and chart the history of the selected one."""
    counts = trace.state(k).pair_counts
    ranked = sorted(counts.items(), key=lambda item: -item[1])[:MOST_ROWS]
    table = {
        "left": [show_spaces(first) for (first, _), _ in ranked],
        "right": [show_spaces(second) for (_, second), _ in ranked],
        "count": [count for _, count in ranked],
    }
    left, right = st.columns(2)
    with left:
        st.caption(f"{len(counts):,} pairs after step {k:,}. Click a row to see its history.")
        picked = st.dataframe(
            table,
            hide_index=True,
            height=TABLE_HEIGHT,
            key="pairs",
            on_select="rerun",
            selection_mode="single-row",
            alt="All pairs with their counts",
        )
    rows = picked.selection.rows
    pair = ranked[rows[0]][0] if rows and rows[0] < len(ranked) else None
    with right:
        if pair:
            alt = f"How often {show_spaces(''.join(pair))} occurs after each step."
            name = f"The chart of {show_spaces(pair[0])} + {show_spaces(pair[1])}"
            finding = pair_finding(trace, pair, k)
            show_step_chart(
                Chart(name, pair_chart(trace, pair), finding, len(trace)), k, "history", alt
            )


def vocabulary(trace: Trace, k: int) -> None:
    """List the pieces with the step that made them and their current count in the text.

    For BPE, also mark those that are never left in the text, because a later merge takes them all.
    """
    state = trace.state(k)
    created_at = {
        token: step for step, token in reversed(list(enumerate(trace.tokens[:k], start=1)))
    }
    ids = trace.model(k).vocab
    uses = uses_after(trace, k) if isinstance(trace.settings, bpe.Settings) else None
    residues = set(uses.residues()) if uses else set()
    pieces, shown = list(state.vocab), "pieces"
    if uses and _residues_only(len(residues), len(uses.made), trace.num_tokens[k]):
        pieces, shown = [piece for piece in pieces if piece in residues], "merge residues"
    newest = pieces[-MOST_ROWS:][::-1]
    st.caption(
        f"{len(pieces):,} {shown} after step {k:,}"
        + (f" (the newest {MOST_ROWS:,} are shown)" if len(pieces) > MOST_ROWS else "")
    )
    table: dict[str, list[object]] = {
        "piece": [show_spaces(piece) for piece in newest],
        "id": [ids[piece] for piece in newest],
        "made at step": [created_at.get(piece, 0) for piece in newest],
        "in the text now": [state.token_counts.get(piece, 0) for piece in newest],
    }
    if uses:
        table["made in all"] = [uses.made.get(piece) for piece in newest]
        table["only a part"] = ["merge residue" if one in residues else "" for one in newest]
    st.dataframe(
        table, hide_index=True, height=TABLE_HEIGHT, key="vocabulary", alt="The vocabulary"
    )


def _residues_only(num_residues: int, num_made: int, num_tokens: int) -> bool:
    """Say how many pieces are merge residues; return whether to list these alone."""
    if not num_residues:
        return False
    verb = "is a merge residue" if num_residues == 1 else "are merge residues"
    terms.caption(
        f"{num_residues:,} of the {num_made:,} pieces that merges made {verb}: every one that was "
        "made has become part of a longer piece, and none is left in this text. Remove them from "
        f"the vocabulary, and the text still has the same {num_tokens:,} tokens."
    )
    return st.toggle("Merge residues only", key="residues", **IN_URL)


def codes(codes: CodePair, trace: Trace) -> None:
    """Show the plain and the fast code of a merging run, and the script that prints its steps."""
    show_both_codes(codes, lambda: merging_script(trace))
