"""Panels of WordPiece · Train that explain scores and compare rules for choosing a pair."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.shared.controls import terms
from pages.shared.controls.panels import MOST_ROWS, TABLE_HEIGHT, CodePair
from pages.shared.drawing.display_text import html_table, show_spaces
from pages.shared.drawing.formulas import score_formula
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.source import CorpusSource
from pages.shared.work.results import find_or_train, key_of, result_of
from pages.wordpiece import runs
from tokenizers import plain, wordpiece
from tokenizers.merging.training import next_merge, train_merges
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline
from tokenizers.wordpiece.scores import ScoreQueue

CODES = CodePair(
    (plain.train_merges, plain.scores, plain.count_pairs, plain.count_tokens, plain.merge),
    (train_merges, next_merge, ScoreQueue.update, ScoreQueue._rescore),
    "It counts every pair once, at the start. A merge changes the counts of the pairs next to it, "
    "and the scores of all pairs that share a symbol with it: a table finds those, and no others "
    "are worked out again. A score is kept as a whole number, so that ties stay exact.",
)
STEPS_COMPARED = 8  # steps of the two runs shown side by side
MOST_BY_LIKELIHOOD = 500_000  # symbols times steps, because every step recomputes each gain


def score_with_numbers(trace: Trace, k: int) -> None:
    """Show the score of the merged pair as a formula, with numbers inserted, and its value."""
    if not k:
        st.caption("Take a step to see the score of its pair.")
        return
    step = trace.step(k)
    st.latex(score_formula(step.count, *step.part_counts))
    a, b = (show_spaces(symbol) for symbol in step.pair)
    terms.caption(
        f"f(ab): how often a and b of step {k:,} occur side by side in the corpus; "
        "f(a), f(b): how often each occurs anywhere."
    )
    rows = [("a", a, step.part_counts[0]), ("b", b, step.part_counts[1]), ("ab", a + b, step.count)]
    st.html(html_table("What is counted", ("", "symbol", "f"), rows))


def all_scores(trace: Trace, k: int) -> None:
    """List every pair with its counts and its score; a click on a heading sorts by it."""
    state = trace.state(k)
    tokens = state.token_counts
    rows = [
        (
            show_spaces(a),
            show_spaces(b),
            count,
            tokens[a],
            tokens[b],
            count / (tokens[a] * tokens[b]),
        )
        for (a, b), count in state.pair_counts.items()
    ]
    rows.sort(key=lambda row: -row[-1])
    names = ["first", "second", "f(pair)", "f(first)", "f(second)", "score"]
    table = pd.DataFrame(rows[:MOST_ROWS], columns=names)
    shown = {"score": st.column_config.NumberColumn(format="%.6f")}
    alt = "All pairs with their counts and scores"
    st.caption(f"{count_of(len(rows), 'pair')} after step {k:,}; click a heading to sort by it.")
    st.dataframe(
        table, hide_index=True, height=TABLE_HEIGHT, key="scores", column_config=shown, alt=alt
    )


def compare_rules(
    source: CorpusSource, pipeline: Pipeline, settings: wordpiece.Settings, trace: Trace, k: int
) -> None:
    """Train by the other rule on the same corpus, and show where the two rules first differ."""
    by_score = settings.convention == "score"
    other = replace(settings, convention="hugging_face" if by_score else "score")
    rival = find_or_train(runs.train, source, pipeline, other).trace
    mine, theirs = ("score", "count") if by_score else ("count", "score")
    both = list(zip(trace.pairs, rival.pairs, strict=False))
    part = next((n for n, (a, b) in enumerate(both, start=1) if a != b), None)
    if part is None:
        st.markdown(f"Over {count_of(len(both), 'step')}, the two rules merge the same pairs.")
    else:
        st.markdown(
            f"The two rules first differ at **step {part:,}**: the {mine} picks the pair in the "
            f"left column, the {theirs} (as in BPE) the pair in the right one."
            if by_score
            else f"The two rules first differ at **step {part:,}**."
        )
    first = max(min(k, len(both)) - STEPS_COMPARED // 2, 1)
    signs = ["=" if a == b else "≠" for a, b in both]
    rows = [
        (n, *_merge_cells(trace, n), signs[n - 1], *_merge_cells(rival, n))
        for n in range(first, min(first + STEPS_COMPARED, len(both) + 1))
    ]
    columns = ("step", f"by {mine}", "count", "", f"by {theirs}", "count")
    st.html(html_table("The merges, step by step", columns, rows))
    here, there = set(trace.tokens[:k]), set(rival.tokens[:k])
    st.caption(
        f"Of the pieces made in the first {count_of(k, 'step')}, {len(here & there):,} are the "
        f"same; {len(here - there):,} are made only by {mine}, {len(there - here):,} only by "
        f"{theirs}."
    )


def _merge_cells(trace: Trace, n: int) -> tuple[str, int]:
    a, b = trace.pairs[n - 1]
    return f"{a}+{b}", trace.counts[n - 1]


def pieces(vocab: tuple[str, ...]) -> None:
    """List a vocabulary that was not built by merging, in the order of its ids."""
    table = {"piece": list(map(show_spaces, vocab)), "id": range(len(vocab))}
    st.dataframe(
        table, hide_index=True, height=TABLE_HEIGHT, key="pieces_found", alt="The vocabulary"
    )


def by_likelihood(trace: Trace, k: int) -> None:
    """Show which pairs would be merged if each merge maximized the corpus likelihood."""
    symbols = sum(len(trace.settings.symbols(word)) for word in trace.words)
    if symbols * (k + STEPS_COMPARED) > MOST_BY_LIKELIHOOD:
        st.caption("This is worked out for the first steps of smaller texts, such as the examples.")
        return
    first = max(k - STEPS_COMPARED // 2, 0)
    limited = replace(trace.settings, num_merges=first + STEPS_COMPARED)
    key = key_of("by likelihood", trace.corpus, limited)
    merges = result_of(key, runs.by_likelihood, "Training …", trace.corpus, limited)
    rows = [
        (
            n,
            *(_merge_cells(trace, n) if n <= len(trace) else ("–", "–")),
            *(("–", "–", "–") if n > len(merges) else merges[n - 1]),
        )
        for n in range(first + 1, min(first + STEPS_COMPARED, max(len(trace), len(merges))) + 1)
    ]
    columns = ("step", "here", "count", "by likelihood", "count", "gain")
    st.html(html_table("The merges, step by step; gains in nats", columns, rows))
    pairs = [f"{a}+{b}" for a, b in trace.pairs]
    part = next((n for n, (a, b) in enumerate(zip(pairs, merges, strict=False), 1) if a != b[0]), 0)
    same = f"Up to step {rows[-1][0] if rows else 0:,}, both merge the same pairs."
    st.markdown(f"They first differ at **step {part:,}**." if part else same)
    terms.caption(
        "WordPiece is often said to merge the pair that makes the training text most likely. Its "
        "paper leaves open by which language model. Here it is a unigram model: each token is as "
        "likely as its share of all tokens. The gain is by how much the log-likelihood of the "
        "text rises, with all shares counted anew. A rare pair gains little, even if its score is "
        "high."
    )
