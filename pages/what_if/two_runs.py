"""One change to a run, and the two merge runs without and with it."""

from dataclasses import dataclass

from tokenizers.experiments.research import corpus_edit
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace

NAMES = "as it is", "with the change"
"""The names of the two runs."""


@dataclass(frozen=True, slots=True)
class CountChange:
    """Set the count of a word; a new word comes last in the corpus."""

    word: str
    count: int


@dataclass(frozen=True, slots=True)
class TieRuleChange:
    """Decide ties by another rule; `ties` is the rule's name in the settings."""

    ties: str


@dataclass(frozen=True, slots=True)
class BranchChange:
    """Take another of the tied pairs at one step."""

    step: int
    pair: Pair


Change = CountChange | TieRuleChange | BranchChange


@dataclass(frozen=True, slots=True)
class MoreMerges:
    """Go on merging on another text, with the vocabulary as it is at the end of the run."""

    text: str
    merges: int


@dataclass(frozen=True, slots=True)
class NewVector:
    """Nothing of a run changes: a new token gets a vector."""


@dataclass(frozen=True, slots=True)
class MergeRuns:
    """Two finished runs, `whole` without the change and `changed` with it."""

    change: Change
    whole: Trace
    changed: Trace

    @property
    def word(self) -> str:
        """The word whose count changes, or ""."""
        return self.change.word if isinstance(self.change, CountChange) else ""

    @property
    def first(self) -> int | None:
        """The number of the first merge that differs, counted from 1; None if all are the same."""
        return corpus_edit.first_difference(self.whole.pairs, self.changed.pairs)

    @property
    def lost(self) -> list[str]:
        """The pieces that only the final vocabulary of `whole` has, in the vocabulary's order."""
        return _pieces_only_in(self.whole, self.changed)

    @property
    def gained(self) -> list[str]:
        """The pieces that only the final vocabulary of `changed` has, in the vocabulary's order."""
        return _pieces_only_in(self.changed, self.whole)


@dataclass(frozen=True, slots=True)
class CountEdit(MergeRuns):
    """Two runs that differ in the count of a word."""

    change: CountChange

    @property
    def count(self) -> int:
        """The word's count in the changed corpus; 0 if it is removed."""
        return self.change.count

    @property
    def old(self) -> int:
        """The word's count in the unchanged corpus; 0 if the word is new."""
        return self.whole.corpus.word_counts.get(self.word, 0)


def _pieces_only_in(one: Trace, other: Trace) -> list[str]:
    known = set(other.state(len(other)).vocab)
    return [piece for piece in one.state(len(one)).vocab if piece not in known]
