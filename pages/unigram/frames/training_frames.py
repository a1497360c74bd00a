"""Frames of a Unigram training run, which repeats E step, M step and pruning.

Frame k shows step k of the trace; frame 0 is before the seed. Every frame has the numbers before
and after the step, and a few words split by the models before and after it. Everything is read
from the trace. Tables are in `tables.py`, words in `words.py`; frames are packed in
`pages/shared/recording/packing.py`.
"""

import math
from collections.abc import Iterator
from itertools import pairwise

from pages.shared.drawing.phrasing import RichText, count_of, word_segment
from pages.shared.recording.code import with_code
from pages.shared.recording.frame_types import (
    Frame,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    StepQuestion,
    StripsFrame,
    TableFrame,
    make_columns,
)
from pages.shared.recording.packing import pack_frames
from pages.unigram.frames import notes, tables
from pages.unigram.frames.code import TRAINING, training_code
from pages.unigram.frames.flow import FlowFrames
from pages.unigram.frames.pruning import build_question, prune_table, rank_by_outcome
from pages.unigram.frames.words import WORDS, BestSegmentations
from pages.unigram.numbers import NOTHING, amount, log_of, loss_of, probability, times_of
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.symbols import Split
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
    # A list, because the marks are only known when all frames are made.
    coded = [with_code(frame, training_code(frames.trace, k)) for k, frame in enumerate(frames)]
    flow = PicturePart("flow", CAPTION, flow=frames.flows.flow)
    return pack_frames("Unigram training", (flow, *PARTS, TRAINING.part), coded, frames.marks())


class UnigramFrames:
    """The frames of a trace; iterate in order, because each is compared with the previous one."""

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
        self.flows = FlowFrames(trace, watched, pinned)
        self.expected: Expectation | None = None
        self.pruned = False  # since the last E step
        self.focus = ""  # the piece that the sentence names
        self.splits: tuple[Split, ...] = ()  # without pieces, a word cannot be split
        self.falls: list[int] = []
        self.changes: list[int] = []  # steps at which the watched word is split differently

    def __iter__(self) -> Iterator[Frame]:
        yield self._first()
        for k, step in enumerate(self.trace.steps, start=1):
            self.focus = ""
            sentence, table, note, question = self._step_parts(step, k)
            after = self.words.splits(step.log_probs)
            self.splits = self.splits or after
            index = self.words.watched
            if index is not None and self.splits[index] != after[index]:
                self.changes.append(k)
            strips = self.words.strips(self.splits, after)
            if k == len(self.trace):
                sentence = (*sentence, f" Training stops here: {self.trace.stop_reason}.")
            flow = self.flows.next_frame(step, self.focus)
            yield Frame(sentence, (flow, table, strips, NoteFrame(note)), None, question)
            self.splits = after

    def _first(self) -> Frame:
        corpus = self.trace.corpus
        sentence: RichText = (
            "Start: ",
            ("strong", count_of(corpus.num_words, "word")),
            f" ({corpus.num_distinct_words:,} distinct). We want a vocabulary of ",
            ("strong", count_of(self.settings.vocab_size, "piece")),
            ". First the seed, then E step → M step → prune, round after round.",
            *(() if self.trace.steps else (f" There is nothing to do: {self.trace.stop_reason}.",)),
        )
        strips = StripsFrame((), "There are no pieces yet. From step 1 on, the words are split.")
        return Frame(sentence, (self.flows.at_start(), TableFrame(()), strips, NoteFrame(())))

    def _step_parts(
        self, step: Step, k: int
    ) -> tuple[RichText, TableFrame, RichText, StepQuestion | None]:
        """Return the sentence, the table, the note and the question of a step."""
        match step:
            case Seed():
                sentence, table = self._describe_seed(step), tables.seed_table(step, self.pinned)
                return sentence, table, notes.seed_note(step), None
            case Expectation():
                sentence = self._describe_expectation(step, k)
                table = tables.expectation_table(step, self.expected, self.hard, self.pinned)
                self.expected, self.pruned = step, False
                return sentence, table, notes.likelihood_note(step), None
            case Maximization():
                assert self.expected
                table = tables.maximization_table(step, self.expected, self.settings, self.pinned)
                size = notes.sizes_note(step.before, step.after)
                return self._describe_maximization(step), table, size, None
            case Prune():
                self.pruned = True
                table = prune_table(step, self.settings, self.pinned)
                question = build_question(step, self.settings)
                return (
                    self._describe_prune(step),
                    table,
                    notes.sizes_note(step.before, step.after),
                    question,
                )
            case Finalize():
                sentence, table = self._describe_final(step), tables.final_table(step, self.pinned)
                return sentence, table, notes.final_note(step), None

    # --- Sentences ------------------------------------------------------------------------------

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

    def _describe_expectation(self, step: Expectation, k: int) -> RichText:
        before = self.expected
        head = self._round_prefix(step, "E step")
        if not len(step.expected_counts):
            return (*head, "no piece is left.")
        counted = before.expected_counts if before else None
        piece, old, now = tables.leading_change(counted, step.expected_counts)
        self.focus = piece
        if now == old:
            return (*head, "no counts change; ", *self._describe_likelihood(step, k))
        verb = "occurs" if self.hard else "is expected"
        sentence: RichText = (*head, ("token", piece), f" {verb} ", ("strong", times_of(now)))
        if self.hard:
            sentence = (*sentence, " in the best segmentations")
        if old is not None:
            more = "more" if now > old else "fewer"
            sentence = (*sentence, f", {amount(abs(now - old))} {more} than before")
        return (*sentence, "; ", *self._describe_likelihood(step, k))

    def _describe_likelihood(self, step: Expectation, k: int) -> RichText:
        before, now = self.expected, step.log_likelihood
        if before is None:
            return ("the log-likelihood of the text is ", ("strong", f"{log_of(now)} nats"), ".")
        old = before.log_likelihood
        sentence: RichText = (f"log-likelihood {log_of(old)} → ", ("strong", log_of(now)), ".")
        if now >= old - FALL_TOLERANCE * max(abs(old), 1.0):
            return sentence
        self.falls.append(k)
        return (*sentence, f" It falls: {self._fall_reason()}.")

    def _fall_reason(self) -> str:
        if self.pruned:
            return "pruning removed some pieces"
        if self.hard:
            return "hard EM makes the best segmentations more probable, not all of them together"
        if self.settings.m_step == "digamma":
            return "the digamma M step shrinks rare pieces and does not maximize the likelihood"
        return "pieces with too small an expected count were removed"

    def _describe_maximization(self, step: Maximization) -> RichText:
        head = self._round_prefix(step, "M step")
        assert self.expected
        if not len(step.after):
            return (*head, "no piece is left.")
        shown = self.focus = tables.leading_change_piece(step)
        counts = tables.effective_counts(step, self.expected, self.settings)
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
        return (*sentence, *notes.describe_dropped(step), *notes.describe_spared(step))

    def _describe_prune(self, step: Prune) -> RichText:
        removed, kept = len(step.removed), step.size_after
        head: RichText = (f"Round {step.round}, ", ("strong", "prune"), ": ")
        if not removed:
            return (*head, "nothing is removed; ", ("strong", count_of(kept, "piece")), " stay.")
        go = "is removed" if removed == 1 else "are removed"
        sentence: RichText = (
            *head,
            ("strong", f"{removed:,} of {count_of(step.size_before, 'piece')} {go}"),
        )
        return (*sentence, *notes.describe_unweighed(step), ". ", *self._describe_cutoff(step))

    def _describe_cutoff(self, step: Prune) -> RichText:
        """Describe the cheapest and costliest removed pieces, and the piece that narrowly stays."""
        (lost, stays), settings = rank_by_outcome(step), self.settings
        text: RichText = ()
        if lost:
            self.focus = lost[0]
            text = self._describe_lowest_cost(step, lost[0])
            if len(lost) > 1:
                most = f" costs most: {loss_of(step.losses[lost[-1]], settings)}"
                text = (*text, "; of the removed pieces, ", ("token", lost[-1]), most)
            text = (*text, ". ")
        if stays:
            least = step.losses[stays[0]]
            what = "cost" if least >= 0 else "gain"
            narrowly = f" narrowly stays: removing it would {what} {loss_of(abs(least), settings)}"
            tied = lost and least - step.losses[lost[-1]] < NOTHING
            end = f", a tie; {TIE_TEXTS[settings.ties]}." if tied else "."
            text = (*text, ("token", stays[0]), narrowly, end)
        return text

    def _describe_lowest_cost(self, step: Prune, piece: str) -> RichText:
        """Describe the cost of the piece that costs least."""
        loss, settings = step.losses[piece], self.settings
        cost = loss_of(loss, settings)
        if settings.loss not in BY_SEGMENTING:
            return (("token", piece), f" costs least: {cost}")
        if loss >= -NOTHING:
            return ("Without ", ("token", piece), f", the text loses least: {cost}")
        what = "Q even rises by" if settings.loss == "exact" else "the text even gains"
        return ("Without ", ("token", piece), f", {what} {loss_of(-loss, settings)}")

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
        """Return the jump targets; they are complete after iterating over all frames."""
        steps = list(enumerate(self.trace.steps, start=1))
        prunings = [k for k, step in steps if isinstance(step, Prune)]
        expected = [(k, step) for k, step in steps if isinstance(step, Expectation)]
        rounds = [k for k, step in expected if step.sub_iteration == 1]
        sizes = [len(step.log_probs) for _, step in steps]
        fewer = [k for k, (before, now) in enumerate(pairwise(sizes), start=2) if now < before]
        marks = [
            JumpTarget("pieces are pruned", tuple(prunings), has_tick=True),
            JumpTarget("a round begins", tuple(rounds)),
            JumpTarget("pieces disappear", tuple(fewer)),
            JumpTarget("the log-likelihood falls", tuple(self.falls)),
        ]
        if self.watched:
            anew = f"{word_segment(self.watched)[1]} is split differently"
            marks.append(JumpTarget(anew, tuple(self.changes)))
        return marks
