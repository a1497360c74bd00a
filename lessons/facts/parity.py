"""Facts about merges that the most frequent pair chooses, or the language worst off.

There is only position 0. A rule is `usual`, for the most frequent pair, or `parity`, for the
language worst off; a language is named by its code, such as `hi`. Merges are counted from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lessons.facts.base import PictureFacts, whole_number
from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import RichText, Tokens, decimal, percent
from lessons.texts import Passage
from lessons.texts.parallel import RuleComparison, byte_premium
from tokenizers.experiments.research.parity import Burden, Turn


@dataclass(frozen=True, slots=True)
class ParityFacts(PictureFacts):
    """What every language pays under both rules, and who chose each merge by parity."""

    passages: Mapping[str, Passage]
    compared: RuleComparison

    def tokens(self) -> Tokens:
        """Return the pieces that the merges make."""
        return tuple(dict.fromkeys(turn.token for turn in self.compared.run.turns))

    def passage(self, code: str) -> Passage:
        """Return a language's passage. Raises LessonLookupError if the picture lacks it."""
        return entry(self.passages, code, "the picture has no language called")

    def burden(self, rule: str) -> Burden:
        """Return what all languages pay. Raises LessonLookupError for another rule."""
        rules = {"usual": self.compared.usual, "parity": self.compared.parity}
        return entry(rules, rule, "there is no rule called")

    def merge(self, written: str) -> Turn:
        """Return a merge by its number. Raises LessonLookupError if there is none."""
        number, turns = whole_number(written, "chooser:12"), self.compared.run.turns
        if not 1 <= number <= len(turns):
            raise LessonLookupError(f"Merges are numbered from 1 to {len(turns)}. Write: 1")
        return turns[number - 1]

    def name(self, code: str) -> str:
        """Return a language's name in English; "all" if all languages choose together."""
        return self.passage(code).name if code else "all"

    def paid(self, number: str) -> dict[str, int]:
        """Return the tokens of every language's training sentences before a merge."""
        run = self.compared.run
        return dict(zip(run.languages, self.merge(number).lengths, strict=True))

    def field_merges(self, at: int, argument: str) -> RichText:
        """How many merges there are."""
        return (f"{len(self.compared.run.turns):,}",)

    def field_together(self, at: int, argument: str) -> RichText:
        """How many merges all languages chose together."""
        return (f"{sum(not turn.language for turn in self.compared.run.turns):,}",)

    def field_characters(self, at: int, argument: str) -> RichText:
        """`{characters:hi}`: how many characters a language's passage has."""
        return (f"{len(self.passage(argument).text):,}",)

    def field_bytes(self, at: int, argument: str) -> RichText:
        """`{bytes:hi}`: how many bytes a language's passage has in UTF-8."""
        return (f"{len(self.passage(argument).text.encode()):,}",)

    def field_byte_premium(self, at: int, argument: str) -> RichText:
        """`{byte_premium:hi}`: how many bytes the language needs for each byte of English."""
        return (decimal(byte_premium(self.passage(argument))),)

    def field_published(self, at: int, argument: str) -> RichText:
        """`{published:hi}`: the published byte premium."""
        return (decimal(self.passage(argument).byte_premium),)

    def field_cost(self, at: int, argument: str) -> RichText:
        """`{cost:parity hi}`: a language's tokens of the unseen sentences, by a rule."""
        rule, _, code = argument.partition(" ")
        return (f"{entry(self.burden(rule).costs, code, 'the picture has no language called'):,}",)

    def field_total(self, at: int, argument: str) -> RichText:
        """`{total:parity}`: the tokens of all languages together."""
        return (f"{sum(self.burden(argument).costs.values()):,}",)

    def field_worst(self, at: int, argument: str) -> RichText:
        """`{worst:parity}`: the language that pays most."""
        return (self.name(self.burden(argument).worst),)

    def field_most(self, at: int, argument: str) -> RichText:
        """`{most:parity}`: the tokens of the language that pays most."""
        paid = self.burden(argument)
        return (f"{paid.costs[paid.worst]:,}",)

    def field_gini(self, at: int, argument: str) -> RichText:
        """`{gini:parity}`: the Gini coefficient of what the languages pay."""
        return (f"{self.burden(argument).gini:.3f}",)

    def field_gini_falls(self, at: int, argument: str) -> RichText:
        """By how many percent the Gini coefficient falls, by parity."""
        before, after = (self.burden(rule).gini for rule in ("usual", "parity"))
        return (percent(1 - after / before) if before else "0%",)

    def field_change(self, at: int, argument: str) -> RichText:
        """The change of all tokens together, by parity, as a percentage with its sign."""
        before, after = (sum(self.burden(rule).costs.values()) for rule in ("usual", "parity"))
        return (f"{after / before - 1:+.1%}".replace("-", "−"),)

    def field_chooser(self, at: int, argument: str) -> RichText:
        """`{chooser:12}`: the language that chose a merge."""
        return (self.name(self.merge(argument).language),)

    def field_paid(self, at: int, argument: str) -> RichText:
        """`{paid:12 hi}`: the tokens of a language's training sentences before a merge."""
        number, _, code = argument.partition(" ")
        return (f"{entry(self.paid(number), code, 'the picture has no language called'):,}",)

    def field_count(self, at: int, argument: str) -> RichText:
        """`{count:12}`: how often the merged pair occurs in the text of who chose it."""
        return (f"{self.merge(argument).count:,}",)

    def field_turns(self, at: int, argument: str) -> RichText:
        """`{turns:hi}`: how many merges a language chose."""
        self.passage(argument)
        return (f"{sum(turn.language == argument for turn in self.compared.run.turns):,}",)

    def field_first_turn(self, at: int, argument: str) -> RichText:
        """`{first_turn:en}`: the number of the first merge that a language chose."""
        turns = enumerate(self.compared.run.turns, start=1)
        first = next((n for n, turn in turns if turn.language == argument), None)
        if first is None:
            raise LessonLookupError(f"No merge was chosen by {argument!r}. Name another language.")
        return (f"{first:,}",)

    def field_times(self, at: int, argument: str) -> RichText:
        """`{times:parity hi en}`: how many tokens a language pays for each one of another."""
        rule, _, codes = argument.partition(" ")
        one, _, other = codes.partition(" ")
        missing, costs = "the picture has no language called", self.burden(rule).costs
        return (decimal(entry(costs, one, missing) / entry(costs, other, missing)),)

    def field_gini_left(self, at: int, argument: str) -> RichText:
        """Which share of the Gini coefficient is left, by parity."""
        before, after = (self.burden(rule).gini for rule in ("usual", "parity"))
        return (percent(after / before if before else 1.0),)

    def field_grows(self, at: int, argument: str) -> RichText:
        """By how many percent all tokens together grow, by parity; 0 if they don't."""
        before, after = (sum(self.burden(rule).costs.values()) for rule in ("usual", "parity"))
        return (percent(max(after / before - 1, 0.0)),)
