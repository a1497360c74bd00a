"""The record of BPE that learns from one text in two stages, the second across spaces.

There is only position 0. A row is named by the merge after which spaces may be crossed: `0`, `200`;
`words` is BPE as usual, which never crosses one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import TextFacts, whole_number
from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import Text, Tokens, decimal, in_row, percent
from tokenizers.bpe.superwords import is_superword
from tokenizers.merging.state import Merge, Pair

USUAL = "words"


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its merges, and what they make of the page, of the text and of another passage.

    `left` are the tokens of the page before the first merge and after each, `lifted` the number
    of merges inside words, `waiting` the counts of all pairs just after those.
    """

    title: str
    merges: tuple[Merge, ...]
    left: tuple[int, ...]
    lifted: int
    waiting: Mapping[Pair, int]
    cut: Tokens
    elsewhere: int

    @property
    def tokens(self) -> int:
        """The tokens of the page in the end."""
        return self.left[-1]

    @property
    def superwords(self) -> Tokens:
        """The pieces that hold a space inside, in the order of their merges."""
        return tuple([step.token for step in self.merges if is_superword(step.token)])


@dataclass(frozen=True, slots=True)
class SuperwordsFacts(TextFacts):
    """Runs by the names of their rows, and the text that each of them cuts."""

    characters: int
    rows: Mapping[str, Run]

    def tokens(self) -> Tokens:
        """Return all that the merges made, and the tokens of the text."""
        rows = self.rows.values()
        made = [step.token for row in rows for step in row.merges]
        return tuple(dict.fromkeys([*made, *(token for row in rows for token in row.cut)]))

    def row(self, name: object) -> Run:
        """Return a row. Raises LessonLookupError."""
        return entry(self.rows, name, "there is no row called")

    def _at(self, argument: str, otherwise: int) -> tuple[Run, int]:
        """Return a row and the number behind its name."""
        name, _, number = argument.partition(" ")
        at = whole_number(number, "tokens:200 100") if number else otherwise
        row = self.row(name)
        if at >= len(row.left):
            raise LessonLookupError(f"This run has only {len(row.merges)} merges.")
        return row, at

    def field_words(self, at: int, argument: str) -> Text:
        """How many words the text has."""
        return (f"{len(self.text.split()):,}",)

    def field_merges(self, at: int, argument: str) -> Text:
        """`{merges:200}`: how many merges there are."""
        return (f"{len(self.row(argument).merges):,}",)

    def field_lifted(self, at: int, argument: str) -> Text:
        """`{lifted:200}`: how many merges stay inside words before the others."""
        return (f"{self.row(argument).lifted:,}",)

    def field_tokens(self, at: int, argument: str) -> Text:
        """`{tokens:200}`, `{tokens:200 100}`: the tokens of the page, after so many merges."""
        row, number = self._at(argument, -1)
        return (f"{row.left[number]:,}",)

    def field_fewer(self, at: int, argument: str) -> Text:
        """`{fewer:200}`: by which share the tokens of the page are fewer than by usual BPE."""
        return (percent(1 - self.row(argument).tokens / self.row(USUAL).tokens),)

    def field_per_token(self, at: int, argument: str) -> Text:
        """`{per_token:200}`: the characters of the page for each token."""
        return (decimal(self.characters / self.row(argument).tokens),)

    def field_elsewhere(self, at: int, argument: str) -> Text:
        """`{elsewhere:200}`: the tokens of a passage that was not learned from."""
        return (f"{self.row(argument).elsewhere:,}",)

    def field_fewer_elsewhere(self, at: int, argument: str) -> Text:
        """`{fewer_elsewhere:200}`: the same share of that passage."""
        return (percent(1 - self.row(argument).elsewhere / self.row(USUAL).elsewhere),)

    def field_split(self, at: int, argument: str) -> Text:
        """`{split:200}`: the tokens of the text."""
        return in_row(self.row(argument).cut)

    def field_length(self, at: int, argument: str) -> Text:
        """`{length:200}`: how many tokens the text has."""
        return (f"{len(self.row(argument).cut):,}",)

    def field_superwords(self, at: int, argument: str) -> Text:
        """`{superwords:200}`: how many pieces hold a space inside."""
        return (f"{len(self.row(argument).superwords):,}",)

    def field_longest(self, at: int, argument: str) -> Text:
        """`{longest:200}`: the longest of them."""
        made = self.row(argument).superwords
        if not made:
            raise LessonLookupError("No piece of this row holds a space. Choose another row.")
        return in_row([max(made, key=len)])

    def field_merged(self, at: int, argument: str) -> Text:
        """`{merged:0 1}`: what a merge made, numbered from the first."""
        row, number = self._at(argument, 1)
        if not 1 <= number <= len(row.merges):
            raise LessonLookupError("Merges are numbered from 1. Write: {merged:0 1}")
        return in_row([row.merges[number - 1].token])
