"""Make an editable table of a corpus's words in a worker, which starts fast without Streamlit."""

from pages.shared.training.run_and_record import stop_check
from pages.shared.training.source import CorpusSource, bounded_corpus
from tokenizers.progress import ProgressCallback
from tokenizers.text.corpus import Pipeline
from tokenizers.text.counts import write_counts


def table_of_words(report: ProgressCallback, source: CorpusSource, pipeline: Pipeline) -> str:
    """Return the corpus's words with their counts as CSV; "" if there are no words."""
    corpus, _ = bounded_corpus(source, pipeline, check_cancelled=stop_check(report))
    return write_counts(corpus.word_counts) if corpus.word_counts else ""
