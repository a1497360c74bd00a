"""What the page of real tokenizers offers to take along: the word at hand, and the whole text."""

from collections.abc import Callable
from functools import partial
from typing import Any

from pages.lattice.exports import of_lattice
from pages.real.frames import rules_of
from pages.real.stepping import LONGEST_MERGED, lattice_of
from pages.real.worksheet import HAS_SHEETS, NOTE, printout_of
from pages.shared.export import trace_json
from pages.shared.export.catalog import ExportCatalog, WorksheetExport, trace_items
from pages.shared.export.tables import of_tokens
from pages.shared.training.published import Published, with_loaded
from pages.shared.training.words import Word
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.encoders import Merging, Weighing
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.runtime.wordpiece import WordPiece


def of_word(
    model: Published, word: Word, encoding: LoadedEncoding, answer: Callable[..., Any]
) -> ExportCatalog:
    """Offer the steps of a word, as far as it is stepped through, and the tokens of the text.

    `answer` asks the model, as `answer` of pages/shared/work/results.py.
    """
    asked = partial(answer, model, with_loaded)
    offered = _steps(model, word, asked)
    tables = {**offered.tables, "Tokens": lambda: of_tokens(encoding)}
    sheets = None
    if issubclass(model.kind, HAS_SHEETS):
        make = partial(asked, printout_of, word)
        sheets = WorksheetExport("worksheet", make, NOTE)
    return ExportCatalog(offered.items, tables, sheets)


def _steps(model: Published, word: Word, asked: Callable[..., Any]) -> ExportCatalog:
    if issubclass(model.kind, Merging):
        return ExportCatalog(trace_items(partial(asked, merging_trace, word)))
    if issubclass(model.kind, WordPiece):
        return ExportCatalog(trace_items(partial(asked, matching_trace, word)))
    if issubclass(model.kind, Weighing):
        lattice = asked(lattice_of, word)
        return of_lattice(lattice, lattice)
    return ExportCatalog()


def merging_trace(loaded: LoadedTokenizer, word: Word) -> trace_json.TraceJson:
    """Return the record of merging a word."""
    assert isinstance(loaded.model, Merging)
    shown = word.text[:LONGEST_MERGED]
    rules = rules_of(loaded.model, shown)
    told = [(shown, tuple(rules.symbols), rules.steps)]
    return trace_json.of_merged_words(told, rules.rank_of, rules.mark)


def matching_trace(loaded: LoadedTokenizer, word: Word) -> trace_json.TraceJson:
    """Return the record of splitting a word by the longest match."""
    assert isinstance(loaded.model, WordPiece)
    model = loaded.model
    return trace_json.of_matched_words([word.text[:LONGEST_MERGED]], model.vocab, model.mark)
