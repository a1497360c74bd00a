"""A panel that compares EM with and without a prior on the number of pieces in a split."""

import math

import streamlit as st

from pages.shared.controls import terms
from pages.shared.controls.url_state import choice
from pages.shared.drawing.display_text import html_table
from pages.shared.work.results import key_of, result_of
from tokenizers.progress import ProgressCallback
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.length_prior import LengthPriorFit, fit, geometric
from tokenizers.unigram.steps import Seed

RATIOS = {
    "0.25": "a quarter as likely",
    "0.5": "half as likely",
    "2": "twice as likely",
    "4": "four times as likely",
}
ROUNDS = 2
MOST_ROWS = 12
MOST_WORK = 50_000  # sum of cubed word lengths: the work of a round


def compare_with_prior(trace: UnigramTrace, k: int) -> None:
    """Ask for a prior, and show the most probable pieces after EM with and without it."""
    seed = trace.steps[0]
    assert isinstance(seed, Seed)
    if sum(len(word) ** 3 for word in seed.word_counts) > MOST_WORK:
        st.caption("This is worked out for small texts. Choose one of the small examples.")
        return
    with st.columns([2, 5])[0]:
        ratio = choice("With each further piece, a split is", RATIOS, "0.5", key="further")
    key = key_of("length prior", key_of(trace.corpus, trace.settings), ratio)
    params = dict(seed.word_counts), seed.pieces.dict(), float(ratio)
    plain, prior = result_of(key, fit_both, "Training …", *params)
    probs = {
        piece: [math.exp(found.log_probs.get(piece, -math.inf)) for found in (plain, prior)]
        for piece in {**plain.log_probs, **prior.log_probs}
    }
    ranked = sorted(probs, key=lambda piece: -max(probs[piece]))[:MOST_ROWS]
    rows = [(piece, *(f"{p:.4f}" for p in probs[piece])) for piece in ranked]
    st.html(html_table("Probabilities of pieces", ("piece", "no prior", "with it"), rows))
    st.markdown(
        f"After {ROUNDS} rounds of EM from the first pieces, without pruning, a word has "
        f"**{plain.pieces_per_word:.3f}** pieces on average without the prior and "
        f"**{prior.pieces_per_word:.3f}** with it."
    )
    terms.caption(
        "A product of probabilities falls with every piece, but nothing says when a word is at its "
        "end. A length prior does: it is part of the model, so the E step weighs every "
        "segmentation by it. The libraries have none."
    )


def fit_both(
    report: ProgressCallback, words: dict[str, int], log_probs: dict[str, float], ratio: float
) -> tuple[LengthPriorFit, LengthPriorFit]:
    """Run EM without and with a prior, starting with the same pieces; return both results."""
    plain = fit(words, log_probs, geometric(1.0), ROUNDS)
    report(1, 2)
    return plain, fit(words, log_probs, geometric(ratio), ROUNDS)
