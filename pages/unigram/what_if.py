"""Two Unigram runs side by side, whose corpus or settings differ in one change.

The numbers of two runs differ from the very first step, so what counts as the first difference is
the first step after which their pieces differ. Unlike merging runs, Unigram runs cannot branch at a
single tie, because a pruning ranks all pieces at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest

from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.recording.frame_types import JumpTarget, Recording
from pages.shared.recording.packing import pack_frames
from pages.shared.recording.side_by_side import NAMES, TITLE, SideLayout, paired_frame
from pages.shared.training.limits import limit_run
from pages.shared.training.run_and_record import stop_check
from pages.shared.training.source import CorpusSource
from pages.shared.training.what_if import Change, CountChange, TieRuleChange, question_text
from pages.unigram.frames.notes import pieces_phrase
from pages.unigram.frames.training_frames import PARTS, UnigramFrames
from pages.unigram.numbers import log_of
from pages.unigram.runs import watched_word
from tokenizers.errors import UserError
from tokenizers.experiments.research import corpus_edit
from tokenizers.progress import ProgressCallback
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed, Step

COLUMNS = (0, 1, 2)
STEPS = {Seed: "Seed", Maximization: "M step", Finalize: "Finalize"}


@dataclass(frozen=True, slots=True)
class TwoUnigramRuns:
    """Two finished runs and the recording of both."""

    whole: UnigramTrace
    changed: UnigramTrace
    recording: Recording


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


def train_twice(
    report: ProgressCallback,
    source: CorpusSource,
    pipeline: Pipeline,
    settings: Settings,
    change: Change,
) -> TwoUnigramRuns:
    """Train with and without the change, and record both; a changed word is always shown.

    Raises UserError if the change is impossible for the corpus or for Unigram.
    """
    corpus, settings, _ = limit_run(source, pipeline, settings, stop_check(report))
    whole = UnigramTrace.record(corpus, settings, lambda done, of: report(done, 2 * of))
    other = _changed(corpus, settings, change)
    changed = UnigramTrace.record(*other, lambda done, of: report(of + done, 2 * of))
    watched = change.word if isinstance(change, CountChange) else ""
    one, two = (
        list(UnigramFrames(trace, watched_word(trace, watched))) for trace in (whole, changed)
    )
    differ = differences(whole, changed)
    prunings = tuple(k for k, step in enumerate(whole.steps, 1) if isinstance(step, Prune))
    marks = (
        JumpTarget("the runs first differ", differ[:1], has_tick=True),
        JumpTarget("the pieces differ", differ),
        JumpTarget("pieces are pruned", prunings),
    )
    shape, describe = SideLayout(PARTS, COLUMNS), _step_describer(whole, changed, differ[:1])
    question, last = question_text(change, corpus), max(len(one), len(two))
    frames = (paired_frame(shape, (one, two), question, describe(k), k) for k in range(last))
    return TwoUnigramRuns(whole, changed, pack_frames(TITLE, shape.paired_parts(), frames, marks))


def _changed(corpus: Corpus, settings: Settings, change: Change) -> tuple[Corpus, Settings]:
    match change:
        case CountChange(word, count):
            return corpus_edit.with_count(corpus, word, count), settings
        case TieRuleChange(ties):
            return corpus, replace(settings, ties=ties)
    raise UserError("A tie of this algorithm has no branch of its own. Change the rule for ties.")


def _step_describer(
    whole: UnigramTrace, changed: UnigramTrace, first: tuple[int, ...]
) -> Callable[[int], RichText]:
    """Return a function that describes step k of both runs; `first` has the first difference."""

    def describe(k: int) -> RichText:
        if not k:
            same = "" if first else " They keep the same pieces to the end."
            return (f"Two runs, step by step: as it is, and with one thing changed.{same}",)
        head: RichText = (("tie", "The pieces differ for the first time. "),) if k in first else ()
        for name, trace in zip(NAMES, (whole, changed), strict=True):
            ended = f"training has stopped: {trace.stop_reason}."
            text = _describe_step(trace.step(k)) if k <= len(trace) else (ended,)
            head = (*head, ("strong", f"{name}: "), *text, " ")
        return head[:-1]

    return describe


def _describe_step(step: Step) -> RichText:
    if isinstance(step, Expectation):
        return (f"round {step.round}, E step, log-likelihood {log_of(step.log_likelihood)}.",)
    if isinstance(step, Prune):
        removed = pieces_phrase(step.removed) or ("nothing",)
        return (f"round {step.round}, prune, without ", *removed, ".")
    return (f"{STEPS[type(step)]}, {count_of(len(step.log_probs), 'piece')}.",)
