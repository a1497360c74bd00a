"""The source of training words, and the limits on its size."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lessons.format.words import percent
from pages.shared.drawing.phrasing import count_of
from pages.shared.limits import MAX_DISTINCT_WORDS, MAX_TEXT_CHARS, MAX_WORD_CHARS
from tokenizers import bpe, wordpiece
from tokenizers.progress import CancelCheck, never_cancel
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.counts import most_frequent, read_counts

NO_WORDS = "There are no words to train on yet. Type or paste a text, or choose another one."


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """The source of the words: `counts`, or `text`, which is a table as CSV if `is_table`."""

    text: str = ""
    is_table: bool = False
    counts: Mapping[str, int] | None = None

    def word_counts(self) -> Mapping[str, int] | None:
        """Return the counts; None for a text. Raises UserError if the table is invalid."""
        return read_counts(self.text) if self.is_table else self.counts


AnySettings = bpe.Settings | wordpiece.Settings


def bounded_corpus(
    source: CorpusSource,
    pipeline: Pipeline,
    longest_text: int = MAX_TEXT_CHARS,
    longest_word: int = MAX_WORD_CHARS,
    check_cancelled: CancelCheck = never_cancel,
) -> tuple[Corpus, tuple[str, ...]]:
    """Return the corpus, cut to the limits, and notes on what was left out.

    `check_cancelled` is called regularly while a text is normalized; it may raise.
    """
    notes = []
    counts = source.word_counts()
    if counts is None:
        size = len(source.text)
        if size > longest_text:
            notes.append(f"The text has {size:,} characters; the first {longest_text:,} are used.")
        corpus = Corpus.from_text(source.text[:longest_text], pipeline, check_cancelled)
    else:
        kept, left_out = most_used("The table", counts.items())
        notes += [left_out] if left_out else []
        corpus = Corpus.from_counts(kept, pipeline)
    long = [word for word in corpus.word_counts if len(word) > longest_word]
    if long:
        notes.append(
            f"{count_of(len(long), 'word')} longer than {longest_word:,} characters "
            f"{'is' if len(long) == 1 else 'are'} cut off there. "
            "Another way of splitting the text into words may work better."
        )
        pieces = [
            (word[i : i + longest_word], count)
            for word, count in corpus.word_counts.items()
            for i in range(0, len(word), longest_word)
        ]
        counts = Corpus.from_counts(pieces, pipeline).word_counts
        corpus = Corpus(counts, corpus.text, pipeline)
    return corpus, tuple(notes)


def most_used(table: str, rows: Iterable[tuple[str, Any]]) -> tuple[list[tuple[str, Any]], str]:
    """Return the most frequent words of a table, and a note if not all of them are used."""
    kept, kinds, part = most_frequent(rows, MAX_DISTINCT_WORDS)
    if kinds <= MAX_DISTINCT_WORDS:
        return kept, ""
    return kept, (
        f"{table} has {kinds:,} words; the {MAX_DISTINCT_WORDS:,} most frequent are used. They "
        f"make up {percent(part)} of all that it counts."
    )


def find_word(corpus: Corpus, wanted: str) -> int | None:
    """Return the index of the word `wanted`, also if the space before it is left out, or None."""
    if not wanted:
        return None
    numbers = {word: number for number, word in enumerate(corpus.word_counts)}
    forms = (wanted, " " + wanted, "▁" + wanted)
    return next((numbers[form] for form in forms if form in numbers), None)
