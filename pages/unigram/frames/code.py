"""The values that each line of the plain Unigram code has at the steps of a recorded run.

The code is the textbook's (`plain.train_unigram`). The numbers come from the run, which may follow
another convention; `departures` lists the settings in which it differs from the textbook.
"""

import math
from dataclasses import fields

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.code import LineResult, Listing
from pages.shared.recording.frame_types import CodeFrame
from pages.unigram.frames.notes import NAMED, pieces_phrase
from pages.unigram.numbers import amount
from tokenizers import plain
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.settings import CONVENTIONS, Settings
from tokenizers.unigram.steps import (
    Expectation,
    Finalize,
    Maximization,
    PieceTable,
    Prune,
    Seed,
    Step,
)

TRAINING = Listing.from_function(plain.train_unigram)
PARAMETERS = ("vocab_size", "convention", "sub_iterations", "prunings", "log_base")
"""Settings that `plain.train_unigram` takes as parameters, or that change no step."""


def departures(settings: Settings) -> list[str]:
    """Return the names of the settings in which a run differs from the textbook."""
    textbook = CONVENTIONS["textbook"]
    names = [field.name for field in fields(Settings) if field.name not in PARAMETERS]
    return [name for name in names if getattr(settings, name) != getattr(textbook, name)]


def training_code(trace: UnigramTrace, k: int) -> CodeFrame:
    """Return the plain code with its lines' values at step `k` of the trace."""
    if not k:
        return TRAINING.frame([("probs = before = substrings", ())])
    return TRAINING.frame(_line_values(trace.step(k), trace.settings))


def _line_values(step: Step, settings: Settings) -> list[LineResult]:
    match step:
        case Seed():
            values = [
                ("probs = before = substrings", _describe_leading(step.pieces)),
                ('yield "seed"', ()),
            ]
            at_once = max(math.ceil((len(step.pieces) - settings.desired) / settings.prunings), 0)
            return [*values, ("at_once =", (f"{at_once:,}",))]
        case Expectation():
            times = (f"{step.sub_iteration} of {settings.sub_iterations}",)
            counts = _describe_leading(step.expected_counts, is_log=False)
            return [("for _ in", times), ("expected =", counts), ('yield "E step"', ())]
        case Maximization():
            return [("probs = maximize", _describe_leading(step.after)), ('yield "M step"', ())]
        case Prune():
            return _pruning_values(step, settings)
        case Finalize():
            surplus = (f"{max(len(step.pieces) - settings.num_pieces, 0):,}",)
            end = (count_of(len(step.pieces), "piece"),)
            return [("surplus =", surplus), ("if surplus", ()), ("return", end)]


def _pruning_values(step: Prune, settings: Settings) -> list[LineResult]:
    lowest = min(step.losses.dict().items(), key=lambda item: item[1], default=None)
    costs: RichText = ()
    if lowest:
        costs = ("least: ", ("token", lowest[0]), f" {lowest[1]:.4g}")
    return [
        ("surplus =", (f"{max(step.size_before - settings.desired, 0):,}",)),
        ("costs =", costs),
        ("ranked =", (f"{count_of(len(step.order), 'piece')}, the costliest first",)),
        ("removed =", pieces_phrase(step.removed) or ("none",)),
        ("probs = without", (count_of(step.size_after, "piece"),)),
        ('yield "prune"', ()),
    ]


def _describe_leading(table: PieceTable, is_log: bool = True) -> RichText:
    """Describe how many pieces a table has, and name those with the largest numbers."""
    text: RichText = (count_of(len(table), "piece"),)
    for n, piece in enumerate(table.ranked(NAMED)):
        value = math.exp(table[piece]) if is_log else table[piece]
        text = (*text, ", " if n else ": ", ("token", piece), f" {amount(value)}")
    return text
