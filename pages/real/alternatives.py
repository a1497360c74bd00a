"""Show the best segmentations of one word by a published Unigram model, and random samples.

They appear below the steps on the lattice page, with the scores of the file. SentencePiece calls
them n-best and sampling, and applies them to a whole text; here the text is one word.
"""

import math

import streamlit as st

from pages.lattice.panels import sampling_result, sampling_settings
from pages.real.stepping import best_segmentations
from pages.shared.controls import panels
from pages.shared.drawing.display_text import html_table
from pages.shared.drawing.phrasing import ways_text
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.training.words import TokenizedWord
from pages.shared.work.results import call_or_end_page
from tokenizers.lattice import Lattice, Path, forward_values, num_segmentations
from tokenizers.runtime.inspection.encoders import Weighing
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram

NUM_LISTED, NUM_SAMPLED = 20, 200  # segmentations listed, and segmentations with sample counts
COLUMNS = ("rank", "segmentation", "log p", "share in %")


def alternatives(model: PublishedTokenizer, word: TokenizedWord) -> None:
    """Show the best segmentations of a word, or random samples; does nothing for other models."""
    if not issubclass(model.kind, Weighing) or word.is_added:
        return
    panels.panel_choice(
        {
            "The best ways": lambda: _best(model, word),
            "Draw at random": lambda: _samples(model, word),
        }
    )


def rows(lattice: Lattice, paths: list[Path]) -> list[tuple[int, str, str, str]]:
    """Return each path's rank, pieces, log probability, and percentage of all paths' sum."""
    total = forward_values(lattice)[-1]
    logs = [lattice.log_prob(path) for path in paths]
    return [
        (
            rank,
            "|".join(lattice.pieces(path)),
            f"{log:.4f}".replace("-", "−"),
            f"{100 * math.exp(log - total):.4g}",
        )
        for rank, (path, log) in enumerate(zip(paths, logs, strict=True), start=1)
    ]


def _best(model: PublishedTokenizer, word: TokenizedWord) -> None:
    lattice, paths = call_or_end_page(model, apply_to_loaded, best_segmentations, word, NUM_LISTED)
    number = num_segmentations(lattice)
    which = "All" if number == len(paths) else f"The {len(paths)} best"
    order = ", in SentencePiece's order" * issubclass(model.kind, SentencePieceUnigram)
    st.caption(
        f"{ways_text(number)} to split this word. {which} are listed{order}. "
        "Log probabilities come from the file; a share is of the sum over all ways."
    )
    st.html(html_table("The best ways to split this word", COLUMNS, rows(lattice, paths)))


def _samples(model: PublishedTokenizer, word: TokenizedWord) -> None:
    st.caption(
        "Sampling shows a model many ways to split the same word while it learns. The chart has "
        "the best ways first."
    )
    lattice, paths = call_or_end_page(model, apply_to_loaded, best_segmentations, word, NUM_SAMPLED)
    sampling_result(lattice, paths, sampling_settings())
