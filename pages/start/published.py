"""One text split by published tokenizers, for the start page.

This module tokenizes the text, finds what decoding loses, and lays out the part that is drawn.
"""

import gc
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from lessons.models import MODELS, open_model
from pages.shared.aligned import aligned_view_message
from pages.shared.aligned.layout import AlignedLayout, Chunk
from pages.shared.aligned.side_by_side import window
from pages.shared.aligned.token_links import TokenLinks, link_tokens
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.tables import ExportTable
from pages.shared.training.published import SHORT_NAMES, PublishedTokenizer
from pages.shared.training.tokens import bytes_text
from pages.shared.work.worker import GC_THRESHOLDS
from pages.start.losses import describe_losses
from tokenizers.measures.agreement import tokens_by_word
from tokenizers.measures.metrics import Metrics, measure, word_spans
from tokenizers.progress import ProgressCallback
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.tokenizer import Special

ROWS = ("o200k", "cl100k", "gpt2", "mistral-v1", "bert-uncased", "unigram-english")
"""The published tokenizers that always have a row, in the order of the rows."""
MORE = {name: title for name, title in SHORT_NAMES.items() if name not in ROWS}
"""The titles, by name, of those that get a row below when a visitor asks for it."""


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """The ids and figures of a text that the published tokenizer `name` has split.

    `losses` describes what decoding loses; it is empty if the whole text comes back.
    """

    name: str
    ids: Sequence[int]
    metrics: Metrics
    losses: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name on the screen."""
        return SHORT_NAMES[self.name]

    @property
    def owner(self) -> str:
        """The company or project that published the tokenizer."""
        return MODELS[self.name].owner

    @property
    def tokens(self) -> list[str]:
        """The tokens, as they are written in the vocabulary."""
        return list(map(open_model(self.name).token_of, self.ids))


@dataclass(frozen=True, slots=True)
class TokenizedRow(TokenCounts):
    """A text split by a tokenizer, with the offsets of every token."""

    encoding: LoadedEncoding


@dataclass(frozen=True, slots=True)
class WordWindow:
    """The layout of the words `first` to `last` of a text, counted from 0.

    `words` counts the words of the whole text, `hidden` the last word's characters that are not
    drawn. For each row, `tooltips` maps ids to facts about tokens. `links` says where each token
    can be stepped through.
    """

    chunks: tuple[Chunk, ...]
    tooltips: tuple[Mapping[int, str], ...]
    links: TokenLinks
    first: int
    last: int
    words: int
    hidden: int


def open_all() -> None:
    """Open the tokenizers of `ROWS` and let each split a text, so no visitor waits for that."""
    tokenize("Ready?", "control")
    gc.set_threshold(*GC_THRESHOLDS)
    gc.freeze()  # keep GC from traversing the vocabularies, which stay


def tokenize(
    text: str, special: Special, added: bool = False, names: Sequence[str] = ROWS
) -> tuple[TokenizedRow, ...]:
    """Split a text by the tokenizers `names`; `special` says how to read special tokens in it.

    `added` says whether to include the tokens that a model puts around a text. Raises UserError for
    a lone surrogate.
    """
    return tuple(_row(PublishedTokenizer(name, special, added), text) for name in names)


def count_tokens(
    report: ProgressCallback, text: str, special: Special, added: bool, names: Sequence[str]
) -> tuple[TokenCounts, ...]:
    """Split a text of any length by the tokenizers, keeping only the ids; runs in a worker.

    Raises UserError as `tokenize` does.
    """
    counts = []
    for done, name in enumerate(names):
        report(done, len(names))
        row = _row(PublishedTokenizer(name, special, added), text)
        counts.append(TokenCounts(name, array("I", row.ids), row.metrics, row.losses))
    return tuple(counts)


def _row(model: PublishedTokenizer, text: str) -> TokenizedRow:
    encoding = model.encode(text)
    metrics = measure(text, encoding, len(model.vocab) - (model.unk is not None))
    return TokenizedRow(
        model.name, encoding.ids, metrics, describe_losses(text, model.loaded, encoding), encoding
    )


def lay_out_words(
    text: str, special: Special, rows: Sequence[TokenizedRow], first: int
) -> WordWindow:
    """Lay out the part of the text that is drawn, starting at word number `first` (from 0)."""
    words = word_spans(text)
    first = min(first, max(len(words) - 1, 0))
    start, end, last = window(words, len(text), first)
    spans = words[first : last + 1]
    parts = [tokens_by_word(spans, row.encoding) for row in rows]
    readable = [PublishedTokenizer(row.name).with_readable_tokens(row.encoding) for row in rows]
    layout = AlignedLayout(text, (start, end), readable, range(len(rows)), spans, parts)
    chunks = tuple(layout.chunk(*span) for span in layout.spans())
    hidden = max(words[last][1] - end, 0) if words else 0
    tooltips = tuple(_tooltips(row, n, chunks) for n, row in enumerate(rows))
    links = link_tokens(
        text, (start, end), [(PublishedTokenizer(row.name, special), row.encoding) for row in rows]
    )
    return WordWindow(chunks, tooltips, links, first, last, len(words), hidden)


def aligned_view(
    rows: Sequence[TokenizedRow],
    window: WordWindow,
    is_whole: bool = True,
    has_ids: bool = False,
) -> aligned_view_message.AlignedView:
    """Return the content of the aligned view.

    Rows show their number of tokens only if `is_whole`, i.e. if they cover the whole text.
    """
    tokens = [f"{count_of(row.metrics.tokens, 'token')} · " * is_whole for row in rows]
    names = [(row.title, counted + row.owner) for row, counted in zip(rows, tokens, strict=True)]
    return aligned_view_message.AlignedView(
        names, window.chunks, has_ids, tooltips=window.tooltips, links=window.links
    )


def totals(rows: Sequence[TokenCounts]) -> Markup:
    """Return HTML of each row's number of tokens, each a button to the figures (start_buttons.js).

    The names are those of the models, without their vocabularies.
    """
    button = '<button type="button">{} <strong>{}</strong></button>'
    shown = [html(button, row.title.partition(" (")[0], f"{row.metrics.tokens:,}") for row in rows]
    return html('<p class="pp-totals">tokens: {}</p>', joined(shown))


def _tooltips(row: TokenizedRow, number: int, chunks: Sequence[Chunk]) -> dict[int, str]:
    ids = {tile.id for one in chunks for cell in one.rows[number] for tile in cell.tiles}
    return PublishedTokenizer(row.name).describe_ids(ids)


def table_of(rows: Sequence[TokenizedRow]) -> ExportTable:
    """Return a table of every row's tokens."""
    table = []
    for row in rows:
        model = open_model(row.name)
        tokens = zip(row.encoding.tokens, row.encoding.ids, row.encoding.offsets, strict=True)
        table += [
            (row.title, number, token, id_, bytes_text(model, token), *span)
            for number, (token, id_, span) in enumerate(tokens, start=1)
        ]
    columns = ("tokenizer", "number", "token", "id", "bytes", "start", "end")
    return ExportTable("All rows", columns, table)
