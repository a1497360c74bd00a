"""Frames of TensorFlow Text's learner, which searches for a threshold in several rounds each.

A frame shows the candidate substrings of one round, or how many pieces a threshold gave.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pages.shared.drawing.phrasing import RichText, count_of
from pages.shared.recording.frame_types import (
    Column,
    Frame,
    FrameSource,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
)
from pages.shared.recording.packing import record
from pages.shared.recording.words import MAX_WORDS
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece import top_down
from tokenizers.wordpiece.matching import match_steps
from tokenizers.wordpiece.top_down import Candidate, ThresholdRound, ThresholdTrial

ROWS = 10

PARTS = (
    PicturePart(
        "table",
        "Substrings of words, longest first",
        (Column("part", "tokens"), Column("seen", "number"), Column("left", "number")),
    ),
    PicturePart("strips", "The words, split into the pieces so far"),
    PicturePart("note", ""),
)


def record_top_down(
    corpus: Corpus,
    settings: top_down.TopDownSettings,
    steps: Sequence[ThresholdRound | ThresholdTrial],
    stopped: str,
) -> Recording:
    """Record the steps of `top_down.train`."""
    ends = tuple(k for k, step in enumerate(steps, start=1) if isinstance(step, ThresholdTrial))
    marks = [JumpTarget("a threshold is judged", ends, has_tick=True)]
    frames = TopDownFrames(top_down.training_words(corpus, settings), settings, steps, stopped)
    return record("WordPiece from the top down", PARTS, frames, marks)


@dataclass(frozen=True)
class TopDownFrames(FrameSource):
    """The frames of the steps over `words`."""

    words: Mapping[str, int]
    settings: top_down.TopDownSettings
    steps: Sequence[ThresholdRound | ThresholdTrial]
    stopped: str

    def __len__(self) -> int:
        return len(self.steps) + 1

    def frame(self, k: int) -> Frame:
        """Return the frame of step `k`."""
        strips = _strips(self.words, self._splits(max(k - 1, 0)), self._splits(k))
        if not k:
            return Frame(self._describe_start(), (TableFrame(()), strips, NoteFrame(())))
        step = self.steps[k - 1]
        if isinstance(step, ThresholdRound):
            sentence, table, note = _describe_round(step), _candidates(step), _note(step)
        else:
            sentence, table, note = _describe_threshold(step, self.settings), _vocabulary(step), ()
        if k == len(self.steps):
            sentence = (*sentence, f" The search ends here: {self.stopped}.")
        return Frame(sentence, (table, strips, NoteFrame(note)))

    @property
    def content(self) -> object:
        # A run is the same whenever it is trained again; it may have been stopped at any step.
        return self.words, self.settings, len(self.steps), self.stopped

    @property
    def largest(self) -> Collection[int]:
        return range(max(len(self) - 2, 0), len(self))  # the last of both kinds, the last sentence

    def _splits(self, k: int) -> dict[str, tuple[str, ...]]:
        """Return the most frequent words in the pieces of the last round up to step `k`."""
        shown = sorted(self.words, key=lambda word: -self.words[word])[:MAX_WORDS]
        rounds = (step for step in reversed(self.steps[:k]) if isinstance(step, ThresholdRound))
        if (last := next(rounds, None)) is None:
            return {word: tuple(word) for word in shown}
        return {word: _split(word, last.vocab, self.settings.mark) for word in shown}

    def _describe_start(self) -> RichText:
        return (
            "The ",
            ("strong", count_of(len(self.words), "distinct word")),
            " are cut into all their substrings. The target is "
            f"{self.settings.vocab_size:,} pieces.",
            *((f" {self.stopped.capitalize()}.",) if not self.steps else ()),
        )


def _split(word: str, vocab: Mapping[str, int], mark: str) -> tuple[str, ...]:
    return tuple(step.piece or "" for step in match_steps(word, vocab, mark))


def _strips(words: Mapping[str, int], before: Mapping, after: Mapping) -> StripsFrame:
    strips = tuple(
        TokenStrip(f"{words[word]:,} ×", before[word], after[word], (), before[word] != after[word])
        for word in after
    )
    hidden = len(words) - len(strips)
    return StripsFrame(strips, f"and {count_of(hidden, 'more word')}" if hidden else "")


def _describe_round(step: ThresholdRound) -> RichText:
    kept = sum(candidate.kept for candidate in step.candidates)
    where = "begin at any letter" if step.number == 1 else "begin where an earlier piece began"
    return (
        "Threshold ",
        ("strong", f"{step.threshold:,}"),
        f", round {step.number}: of {count_of(step.num_candidates, 'substring')} that {where}, "
        f"{len(step.candidates):,} occur {step.threshold:,} times or more; ",
        ("strong", f"{kept:,} are kept"),
        ": they still occur that often after longer ones have taken their share.",
    )


def _candidates(step: ThresholdRound) -> TableFrame:
    # Single letters are always kept and not instructive; list them last.
    ranked = sorted(step.candidates, key=lambda part: (not part.kept, -len(part.piece)))
    rows = tuple(_row(part, step.threshold) for part in ranked[:ROWS])
    hidden = len(step.candidates) - len(rows)
    return TableFrame(rows, count_of(hidden, "more substring") if hidden else "")


def _row(part: Candidate, threshold: int) -> TableRow:
    cells = ((part.piece,), part.count, part.left)
    absorbed = part.count - part.left
    if part.kept:
        why = f"Kept: {part.left:,} left, and the threshold is {threshold:,}."
        return TableRow(cells, "now", (why,))
    why = (
        f"Dropped: longer ones that begin with it take {absorbed:,} of its {part.count:,} "
        "occurrences."
    )
    return TableRow(cells, "rejected", (why,))


def _note(step: ThresholdRound) -> RichText:
    return (
        f"{count_of(len(step.vocab), 'piece')} after this round, single characters included. "
        "The column “left” counts how often a substring runs to the end of a word.",
    )


def _describe_threshold(step: ThresholdTrial, settings: top_down.TopDownSettings) -> RichText:
    sentence: RichText = (
        "Threshold ",
        ("strong", f"{step.threshold:,}"),
        f", between {step.low:,} and {step.high:,}, gives ",
        ("strong", count_of(len(step.vocab), "piece")),
        f" (target: {settings.vocab_size:,})",
    )
    if step.verdict == "taken":
        return (*sentence, ": we take this vocabulary.")
    direction = "higher" if step.verdict == "too large" else "lower"
    return (*sentence, f": {step.verdict}, so we try a {direction} threshold.")


def _vocabulary(step: ThresholdTrial) -> TableFrame:
    newest = [piece for piece in step.vocab if len(piece) > 1][:ROWS]
    rows = tuple(TableRow(((piece,), "", "")) for piece in newest)
    return TableFrame(rows, "", "The vocabulary, most frequent pieces first")
