"""Exports of the BPE pages. WordPiece · Train uses the exports of BPE · Train."""

from collections.abc import Sequence
from functools import partial
from random import Random

from pages.bpe import encoding_worksheet
from pages.bpe.worksheet import worksheet
from pages.shared.drawing.charts import Chart, growth_chart, growth_finding
from pages.shared.drawing.trees import made_by
from pages.shared.export import tokenizer_files, trace_json
from pages.shared.export.catalog import (
    ExportCatalog,
    ExportItem,
    WorksheetExport,
    picture_items,
    table_item,
    trace_items,
)
from pages.shared.export.corpus_file import corpus_item
from pages.shared.export.notebook import merging_notebook
from pages.shared.export.pictures import tree_diagram
from pages.shared.export.tables import ExportTable, token_table
from tokenizers import bpe
from tokenizers.bpe import Dropout, merge_steps
from tokenizers.record.trace import Trace
from tokenizers.text.encoding import Encoding

_NOTEBOOK = "The plain code, the words and the steps, to run, to check, and to change."
_WORKSHEET = (
    "Pages to print, on A4 or Letter: the first steps of this run by hand, and after them the "
    "answers. Sheet 1 has these words. Every other sheet has made-up ones and is just as hard: as "
    "many pairs, steps and ties. The same seed gives the same sheets again."
)
_SPLITTING = (
    "Pages to print, on A4 or Letter: words to split by hand, merge by merge, and after them the "
    "answers. Sheet 1 has words of this text. Every other sheet has made-up ones, which take as "
    "many merges, with as many to choose from. The same seed gives the same sheets again."
)


def merging_exports(trace: Trace, k: int) -> ExportCatalog:
    """Return a merging run's exports; the tree shows the token made at step `k`."""
    notebook = partial(merging_notebook, trace)
    items = (
        *trace_items(lambda: trace_json.of_merging(trace)),
        ExportItem(
            "A Jupyter notebook that trains", "steps.ipynb", notebook, _NOTEBOOK, may_fail=True
        ),
        *tokenizer_files.items(trace.model()),
        corpus_item(trace.corpus),
    )
    if k:
        token = trace.tokens[k - 1]
        name = f"The tree of step {k}"
        items += picture_items(name, lambda: tree_diagram(token, made_by(trace)))
    vocabulary = table_item("Vocabulary", lambda: _vocabulary(trace))
    tables = {"Steps": lambda: _steps(trace), "Words": lambda: _words(trace)}
    handout = WorksheetExport("worksheet", partial(worksheet, trace), _WORKSHEET)
    return ExportCatalog((*items, vocabulary), tables, handout, _charts(trace))


def _charts(trace: Trace) -> tuple[Chart, ...]:
    last = len(trace)
    if not last:
        return ()
    finding = growth_finding(trace, last)
    return (Chart("The chart of the run", growth_chart(trace), finding, last, "Steps"),)


def _steps(trace: Trace) -> ExportTable:
    columns = {
        "step": range(1, len(trace) + 1),
        "left": [first for first, _ in trace.pairs],
        "right": [second for _, second in trace.pairs],
        "token": trace.tokens,
        "count": trace.counts,
        "left occurs": [first for first, _ in trace.part_counts],
        "right occurs": [second for _, second in trace.part_counts],
        "tied": trace.num_tied,
        "vocabulary": trace.vocab_sizes[1:],
        "tokens of the text": trace.num_tokens[1:],
    }
    rows = list(zip(*columns.values(), strict=True))
    return ExportTable("Steps", tuple(columns), rows, by_step=True)


def _words(trace: Trace) -> ExportTable:
    rows = [
        (word, count, " ".join(trace.split(number, len(trace))))
        for number, (word, count) in enumerate(trace.corpus.word_counts.items())
    ]
    return ExportTable("Words", ("word", "count", "pieces at the end"), rows)


def _vocabulary(trace: Trace) -> ExportTable:
    counts = trace.state(len(trace)).token_counts
    created_at = {token: step for token, (step, _) in made_by(trace).items()}
    rows = [
        (id_, piece, created_at.get(piece, 0), counts.get(piece, 0))
        for piece, id_ in trace.model().vocab.items()
    ]
    return ExportTable(
        "Vocabulary", ("id", "piece", "made at step", "in the text at the end"), rows
    )


def encoding_exports(
    words: Sequence[str], encoded: Encoding, model: bpe.Model, dropout: Dropout | None
) -> ExportCatalog:
    """Return the exports of an encoded text."""

    def record() -> trace_json.TraceJson:
        rng = Random(dropout.seed) if dropout else None  # one generator for all words
        merged_words = []
        for word in words:
            symbols = model.settings.symbols(word)
            merged_words.append(
                (word, symbols, list(merge_steps(symbols, model.ranks, dropout, rng)))
            )
        return trace_json.of_merged_words(merged_words, model.ranks.get) | {
            "dropout": bool(dropout)
        }

    items = (*trace_items(record), *tokenizer_files.items(model))
    sheets = WorksheetExport(
        "worksheet", partial(encoding_worksheet.worksheet, words, model), _SPLITTING
    )
    return ExportCatalog(items, {"Tokens": lambda: token_table(encoded)}, sheets)
