"""Frames of a Unigram training run, which repeats E step, M step and pruning.

Frame k shows step k of the trace; frame 0 is before the seed. Every frame has the numbers before
and after the step, and a few words split by the models before and after it. Everything is read
from the trace. Tables are in `tables.py`, words in `words.py`; frames are packed in
`pages/shared/recording/packing.py`.
"""

import math
from collections.abc import Collection
from functools import cached_property
from itertools import pairwise

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import count_of, word_segment
from pages.shared.recording.code import with_code
from pages.shared.recording.frame_types import (
    Frame,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    RunFrames,
    StripsFrame,
    TableFrame,
    make_columns,
)
from pages.shared.recording.packing import record
from pages.unigram.frames import notes, tables
from pages.unigram.frames.code import TRAINING, training_code
from pages.unigram.frames.flow import FlowFrames
from pages.unigram.frames.pruning import build_question, cost_of, prune_table, rank_by_outcome
from pages.unigram.frames.words import WORDS, BestSegmentations
from pages.unigram.numbers import (
    NOTHING,
    effect_of,
    how_many_more,
    log_of,
    loss_of,
    probability,
    times_of,
)
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.settings import BY_SEGMENTING
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Names, Prune, Seed, Step

CAPTION = "How often each piece is expected: the shares of all segmentations, times the counts"
PIECES = make_columns(
    {"piece": "tokens", "before": "number", "now": "number", "change": "text", "": "part"}
)
PARTS = (
    PicturePart("table", "Pieces", PIECES),
    PicturePart("strips", "Words, each in its most probable segmentation"),
    PicturePart("note", ""),
)
TIE_TEXTS = {
    "last": "the piece listed later is removed",
    "first": "the piece listed earlier is removed",
    "string": "the last in code point order is removed",
}
FALL_TOLERANCE = 1e-9  # of the log-likelihood, or of one nat: a smaller decrease is rounding


def record_unigram_training(
    trace: UnigramTrace,
    watched: str = "",
    pinned: tuple[str, ...] = (),
) -> Recording:
    """Record `trace`, always showing the word `watched` and the `pinned` pieces."""
    frames = UnigramFrames(trace, watched, pinned)
    flow = PicturePart("flow", CAPTION, flow=frames.flows.flow)
    parts = (flow, *PARTS, TRAINING.part)
    return record("Unigram training", parts, frames, frames.marks())


class UnigramFrames(RunFrames):
    """The frames of a trace; at most `most_words` words are shown."""

    def __init__(
        self,
        trace: UnigramTrace,
        watched: str,
        pinned: tuple[str, ...] = (),
        most_words: int = WORDS,
    ) -> None:
        self.trace, self.settings = trace, trace.settings
        self.watched, self.pinned = watched, pinned
        self.hard = trace.settings.e_step == "max"
        counts = trace.word_counts if trace.steps else {}
        names = trace.seed.pieces.names if trace.steps else Names(())
        self.words = BestSegmentations(counts, names, watched, most_words)

    def __len__(self) -> int:
        return len(self.trace) + 1

    @cached_property
    def flows(self) -> FlowFrames:
        """The picture of how shares flow into pieces, which another page does not show."""
        return FlowFrames(self.trace, self.watched, self.pinned)

    def frame(self, k: int) -> Frame:
        """Return the frame after step `k`."""
        table, strips = self.picture(k)
        if not k:
            start = Frame(
                self._describe_start(), (self.flows.at_start(), table, strips, NoteFrame(()))
            )
            return with_code(start, training_code(self.trace, 0))
        step = self.trace.step(k)
        sentence, focus = self._describe(step, k)
        if k == len(self.trace):
            sentence = (*sentence, f" Training stops here: {self.trace.stop_reason}.")
        question = build_question(step, self.settings) if isinstance(step, Prune) else None
        parts = (self.flows.frame(k, focus), table, strips, NoteFrame(_note(step)))
        return with_code(Frame(sentence, parts, question), training_code(self.trace, k))

    def picture(self, k: int) -> tuple[TableFrame, StripsFrame]:
        """Return the table and the strips of frame `k`."""
        if not k:
            none = "There are no pieces yet. From step 1 on, the words are split."
            return TableFrame(()), StripsFrame((), none)
        before, after = (
            self.words.splits(self.trace.step(n).log_probs) for n in (max(k - 1, 1), k)
        )
        return self._table(k), self.words.strips(before, after)

    @property
    def content(self) -> object:
        trace = self.trace
        words = tuple(trace.corpus.word_counts.items())
        # The same run is the same whenever it is trained; it may have been stopped at any step.
        return words, trace.settings, len(trace), trace.stop_reason, self.watched, self.pinned

    @property
    def largest(self) -> Collection[int]:
        first = {type(step): k for k, step in reversed(list(enumerate(self.trace.steps, start=1)))}
        last = {type(step): k for k, step in enumerate(self.trace.steps, start=1)}
        return {*first.values(), *last.values()}

    def _expectation_before(self, k: int) -> tuple[Expectation | None, bool]:
        """Return the last E step before step `k`, and whether pieces were pruned since."""
        has_pruned = False
        for step in reversed(self.trace.steps[: k - 1]):
            if isinstance(step, Expectation):
                return step, has_pruned
            has_pruned = has_pruned or isinstance(step, Prune)
        return None, has_pruned

    def _table(self, k: int) -> TableFrame:
        """Return the table of a step."""
        step, (expected, _) = self.trace.step(k), self._expectation_before(k)
        match step:
            case Seed():
                return tables.seed_table(step, self.pinned)
            case Expectation():
                return tables.expectation_table(step, expected, self.hard, self.pinned)
            case Maximization():
                assert expected
                return tables.maximization_table(step, expected, self.settings, self.pinned)
            case Prune():
                return prune_table(step, self.settings, self.pinned)
            case Finalize():
                return tables.final_table(step, self.pinned)

    # --- Sentences ------------------------------------------------------------------------------

    def _describe_start(self) -> RichText:
        corpus = self.trace.corpus
        return (
            "Start: ",
            ("strong", count_of(corpus.num_words, "word")),
            f" ({corpus.num_distinct_words:,} distinct). We want a vocabulary of ",
            ("strong", count_of(self.settings.vocab_size, "piece")),
            ". First the seed, then E step → M step → prune, round after round.",
            *(() if self.trace.steps else (f" There is nothing to do: {self.trace.stop_reason}.",)),
        )

    def _describe(self, step: Step, k: int) -> tuple[RichText, str]:
        """Return the sentence of a step, and the piece that it is about, or ""."""
        match step:
            case Seed():
                return self._describe_seed(step), ""
            case Expectation():
                return self._describe_expectation(step, k)
            case Maximization():
                return self._describe_maximization(step, k)
            case Prune():
                return self._describe_prune(step)
            case Finalize():
                return self._describe_final(step), ""

    def _describe_seed(self, step: Seed) -> RichText:
        characters = sum(len(piece) == 1 for piece in step.pieces)
        started = {
            "uniform": "all equal",
            "frequency": "proportional to how often each occurs in the text",
            "frequency_times_length": "proportional to frequency × length",
        }[self.settings.start]
        return (
            ("strong", "Seed"),
            ": ",
            ("strong", count_of(len(step.pieces), "candidate")),
            f", {characters:,} of them single characters, for a target of "
            f"{count_of(self.settings.vocab_size, 'piece')}. Their starting probabilities are "
            f"{started}.",
        )

    def _round_prefix(self, step: Expectation | Maximization, name: str) -> RichText:
        """Return the beginning of a sentence, which names the round and the sub-iteration."""
        which = f" {step.sub_iteration}" if self.settings.sub_iterations > 1 else ""
        return (f"Round {step.round}, ", ("strong", f"{name}{which}"), ": ")

    def _describe_expectation(self, step: Expectation, k: int) -> tuple[RichText, str]:
        before, has_pruned = self._expectation_before(k)
        head = self._round_prefix(step, "E step")
        if not len(step.expected_counts):
            return (*head, "no piece is left."), ""
        counted = before.expected_counts if before else None
        piece, old, now = tables.leading_change(
            counted, step.expected_counts, self.flows.layout.pieces
        )
        likelihood = self._describe_likelihood(step, before, has_pruned)
        if now == old:
            return (*head, "no counts change; ", *likelihood), piece
        verb = "occurs" if self.hard else "is expected"
        sentence: RichText = (*head, ("token", piece), f" {verb} ", ("strong", times_of(now)))
        if self.hard:
            sentence = (*sentence, " in the best segmentations")
        if old is not None:
            sentence = (*sentence, f", {how_many_more(old, now)} than before")
        return (*sentence, "; ", *likelihood), piece

    def _describe_likelihood(
        self, step: Expectation, before: Expectation | None, has_pruned: bool
    ) -> RichText:
        now = step.log_likelihood
        if before is None:
            return ("the log-likelihood of the text is ", ("strong", f"{log_of(now)} nats"), ".")
        sentence: RichText = (
            f"log-likelihood {log_of(before.log_likelihood)} → ",
            ("strong", log_of(now)),
            ".",
        )
        if not _falls(before, step):
            return sentence
        return (*sentence, f" It falls: {self._fall_reason(has_pruned)}.")

    def _fall_reason(self, has_pruned: bool) -> str:
        if has_pruned:
            return "pruning removed some pieces"
        if self.hard:
            return "hard EM makes the best segmentations more probable, not all of them together"
        if self.settings.m_step == "digamma":
            return "the digamma M step shrinks rare pieces and does not maximize the likelihood"
        return "pieces with too small an expected count were removed"

    def _describe_maximization(self, step: Maximization, k: int) -> tuple[RichText, str]:
        head = self._round_prefix(step, "M step")
        expected, _ = self._expectation_before(k)
        assert expected
        if not len(step.after):
            return (*head, "no piece is left."), ""
        shown = self.named_piece(step)
        counts = tables.effective_counts(step, expected, self.settings)
        before, after = (math.exp(table[shown]) for table in (step.before, step.after))
        rule = tables.division_text(counts[shown], float(counts.array.sum()), self.settings)
        shrinks = ", which shrinks rare pieces" if self.settings.m_step == "digamma" else ""
        sentence: RichText = (
            *head,
            ("token", shown),
            f" (expected {times_of(counts[shown])}) ",
            *notes.describe_change(probability(before), probability(after)),
            f": {rule}{shrinks}.",
        )
        return (*sentence, *notes.describe_dropped(step), *notes.describe_spared(step)), shown

    def named_piece(self, step: Maximization) -> str:
        """Return the drawn piece that the sentence of an M step names: it changed most."""
        before, after = tables.probabilities(step.before), tables.probabilities(step.after)
        return tables.leading_change(before, after, self.flows.layout.pieces)[0]

    def _describe_prune(self, step: Prune) -> tuple[RichText, str]:
        removed, kept = len(step.removed), step.size_after
        head: RichText = (f"Round {step.round}, ", ("strong", "prune"), ": ")
        if not removed:
            stay = "nothing is removed; ", ("strong", count_of(kept, "piece")), " stay."
            return (*head, *stay), ""
        go = "is removed" if removed == 1 else "are removed"
        sentence: RichText = (
            *head,
            ("strong", f"{removed:,} of {count_of(step.size_before, 'piece')} {go}"),
        )
        cutoff, focus = self._describe_cutoff(step)
        return (*sentence, *notes.describe_unweighed(step), ". ", *cutoff), focus

    def _describe_cutoff(self, step: Prune) -> tuple[RichText, str]:
        """Describe the cheapest and costliest removed pieces, and the piece that narrowly stays.

        Also return the cheapest removed piece, or "".
        """
        (lost, stays), settings = rank_by_outcome(step), self.settings
        losses, is_effect = step.losses, settings.loss in BY_SEGMENTING
        text: RichText = ()
        if lost:
            first, last = ("token", lost[0]), ("token", lost[-1])
            least, most = (first, " costs least: "), (last, ", the last of them, costs ")
            if is_effect:
                least = ("Without ", first, ", ")
                most = ("without ", last, ", the last of them, ")
            text = (*least, cost_of(losses[lost[0]], settings))
            if len(lost) > 1:
                text = (*text, "; ", *most, cost_of(losses[lost[-1]], settings))
            text = (*text, ". ")
        if stays:
            loss = losses[stays[0]]
            what = "cost" if loss >= 0 else "gain"
            narrowly = f"removing it would {what} {loss_of(abs(loss), settings)}"
            if is_effect:
                narrowly = f"without it, {effect_of(loss, settings, 'would rise', 'would fall')}"
            tied = lost and loss - losses[lost[-1]] < NOTHING
            end = f", a tie; {TIE_TEXTS[settings.ties]}." if tied else "."
            text = (*text, "Next would have been ", ("token", stays[0]), f": {narrowly}{end}")
        return text, lost[0] if lost else ""

    def _describe_final(self, step: Finalize) -> RichText:
        size = len(step.pieces) + len(step.reserved)
        sentence: RichText = (("strong", "Finalize"), ": ", ("strong", count_of(size, "piece")))
        if step.reserved:
            sentence = (*sentence, f", {len(step.reserved):,} of them reserved")
        lost = "it" if len(step.added) == 1 else "them"
        groups = [
            (step.shadowed, "removed because their best split is more probable"),
            (step.cut, "removed to reach the size"),
            (step.added, f"put back, because training had lost {lost}"),
        ]
        parts = [f"{len(pieces):,} {what}" for pieces, what in groups if pieces]
        return (*sentence, f". {'; '.join(parts)}." if parts else ".")

    # --- Jump targets ---------------------------------------------------------------------------

    def marks(self) -> list[JumpTarget]:
        """Return the jump targets."""
        steps = list(enumerate(self.trace.steps, start=1))
        prunings = [k for k, step in steps if isinstance(step, Prune)]
        expected = [(k, step) for k, step in steps if isinstance(step, Expectation)]
        rounds = [k for k, step in expected if step.sub_iteration == 1]
        sizes = [len(step.log_probs) for _, step in steps]
        fewer = [k for k, (before, now) in enumerate(pairwise(sizes), start=2) if now < before]
        falls = [k for (_, before), (k, now) in pairwise(expected) if _falls(before, now)]
        marks = [
            JumpTarget("pieces are pruned", tuple(prunings), has_tick=True),
            JumpTarget("a round begins", tuple(rounds)),
            JumpTarget("pieces disappear", tuple(fewer)),
            JumpTarget("the log-likelihood falls", tuple(falls)),
        ]
        if self.watched:
            splits = [self.words.watched_split(step.log_probs) for _, step in steps]
            changes = [k for k, (old, new) in enumerate(pairwise(splits), start=2) if old != new]
            anew = f"{word_segment(self.watched)[1]} is split differently"
            marks.append(JumpTarget(anew, tuple(changes)))
        return marks


def _falls(before: Expectation, now: Expectation) -> bool:
    """Return whether the log-likelihood falls from one E step to the next."""
    old = before.log_likelihood
    return now.log_likelihood < old - FALL_TOLERANCE * max(abs(old), 1.0)


def _note(step: Step) -> RichText:
    match step:
        case Seed():
            return notes.seed_note(step)
        case Expectation():
            return notes.likelihood_note(step)
        case Finalize():
            return notes.final_note(step)
        case Maximization() | Prune():
            return notes.sizes_note(step.before, step.after)
