"""The words of a corpus as a table to change, made in a worker: a text may be a million characters.

Knows nothing of Streamlit, so that a worker starts quickly.
"""

from pages.shared.training.run_and_record import heeding
from pages.shared.training.source import ProgressCallback, Source, bounded
from tokenizers.text.corpus import Pipeline
from tokenizers.text.counts import write_counts


def table_of_words(report: ProgressCallback, source: Source, pipeline: Pipeline) -> str:
    """Return the words with their counts as CSV, "" if there are none."""
    corpus, _ = bounded(source, pipeline, tick=heeding(report))
    return write_counts(corpus.word_counts) if corpus.word_counts else ""
