"""Exports of WordPiece · Encode, and of WordPiece · Train when it trains from the top down."""

from collections.abc import Mapping, Sequence
from functools import partial

from pages.shared.export import tokenizer_files, trace_json
from pages.shared.export.catalog import ExportCatalog, WorksheetExport, trace_items
from pages.shared.export.tables import ExportTable, token_table
from pages.wordpiece.runs import TopDownRun
from pages.wordpiece.worksheet import worksheet
from tokenizers import wordpiece
from tokenizers.text.encoding import Encoding
from tokenizers.wordpiece import top_down

_SPLITTING = (
    "Pages to print, on A4 or Letter: words to split by hand, by the longest piece that fits, and "
    "after them the answers. Sheet 1 has words of this text. Every other sheet has made-up ones, "
    "of as many pieces, with as many to try in vain. The same seed gives the same sheets again."
)


def encoding_exports(
    words: Sequence[str], encoded: Encoding, model: wordpiece.Model
) -> ExportCatalog:
    """Return an encoding's exports; its trace leaves out words too long to match."""
    short = [word for word in words if len(word) <= model.max_word_length]
    items = trace_items(
        lambda: trace_json.of_matched_words(short, model.vocab, model.settings.mark)
    )
    return ExportCatalog(
        (*items, *tokenizer_files.items(model)),
        {"Tokens": lambda: token_table(encoded), "Vocabulary": lambda: _vocabulary(model.vocab)},
        WorksheetExport("worksheet", partial(worksheet, short, model), _SPLITTING),
    )


def top_down_exports(
    run: TopDownRun, settings: top_down.TopDownSettings, model: wordpiece.Model
) -> ExportCatalog:
    """Return the exports of a run from the top down, which include its vocabulary."""
    items = trace_items(lambda: trace_json.of_top_down(run.corpus, settings, run.steps))
    tables = {"Vocabulary": lambda: _vocabulary(model.vocab)}
    return ExportCatalog((*items, *tokenizer_files.items(model)), tables)


def _vocabulary(vocab: Mapping[str, int]) -> ExportTable:
    return ExportTable(
        "Vocabulary", ("id", "piece"), [(id_, piece) for piece, id_ in vocab.items()]
    )
