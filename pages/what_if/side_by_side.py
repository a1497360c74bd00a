"""Record two runs side by side: every position shows the same step of both runs.

Each side shows its table and its words; a word that the two runs split differently is marked with
≠. A run that has ended keeps its last step. The callers are `changes.py` and `unigram_runs.py`.
"""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from lessons.format.words import RichText, join_list
from pages.shared.drawing.formulas import worth_text
from pages.shared.drawing.phrasing import list_pieces, times
from pages.shared.recording.frame_types import (
    Frame,
    FrameSource,
    JumpTarget,
    PicturePart,
    RunFrames,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
)
from pages.what_if import explanation
from pages.what_if.two_runs import NAMES, CountEdit, MergeRuns
from tokenizers.record.trace import Trace

TITLE = "Two runs beside each other"
CAPTIONS = tuple(map(str.capitalize, NAMES))
DIFFERS = "≠ "  # precedes the label of a word
MIN_ROWS = 3  # rows of a table shown even on a low screen, above the words of its run
MOST_WORDS = 5  # words shown at a step


@dataclass(frozen=True, slots=True)
class SideLayout:
    """The parts of one run's recording, and the table columns that fit side by side.

    `mark` is the prefix of a token inside a word.
    """

    parts: tuple[PicturePart, ...]
    columns: tuple[int, ...]
    mark: str = ""

    def paired_parts(self) -> tuple[PicturePart, ...]:
        """Return the parts of both runs, left and right."""
        by_kind = {part.kind: part for part in self.parts}
        table, strips = by_kind["table"], by_kind["strips"]
        columns = tuple([table.columns[n] for n in self.columns])
        narrow = replace(table, columns=columns, min_rows=MIN_ROWS)
        both = [replace(one, side=side) for side in ("left", "right") for one in (narrow, strips)]
        return tuple(both)

    def narrow_table(self, table: TableFrame, name: str) -> TableFrame:
        """Return the table with the columns that fit, captioned with the name of its run."""
        rows = [TableRow(self._kept(row.cells), row.mark, row.reason) for row in table.rows]
        caption = table.caption or next(one.caption for one in self.parts if one.kind == "table")
        heads = self._kept(table.headings) if table.headings else ()
        return TableFrame(tuple(rows), table.more, f"{name}. {caption}", heads)

    def _kept(self, cells: Sequence) -> tuple:
        return tuple([cells[n] for n in self.columns])

    def spelled_word(self, tokens: Sequence[str]) -> str:
        """Return the word that the tokens spell."""
        return "".join([*tokens[:1], *(token.removeprefix(self.mark) for token in tokens[1:])])


@dataclass(frozen=True)
class PairedFrames(FrameSource):
    """The frames of two runs, with the parts `shape.paired_parts()`.

    The sentence of step 0 is the `result` of the change; that of the last step ends with what has
    come of it.
    """

    shape: SideLayout
    frames: tuple[RunFrames, RunFrames]
    result: RichText

    @abstractmethod
    def describe(self, k: int) -> RichText:
        """Describe step `k` of both runs."""

    @property
    @abstractmethod
    def only(self) -> tuple[Sequence[str], Sequence[str]]:
        """The pieces that only one of the final vocabularies has: as it is, and with the change."""

    def __len__(self) -> int:
        return max(map(len, self.frames))

    def frame(self, k: int) -> Frame:
        """Return the frame that shows step `k` of both runs."""
        pictures = [run.picture(min(k, len(run) - 1)) for run in self.frames]
        left, right = (
            self.shape.narrow_table(
                table, name if k < len(run) else f"{name}: ended. The last step"
            )
            for (table, _), name, run in zip(pictures, CAPTIONS, self.frames, strict=True)
        )
        (_, one), (_, other) = pictures
        words = (
            _mark_differences(self.shape, one, other),
            _mark_differences(self.shape, other, one),
        )
        sentence = self.describe(k) if k else self.result
        if k == len(self) - 1 > 0:
            sentence = (*sentence, " ", ("strong", "In the end "), *_conclusion(*self.only))
        return Frame(sentence, (left, words[0], right, words[1]))

    @property
    def common_tokens(self) -> Sequence[str]:
        return [token for run in self.frames for token in run.common_tokens]

    @property
    def content(self) -> object:
        return self.result, *(run.content for run in self.frames)


def _conclusion(lost: Sequence[str], gained: Sequence[str]) -> RichText:
    """Name the pieces that only one of two final vocabularies has."""
    sides = [
        (*list_pieces(pieces), f" {'are' if len(pieces) > 1 else 'is'} {verb}")
        for pieces, verb in ((lost, "missing"), (gained, "new"))
        if pieces
    ]
    if not sides:
        return ("both have the same pieces.",)
    return ("with the change ", *join_list(sides), ".")


def _mark_differences(shape: SideLayout, one: StripsFrame, other: StripsFrame) -> StripsFrame:
    """Return the strips of one run; mark words that the other run splits differently."""
    known = {shape.spelled_word(strip.after): strip.after for strip in other.strips}

    def marked(strip: TokenStrip) -> TokenStrip:
        differs = known.get(shape.spelled_word(strip.after), strip.after) != strip.after
        return replace(strip, label=DIFFERS + strip.label) if differs else strip

    return replace(one, strips=tuple(map(marked, one.strips)))


# --- Two runs that merge --------------------------------------------------------------------------


@dataclass(frozen=True)
class PairedMerges(PairedFrames):
    """The frames of two runs that merge."""

    runs: MergeRuns

    @property
    def new_tokens(self) -> Sequence[str | None]:
        one, other = (run.new_tokens for run in self.frames)
        return (*one, *other[len(one) :])

    @property
    def largest(self) -> Collection[int]:
        first = self.runs.first
        return {first or 0, len(self) - 1, *(k for run in self.frames for k in run.largest)}

    def describe(self, k: int) -> RichText:
        whole, changed = self.runs.whole, self.runs.changed
        if k <= min(len(whole), len(changed)) and whole.pairs[k - 1] == changed.pairs[k - 1]:
            worths = _worth(whole, k), _worth(changed, k)
            both = worths[0] if worths[0] == worths[1] else f"{worths[0]} as it is, now {worths[1]}"
            return ("Both merge ", *_pair_text(whole, k), f": {both}.")
        head: RichText = ()
        if k == self.runs.first:
            head = (("tie", "The first difference. "),)
            reason = (
                explanation.describe_reason(self.runs) if isinstance(self.runs, CountEdit) else ()
            )
            if reason:
                return (*head, *reason)
        sides = zip(CAPTIONS, (whole, changed), strict=True)
        sentences = [(("strong", f"{name}: "), *_merge_text(trace, k)) for name, trace in sides]
        return (*head, *sentences[0], " ", *sentences[1])

    @property
    def only(self) -> tuple[Sequence[str], Sequence[str]]:
        return self.runs.lost, self.runs.gained


def _merge_text(trace: Trace, k: int) -> RichText:
    if k > len(trace):
        return (f"training has stopped: {trace.stop_reason}.",)
    return (*_pair_text(trace, k), f", {_worth(trace, k)}.")


def _pair_text(trace: Trace, k: int) -> RichText:
    first, second = trace.pairs[k - 1]
    return (("token", first), " ", ("token", second), " → ", ("new", trace.tokens[k - 1]))


def _worth(trace: Trace, k: int) -> str:
    return worth_text(trace, k) if trace.settings.by_score else times(trace.counts[k - 1])


def merge_jump_targets(runs: MergeRuns) -> list[JumpTarget]:
    """Return jump targets for the first merge that differs, all that differ, and ties."""
    whole, changed, first = runs.whole, runs.changed, runs.first
    pairs = zip_longest(whole.pairs, changed.pairs)
    differ = tuple(k for k, (one, other) in enumerate(pairs, start=1) if one != other)
    ties = tuple(k for k, tied in enumerate(whole.num_tied, start=1) if tied > 1)
    return [
        JumpTarget("the runs first differ", (first,) if first else (), has_tick=True),
        JumpTarget("the merges differ", differ),
        JumpTarget("there is a tie, as it is", ties),
    ]
