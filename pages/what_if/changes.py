"""Train again with one change, on the same corpus and with the same settings otherwise.

The change is a word's count (0 removes the word, a new word is added), the tie rule, or the pair
taken at one tie. This file is for merge runs; `unigram_runs.py` is for Unigram's.
"""

from dataclasses import replace

from pages.bpe import training_frames as bpe_frames
from pages.shared.drawing.phrasing import RichText, times, word_segment
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.packing import record
from pages.shared.training.source import find_word
from pages.what_if import explanation
from pages.what_if.side_by_side import (
    MOST_WORDS,
    TITLE,
    PairedMerges,
    SideLayout,
    merge_jump_targets,
)
from pages.what_if.two_runs import (
    BranchChange,
    Change,
    CountChange,
    CountEdit,
    MergeRuns,
    TieRuleChange,
)
from pages.wordpiece import training_frames as wordpiece_frames
from tokenizers import bpe
from tokenizers.experiments.research import corpus_edit
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

TIE_RULE_TEXTS = {
    "first_seen": "to the pair that comes first in the text",
    "smallest_ids": "to the pair with the oldest symbols",
    "smallest_string": "to the first pair in alphabetical order",
    "largest_string": "to the last pair in alphabetical order",
    "last": "against the piece listed last",
    "first": "against the piece listed first",
    "string": "against the last piece in alphabetical order",
}


def change_text(change: Change, corpus: Corpus) -> RichText:
    """Return the change as the beginning of a sentence."""
    match change:
        case TieRuleChange(ties):
            return (f"With ties going {TIE_RULE_TEXTS[ties]}, ",)
        case BranchChange(step, (first, second)):
            pair: RichText = (("token", first), " + ", ("token", second))
            return ("With ", *pair, f" taken at the tie of step {step:,}, ")
        case CountChange(word, count):
            return _count_text(word_segment(word), corpus.word_counts.get(word, 0), count)


def _count_text(word: tuple[str, str], old: int, new: int) -> RichText:
    if new == old:
        how = f"seen {times(old)}" if old else "left out"
        return ("With ", word, f" {how}, as it is, ")
    if not new:
        return ("Without ", word, f", which is seen {times(old)}, ")
    if not old:
        return ("With ", word, f" added, seen {times(new)}, ")
    return ("With ", word, " seen ", ("strong", times(new)), f" instead of {times(old)}, ")


def train_changed(
    report: ProgressCallback, whole: Trace, change: Change
) -> tuple[MergeRuns, Recording]:
    """Train again with the change, and record both runs; a changed word is always shown.

    Raises UserError if the change is impossible.
    """
    runs = train_again(report, whole, change)
    return runs, _record(runs)


def train_again(report: ProgressCallback, whole: Trace, change: Change) -> MergeRuns:
    """Return the run and the run with the change. Raises UserError if the change is impossible."""
    total = max(len(whole), 1)

    def stop(done: int, _: int) -> bool:
        return report(done, total)

    corpus, settings = whole.corpus, whole.settings
    match change:
        case CountChange(word, count):
            corpus = corpus_edit.with_count(corpus, word, count)
            return CountEdit(change, whole, Trace.record(corpus, settings, stop))
        case TieRuleChange(ties):
            changed = Trace.record(corpus, replace(settings, ties=ties), stop)
        case BranchChange(step, pair):
            changed = Trace.record(corpus, settings, stop, {step: pair})
    return MergeRuns(change, whole, changed)


def describe_result(runs: MergeRuns) -> RichText:
    """Describe the first merge that the change alters."""
    head = change_text(runs.change, runs.whole.corpus)
    return explanation.describe_first_difference(head, runs)


def _record(runs: MergeRuns) -> Recording:
    """Record both runs side by side."""
    whole, changed = runs.whole, runs.changed
    if isinstance(whole.settings, bpe.Settings):
        frames, shape = bpe_frames.BpeFrames, SideLayout(bpe_frames.PARTS, (0, 1, 2))
    else:
        frames = wordpiece_frames.WordPieceFrames
        shape = SideLayout(wordpiece_frames.PARTS, (0, 1, 4), whole.settings.mark)
    one, other = (frames(trace, find_word(trace.corpus, runs.word)) for trace in (whole, changed))
    one.words.most = other.words.most = MOST_WORDS
    both = PairedMerges(shape, (one, other), describe_result(runs), runs)
    return record(TITLE, shape.paired_parts(), both, merge_jump_targets(runs))
