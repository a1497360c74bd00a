"""The record of a training run by merging, BPE's or WordPiece's, as lessons ask of it.

Position k is after merge k: the counts are those from which merge k + 1 will be chosen. A field
that speaks of a pair (`{pair}`, `{count}`) speaks of merge k itself and needs a step.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lessons.facts.base import RunFacts, needs, pair_of, text_of
from lessons.format.errors import LessonLookupError, among
from lessons.format.words import Text, Tokens, count_of, decimal, in_row, listed, named, small
from tokenizers import wordpiece
from tokenizers.experiments.operations import pairs_in_changed, pairs_in_text
from tokenizers.merging.state import Merge, Pair, State, find_pair
from tokenizers.record.trace import Trace
from tokenizers.wordpiece.likelihood import gains

MOST_WORDS = 6  # words named in a sentence
MOST_BY_LIKELIHOOD = 100  # different words, where all gains are worked out anew


@dataclass(frozen=True, slots=True)
class MergeFacts(RunFacts[Trace]):
    """A run of BPE or WordPiece training."""

    @property
    def by_score(self) -> bool:
        """Whether the run chooses by WordPiece's score."""
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
        """Return what a pair is worth after step `at`: its score or its count, 0 if it is gone."""
        state = self.trace.state(at)
        if pair not in state.pair_counts:
            return Fraction(0)
        return wordpiece.score(state, pair) if self.by_score else Fraction(state.pair_counts[pair])

    def parts(self, at: int, pair: Pair) -> str:
        """Return how the score of a pair after step `at` is made up, such as 3 / (3 · 3)."""
        state = self.trace.state(at)
        one, two = (state.token_counts[part] for part in pair)
        return f"{state.pair_counts[pair]:,} / ({one:,} · {two:,})"

    def ranked(self, at: int) -> list[Pair]:
        """Return the pairs that may be merged after step `at`, the best first."""
        settings, state = self.trace.settings, self.trace.state(at)
        if self.by_score:
            return wordpiece.ranking(state, None, settings.min_count)
        allowed = [
            pair
            for pair, count in state.pair_counts.items()
            if count >= settings.min_count and settings.allows(pair)
        ]
        return sorted(allowed, key=lambda pair: -state.pair_counts[pair])

    def best(self, at: int) -> list[Pair]:
        """Return the pairs that are the best after step `at`: several where they tie."""
        pairs = self.ranked(at)
        return [pair for pair in pairs if self.worth(at, pair) == self.worth(at, pairs[0])]

    def split(self, at: int, word: str) -> Tokens:
        """Return the tokens of a text by the tokenizer that the first `at` steps give."""
        return self.trace.model(at).encode(word).tokens

    def holders(self, at: int, pair: Pair) -> list[tuple[str, int, int]]:
        """Return the words that hold a pair after step `at`: (word, its count, how often in it)."""
        counts = self.trace.corpus.word_counts
        found = ((word, find_pair(self.trace.split(n, at), pair)) for n, word in enumerate(counts))
        return [(word, counts[word], len(places)) for word, places in found if places]

    def pair_of(self, at: int, written: str) -> Pair:
        """Return the pair that is written `e+s`. Raises LessonLookupError if it is not in the words."""
        counts = self.trace.state(at).pair_counts
        for n, sign in enumerate(written):
            pair = (written[:n], written[n + 1 :])
            if sign == "+" and pair in counts:
                return pair
        likely = named(("+".join(pair) for pair in self.ranked(at)), 6)
        said = f"The pair “{written}” is not in the words at this point. There are: {likely}."
        raise LessonLookupError(said)

    def gains(self, at: int) -> dict[Pair, float]:
        """Return by how many nats each merge would raise the likelihood. Raises LessonLookupError."""
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
            made = named(self.trace.tokens, 12)
            raise LessonLookupError(f"No step of this run makes “{token}”. It makes: {made}.")
        return born

    def find_pair(self, value: Any) -> int:
        """The merge of a pair."""
        pair = pair_of(value)
        if pair not in self.trace.pairs:
            made = named(("+".join(pair) for pair in self.trace.pairs), 12)
            raise LessonLookupError(f"This run never merges “{'+'.join(pair)}”. It merges: {made}.")
        return self.trace.pairs.index(pair) + 1

    def find_tie(self, value: Any) -> int:
        """The first merge that is chosen from several that tie."""
        found = next((k for k, tied in enumerate(self.trace.num_tied, start=1) if tied > 1), None)
        if found is None:
            raise LessonLookupError("There is no tie in this run. Choose another moment.")
        return found

    def find_drop(self, value: Any) -> int:
        """The first merge whose pair is seen less often than that of the merge before."""
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

    def field_pair(self, at: int, argument: str) -> Text:
        """The pair that is merged at this step."""
        return in_row(self.step(at).pair)

    def field_token(self, at: int, argument: str) -> Text:
        """The token that this step makes."""
        return (("token", self.step(at).token),)

    def field_gain(self, at: int, argument: str) -> Text:
        """`{gain:e+s}`: by how many nats merging a pair after this step raises the likelihood."""
        return (decimal(self.gains(at)[self.pair_of(at, needs(argument, "gain:e+s"))]),)

    def field_count(self, at: int, argument: str) -> Text:
        """How often the pair of this step is seen; `{count:e+s}`: a pair, after this step."""
        if argument:
            return (f"{self.trace.state(at).pair_counts[self.pair_of(at, argument)]:,}",)
        return (f"{self.step(at).count:,}",)

    def field_score(self, at: int, argument: str) -> Text:
        """The WordPiece score of the pair of this step; `{score:s+##u}`: a pair's, after it."""
        if argument:
            pair = self.pair_of(at, argument)
            return (small(float(wordpiece.score(self.trace.state(at), pair))),)
        return (small(float(self.step(at).score)),)

    def field_parts(self, at: int, argument: str) -> Text:
        """How the score of this step is made up, such as 3 / (3 · 3); `{parts:s+##u}` likewise."""
        if argument:
            return (self.parts(at, self.pair_of(at, argument)),)
        return (self.parts(at - 1, self.step(at).pair),)

    def field_tied(self, at: int, argument: str) -> Text:
        """The pairs that tied with that of this step, itself included."""
        self.step(at)
        return listed([in_row(pair) for pair in self.best(at - 1)])

    def field_where(self, at: int, argument: str) -> Text:
        """The words that hold the pair of this step, with counts; `{where:e+s}`: of any pair."""
        if argument:
            held = self.holders(at, self.pair_of(at, argument))
        else:
            held = self.holders(at - 1, self.step(at).pair)
        items: list[Text] = [
            (f"{count * places:,} in ", ("word", word)) for word, count, places in held[:MOST_WORDS]
        ]
        if len(held) > MOST_WORDS:
            items.append((f"more in {count_of(len(held) - MOST_WORDS, 'word')}",))
        return listed(items)

    def field_split(self, at: int, argument: str) -> Text:
        """`{split:newest}`: the tokens of a word, by the tokenizer that the steps so far give."""
        return in_row(self.split(at, needs(argument, "split:newest")))

    def field_made(self, at: int, argument: str) -> Text:
        """`{made:est}`: the number of the step that makes a token."""
        return (f"{self.find_token(needs(argument, 'made:est')):,}",)

    def field_seen(self, at: int, argument: str) -> Text:
        """`{seen:e}`: how often a token occurs in the words after this step."""
        token = needs(argument, "seen:e")
        return (f"{self.trace.state(at).token_counts.get(token, 0):,}",)

    def field_pairs(self, at: int, argument: str) -> Text:
        """How many different pairs there are after this step."""
        return (f"{len(self.trace.state(at).pair_counts):,}",)

    def field_recounted(self, at: int, argument: str) -> Text:
        """The pairs counted up to here if all of the text is counted anew at every step."""
        return (f"{sum(pairs_in_text(self.trace)[:at]):,}",)

    def field_revisited(self, at: int, argument: str) -> Text:
        """The pairs counted up to here if only the words that change are counted again."""
        return (f"{sum(pairs_in_changed(self.trace)[:at]):,}",)

    def field_bound(self, at: int, argument: str) -> Text:
        """N · V: the symbols before the first merge, once for each merge of the run."""
        return (f"{self.trace.num_tokens[0] * self.last:,}",)

    def field_tokens(self, at: int, argument: str) -> Text:
        """How many tokens all the words have after this step, each word as often as it occurs."""
        return (f"{self.trace.num_tokens[at]:,}",)

    def field_vocabulary(self, at: int, argument: str) -> Text:
        """How many pieces the vocabulary has after this step, `[UNK]` not counted."""
        return (f"{self.trace.vocab_sizes[at]:,}",)

    def field_words(self, at: int, argument: str) -> Text:
        """How many words there are, each as often as it occurs."""
        return (f"{self.trace.corpus.num_words:,}",)

    def field_kinds(self, at: int, argument: str) -> Text:
        """How many distinct words there are."""
        return (f"{self.trace.corpus.num_distinct_words:,}",)

    def field_occurs(self, at: int, argument: str) -> Text:
        """`{occurs:newest}`: how often a word of the corpus occurs."""
        counts = self.trace.corpus.word_counts
        word = among(needs(argument, "occurs:newest"), counts, "is not a word of this corpus", 8)
        return (f"{counts[word]:,}",)

    def field_symbols(self, at: int, argument: str) -> Text:
        """The base symbols."""
        return in_row(self.trace.alphabet)
