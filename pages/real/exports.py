"""The exports of the page Real tokenizers: the steps of one word, and the tokens of the text."""

from collections.abc import Callable
from functools import partial
from typing import Any

from pages.lattice.exports import lattice_exports
from pages.real.frames import rules_of
from pages.real.stepping import MAX_MERGED_CHARS, lattice_of
from pages.real.worksheet import HAS_SHEETS, NOTE, printout_of
from pages.shared.export import trace_json
from pages.shared.export.catalog import ExportCatalog, WorksheetExport, trace_items
from pages.shared.export.tables import token_table
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.training.words import TokenizedWord
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.inspection.encoders import Merging, Weighing
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.tokenizer import LoadedTokenizer


def of_word(
    model: PublishedTokenizer,
    word: TokenizedWord,
    encoding: LoadedEncoding,
    answer: Callable[..., Any],
) -> ExportCatalog:
    """Return the steps of a word, as far as they are shown, and the tokens of the text.

    `answer` runs a function on the model, as `call` in pages/shared/work/results.py does.
    """
    ask_model = partial(answer, model, apply_to_loaded)
    exports = _steps(model, word, ask_model)
    tables = {**exports.tables, "Tokens": lambda: token_table(encoding)}
    sheets = None
    if issubclass(model.kind, HAS_SHEETS):
        make = partial(ask_model, printout_of, word)
        sheets = WorksheetExport("worksheet", make, NOTE)
    return ExportCatalog(exports.items, tables, sheets)


def _steps(
    model: PublishedTokenizer, word: TokenizedWord, ask_model: Callable[..., Any]
) -> ExportCatalog:
    if issubclass(model.kind, Merging):
        return ExportCatalog(trace_items(partial(ask_model, merging_trace, word)))
    if issubclass(model.kind, WordPiece):
        return ExportCatalog(trace_items(partial(ask_model, matching_trace, word)))
    if issubclass(model.kind, Weighing):
        lattice = ask_model(lattice_of, word)
        return lattice_exports(lattice, lattice)
    return ExportCatalog()


def merging_trace(loaded: LoadedTokenizer, word: TokenizedWord) -> trace_json.TraceJson:
    """Return the trace of merging a word."""
    assert isinstance(loaded.model, Merging)
    shown = word.text[:MAX_MERGED_CHARS]
    rules = rules_of(loaded.model, shown)
    merged = [(shown, tuple(rules.symbols), rules.steps)]
    return trace_json.of_merged_words(merged, rules.rank_of, rules.mark)


def matching_trace(loaded: LoadedTokenizer, word: TokenizedWord) -> trace_json.TraceJson:
    """Return the trace of splitting a word by the longest match."""
    assert isinstance(loaded.model, WordPiece)
    model = loaded.model
    return trace_json.of_matched_words([word.text[:MAX_MERGED_CHARS]], model.vocab, model.mark)
