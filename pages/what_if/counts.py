"""The effects of all counts of a word, how both runs split a word, and the changed run's link.

This module limits the search in `tokenizers/experiments/corpus_edit.py` and turns its results into
sentences; `drawing.py` draws them.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from urllib.parse import urlencode

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import times
from pages.shared.training.source import NO_WORDS, AnySettings, CorpusSource, bounded_corpus
from pages.what_if.two_runs import CountEdit, MergeRuns
from tokenizers import bpe, wordpiece
from tokenizers.errors import UserError
from tokenizers.experiments.research import corpus_edit
from tokenizers.experiments.research.corpus_edit import Probe
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Pipeline
from tokenizers.text.counts import write_counts
from tokenizers.text.symbols import Split

LONGEST_TEXT = 100_000  # characters
MIN_RADIUS, MAX_RADIUS = 10, 200  # counts tried on either side of the word's count
MOST_TRAINED = 40_000  # distinct words times counts tried on one side
MAX_GROWTH = 10  # times the corpus's number of words; with more, the word dominates the corpus


def train_whole(
    report: ProgressCallback, source: CorpusSource, pipeline: Pipeline, settings: AnySettings
) -> tuple[Trace, tuple[str, ...]]:
    """Train on the unchanged corpus; return the trace, and notes on what was left out.

    Raises UserError if word counts are malformed or there are no words.
    """
    corpus, notes = bounded_corpus(source, pipeline, LONGEST_TEXT)
    if not corpus.word_counts:
        raise UserError(NO_WORDS)
    total = settings.num_merges or settings.vocab_size or len(corpus.word_counts)
    return Trace.record(corpus, settings, lambda done, _: report(done, total)), notes


def search_radius(whole: Trace, count: int) -> int:
    """Return how many counts to try on either side of the word's count."""
    bearable = min(MAX_RADIUS, MOST_TRAINED // max(len(whole.words), 1))
    return max(MIN_RADIUS, min(count, bearable))


def try_counts(report: ProgressCallback, whole: Trace, word: str) -> tuple[Probe, ...]:
    """Train once for every count near the word's count, nearest first; return the results."""
    count = whole.corpus.word_counts.get(word, 0)
    counts = list(corpus_edit.counts_outward(count, search_radius(whole, count)))
    return corpus_edit.scan(whole, word, counts, lambda done: report(done, len(counts)))


# --- The effect of each count ---------------------------------------------------------------------


def intervals(probes: Sequence[Probe]) -> list[tuple[int, int, int | None]]:
    """Return (from, to, first merge that changes) for adjacent counts with the same effect.

    >>> intervals([Probe(0, 1), Probe(1, 1), Probe(2, None)])
    [(0, 1, 1), (2, 2, None)]
    """
    found = []
    for first, group in groupby(probes, key=lambda probe: probe.first):
        counts = [probe.count for probe in group]
        found.append((counts[0], counts[-1], first))
    return found


def is_monotone(probes: Sequence[Probe], count: int) -> bool:
    """Return whether, on either side of `count`, a larger change never takes effect later.

    >>> is_monotone([Probe(0, 3), Probe(1, 2), Probe(2, None)], 2)
    False
    """
    below = [probe for probe in reversed(probes) if probe.count <= count]
    above = [probe for probe in probes if probe.count >= count]
    late = float("inf")
    for side in (below, above):
        steps = [late if probe.first is None else probe.first for probe in side]
        if any(near < far for near, far in pairwise(steps)):
            return False
    return True


def bisect_counts(
    report: ProgressCallback, whole: Trace, word: str, merge: int | None
) -> tuple[Probe | None, Probe | None]:
    """Find, by bisection, the nearest counts that change `merge` or an earlier one."""
    report(0, 1)
    return corpus_edit.bisect(whole, word, merge, search_limit(whole, word))


def search_limit(whole: Trace, word: str) -> int:
    """Return the largest count that bisection tries, far above the corpus's number of words."""
    return whole.corpus.word_counts.get(word, 0) + MAX_GROWTH * whole.corpus.num_words


def describe_smallest(
    found: tuple[Probe | None, Probe | None], count: int, merge: int | None, tried: str
) -> RichText:
    """Describe the smallest change of the count that changes `merge` or an earlier one.

    `found` has the nearest counts that do so; `tried` describes the counts that were tried.
    """
    wanted = f"merge {merge:,} or an earlier one" if merge else "any merge"
    phrases: RichText = ()
    for probe, direction in zip(found, ("fewer", "more"), strict=True):
        if probe is not None:
            seen = f"seen {times(probe.count)}" if probe.count else "removed"
            by = ("strong", f"{abs(probe.count - count):,} {direction}")
            between: RichText = ("; ",) if phrases else ()
            phrases = (*phrases, *between, by, f" ({seen}) changes merge {probe.first:,}")
    if not phrases:
        return (f"No count from {tried} changes {wanted}.",)
    return (f"The smallest change that reaches {wanted}: ", *phrases, f". Counts tried: {tried}.")


# --- Splitting a word, and the link to the changed run --------------------------------------------


def splits(runs: MergeRuns, word: str) -> tuple[Split | None, Split | None]:
    """Return a word's splits by both tokenizers; a split is None if the word is unknown."""
    return _split(runs.whole, word), _split(runs.changed, word)


def _split(trace: Trace, word: str) -> Split | None:
    model = trace.model()
    if isinstance(model, wordpiece.Model):
        return wordpiece.split_word(word, model)
    return bpe.split_word(word, model)


def changed_run_url(edit: CountEdit) -> str:
    """Return the URL, relative to this page, of the changed run at its first change."""
    settings = edit.changed.settings
    params = {
        "corpus": "table",
        "text": write_counts(edit.changed.corpus.word_counts),
        "step": min(edit.first or 0, len(edit.changed)) or None,
        "word": edit.word,
        "split": edit.changed.corpus.pipeline.pre_tokenizer,
        "merges": settings.num_merges,
        "pieces": settings.vocab_size,
        "least": settings.min_count,
        "ties": settings.ties,
    }
    if isinstance(settings, wordpiece.Settings):
        params |= {"rule": settings.convention, "mark": settings.mark}
        page = "wordpiece_train"
    else:
        params |= {"base": settings.base, "longest": settings.max_token_length}
        params |= {"end_mark": settings.end_mark} if settings.base == "end_of_word" else {}
        page = "bpe_train"
    return f"{page}?{urlencode({k: v for k, v in params.items() if v is not None})}"
