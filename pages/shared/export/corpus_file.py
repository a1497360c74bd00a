"""Export the text, or the table of counts, that a run was trained on."""

import json

from pages.shared.export.catalog import ExportItem
from pages.shared.training.library_code.code import COUNTS_FILE, TEXT_FILE
from tokenizers.text.corpus import Corpus


def corpus_item(corpus: Corpus) -> ExportItem:
    """Return the file of a corpus, which the code for a library reads."""
    text = corpus.text
    if text is not None:
        return ExportItem("The text it was trained on", TEXT_FILE, text.encode, "As it was read.")
    written = json.dumps(dict(corpus.word_counts), ensure_ascii=False, indent=1)
    note = "Each word, and how often it occurs."
    return ExportItem("The words it was trained on", COUNTS_FILE, lambda: written, note)
