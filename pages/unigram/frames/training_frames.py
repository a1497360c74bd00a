"""The film of a Unigram training run: E step, M step, prune, and round again.

Position k shows step k of the trace: the seed is position 0. Every position says its numbers before
and after, and cuts a few words by the model before the step and by the one after it. All of it is
read from the trace. Left out: what the table shows (`tables.py`), the words
(`words.py`), how a film is packed (`pages/shared/recording/packing.py`).
"""

import math
from collections.abc import Callable, Iterator
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
    columns,
)
from pages.shared.recording.packing import pack_frames
from pages.unigram.frames import notes, tables
from pages.unigram.frames.code import TRAINING, training_code
from pages.unigram.frames.flow import Flows
from pages.unigram.frames.pruning import auction, prune_table, ranks
from pages.unigram.frames.words import Words
from pages.unigram.numbers import NOTHING, amount, log_of, loss_of, probability, times_of
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.symbols import Split
from tokenizers.unigram.settings import BY_SEGMENTING
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Names, Prune, Seed, Step

CAPTION = "How often each piece is expected: the shares of all segmentations, times the counts"
PIECES = columns(
    {"piece": "tokens", "before": "number", "now": "number", "change": "text", "": "part"}
)
PARTS = (
    PicturePart("table", "Pieces", PIECES),
    PicturePart("strips", "Words, each in its most probable segmentation"),
    PicturePart("note", ""),
)
TIES_SAID = {
    "last": "the piece listed later is removed",
    "first": "the piece listed earlier is removed",
    "string": "the last in code point order is removed",
}
FELL = 1e-9  # by how much of itself the log-likelihood must fall to be said to fall
Enough = Callable[[int], bool]
"""Is asked at each step whether it is the last one to be filmed."""


def unigram_film(
    trace: UnigramTrace,
    watched: str = "",
    enough: Enough = lambda k: False,
    pinned: tuple[str, ...] = (),
) -> Recording:
    """Return the film of `trace`; it always shows the word `watched`, to which one can jump, and
    the `pinned` pieces while there are such."""
    frames = Frames(trace, watched, enough, pinned)
    # A list: the marks are known when all frames are made.
    told = [with_code(frame, training_code(frames.trace, k)) for k, frame in enumerate(frames)]
    flow = PicturePart("flow", CAPTION, flow=frames.flows.flow)
    return pack_frames("Unigram training", (flow, *PARTS, TRAINING.part), told, frames.marks())


class Frames:
    """The frames of a trace, made one after the other: what was before is remembered."""

    def __init__(
        self,
        trace: UnigramTrace,
        watched: str,
        enough: Enough = lambda k: False,
        pinned: tuple[str, ...] = (),
    ) -> None:
        self.trace, self.settings, self.enough = trace, trace.settings, enough
        self.watched, self.pinned = watched, pinned
        self.hard = trace.settings.e_step == "max"
        counts = trace.word_counts if trace.steps else {}
        names = trace.seed.pieces.names if trace.steps else Names(())
        self.words = Words(counts, names, watched)
        self.flows = Flows(trace, watched, pinned)
        self.expected: Expectation | None = None
        self.pruned = False  # since the last E step
        self.spoken = ""  # the piece that the sentence speaks of
        self.splits: tuple[Split, ...] = ()  # without pieces, a word cannot be split
        self.falls: list[int] = []
        self.changes: list[int] = []  # steps at which the watched word is cut anew

    def __iter__(self) -> Iterator[Frame]:
        self.enough(0)  # the start is filmed in any case
        yield self._first()
        k = 0
        while k < len(self.trace):
            k += 1
            if self.enough(k):
                self.trace = self.trace.truncated(k)
            step = self.trace.step(k)
            self.spoken = ""
            said, table, note, ask = self._tell(step, k)
            after = self.words.splits(step.log_probs)
            self.splits = self.splits or after
            place = self.words.watched
            if place is not None and self.splits[place] != after[place]:
                self.changes.append(k)
            strips = self.words.strips(self.splits, after)
            if k == len(self.trace):
                said = (*said, f" Training stops here: {self.trace.stop_reason}.")
            flow = self.flows.take(step, self.spoken)
            yield Frame(said, (flow, table, strips, NoteFrame(note)), None, ask)
            self.splits = after

    def _first(self) -> Frame:
        corpus = self.trace.corpus
        say: RichText = (
            "Start: ",
            ("strong", count_of(corpus.num_words, "word")),
            f" ({corpus.num_distinct_words:,} distinct). We want a vocabulary of ",
            ("strong", count_of(self.settings.vocab_size, "piece")),
            ". First the seed, then E step → M step → prune, round after round.",
            *(() if self.trace.steps else (f" There is nothing to do: {self.trace.stop_reason}.",)),
        )
        strips = StripsFrame((), "There are no pieces yet. From step 1 on, the words are split.")
        return Frame(say, (self.flows.at_start(), TableFrame(()), strips, NoteFrame(())))

    def _tell(
        self, step: Step, k: int
    ) -> tuple[RichText, TableFrame, RichText, StepQuestion | None]:
        """Return of a step the sentence, the table, the note and the question."""
        match step:
            case Seed():
                told, table = self._seed(step), tables.seed_table(step, self.pinned)
                return told, table, notes.rest_of_seed(step), None
            case Expectation():
                told = self._say_expectation(step, k)
                table = tables.expectation_table(step, self.expected, self.hard, self.pinned)
                self.expected, self.pruned = step, False
                return told, table, notes.likelihood(step), None
            case Maximization():
                assert self.expected
                table = tables.maximization_table(step, self.expected, self.settings, self.pinned)
                size = notes.sizes(step.before, step.after)
                return self._say_maximization(step), table, size, None
            case Prune():
                self.pruned = True
                table = prune_table(step, self.settings, self.pinned)
                ask = auction(step, self.settings, self.words)
                return self._say_prune(step), table, notes.sizes(step.before, step.after), ask
            case Finalize():
                told, table = self._say_final(step), tables.final_table(step, self.pinned)
                return told, table, notes.rest_of_final(step), None

    # --- Sentences ------------------------------------------------------------------------------

    def _seed(self, step: Seed) -> RichText:
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

    def _round(self, step: Expectation | Maximization, name: str) -> RichText:
        """Return the beginning of a sentence: which round, and of several E steps which one."""
        which = f" {step.sub_iteration}" if self.settings.sub_iterations > 1 else ""
        return (f"Round {step.round}, ", ("strong", f"{name}{which}"), ": ")

    def _say_expectation(self, step: Expectation, k: int) -> RichText:
        before = self.expected
        head = self._round(step, "E step")
        if not len(step.expected_counts):
            return (*head, "no piece is left.")
        counted = before.expected_counts if before else None
        piece, old, now = tables.telling_change(counted, step.expected_counts)
        self.spoken = piece
        if now == old:
            return (*head, "no counts change; ", *self._say_likelihood(step, k))
        verb = "occurs" if self.hard else "is expected"
        said: RichText = (*head, ("token", piece), f" {verb} ", ("strong", times_of(now)))
        if self.hard:
            said = (*said, " in the best segmentations")
        if old is not None:
            more = "more" if now > old else "fewer"
            said = (*said, f", {amount(abs(now - old))} {more} than before")
        return (*said, "; ", *self._say_likelihood(step, k))

    def _say_likelihood(self, step: Expectation, k: int) -> RichText:
        before, now = self.expected, step.log_likelihood
        if before is None:
            return ("the log-likelihood of the text is ", ("strong", f"{log_of(now)} nats"), ".")
        old = before.log_likelihood
        said: RichText = (f"log-likelihood {log_of(old)} → ", ("strong", log_of(now)), ".")
        if now >= old - FELL * abs(old):
            return said
        self.falls.append(k)
        return (*said, f" It falls: {self._why_fell()}.")

    def _why_fell(self) -> str:
        if self.pruned:
            return "pruning removed some pieces"
        if self.hard:
            return "hard EM makes the best segmentations more probable, not all of them together"
        if self.settings.m_step == "digamma":
            return "the digamma M step shrinks rare pieces and does not maximize the likelihood"
        return "pieces with too small an expected count were removed"

    def _say_maximization(self, step: Maximization) -> RichText:
        head = self._round(step, "M step")
        assert self.expected
        if not len(step.after):
            return (*head, "no piece is left.")
        shown = self.spoken = tables.telling_piece(step)
        counts = tables.counts_taken(step, self.expected, self.settings)
        before, after = (math.exp(table[shown]) for table in (step.before, step.after))
        rule = tables.divided(counts[shown], float(counts.array.sum()), self.settings)
        shrinks = ", which shrinks rare pieces" if self.settings.m_step == "digamma" else ""
        said: RichText = (
            *head,
            ("token", shown),
            f" (expected {times_of(counts[shown])}) ",
            *notes.goes(probability(before), probability(after)),
            f": {rule}{shrinks}.",
        )
        return (*said, *notes.dropped(step), *notes.spared(step))

    def _say_prune(self, step: Prune) -> RichText:
        gone, kept = len(step.removed), step.size_after
        head: RichText = (f"Round {step.round}, ", ("strong", "prune"), ": ")
        if not gone:
            return (*head, "nothing is removed; ", ("strong", count_of(kept, "piece")), " stay.")
        go = "is removed" if gone == 1 else "are removed"
        said: RichText = (
            *head,
            ("strong", f"{gone:,} of {count_of(step.size_before, 'piece')} {go}"),
        )
        return (*said, *notes.unweighed(step), ". ", *self._cut(step))

    def _cut(self, step: Prune) -> RichText:
        """Say what costs least, and what only just stays."""
        (lost, stays), settings = ranks(step), self.settings
        said: RichText = ()
        if lost:
            self.spoken = lost[0]
            said = self._costs(step, lost[0])
            if len(lost) > 1:
                most = f" costs most: {loss_of(step.losses[lost[-1]], settings)}"
                said = (*said, "; of the removed pieces, ", ("token", lost[-1]), most)
            said = (*said, ". ")
        if stays:
            least = step.losses[stays[0]]
            what = "cost" if least >= 0 else "gain"
            narrowly = f" narrowly stays: removing it would {what} {loss_of(abs(least), settings)}"
            tied = lost and least - step.losses[lost[-1]] < NOTHING
            end = f", a tie; {TIES_SAID[settings.ties]}." if tied else "."
            said = (*said, ("token", stays[0]), narrowly, end)
        return said

    def _costs(self, step: Prune, piece: str) -> RichText:
        """Say what the piece costs that costs least."""
        loss, settings = step.losses[piece], self.settings
        cost = loss_of(loss, settings)
        if settings.loss not in BY_SEGMENTING:
            return (("token", piece), f" costs least: {cost}")
        if loss >= -NOTHING:
            return ("Without ", ("token", piece), f", the text loses least: {cost}")
        what = "Q even rises by" if settings.loss == "exact" else "the text even gains"
        return ("Without ", ("token", piece), f", {what} {loss_of(-loss, settings)}")

    def _say_final(self, step: Finalize) -> RichText:
        size = len(step.pieces) + len(step.reserved)
        said: RichText = (("strong", "Finalize"), ": ", ("strong", count_of(size, "piece")))
        if step.reserved:
            said = (*said, f", {len(step.reserved):,} of them reserved")
        lost = "it" if len(step.added) == 1 else "them"
        told = [
            (step.shadowed, "removed because their best split is more probable"),
            (step.cut, "removed to reach the size"),
            (step.added, f"put back, because training had lost {lost}"),
        ]
        parts = [f"{len(pieces):,} {what}" for pieces, what in told if pieces]
        return (*said, f". {'; '.join(parts)}." if parts else ".")

    # --- Where to jump --------------------------------------------------------------------------

    def marks(self) -> list[JumpTarget]:
        """Return where to jump to; complete once all frames are made."""
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
