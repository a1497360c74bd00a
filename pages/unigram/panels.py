"""Panels of Unigram · Train that show curves, a step's numbers, all pieces and pruning costs.

The panels that compare runs and losses are in `comparison_panels.py`.
"""

import math
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pages.shared.controls import panels, terms
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.panels import MOST_ROWS, TABLE_HEIGHT
from pages.shared.controls.short_text import line_input
from pages.shared.drawing.display_text import html_table, plain_table, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import plain_text
from pages.unigram import charts, formulas
from pages.unigram.comparison import PruningInput, alternative_terms, corpus_value, find_pruning
from pages.unigram.frames.pruning import WHY_KEPT, WHY_REMOVED, explain_pruning, split_text
from pages.unigram.frames.tables import as_dict, e_steps, effective_counts
from pages.unigram.frames.training_frames import UnigramFrames
from pages.unigram.numbers import in_unit, log_of, unit
from pages.unigram.runs import watched_word
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed

SYMBOLS = {"exact": "Q", "likelihood": r"\mathcal{L}", "viterbi": r"\log P_{\text{best}}"}
"""For each loss that is the decrease of a quantity, the quantity's symbol."""


def growth(trace: UnigramTrace, k: int) -> None:
    """Draw the log-likelihood and the vocabulary size over all steps, with step `k` marked."""
    values = [step.log_likelihood for step in e_steps(trace)]
    spread = f" from {log_of(values[0])} to {log_of(values[-1])} nats" if values else ""
    sizes = [len(step.log_probs) for step in trace.steps]
    alt = (
        f"Line charts over {len(trace):,} steps: the log-likelihood of the text goes{spread}; "
        f"the vocabulary shrinks from {sizes[0]:,} to {sizes[-1]:,} pieces."
    )
    panels.show_step_chart(charts.run_chart(trace, k), k, "likelihood", alt)


def top_pieces(trace: UnigramTrace, k: int) -> None:
    """Draw the probabilities of the leading pieces and of the piece that the user typed."""
    pieces = charts.leading_pieces(trace, selected_piece(trace))
    alt = f"Probabilities of {', '.join(map(show_spaces, pieces))} over {len(trace):,} steps."
    panels.show_step_chart(charts.probability_chart(trace, pieces, k), k, "pieces_over_steps", alt)


def selected_piece(trace: UnigramTrace) -> str:
    """Return the piece that the user typed, if the run ever had it."""
    return _find(trace, st.session_state.get("piece", ""))


def _find(trace: UnigramTrace, wanted: str) -> str:
    """Return the piece that `wanted` names, as stored or as displayed; "" if there is none."""
    pieces = trace.seed.pieces
    if not wanted or wanted in pieces:
        return wanted
    return next((piece for piece in pieces if show_spaces(piece) == wanted), "")


def _piece_input(trace: UnigramTrace, default: str) -> str:
    with st.columns([1, 3])[0]:
        wanted = line_input("A piece", 100, key="piece", placeholder=show_spaces(default))
    piece = _find(trace, wanted)
    if wanted and not piece:
        st.caption("That piece was never a candidate. “All pieces” lists those that were.")
    return piece or default


# --- The numbers of a step ------------------------------------------------------------------------


def numbers(trace: UnigramTrace, k: int, follow: str) -> None:
    """Show what step `k` computes as a formula, with numbers inserted, and the result.

    It is that of the piece that the step's sentence names; `follow` is the word that the picture
    always shows.
    """
    if not k:
        st.caption("Take a step to see its numbers.")
        return
    match trace.steps[k - 1]:
        case Seed() as step:
            _seed_numbers(trace, step)
        case Expectation() as step:
            _expectation_numbers(step)
        case Maximization() as step:
            _maximization_numbers(trace, step, e_steps(trace, k)[-1], follow)
        case Prune() as step:
            before = find_pruning(trace, k)
            assert before
            _prune_numbers(trace, step, before)
        case Finalize() as step:
            _final_numbers(step)


def _seed_numbers(trace: UnigramTrace, step: Seed) -> None:
    if not len(step.pieces):
        return
    piece = _piece_input(trace, step.pieces.ranked(1)[0])
    is_uniform = trace.settings.start == "uniform"
    weight = 1.0 if is_uniform else step.counts[piece]
    total = float(len(step.counts)) if is_uniform else float(step.counts.array.sum())
    st.latex(formulas.start_formula(weight, total))
    weights = {
        "uniform": "1 for every candidate",
        "frequency": "how often the candidate occurs in the text",
        "frequency_times_length": "how often the candidate occurs in the text, times its length",
    }[trace.settings.start]
    st.caption(f"x is {escape_markdown(show_spaces(piece))}; w is {weights}.")


def _expectation_numbers(step: Expectation) -> None:
    left, right = st.columns(2)
    with left:
        st.latex(formulas.likelihood_formula(step))
        terms.caption(
            "Q is the expected log probability of a segmentation drawn from the model; H is the "
            "entropy of the segmentations. Q alone is never above the log-likelihood."
        )
    with right:
        rows = [
            ("log-likelihood L", log_of(step.log_likelihood)),
            ("Q", log_of(step.q)),
            ("entropy H", log_of(step.entropy)),
            ("best segmentations only", log_of(step.best_log_prob)),
            ("−L divided by the number of words", f"{step.objective:,.4f}"),
        ]
        st.html(plain_table("The whole text, in nats", ("quantity", "value"), rows))


def _maximization_numbers(
    trace: UnigramTrace, step: Maximization, expected: Expectation, follow: str
) -> None:
    if not len(step.after):
        st.caption("No piece is left.")
        return
    frames = UnigramFrames(trace, watched_word(trace, follow))
    piece = _piece_input(trace, frames.named_piece(step))
    if piece not in step.after:
        why = "was dropped here" if piece in step.dropped else "is no longer in the vocabulary"
        st.caption(f"{escape_markdown(show_spaces(piece))} {why}.")
        return
    counts = effective_counts(step, expected, trace.settings)
    by_digamma = trace.settings.m_step == "digamma"
    total, value = float(counts.array.sum()), math.exp(step.after[piece])
    st.latex(formulas.maximization_formula(counts[piece], total, value, by_digamma))
    st.caption(
        f"x is {escape_markdown(show_spaces(piece))}; ĉ is how often a piece is expected, y runs "
        f"over all pieces that stay.{' ψ is the digamma function.' if by_digamma else ''}"
    )


def _prune_numbers(trace: UnigramTrace, step: Prune, before: PruningInput) -> None:
    if not len(step.losses):
        st.caption("No piece had to be measured.")
        return
    piece = _piece_input(trace, step.order[-1])
    if piece not in step.losses:
        st.caption(f"{escape_markdown(show_spaces(piece))} was not measured here.")
        return
    loss, settings = step.losses[piece], trace.settings
    if settings.loss in SYMBOLS:
        whole = corpus_value(before, settings)
        st.latex(formulas.removal_formula(whole, loss, SYMBOLS[settings.loss]))
    elif settings.loss == "expected_count":
        count = before.expected.expected_counts[piece]
        st.latex(formulas.count_loss_formula(count, before.expected.log_probs[piece]))
    else:
        if terms := alternative_terms(before, piece, settings):
            st.latex(formulas.alternative_formula(terms, loss))
        _alternative_numbers(step, piece, settings)
    why = plain_text(explain_pruning(step, piece, settings))
    st.caption(f"x is {escape_markdown(show_spaces(piece))}. {escape_markdown(why)}")


def _alternative_numbers(step: Prune, piece: str, settings: Settings) -> None:
    named = [("x", piece), *(("part", part) for part in step.alternatives.get(piece, ()))]
    rows = []
    for name, part in named:
        log = log_of(step.before[part]) if part in step.before else "unknown"
        rows.append((name, show_spaces(part), f"{step.frequencies.get(part, 0.0):,.4g}", log))
    st.html(html_table("The piece and its best alternative", ("", "piece", "used", "log p"), rows))
    st.caption(
        "f is how often a piece is used, S the sum of all, a runs over the parts; N is the number "
        "of words or tokens, m how many tokens there are more for each use of x."
        + (" Here it is the size of the vocabulary: the library's slip." if settings.slip else "")
    )


def _final_numbers(step: Finalize) -> None:
    rows = [
        ("in the vocabulary", len(step.pieces)),
        ("reserved", len(step.reserved)),
        ("characters put back", len(step.added)),
        ("removed to reach the size", len(step.cut)),
        ("less probable than their best split", len(step.shadowed)),
    ]
    st.html(plain_table("The end of training", ("pieces", "number"), rows))


# --- All pieces -----------------------------------------------------------------------------------


def all_pieces(trace: UnigramTrace, k: int) -> None:
    """List every piece with its probability and its expected counts in the last two E steps."""
    if not k:
        st.caption("Take a step to see the candidates.")
        return
    model = as_dict(trace.steps[k - 1].log_probs)
    ranked = sorted(model, key=lambda piece: -model[piece])[:MOST_ROWS]
    columns: dict[str, list] = {
        "piece": [show_spaces(piece) for piece in ranked],
        "p": [math.exp(model[piece]) for piece in ranked],
        "log p": [model[piece] for piece in ranked],
    }
    expected, tables = e_steps(trace, k), {}
    if len(expected) > 1:
        tables["expected before"] = expected[-2].expected_counts
    if expected:
        tables["expected"] = expected[-1].expected_counts
        tables["in best segmentations"] = expected[-1].viterbi_counts
    for name, table in tables.items():
        counts = table.dict()
        columns[name] = [counts.get(piece) for piece in ranked]
    st.caption(f"{count_of(len(model), 'piece')} after step {k:,}. Click a heading to sort by it.")
    alt = "All pieces with their probabilities and expected counts"
    sortable(columns, "all_pieces", alt, p="%.6g")


def sortable(columns: Mapping[str, list], key: str, alt: str, **formats: str) -> None:
    """Show a table that the user can sort; `formats` maps names of columns to number formats."""
    shown = {name: st.column_config.NumberColumn(format=one) for name, one in formats.items()}
    table = pd.DataFrame(columns)
    st.dataframe(table, hide_index=True, height=TABLE_HEIGHT, key=key, column_config=shown, alt=alt)


# --- Pruning costs --------------------------------------------------------------------------------


def pruning_costs(trace: UnigramTrace, k: int) -> None:
    """List the cost of removing each piece at the nearest pruning, and the outcome."""
    before = find_pruning(trace, k)
    if before is None:
        st.caption("This run prunes nothing.")
        return
    step, settings = before.prune, trace.settings
    losses, used = step.losses.dict(), step.frequencies.dict()
    unweighed = [piece for piece in step.removed if piece not in losses]
    ranked = [*unweighed, *step.order[::-1]][:MOST_ROWS]
    kept, removed = step.kept_reasons.dict(), step.removed_reasons.dict()
    ranks = {piece: n for n, piece in enumerate(step.order, start=1)}
    names = [piece for piece in ranked if piece in removed or piece in kept]
    columns = {
        "piece": [show_spaces(piece) for piece in names],
        "rank": [ranks.get(piece) for piece in names],
        f"loss, {unit(settings)}": [
            in_unit(losses[piece], settings) if piece in losses else None for piece in names
        ],
        "used": [used.get(piece) for piece in names],
        "without it": [split_text(step, piece) for piece in names],
        "removed": [piece in removed for piece in names],
        "why": [
            WHY_REMOVED[removed[piece]] if piece in removed else WHY_KEPT[kept[piece]]
            for piece in names
        ],
    }
    st.caption(
        f"The pruning of round {step.round:,}: {step.size_before:,} → {step.size_after:,} pieces. "
        "Cheapest first. Rank 1 is the piece the text needs most."
    )
    sortable(columns, "prices", "What removing each piece costs, and whether it was removed")
