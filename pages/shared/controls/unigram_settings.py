"""The sidebar controls for a Unigram run: one for a named convention, and one for each setting.

Choosing a convention sets all of its settings; each can then be changed separately. The URL has
only the settings that differ from the convention.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.url_state import IN_URL, choice, whole_number
from pages.shared.limits import MAX_PIECES
from tokenizers.errors import user_message
from tokenizers.unigram.settings import CONVENTIONS, Settings, convention_settings

NAMES = {
    "textbook": "Textbook",
    "slides": "Lecture slides",
    "hf_course": "Hugging Face course",
    "hugging_face": "Hugging Face",
    "hugging_face_repaired": "Hugging Face, repaired",
    "sentencepiece_classic": "SentencePiece 0.2.1",
    "sentencepiece": "SentencePiece 0.2.3",
}
NOTES = {
    "textbook": "The outline that manuals print: every substring is a candidate, EM divides "
    "expected counts by their sum, and a loss is what the corpus really loses without the piece.",
    "slides": "No EM: probabilities are the frequencies of substrings. Losses are those of the "
    "best segmentations, in base 10, and one piece is removed at a time.",
    "hf_course": "The 300 most frequent substrings, no EM, the loss of the best segmentations; a "
    "tenth of the pieces is removed each round.",
    "hugging_face": "The library's trainer. It weighs a removed piece by the size of the whole "
    "vocabulary instead of the length of its alternative: a slip, kept here as it is.",
    "hugging_face_repaired": "The library's trainer without the slip in its loss.",
    "sentencepiece_classic": "Repeats in whole lines, digamma in the M step, the loss by the best "
    "alternative; a quarter is removed after every two rounds of EM.",
    "sentencepiece": "The newer trainer: repeats are found by bytes, it prunes once more when the "
    "size is right, and pieces less probable than their parts go at the end.",
}
BY_SENTENCEPIECE = ("sentencepiece_classic", "sentencepiece")
OF_WORDS = ("textbook", "slides")
"""Conventions without ▁."""
ADAPTABLE = "textbook"
"""The convention whose seeds may depend on the corpus; the others are fixed by a publication."""


@dataclass(frozen=True, slots=True)
class Control:
    """The sidebar control of a field of `Settings`, shown if `applies` returns True.

    It is a choice among `options`, a whole number of `unit`s from `low` to `high`, or a switch.
    `key` is its URL parameter.
    """

    field: str
    key: str
    label: str
    options: Mapping[str, str] | None = None
    low: int = 0
    high: int = 0
    unit: float = 1
    applies: Callable[[Settings], bool] = lambda settings: True
    help: str = ""

    def to_widget(self, value: Any) -> Any:
        """Convert a value of the settings to the value that the widget shows."""
        if self.options is not None or isinstance(value, bool):
            return value
        return round((value or 0) / self.unit)

    def render(self, default: Any) -> Any:
        """Show the control and return the chosen value for the settings."""
        if self.options is not None:
            return choice(self.label, self.options, default, key=self.key)
        if isinstance(default, bool):
            return st.toggle(self.label, default, key=self.key, help=self.help or None, **IN_URL)
        first = self.to_widget(default)
        number = whole_number(self.label, self.low, self.high, first, key=self.key, help=self.help)
        if number == first:
            return default
        return number if self.unit == 1 else round(number * self.unit, 6)


SEEDS = {
    "substrings": "All substrings of words",
    "strict_substrings": "All substrings shorter than the word",
    "bpe": "The tokens that merging makes (BPE)",
    "repeats": "Substrings that repeat, in the distinct words (Hugging Face)",
    "repeats_in_lines": "Substrings that repeat, in the lines (SentencePiece 0.2.1)",
    "repeats_by_bytes": "Substrings that repeat, by bytes (SentencePiece 0.2.3)",
}
STARTS = {
    "uniform": "All equal",
    "frequency": "Proportional to frequency",
    "frequency_times_length": "Proportional to frequency × length",
}
E_STEPS = {
    "sum": "All segmentations, by their shares (soft EM)",
    "max": "Only the best segmentation (hard EM)",
}
M_STEPS = {
    "maximum_likelihood": "Expected count / sum of all",
    "digamma": "exp(digamma) of both: rare pieces get less",
    "none": "None: keep the starting frequencies",
}
LOSSES = {
    "exact": "Exact: what Q loses without the piece",
    "likelihood": "What the log-likelihood loses without it",
    "viterbi": "What the best segmentations lose without it",
    "expected_count": "Expected count × −log p",
    "best_alternative": "Replace every use with the best alternative",
}
SCHEDULES = {
    "fraction": "Remove a fixed share, down to the size",
    "share": "Remove a fixed share, even past the size",
    "k_n": "Equal steps that reach the size in n rounds",
    "one": "One piece at a time",
}
LOSS_TIES = {
    "last": "Remove the one listed last",
    "first": "Remove the one listed first",
    "string": "Remove the last in code point order",
}
ARITHMETICS = {
    "double": "double precision",
    "single": "single precision (SentencePiece 0.2.3)",
    "single_throughout": "single precision, the seeds too (0.2.1)",
}


def _uses_alternatives(settings: Settings) -> bool:
    return settings.loss == "best_alternative"


SECTIONS: Mapping[str, tuple[Control, ...]] = {
    "The seeds": (
        Control("seed", "seeds", "First pieces", SEEDS),
        Control("seed_size", "candidates", "Maximum number of first pieces", low=1, high=1_000_000),
        Control("max_piece_length", "longest_piece", "Characters in a piece", low=1, high=1_000),
        Control("start", "start", "Starting probabilities", STARTS),
        Control(
            "character_coverage", "coverage", "Characters of 10,000 that must be covered",
            low=1, high=10_000, unit=0.0001,
        ),
    ),
    "Expectation and maximization": (
        Control("e_step", "e_step", "E step counts", E_STEPS),
        Control("m_step", "m_step", "M step", M_STEPS),
        Control("sub_iterations", "em_rounds", "E and M steps between prunings", low=1, high=20),
        Control(
            "min_expected", "least_expected", "Minimum expected count, in hundredths",
            low=0, high=1_000, unit=0.01,
            help="Pieces with a smaller expected count are dropped. 50 means 0.5.",
        ),
        Control(
            "unknown", "unknown", "Counts of unknown characters",
            {"apart": "Are kept apart", "first_piece": "Go to the first piece (SentencePiece)"},
        ),
    ),
    "Pruning": (
        Control("loss", "loss", "Loss of a piece", LOSSES),
        Control("renormalise", "renormalise", "Rescale the rest to sum to 1"),
        Control("schedule", "schedule", "How many to remove", SCHEDULES),
        Control(
            "shrinking_factor", "keep", "Percent to keep", low=1, high=99, unit=0.01,
            applies=lambda settings: settings.schedule in ("fraction", "share"),
        ),
        Control(
            "overshoot", "overshoot", "Stop pruning at this percent of the size",
            low=100, high=500, unit=0.01,
        ),
        Control("prunings", "prunings", "Prunings to reach the size", low=1, high=100,
                applies=lambda settings: settings.schedule == "k_n"),
        Control("ties", "equal", "If losses tie", LOSS_TIES),
        Control("keep_characters", "keep_characters", "Always keep single characters"),
        Control("keep_split", "keep_split", "Keep pieces with a better split (Hugging Face)",
                applies=_uses_alternatives),
        Control("slip", "slip", "The slip in Hugging Face's loss", applies=_uses_alternatives),
        Control(
            "share_of", "share_of", "Frequencies are shares of",
            {"tokens": "all tokens", "words": "all words"}, applies=_uses_alternatives,
        ),
        Control("counts_unknown", "counts_unknown", "Count the unknown piece too",
                applies=lambda settings: settings.schedule == "fraction"),
        Control("prune_last", "prune_last", "Prune once more at the right size"),
    ),
    "The end": (
        Control("drop_shadowed", "drop_shadowed", "Drop pieces less probable than their parts"),
        Control("restore_characters", "restore", "Bring lost characters back"),
        Control(
            "final_order", "final_order", "Cut the surplus",
            {"score": "by score", "vocabulary": "in the order of the vocabulary"},
            applies=lambda settings: settings.restore_characters,
        ),
        Control("max_rounds", "rounds", "Most rounds (0: no limit)", low=0, high=1_000),
        Control("arithmetic", "arithmetic", "Arithmetic", ARITHMETICS),
        Control(
            "log_base", "log_base", "Unit of losses",
            {"nats": "nats", "base10": "base 10"},
        ),
    ),
}  # fmt: skip
CONTROLS = tuple(control for section in SECTIONS.values() for control in section)


def apply_seed_default(seeds: str) -> None:
    """Set a newly chosen corpus's default seeds, if the convention leaves them to the corpus."""
    if (
        st.session_state.get("convention", "textbook") == ADAPTABLE
        and url_state.incoming("seeds") is None
    ):
        url_state.preset_widget("seeds", seeds)


def render_controls(size: int, seeds: str = "substrings") -> Settings:
    """Show all controls and return the settings.

    `size` is the default vocabulary size, `seeds` is how the textbook convention finds its seeds.
    """
    name = render_convention()
    wanted = whole_number("Pieces in the vocabulary", 1, MAX_PIECES, size, key="size")
    settings = convention_settings(name, wanted)
    if name == ADAPTABLE:
        settings = replace(settings, seed=seeds)
    for title, controls in SECTIONS.items():
        with st.expander(title):
            settings = _settings_from(settings, controls)
    return settings


def render_convention() -> str:
    """Show the control for the convention; choosing one sets all settings."""
    name = choice("Convention", NAMES, "textbook", key="convention", on_change=_apply_convention)
    st.caption(NOTES[name])
    before = st.session_state.get("adopted_convention", name)
    st.session_state["adopted_convention"] = name
    if name != before:
        _apply_choices(name, lambda key: url_state.incoming(key) is None)
    return name


def _apply_convention() -> None:
    _apply_choices(st.session_state["convention"], lambda key: True)


def _apply_choices(name: str, allows: Callable[[str], bool]) -> None:
    for control in CONTROLS:
        if control.key in st.session_state and allows(control.key):
            value = control.to_widget(getattr(CONVENTIONS[name], control.field))
            url_state.preset_widget(control.key, value)


def apply_word_defaults(name: str, split: str, is_counted: bool) -> tuple[str, tuple[str, ...]]:
    """Set the pre-tokenizer and the normalizers of the convention, and return them.

    `split` is the corpus's pre-tokenizer, which a corpus of counts (`is_counted`) keeps.
    """
    by_sentencepiece = name in BY_SENTENCEPIECE
    before = ("nmt_nfkc", "sentencepiece_spaces") if by_sentencepiece else ()
    if by_sentencepiece or not (name in OF_WORDS or is_counted):
        split = "metaspace"
    previous = st.session_state.get("adopted_words", (split, before))
    st.session_state["adopted_words"] = (split, before)
    if previous[0] != split and url_state.incoming("cut_at") is None:
        url_state.preset_widget("cut_at", split)
    if previous[1] != before and url_state.incoming("prepare") is None:
        st.session_state["prepare"] = list(before)
    return split, before


def _settings_from(settings: Settings, controls: tuple[Control, ...]) -> Settings:
    """Show the controls that apply and return the settings with their values.

    A value that is incompatible with the others is ignored, with an error message.
    """
    for control in controls:
        if control.applies(settings):
            try:
                value = control.render(getattr(settings, control.field))
                settings = replace(settings, **{control.field: value})
            except ValueError as error:
                st.error(f"{user_message(error).removesuffix('.')}.")
    return settings


def parts_of_settings(settings: Settings) -> list[str]:
    """Describe the convention, and each of the settings that differ from it.

    >>> parts_of_settings(convention_settings("textbook", 40, m_step="digamma"))
    ['Textbook, 40 pieces', 'M step: digamma']
    """
    usual = CONVENTIONS[settings.convention]
    parts = [f"{NAMES[settings.convention]}, {settings.vocab_size:,} pieces"]
    labels = {control.field: control.label for control in CONTROLS}
    for field in fields(Settings):
        value = getattr(settings, field.name)
        if field.name in labels and value != getattr(usual, field.name):
            text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
            parts.append(f"{labels[field.name]}: {text.replace('_', ' ')}")
    return parts
