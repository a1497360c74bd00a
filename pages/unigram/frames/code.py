"""What the lines of the plain Unigram training have made at each step of a recorded run.

The lines are the textbook's (`plain.train_unigram`). The numbers are the run's, whatever its
convention; `departures` says where that does other things than the lines.
"""

import math
from dataclasses import fields

from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.recording.code import LineResult, Listing
from pages.shared.recording.frame_types import CodeFrame
from pages.unigram.frames.notes import NAMED, in_a_row
from pages.unigram.numbers import amount
from tokenizers import plain
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.settings import CONVENTIONS, Settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed, Step, Table

TRAINING = Listing.from_function(plain.train_unigram)
PARAMETERS = ("vocab_size", "convention", "sub_iterations", "prunings", "log_base")
"""Settings that the lines take as they are, or that change no step."""


def departures(settings: Settings) -> list[str]:
    """Return the settings in which a run is not the textbook's, by name."""
    textbook = CONVENTIONS["textbook"]
    names = [field.name for field in fields(Settings) if field.name not in PARAMETERS]
    return [name for name in names if getattr(settings, name) != getattr(textbook, name)]


def training_code(trace: UnigramTrace, k: int) -> CodeFrame:
    """Return what the lines have made at step `k` of the trace."""
    if not k:
        return TRAINING.frame([("probs = before = substrings", ())])
    return TRAINING.frame(_made(trace.step(k), trace.settings))


def _made(step: Step, settings: Settings) -> list[LineResult]:
    match step:
        case Seed():
            made = [("probs = before = substrings", _leading(step.pieces)), ('yield "seed"', ())]
            at_once = max(math.ceil((len(step.pieces) - settings.desired) / settings.prunings), 0)
            return [*made, ("at_once =", (f"{at_once:,}",))]
        case Expectation():
            times = (f"{step.sub_iteration} of {settings.sub_iterations}",)
            counts = _leading(step.expected_counts, is_log=False)
            return [("for _ in", times), ("expected =", counts), ('yield "E step"', ())]
        case Maximization():
            return [("probs = maximize", _leading(step.after)), ('yield "M step"', ())]
        case Prune():
            return _pruned(step, settings)
        case Finalize():
            surplus = (f"{max(len(step.pieces) - settings.num_pieces, 0):,}",)
            end = (count_of(len(step.pieces), "piece"),)
            return [("surplus =", surplus), ("if surplus", ()), ("return", end)]


def _pruned(step: Prune, settings: Settings) -> list[LineResult]:
    lowest = min(step.losses.dict().items(), key=lambda item: item[1], default=None)
    costs: RichText = ()
    if lowest:
        costs = ("least: ", ("token", lowest[0]), f" {lowest[1]:.4g}")
    return [
        ("surplus =", (f"{max(step.size_before - settings.desired, 0):,}",)),
        ("costs =", costs),
        ("ranked =", (f"{count_of(len(step.order), 'piece')}, the costliest first",)),
        ("removed =", in_a_row(step.removed) or ("none",)),
        ("probs = without", (count_of(step.size_after, "piece"),)),
        ('yield "prune"', ()),
    ]


def _leading(table: Table, is_log: bool = True) -> RichText:
    """Say how many pieces there are, and the largest numbers, written as in the picture."""
    said: RichText = (count_of(len(table), "piece"),)
    for n, piece in enumerate(table.ranked(NAMED)):
        value = math.exp(table[piece]) if is_log else table[piece]
        said = (*said, ", " if n else ": ", ("token", piece), f" {amount(value)}")
    return said
