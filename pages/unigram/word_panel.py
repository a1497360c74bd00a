"""A panel that shows one word's lattice at a step, with posterior shares times the word's count."""

import math
from collections.abc import Sequence

import streamlit as st

from pages.shared.drawing.display_text import html_table, html_tiles
from pages.shared.drawing.phrasing import count_of, ways_text
from pages.shared.routes import page_file
from pages.unigram.frames.flow import format_count, format_share
from pages.unigram.frames.tables import as_dict
from pages.unigram.frames.words import unknown_of
from pages.unigram.runs import watched_word
from tokenizers.lattice import Lattice, best_path, num_segmentations, posteriors
from tokenizers.record.unigram_trace import UnigramTrace

LONGEST_WORD = 100  # characters of a word whose lattice is offered
MOST_ARCS = 30

PARAMETERS_DROPPED = ("step", "panel", "piece", "word", "cut", "odds", "show", "sum")
"""URL parameters to leave out of links to the lattice page, where they mean something else."""


def lattice_of_word(trace: UnigramTrace, k: int, follow: str) -> None:
    """Show the pieces of a word's lattice after step `k`, and link to the lattice page."""
    if not k:
        st.caption("Take a step first: there are no pieces yet.")
        return
    # Suggest a word that is frequent and can be split in many ways.
    worth = {word: count * (len(word) - 1) for word, count in trace.word_counts.items()}
    first = follow or max(worth, key=worth.__getitem__, default="")
    with st.columns([1, 3])[0]:
        word = st.text_input("The word", first[:LONGEST_WORD], LONGEST_WORD, key="lattice_of")
    if not word:
        return
    word = watched_word(trace, word)
    model = as_dict(trace.steps[k - 1].log_probs)
    lattice = Lattice.build(word, model, unknown_of(model))
    text = f"{ways_text(num_segmentations(lattice))} to split it after step {k:,}"
    st.html(html_tiles(lattice.pieces(best_path(lattice) or ()), label="best segmentation"))
    st.caption(f"{text}. The best of them stands above; below, every piece with its place.")
    st.html(html_table(*arc_table(lattice, trace.word_counts.get(word, 0))))
    here = {
        name: value for name, value in st.query_params.items() if name not in PARAMETERS_DROPPED
    }
    query = {**here, "pieces_from": "learned", "round": str(k), "say": word}
    label = "See all of them, with their probabilities"
    st.page_link(page_file("unigram_lattice"), label=label, query_params=query)


def arc_table(lattice: Lattice, count: int) -> tuple[str, Sequence[str], list[tuple[str, ...]]]:
    """Return the caption, headings and rows of a table of arcs, largest posterior shares first.

    The next E step adds an arc's share, times the word's `count`, to its piece's expected count.
    """
    shares = posteriors(lattice)
    ranked = sorted(range(len(shares)), key=lambda n: -shares[n])[:MOST_ARCS]
    rows = []
    for n in ranked:
        edge, shown = lattice.edges[n], format_share(shares[n], max(count, 1))
        flows = [format_count(count * shares[n])] if count else []
        p = f"{math.exp(edge.log_prob):.3g}"
        rows.append((edge.piece, f"{edge.start}", f"{edge.end}", p, shown, *flows))
    hidden = len(shares) - len(rows)
    more = f" ({count_of(hidden, 'more')} with smaller shares)" if hidden else ""
    heads = ["piece", "from", "to", "p", "share", *([f"share × {count:,}"] if count else [])]
    return f"The pieces of its lattice{more}", heads, rows
