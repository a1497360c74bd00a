"""Facts about BPE trained in two stages, the second with merges across spaces.

There is only position 0. A row is named by the number of merges before spaces may be crossed,
such as `0` or `200`; the row `words` is ordinary BPE, which never crosses spaces. Other rows are
`whole_words` (BoundlessBPE), `length_max` (Length-MAX, inside words) and `fewest` (the pieces of
ordinary BPE, as few of them as possible).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import TextFacts, whole_number
from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import RichText, Tokens, decimal, in_row, percent
from tokenizers.bpe.superwords import is_superword
from tokenizers.experiments.research.length_max import LearnedPiece
from tokenizers.merging.state import Merge, Pair

USUAL = "words"


@dataclass(frozen=True, slots=True)
class SuperwordRun:
    """One training run's merges, and how it splits the page, the text and another passage.

    `left` has the page's token counts at the start and after each merge, or only at the end.
    `lifted` is the number of merges before the first across a space, and `waiting` has the pair
    counts right after them. `efficiency` is the Rényi efficiency of the page's tokens.
    """

    title: str
    merges: tuple[Merge | LearnedPiece, ...]
    left: tuple[int, ...]
    lifted: int
    waiting: Mapping[Pair, int]
    tokens_of_text: Tokens
    elsewhere: int
    efficiency: float

    @property
    def tokens(self) -> int:
        """The page's token count after the run."""
        return self.left[-1]

    @property
    def superwords(self) -> Tokens:
        """The pieces that contain a space, in merge order."""
        return tuple([step.token for step in self.merges if is_superword(step.token)])


@dataclass(frozen=True, slots=True)
class SuperwordsFacts(TextFacts):
    """The runs by row name, and the text that each of them splits."""

    characters: int
    rows: Mapping[str, SuperwordRun]

    def tokens(self) -> Tokens:
        """Return the merged pieces and the tokens of the text."""
        rows = self.rows.values()
        made = [step.token for row in rows for step in row.merges]
        return tuple(
            dict.fromkeys([*made, *(token for row in rows for token in row.tokens_of_text)])
        )

    def row(self, name: object) -> SuperwordRun:
        """Return the row called `name`. Raises LessonLookupError if there is none."""
        return entry(self.rows, name, "there is no row called")

    def _at(self, argument: str, otherwise: int) -> tuple[SuperwordRun, int]:
        """Parse a row name with an optional number of merges."""
        name, _, number = argument.partition(" ")
        at = whole_number(number, "tokens:200 100") if number else otherwise
        row = self.row(name)
        if number and len(row.left) == 1:
            raise LessonLookupError("This row has only its last tokens. Leave the number out.")
        if at >= len(row.left):
            raise LessonLookupError(f"This run has only {len(row.merges)} merges.")
        return row, at

    def field_words(self, at: int, argument: str) -> RichText:
        """How many words the text has."""
        return (f"{len(self.text.split()):,}",)

    def field_merges(self, at: int, argument: str) -> RichText:
        """`{merges:200}`: how many merges a row has."""
        return (f"{len(self.row(argument).merges):,}",)

    def field_lifted(self, at: int, argument: str) -> RichText:
        """`{lifted:200}`: the number of merges inside words before spaces may be crossed."""
        return (f"{self.row(argument).lifted:,}",)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """`{tokens:200}`: the page's token count; `{tokens:200 100}` is after 100 merges."""
        row, number = self._at(argument, -1)
        return (f"{row.left[number]:,}",)

    def field_fewer(self, at: int, argument: str) -> RichText:
        """`{fewer:200}`: the percentage of ordinary BPE's tokens of the page that a row saves."""
        return (percent(1 - self.row(argument).tokens / self.row(USUAL).tokens),)

    def field_saved(self, at: int, argument: str) -> RichText:
        """`{saved:200}`: how many of ordinary BPE's tokens of the page a row saves."""
        return (f"{self.row(USUAL).tokens - self.row(argument).tokens:,}",)

    def field_per_token(self, at: int, argument: str) -> RichText:
        """`{per_token:200}`: the page's average number of characters per token."""
        return (decimal(self.characters / self.row(argument).tokens),)

    def field_elsewhere(self, at: int, argument: str) -> RichText:
        """`{elsewhere:200}`: the number of tokens of a passage outside the training text."""
        return (f"{self.row(argument).elsewhere:,}",)

    def field_fewer_elsewhere(self, at: int, argument: str) -> RichText:
        """`{fewer_elsewhere:200}`: the percentage saved on a passage outside the training text."""
        return (percent(1 - self.row(argument).elsewhere / self.row(USUAL).elsewhere),)

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:200}`: the tokens of the text."""
        return in_row(self.row(argument).tokens_of_text)

    def field_length(self, at: int, argument: str) -> RichText:
        """`{length:200}`: how many tokens the text has."""
        return (f"{len(self.row(argument).tokens_of_text):,}",)

    def field_superwords(self, at: int, argument: str) -> RichText:
        """`{superwords:200}`: the number of pieces that contain a space."""
        return (f"{len(self.row(argument).superwords):,}",)

    def field_longest(self, at: int, argument: str) -> RichText:
        """`{longest:200}`: the longest piece that contains a space."""
        made = self.row(argument).superwords
        if not made:
            raise LessonLookupError("No piece of this row holds a space. Choose another row.")
        return in_row([max(made, key=len)])

    def field_efficiency(self, at: int, argument: str) -> RichText:
        """`{efficiency:200}`: the Rényi efficiency of the page's tokens."""
        return (decimal(self.row(argument).efficiency, 3),)

    def field_mean(self, at: int, argument: str) -> RichText:
        """`{mean:200}`: the average number of characters of the pieces that a row learns."""
        made = self.row(argument).merges
        return (decimal(sum(len(step.token) for step in made) / max(len(made), 1)),)

    def field_count(self, at: int, argument: str) -> RichText:
        """`{count:length_max 1}`: how often the first piece occurred when it was learned."""
        return (f"{self._made(argument).count:,}",)

    def field_worth(self, at: int, argument: str) -> RichText:
        """`{worth:length_max 1}`: that count, times the length of the piece."""
        made = self._made(argument)
        return (f"{made.count * len(made.token):,}",)

    def _made(self, argument: str) -> Merge | LearnedPiece:
        """Return the piece made by a row's merge. Raises LessonLookupError if there is none."""
        name, _, number = argument.partition(" ")
        row, which = self.row(name), whole_number(number or "1", "merged:0 1")
        if not 1 <= which <= len(row.merges):
            raise LessonLookupError("Merges are numbered from 1. Write: {merged:0 1}")
        return row.merges[which - 1]

    def field_merged(self, at: int, argument: str) -> RichText:
        """`{merged:0 1}`: the piece made by a merge, counted from 1."""
        return in_row([self._made(argument).token])
