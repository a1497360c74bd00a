"""Facts about a training run of BPE or WordPiece.

Position k shows the state after merge k, whose counts decide merge k + 1. Fields about a pair
without an argument (`{pair}`, `{count}`) describe merge k and need k ≥ 1.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Any

from lessons.facts.base import RunFacts, pair_of, require, text_of, whole_number
from lessons.format.errors import LessonLookupError, among
from lessons.format.words import (
    RichText,
    Tokens,
    count_of,
    decimal,
    in_row,
    join_list,
    name_list,
    percent,
    small,
)
from tokenizers import wordpiece
from tokenizers.experiments.complexity.operations import pairs_in_changed, pairs_in_text
from tokenizers.experiments.research.residues import TokenUses, uses_after
from tokenizers.merging.state import Merge, Pair, State, find_pair
from tokenizers.record.trace import Trace
from tokenizers.wordpiece.likelihood import gains

MOST_WORDS = 6  # words named in a sentence
MOST_BY_LIKELIHOOD = 100  # distinct words, since all gains are recomputed


@dataclass(frozen=True, slots=True)
class MergeFacts(RunFacts[Trace]):
    """A run of BPE or WordPiece training."""

    @property
    def by_score(self) -> bool:
        """Whether pairs are chosen by the WordPiece score."""
        return self.trace.settings.by_score

    def tokens(self) -> Tokens:
        """Return the pieces of the vocabulary."""
        return (*self.trace.alphabet, *self.trace.tokens)

    def step(self, at: int) -> Merge:
        """Return the merge that leads to a position. Raises LessonLookupError at the start."""
        if not at:
            raise LessonLookupError(
                "At the start nothing has been merged yet. Set at to a later moment."
            )
        return self.trace.step(at)

    def worth(self, at: int, pair: Pair) -> Fraction:
        """Return the score or count of a pair after step `at`; 0 if it no longer occurs."""
        state = self.trace.state(at)
        if pair not in state.pair_counts:
            return Fraction(0)
        return wordpiece.score(state, pair) if self.by_score else Fraction(state.pair_counts[pair])

    def parts(self, at: int, pair: Pair) -> str:
        """Return the formula of a pair's score after step `at`, such as 3 / (3 · 3)."""
        state = self.trace.state(at)
        one, two = (state.token_counts[part] for part in pair)
        return f"{state.pair_counts[pair]:,} / ({one:,} · {two:,})"

    def ranked(self, at: int) -> list[Pair]:
        """Return the pairs that may be merged after step `at`, best first."""
        settings, state = self.trace.settings, self.trace.state(at)
        if self.by_score:
            return wordpiece.ranking(state, None, settings.min_count)
        counts = state.pair_counts
        allowed = [
            pair
            for pair, count in counts.items()
            if count >= settings.min_count and settings.allows(pair)
        ]
        return sorted(allowed, key=lambda pair: -counts[pair])

    def best(self, at: int) -> list[Pair]:
        """Return the best pairs after step `at`; several if tied."""
        pairs = self.ranked(at)
        most = self.worth(at, pairs[0]) if pairs else 0
        return list(takewhile(lambda pair: self.worth(at, pair) == most, pairs))

    def split(self, at: int, word: str) -> Tokens:
        """Return the tokens of a text under the tokenizer after `at` steps."""
        return self.trace.model(at).encode(word).tokens

    def holders(self, at: int, pair: Pair) -> list[tuple[str, int, int]]:
        """Return (word, its count, the pair's occurrences in it) for each word with a pair."""
        counts = self.trace.corpus.word_counts
        found = ((word, find_pair(self.trace.split(n, at), pair)) for n, word in enumerate(counts))
        return [(word, counts[word], len(places)) for word, places in found if places]

    def pair_of(self, at: int, written: str) -> Pair:
        """Parse a pair such as `e+s`. Raises LessonLookupError if it is not in the words."""
        counts = self.trace.state(at).pair_counts
        for n, sign in enumerate(written):
            pair = (written[:n], written[n + 1 :])
            if sign == "+" and pair in counts:
                return pair
        likely = name_list(("+".join(pair) for pair in self.ranked(at)), 6)
        message = f"The pair “{written}” is not in the words at this point. There are: {likely}."
        raise LessonLookupError(message)

    def gains(self, at: int) -> dict[Pair, float]:
        """Return each merge's gain in nats. Raises LessonLookupError for a large corpus."""
        if len(self.trace.words) > MOST_BY_LIKELIHOOD:
            raise LessonLookupError(f"Gains are for corpora of at most {MOST_BY_LIKELIHOOD} words.")
        settings = self.trace.settings
        mark = settings.mark if isinstance(settings, wordpiece.Settings) else ""
        counts = list(self.trace.corpus.word_counts.values())
        return gains(State(self.trace.state(at).splits, counts, {}, mark))

    def find_token(self, value: Any) -> int:
        """The merge that makes a token; 0 for a base symbol."""
        token = text_of(value, 'token = "est"')
        born = self.trace.created_at(token)
        if born is None:
            made = name_list(self.trace.tokens, 12)
            raise LessonLookupError(f"No step of this run makes “{token}”. It makes: {made}.")
        return born

    def find_pair(self, value: Any) -> int:
        """The merge of a pair."""
        pair = pair_of(value)
        if pair not in self.trace.pairs:
            made = name_list(("+".join(pair) for pair in self.trace.pairs), 12)
            raise LessonLookupError(f"This run never merges “{'+'.join(pair)}”. It merges: {made}.")
        return self.trace.pairs.index(pair) + 1

    def find_tie(self, value: Any) -> int:
        """The first merge chosen from tied pairs."""
        found = next((k for k, tied in enumerate(self.trace.num_tied, start=1) if tied > 1), None)
        if found is None:
            raise LessonLookupError("There is no tie in this run. Choose another moment.")
        return found

    def find_drop(self, value: Any) -> int:
        """The first merge whose pair is less frequent than the previous merge's pair."""
        counts = self.trace.counts
        found = next((k + 1 for k in range(1, len(counts)) if counts[k] < counts[k - 1]), None)
        if found is None:
            raise LessonLookupError("The count never drops in this run. Choose another moment.")
        return found

    def find_word(self, value: Any) -> int:
        """The last merge that changes a word of the corpus."""
        words = self.trace.words
        word = among(text_of(value, 'word = "newest"'), words, "is not a word of this corpus", 8)
        return max(self.trace.word_merges(words.index(word)), default=0)

    def field_pair(self, at: int, argument: str) -> RichText:
        """The pair merged at this step."""
        return in_row(self.step(at).pair)

    def field_token(self, at: int, argument: str) -> RichText:
        """The token that this step makes."""
        return (("token", self.step(at).token),)

    def field_gain(self, at: int, argument: str) -> RichText:
        """`{gain:e+s}`: the likelihood gain of merging a pair after this step, in nats."""
        return (decimal(self.gains(at)[self.pair_of(at, require(argument, "gain:e+s"))]),)

    def field_count(self, at: int, argument: str) -> RichText:
        """The count of this step's pair, or with `{count:e+s}` of any pair after this step."""
        if argument:
            return (f"{self.trace.state(at).pair_counts[self.pair_of(at, argument)]:,}",)
        return (f"{self.step(at).count:,}",)

    def field_score(self, at: int, argument: str) -> RichText:
        """The score of this step's pair, or with `{score:s+##u}` of any pair after this step."""
        if argument:
            pair = self.pair_of(at, argument)
            return (small(float(wordpiece.score(self.trace.state(at), pair))),)
        return (small(float(self.step(at).score)),)

    def field_parts(self, at: int, argument: str) -> RichText:
        """This step's score as a formula, 3 / (3 · 3), or with `{parts:s+##u}` any pair's score."""
        if argument:
            return (self.parts(at, self.pair_of(at, argument)),)
        return (self.parts(at - 1, self.step(at).pair),)

    def field_tied(self, at: int, argument: str) -> RichText:
        """The pairs tied at this step, including the one merged."""
        self.step(at)
        return join_list([in_row(pair) for pair in self.best(at - 1)])

    def field_where(self, at: int, argument: str) -> RichText:
        """The words, with counts, that have this step's pair, or with `{where:e+s}` any pair."""
        if argument:
            held = self.holders(at, self.pair_of(at, argument))
        else:
            held = self.holders(at - 1, self.step(at).pair)
        items: list[RichText] = [
            (f"{count * places:,} in ", ("word", word)) for word, count, places in held[:MOST_WORDS]
        ]
        if len(held) > MOST_WORDS:
            items.append((f"more in {count_of(len(held) - MOST_WORDS, 'word')}",))
        return join_list(items)

    def field_split(self, at: int, argument: str) -> RichText:
        """`{split:newest}`: the tokens of a word under the tokenizer after this step."""
        return in_row(self.split(at, require(argument, "split:newest")))

    def field_made(self, at: int, argument: str) -> RichText:
        """`{made:est}`: the number of the step that makes a token."""
        return (f"{self.find_token(require(argument, 'made:est')):,}",)

    def field_seen(self, at: int, argument: str) -> RichText:
        """`{seen:e}`: how often a token occurs in the words after this step."""
        token = require(argument, "seen:e")
        return (f"{self.trace.state(at).token_counts.get(token, 0):,}",)

    def field_pairs(self, at: int, argument: str) -> RichText:
        """The number of distinct pairs after this step."""
        return (f"{len(self.trace.state(at).pair_counts):,}",)

    def field_recounted(self, at: int, argument: str) -> RichText:
        """How many pairs have been counted so far if every step recounts the whole text."""
        return (f"{sum(pairs_in_text(self.trace)[:at]):,}",)

    def field_revisited(self, at: int, argument: str) -> RichText:
        """How many pairs have been counted so far if every step recounts only the changed words."""
        return (f"{sum(pairs_in_changed(self.trace)[:at]):,}",)

    def field_bound(self, at: int, argument: str) -> RichText:
        """N · V, the number of initial symbols times the number of merges."""
        return (f"{self.trace.num_tokens[0] * self.last:,}",)

    def field_tokens(self, at: int, argument: str) -> RichText:
        """The number of tokens in the corpus after this step."""
        return (f"{self.trace.num_tokens[at]:,}",)

    def field_saved(self, at: int, argument: str) -> RichText:
        """`{saved:20}`: the share of the first merges in all tokens that the run saves."""
        left, k = self.trace.num_tokens, whole_number(require(argument, "saved:20"), "saved:20")
        if not 0 <= k <= self.last or left[0] == left[-1]:
            raise LessonLookupError(f"This run has only {self.last} merges that save tokens.")
        return (percent((left[0] - left[k]) / (left[0] - left[-1])),)

    def field_vocabulary(self, at: int, argument: str) -> RichText:
        """The size of the vocabulary after this step, without `[UNK]`."""
        return (f"{self.trace.vocab_sizes[at]:,}",)

    def uses(self, at: int) -> TokenUses:
        """Return how often each piece was made and is left. Raises LessonLookupError unless BPE."""
        if self.by_score:
            raise LessonLookupError("Only BPE's merges leave residues. Choose a run of BPE.")
        return uses_after(self.trace, at)

    def field_residues(self, at: int, argument: str) -> RichText:
        """How many of the pieces made so far are left nowhere in the text."""
        return (f"{len(self.uses(at).residues()):,}",)

    def field_in_all(self, at: int, argument: str) -> RichText:
        """`{in_all:es}`: how often a piece was made so far."""
        made = self.uses(at).made
        among(require(argument, "in_all:es"), made, "is not a piece made so far")
        return (f"{made[argument]:,}",)

    def field_remain(self, at: int, argument: str) -> RichText:
        """`{remain:es}`: how often a piece is in the text now."""
        return (f"{self.uses(at).left.get(require(argument, 'remain:es'), 0):,}",)

    def field_words(self, at: int, argument: str) -> RichText:
        """The number of words in the corpus."""
        return (f"{self.trace.corpus.num_words:,}",)

    def field_kinds(self, at: int, argument: str) -> RichText:
        """The number of distinct words."""
        return (f"{self.trace.corpus.num_distinct_words:,}",)

    def field_occurs(self, at: int, argument: str) -> RichText:
        """`{occurs:newest}`: how often a word of the corpus occurs."""
        counts = self.trace.corpus.word_counts
        word = among(require(argument, "occurs:newest"), counts, "is not a word of this corpus", 8)
        return (f"{counts[word]:,}",)

    def field_symbols(self, at: int, argument: str) -> RichText:
        """The base symbols."""
        return in_row(self.trace.alphabet)
