"""Compare two merge runs, one on the corpus and one with a word's count changed."""

from dataclasses import dataclass

from tokenizers.experiments.research import corpus_edit
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace


@dataclass(frozen=True, slots=True)
class CountEdit:
    """A `whole` run on the corpus, and a `changed` run with the count of `word` set to `count`."""

    word: str
    count: int
    whole: Trace
    changed: Trace

    @property
    def old(self) -> int:
        """The word's count in the unchanged corpus; 0 if the word is new."""
        return self.whole.corpus.word_counts.get(self.word, 0)

    @property
    def first(self) -> int | None:
        """The number of the first merge that differs, counted from 1; None if all are the same."""
        return corpus_edit.first_difference(self.whole.pairs, self.changed.pairs)

    @property
    def lost(self) -> list[str]:
        """The pieces that only the final vocabulary of `whole` has, in the vocabulary's order."""
        return pieces_only_in(self.whole, self.changed)

    @property
    def gained(self) -> list[str]:
        """The pieces that only the final vocabulary of `changed` has, in the vocabulary's order."""
        return pieces_only_in(self.changed, self.whole)


def pieces_only_in(one: Trace, other: Trace) -> list[str]:
    known = set(other.state(len(other)).vocab)
    return [piece for piece in one.state(len(one)).vocab if piece not in known]


def run_count_edit(report: ProgressCallback, whole: Trace, word: str, count: int) -> CountEdit:
    """Train again with the word's count changed. Raises UserError if `with_count` does."""
    corpus = corpus_edit.with_count(whole.corpus, word, count)
    total = max(len(whole), 1)
    changed = Trace.record(corpus, whole.settings, lambda done, _: report(done, total))
    return CountEdit(word, count, whole, changed)
