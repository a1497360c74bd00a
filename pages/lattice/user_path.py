"""A panel that shows the probability of the user's path, and where it loses to the best path."""

import math
from collections.abc import Sequence

import streamlit as st

from lessons.format.words import percent
from pages.lattice import inputs
from pages.lattice.formulas import path_formula
from pages.lattice.frame_helpers import nats
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL
from pages.shared.drawing.display_text import html_table, html_tiles, show_spaces
from pages.shared.limits import MAX_IN_URL
from tokenizers import lattice as core
from tokenizers.lattice import LOG_ZERO, TIE_EPS, Lattice, Path


def user_path_panel(lattice: Lattice, paths: Sequence[Path]) -> None:
    """Ask for a path; show its probability, and where it loses to the best path."""
    example = inputs.format_path(lattice, core.best_path(lattice) or ())[:40] or "a|b"
    st.text_input(
        "Your own split",
        max_chars=2 * MAX_IN_URL,
        key="cut",
        placeholder=f"type bars, as in {example}, or click pieces in the picture",
        **IN_URL,
    )
    parts, path = inputs.user_path(lattice)
    if parts is None:
        if st.session_state.get("cut"):
            st.caption("That is a different text. Type this one, with bars where you split it.")
        else:
            st.caption(
                "How probable is it, how far is it behind the best, and where did it fall behind?"
            )
        return
    st.html(html_tiles(parts, label="your path"))
    if len(path) < len(parts):
        unknown = [p for p in parts if p not in {lattice.edges[n].piece for n in path}]
        names = ", ".join(
            f"“{escape_markdown(show_spaces(part))}”" for part in dict.fromkeys(unknown)
        )
        st.caption(f"{names} is not in the vocabulary. Split it further, or click other pieces.")
        return
    _show_comparison(lattice, path, paths)


def _show_comparison(lattice: Lattice, path: Path, paths: Sequence[Path]) -> None:
    total, best = core.forward_values(lattice)[-1], core.viterbi_values(lattice)[-1]
    log_prob = lattice.log_prob(path)
    if log_prob == LOG_ZERO:
        st.caption("This split has probability 0.")
        return
    rank = _rank(lattice, path, paths)
    gap = best - log_prob
    gap_text = "it is the best" if gap < TIE_EPS else f"{nats(gap)} nats behind the best"
    st.markdown(
        f"log p = **{nats(log_prob)}** · probability {math.exp(log_prob):.3g} · "
        f"{percent(min(math.exp(log_prob - total), 1.0))} of the sum · {rank} · {gap_text}"
    )
    rows, lost = [], 0.0
    for gap_at in core.score_gaps(lattice, path):
        rival = lattice.edges[gap_at.rival].piece
        rows.append((gap_at.position, rival, nats(gap_at.nats - lost), nats(gap_at.nats)))
        lost = gap_at.nats
    if rows:
        names = ("position", "the winner there", "lost here", "behind in total")
        st.html(html_table("Where it falls behind, in nats", names, rows))
    st.latex(path_formula(lattice, path, total))


def _rank(lattice: Lattice, path: Path, paths: Sequence[Path]) -> str:
    """Return a path's rank as text; tied paths all have the first of their ranks."""
    gaps = [lattice.log_prob(other) - lattice.log_prob(path) for other in paths]
    better = sum(gap > TIE_EPS for gap in gaps)
    number = core.num_segmentations(lattice)
    if better == len(paths) and number > better:
        return f"not among the first {better:,}"
    tied = sum(abs(gap) <= TIE_EPS for gap in gaps)
    return f"rank {better + 1:,} of {number:,}" + (" (a tie)" if tied > 1 else "")
