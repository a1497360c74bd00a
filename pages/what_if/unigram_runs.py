"""Two Unigram runs side by side, whose corpus or settings differ in one change.

The numbers of two runs differ from the very first step, so what counts as the first difference is
the first step after which their pieces differ. Unlike merging runs, Unigram runs cannot branch at a
single tie, because a pruning ranks all pieces at once.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import JumpTarget, Recording
from pages.shared.recording.packing import record
from pages.unigram.frames.notes import pieces_phrase
from pages.unigram.frames.training_frames import PARTS, UnigramFrames
from pages.unigram.numbers import log_of
from pages.unigram.runs import watched_word
from pages.what_if.changes import change_text
from pages.what_if.side_by_side import CAPTIONS, MOST_WORDS, TITLE, PairedFrames, SideLayout
from pages.what_if.two_runs import NAMES, Change, CountChange, TieRuleChange
from tokenizers.errors import UserError
from tokenizers.experiments.research import corpus_edit
from tokenizers.progress import ProgressCallback
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed, Step

COLUMNS = (0, 1, 2)
STEPS = {Seed: "Seed", Maximization: "M step", Finalize: "Finalize"}


def differences(whole: UnigramTrace, changed: UnigramTrace) -> tuple[int, ...]:
    """Return the steps after which the pieces differ; a finished run keeps its last pieces."""
    found, sets = [], [frozenset[str](), frozenset[str]()]
    for k, steps in enumerate(zip_longest(whole.steps, changed.steps), start=1):
        sets = [
            frozenset(step.log_probs) if step else before
            for step, before in zip(steps, sets, strict=True)
        ]
        if sets[0] != sets[1]:
            found.append(k)
    return tuple(found)


def train_changed(
    report: ProgressCallback, whole: UnigramTrace, change: Change
) -> tuple[UnigramTrace, Recording]:
    """Train again with the change, and record both runs; a changed word is always shown.

    Raises UserError if the change is impossible for the corpus or for Unigram.
    """
    corpus = whole.corpus
    changed = UnigramTrace.record(*_changed(corpus, whole.settings, change), report)
    watched = change.word if isinstance(change, CountChange) else ""
    one, two = (
        UnigramFrames(trace, watched_word(trace, watched), most_words=MOST_WORDS)
        for trace in (whole, changed)
    )
    differ = differences(whole, changed)
    prunings = tuple(k for k, step in enumerate(whole.steps, 1) if isinstance(step, Prune))
    marks = (
        JumpTarget("the runs first differ", differ[:1], has_tick=True),
        JumpTarget("the pieces differ", differ),
        JumpTarget("pieces are pruned", prunings),
    )
    shape = SideLayout(PARTS, COLUMNS)
    result = describe_result(whole, changed, change)
    frames = _PairedUnigram(shape, (one, two), result, (whole, changed), differ[:1])
    return changed, record(TITLE, shape.paired_parts(), frames, marks)


@dataclass(frozen=True)
class _PairedUnigram(PairedFrames):
    """The frames of two Unigram runs; `first` is the step after which their pieces first differ."""

    traces: tuple[UnigramTrace, UnigramTrace]
    first: tuple[int, ...]

    def describe(self, k: int) -> RichText:
        """Describe step `k` of both runs."""
        head: RichText = ()
        if k in self.first:
            head = (("tie", "The pieces differ for the first time. "),)
        for name, trace in zip(CAPTIONS, self.traces, strict=True):
            ended = f"training has stopped: {trace.stop_reason}."
            text = _describe_step(trace.step(k)) if k <= len(trace) else (ended,)
            head = (*head, ("strong", f"{name}: "), *text, " ")
        return head[:-1]

    @property
    def only(self) -> tuple[Sequence[str], Sequence[str]]:
        lost, gained = vocabularies(*self.traces).values()
        return lost, gained

    @property
    def largest(self) -> Collection[int]:
        return {*self.first, len(self) - 1, *(k for run in self.frames for k in run.largest)}


def _changed(corpus: Corpus, settings: Settings, change: Change) -> tuple[Corpus, Settings]:
    match change:
        case CountChange(word, count):
            return corpus_edit.with_count(corpus, word, count), settings
        case TieRuleChange(ties):
            return corpus, replace(settings, ties=ties)
    raise UserError("A tie of this algorithm has no branch of its own. Change the rule for ties.")


def vocabularies(whole: UnigramTrace, changed: UnigramTrace) -> dict[str, list[str]]:
    """Return, by label, the pieces that only one run has at its end, most probable first."""
    ends = [trace.state(len(trace)) for trace in (whole, changed)]
    return {
        label: sorted(one.keys() - other.keys(), key=lambda piece: -one[piece])
        for label, one, other in zip(NAMES, ends, ends[::-1], strict=True)
    }


def describe_result(whole: UnigramTrace, changed: UnigramTrace, change: Change) -> RichText:
    """Describe the change, when the pieces of the runs first differ, and how they end."""
    head, first = change_text(change, whole.corpus), differences(whole, changed)[:1]
    if not first:
        return (*head, "both runs keep the same pieces to the end.")
    lost, gained = map(len, vocabularies(whole, changed).values())
    end = "at the end, both have the same pieces."
    if lost or gained:
        end = f"at the end, {count_of(lost, 'piece')} went and {count_of(gained, 'piece')} came."
    return (*head, "the pieces first differ after ", ("strong", f"step {first[0]:,}"), f"; {end}")


def _describe_step(step: Step) -> RichText:
    if isinstance(step, Expectation):
        return (f"round {step.round}, E step, log-likelihood {log_of(step.log_likelihood)}.",)
    if isinstance(step, Prune):
        removed = pieces_phrase(step.removed) or ("nothing",)
        return (f"round {step.round}, prune, without ", *removed, ".")
    return (f"{STEPS[type(step)]}, {count_of(len(step.log_probs), 'piece')}.",)
