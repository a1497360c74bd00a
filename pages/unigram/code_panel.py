"""The panel of the code on Unigram · Train: plain and fast, and the script that prints the run."""

import streamlit as st

from pages.shared.controls.panels import Codes, both_codes
from pages.shared.controls.unigram_settings import CONTROLS
from pages.shared.learning.script import unigram_script
from pages.unigram.film.code import departures
from tokenizers import plain
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram import em, losses, training
from tokenizers.unigram.batch import Lattices

CODES = Codes(
    (plain.train_unigram, plain.expected_counts, plain.segmentations, plain.maximize, plain.losses),
    (training.train, em.expect, Lattices.forward, losses.removal_losses),
    "It lists no segmentation. Going once forward and once backward through the lattice of a word "
    "sums over all of them, in time that grows with its edges: a word of 20 letters has 524,288 "
    "segmentations and at most 210 edges. The lattices of all words lie in a few arrays and are "
    "summed together.",
)


def codes(trace: UnigramTrace) -> None:
    """Show the code of a run, told twice, and the script that prints its steps."""
    settings = trace.settings
    if names := departures(settings):
        labels = {control.field: control.label for control in CONTROLS}
        st.info(
            "The plain code trains as the textbook does. Your run differs in: "
            f"{', '.join(labels.get(name, name) for name in names)}. The values beside the lines "
            "are your run's; the script follows the lines, so it prints other numbers."
        )
    both_codes(
        CODES,
        lambda: unigram_script(
            trace.word_counts, settings.desired, settings.prunings, settings.sub_iterations
        ),
    )
