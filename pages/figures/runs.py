"""What a worker process does for a page: train, record, and make the film of it.

Nothing here knows of Streamlit, so that a worker starts quickly. A run is cut to sizes that keep a
small machine responsive, and its notes say so.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pages.figures.bpe_encoding import encoding_film
from pages.figures.bpe_training import bpe_film
from pages.figures.film import Film
from pages.figures.phrases import count_of
from pages.figures.top_down_films import top_down_film
from pages.figures.wordpiece_encoding import matching_film
from pages.figures.wordpiece_training import wordpiece_film
from tokenizers import bpe, top_down, wordpiece
from tokenizers.corpus import Corpus, Pipeline
from tokenizers.formats.counts import read_counts
from tokenizers.trace import Trace

LONGEST_TEXT = 1_000_000  # characters of a text
LONGEST_WORD = 10_000  # characters of a word
MOST_KINDS = 200_000  # rows of a table of counts
MOST_ROUNDS = 60  # of a search by halves over thresholds, four rounds each
LONGEST_STEPPED = 2_000  # characters of a text that is encoded step by step
MOMENT = 1.5  # seconds in which a run that was stopped is still filmed

Report = Callable[[int, int], bool]
"""Is told (done, total); says whether to stop early."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its record, its film, and what was left out, in sentences."""

    trace: Trace
    film: Film
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the words come from: a text, a table of counts as CSV, or counts."""

    text: str = ""
    is_table: bool = False
    counts: Mapping[str, int] | None = None

    def word_counts(self) -> Mapping[str, int] | None:
        """Return the counts, or None for a text. Raises ValueError for a table that is none."""
        return read_counts(self.text) if self.is_table else self.counts


AnySettings = bpe.Settings | wordpiece.Settings


def train(
    report: Report, source: Source, pipeline: Pipeline, settings: AnySettings, follow: str
) -> Run:
    """Train on a text, or on words with their counts, and film it; `follow` is a word to watch.

    A run that is stopped is filmed for a moment, and ends with the last merge that was filmed.
    Raises ValueError, in a sentence, for counts that are none.
    """
    corpus, notes = bounded(source, pipeline)
    total = 2 * (settings.num_merges or settings.vocab_size or len(corpus.word_counts))
    trace = Trace.record(corpus, settings, lambda done: report(done, total))
    watched = find_word(corpus, follow)
    enough = _a_moment_after(lambda k: report(len(trace) + k, 2 * len(trace)))
    make = bpe_film if isinstance(settings, bpe.Settings) else wordpiece_film
    film = make(trace, watched, enough)
    return Run(trace.first(film.last), film, notes)


def _a_moment_after(stopped: Callable[[int], bool]) -> Callable[[int], bool]:
    """Return what tells that `stopped` has been true for a moment."""
    heard: list[float] = []

    def enough(k: int) -> bool:
        if stopped(k):
            heard.append(time.monotonic())
        return bool(heard) and heard[-1] - heard[0] >= MOMENT

    return enough


@dataclass(frozen=True, slots=True)
class TopDown:
    """A finished run of the learner that goes from words to pieces."""

    vocab: tuple[str, ...]
    film: Film
    notes: tuple[str, ...]


def train_top_down(
    report: Report, source: Source, pipeline: Pipeline, settings: top_down.Settings
) -> TopDown:
    """Run TensorFlow Text's learner on a text, or on words with their counts, and film it."""
    corpus, notes = bounded(source, pipeline)
    steps: list[top_down.Round | top_down.Tried] = []
    run = top_down.train(corpus, settings)
    while True:
        try:
            steps.append(next(run))
        except StopIteration as end:
            stopped = end.value
            break
        if report(len(steps), MOST_ROUNDS):
            stopped = f"you stopped it after {count_of(len(steps), 'step')}"
            break
    vocab = steps[-1].vocab if steps else {}
    return TopDown(tuple(vocab), top_down_film(corpus, settings, steps, stopped), notes)


def bounded(
    source: Source,
    pipeline: Pipeline,
    longest_text: int = LONGEST_TEXT,
    longest_word: int = LONGEST_WORD,
) -> tuple[Corpus, tuple[str, ...]]:
    """Return the corpus, no larger than the limits, and sentences on what was left out."""
    notes = []
    counts = source.word_counts()
    if counts is None:
        size = len(source.text)
        if size > longest_text:
            notes.append(f"The text has {size:,} characters; the first {longest_text:,} are used.")
        corpus = Corpus.from_text(source.text[:longest_text], pipeline)
    else:
        if len(counts) > MOST_KINDS:
            notes.append(f"The table has {len(counts):,} words; the first {MOST_KINDS:,} are used.")
        corpus = Corpus.from_counts(list(counts.items())[:MOST_KINDS], pipeline)
    long = [word for word in corpus.word_counts if len(word) > longest_word]
    if long:
        notes.append(
            f"{count_of(len(long), 'word')} of more than {longest_word:,} characters "
            f"{'is' if len(long) == 1 else 'are'} cut there. "
            "Another way of splitting the text into words may suit it better."
        )
        pieces = [
            (word[i : i + longest_word], count)
            for word, count in corpus.word_counts.items()
            for i in range(0, len(word), longest_word)
        ]
        counts = Corpus.from_counts(pieces, pipeline).word_counts
        corpus = Corpus(counts, corpus.text, pipeline)
    return corpus, tuple(notes)


def find_word(corpus: Corpus, wanted: str) -> int | None:
    """Return the number of the word that is `wanted`, with or without the space before it."""
    if not wanted:
        return None
    numbers = {word: number for number, word in enumerate(corpus.word_counts)}
    forms = (wanted, " " + wanted, "▁" + wanted)
    return next((numbers[form] for form in forms if form in numbers), None)


def encode_bpe(report: Report, text: str, model: bpe.Model, dropout: bpe.Dropout | None) -> Film:
    """Film the encoding of the beginning of `text`."""
    words = model.pipeline(text[:LONGEST_STEPPED]).words
    return encoding_film(words, model, dropout)


def encode_wordpiece(report: Report, text: str, model: wordpiece.Model) -> Film:
    """Film the encoding of the beginning of `text`."""
    return matching_film(model.pipeline(text[:LONGEST_STEPPED]).words, model)
