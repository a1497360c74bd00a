"""Panels of Unigram · Train that compare the run with other losses and other runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from pages.shared.controls import terms
from pages.shared.controls.panels import MOST_ROWS, show_chart
from pages.shared.controls.unigram_settings import NAMES
from pages.shared.controls.url_state import choice
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import html_tiles, plain_table, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.source import CorpusSource
from pages.shared.work.results import key_of, result_of
from pages.unigram import comparison, results
from pages.unigram.charts import comparison_chart, ranks_chart
from pages.unigram.comparison import LOSSES, RoundComparison
from pages.unigram.frames.tables import as_dict
from pages.unigram.numbers import in_unit, log_of, unit
from pages.unigram.panels import sortable
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram.settings import Settings, convention_settings
from tokenizers.unigram.steps import Prune

MOST_TILES = 60
RIVALS = {
    "hugging_face": "hugging_face_repaired",
    "sentencepiece": "sentencepiece_classic",
    "sentencepiece_classic": "sentencepiece",
}
"""For each convention, the most instructive one to compare with; by default Hugging Face's."""


# --- Other losses ---------------------------------------------------------------------------------


def compare_losses(trained: str, trace: UnigramTrace, k: int) -> None:
    """Compare all losses at the pruning nearest to step `k`; `trained` is the run's key."""
    before = comparison.find_pruning(trace, k)
    if before is None:
        st.caption("This run prunes nothing.")
        return
    key = key_of(trained, "losses", before.prune.round)
    weigh, doing = comparison.prune_by_each_loss, "Measuring every piece by every loss …"
    found = result_of(key, weigh, doing, before, trace.settings)
    pieces = comparison.pieces_in_all(found)
    if not pieces or len(found) < 2:
        st.caption("No piece here is measured by more than one loss.")
        return
    every = {loss: step.losses.dict() for loss, step in found.items()}
    by = {loss: [values[piece] for piece in pieces] for loss, values in every.items()}
    first, *others = found
    rhos = {loss: comparison.spearman(by[first], by[loss]) for loss in others}
    st.markdown(_describe_agreement(first, rhos, len(pieces)))
    left, right = st.columns(2)
    with left:
        _agreement(found, rhos)
        _all_losses(by, pieces, trace.settings)
    with right:
        ranked = {LOSSES[loss]: comparison.ranks(values) for loss, values in by.items()}
        text = f"Ranks of {len(pieces):,} pieces by each loss over their ranks by the first."
        chart = ranks_chart(pieces, ranked, LOSSES[first])
        show_chart(Chart("The chart of ranks", chart, text), "ranks")
        terms.caption(
            "Pieces on the diagonal have the same rank by both losses. Rank 1 costs most to remove."
        )


def _describe_agreement(first: str, rhos: Mapping[str, float | None], pieces: int) -> str:
    known = [(rho, loss) for loss, rho in rhos.items() if rho is not None]
    if not known:
        return f"Only {count_of(pieces, 'piece')} measured by every loss: too few to rank."
    best, worst = max(known), min(known)
    text = f"Against the loss *{LOSSES[first]}*, *{LOSSES[best[1]]}* ranks the "
    text += f"{pieces:,} pieces most alike (Spearman **{best[0]:.3f}**)"
    if worst != best:
        text += f", *{LOSSES[worst[1]]}* least ({worst[0]:.3f})"
    return text.replace("-", "−") + "."


def _agreement(found: Mapping[str, Prune], rhos: Mapping[str, float | None]) -> None:
    """Show how far each loss agrees with the first one in its ranking and in what it removes."""
    first = next(iter(found))
    removed_by_first = set(found[first].removed)
    rows: list[list[str | int]] = [[LOSSES[first], "", len(removed_by_first), ""]]
    for loss, rho in rhos.items():
        removed = found[loss].removed
        shown = "–" if rho is None else f"{rho:.3f}".replace("-", "−")
        rows.append([LOSSES[loss], shown, len(removed), len(removed_by_first & set(removed))])
    columns = ("loss", "Spearman", "removes", "of these, the first too")
    st.html(plain_table("Each loss, compared with the first", columns, rows))


def _all_losses(
    by: Mapping[str, Sequence[float]], pieces: Sequence[str], settings: Settings
) -> None:
    columns: dict[str, list] = {"piece": [show_spaces(piece) for piece in pieces[:MOST_ROWS]]}
    for loss, values in by.items():
        columns[LOSSES[loss]] = [in_unit(value, settings) for value in values[:MOST_ROWS]]
    st.caption(
        f"In {unit(settings)}; by the best alternative it is that of one word or token, not of the "
        "whole text. Only the order matters."
    )
    sortable(columns, "all_losses", "What removing each piece costs by each loss")


# --- Other runs -----------------------------------------------------------------------------------


def compare_hard_and_soft(
    trace: UnigramTrace, source: CorpusSource, pipeline: Pipeline, settings: Settings
) -> None:
    """Train with soft EM instead of hard EM, or the reverse, and show where the runs differ."""
    is_hard = settings.e_step == "max"
    other = replace(settings, e_step="sum" if is_hard else "max")
    names = ("hard EM", "soft EM") if is_hard else ("soft EM", "hard EM")
    st.markdown(
        "Soft EM counts every segmentation by its share; hard EM counts only the best one. Hard EM "
        "is faster and converges sooner, to a point that depends on where it started."
    )
    _compare(names, trace, results.unigram_run(source, pipeline, other)[1].trace)


def compare_conventions(
    trace: UnigramTrace, source: CorpusSource, pipeline: Pipeline, settings: Settings
) -> None:
    """Train by another convention on the same corpus, and show where the runs differ."""
    here = settings.convention
    others = {name: label for name, label in NAMES.items() if name != here}
    name = choice("Compare with", others, RIVALS.get(here, "hugging_face"), key="beside")
    other = convention_settings(name, settings.vocab_size)
    there = results.unigram_run(source, pipeline, other)[1].trace
    _compare((NAMES[here], NAMES[name]), trace, there)


def _compare(names: tuple[str, str], here: UnigramTrace, there: UnigramTrace) -> None:
    rounds = comparison.compare_rounds(here, there)
    st.markdown(_describe_first_difference(names, rounds))
    left, right = st.columns(2)
    with left:
        caption = "Pieces and log-likelihood after each round. Round 0 is the seed."
        columns = ("round", *names, "both", *(f"L, {name}" for name in names))
        rows = [
            (r.number, r.here, r.there, r.both, *map(_likelihood_text, r.log_likelihoods))
            for r in rounds
        ]
        st.html(plain_table(caption, columns, rows))
        text = f"Log-likelihood over E steps, {names[0]} and {names[1]}."
        both = comparison_chart({names[0]: here, names[1]: there})
        show_chart(Chart("The chart of both runs", both, text), "beside_chart")
    with right:
        _final_difference(names, here, there)


def _likelihood_text(value: float | None) -> str:
    return "–" if value is None else log_of(value)


def _describe_first_difference(names: tuple[str, str], rounds: list[RoundComparison]) -> str:
    part = comparison.first_difference(rounds)
    if part is None:
        return f"Over {count_of(len(rounds), 'round')}, the two have the same pieces."
    where = "at the seed" if not part.number else f"in round {part.number:,}"
    return (
        f"They first differ **{where}**: {names[0]} then has {count_of(part.here, 'piece')}, "
        f"{names[1]} {part.there:,}, and {part.both:,} are the same."
    )


def _final_difference(names: tuple[str, str], here: UnigramTrace, there: UnigramTrace) -> None:
    ends = [as_dict(trace.steps[-1].log_probs) for trace in (here, there)]
    both = ends[0].keys() & ends[1].keys()
    st.markdown(f"In the end they share **{count_of(len(both), 'piece')}**.")
    for name, pieces in zip(names, ends, strict=True):
        only = sorted((p for p in pieces if p not in both), key=lambda p: -pieces[p])
        st.caption(f"Only by {name}: {count_of(len(only), 'piece')}")
        if only:
            st.html(html_tiles(only[:MOST_TILES], label=f"only by {name}"))
        if len(only) > MOST_TILES:
            st.caption(f"and {count_of(len(only) - MOST_TILES, 'more')}")
