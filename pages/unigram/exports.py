"""Exports of Unigram · Train."""

from functools import partial

from pages.shared.export import tokenizer_files, trace_json
from pages.shared.export.catalog import ExportCatalog, WorksheetExport, trace_items
from pages.shared.export.corpus_file import corpus_item
from pages.shared.export.tables import ExportTable, Value
from pages.unigram import charts
from pages.unigram.worksheet import worksheet
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Step

_WORKSHEET = (
    "Pages to print, on A4 or Letter: an E step, an M step and one piece to remove, by hand, for "
    "words of this run, and after them the answers. Every other sheet has made-up words and is "
    "just as hard: as many ways, pieces and ties. The same seed gives the same sheets again."
)


def training_exports(trace: UnigramTrace, wanted: str = "") -> ExportCatalog:
    """Return a run's exports; the chart of leading pieces includes the piece `wanted`."""
    record = trace_items(lambda: trace_json.of_unigram(trace))
    items = (*record, *tokenizer_files.items(trace.model()), corpus_item(trace.corpus))
    tables = {"Steps": lambda: _steps(trace), "Pieces": lambda: _pieces(trace)}
    sheets = WorksheetExport("worksheet", partial(worksheet, trace), _WORKSHEET)
    last, pieces = len(trace), charts.leading_pieces(trace, wanted)
    chart_list = charts.run_chart(trace, last), charts.probability_chart(trace, pieces, last)
    return ExportCatalog(items, tables, sheets, chart_list)


def _steps(trace: UnigramTrace) -> ExportTable:
    rows = [
        (k, *_step_name(step), len(step.log_probs), *_figures(step))
        for k, step in enumerate(trace.steps, start=1)
    ]
    figures = ("log likelihood", "entropy", "tokens of the text")
    return ExportTable("Steps", ("step", "what", "removed", "pieces", *figures), rows, by_step=True)


def _step_name(step: Step) -> tuple[str, int]:
    """Return a step's name and the number of pieces it removed."""
    match step:
        case Expectation():
            return "E step", 0
        case Maximization():
            return "M step", len(step.dropped)
        case Prune():
            return "pruning", len(step.removed)
        case Finalize():
            return "the end", len(step.cut)
    return "seeds", 0


def _figures(step: Step) -> tuple[Value, Value, Value]:
    """Return an E step's log-likelihood, entropy and number of tokens; "" for other steps."""
    if not isinstance(step, Expectation):
        return "", "", ""
    return step.log_likelihood, step.entropy, step.num_tokens


def _pieces(trace: UnigramTrace) -> ExportTable:
    """Return a table of the run's final pieces, the most probable ones first."""
    ranked = sorted(trace.state(len(trace)).items(), key=lambda row: -row[1])
    rows = [(n, piece, log_prob) for n, (piece, log_prob) in enumerate(ranked, start=1)]
    return ExportTable("Pieces", ("rank", "piece", "log probability"), rows)
