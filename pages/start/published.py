"""One text cut by the published tokenizers that people know, for the start page.

Covers cutting (`cut`), what each tokenizer loses of the text, and the layout of a part of it
(`drawn`). Leaves out what is said of one token, and how all of it is shown.
"""

import gc
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lessons.models import MODELS, open_model
from pages.compare import strip_message
from pages.compare.layout import Chunk, Layout
from pages.compare.leads import Leads, leads
from pages.compare.side_by_side import first_loss, window
from pages.shared.drawing.phrases import count_of
from pages.shared.learning.published import SHORT_NAMES as ALL_NAMES
from pages.shared.learning.published import Published
from pages.shared.learning.tokens import bytes_said
from pages.shared.taking.tables import Table
from pages.shared.work.worker import GARBAGE
from tokenizers.loaded.parts import LoadedEncoding
from tokenizers.loaded.tokenizer import Loaded, Special
from tokenizers.measures.agreement import parts_of_words
from tokenizers.measures.metrics import Metrics, measure, word_spans

SHORT_NAMES = {name: title for name, title in ALL_NAMES.items() if name != "unigram-japanese"}
"""The tokenizers of the pack that have a row, in the order of the rows."""


@dataclass(frozen=True, slots=True)
class Row:
    """A text cut by the tokenizer `name` of the pack.

    `losses` says in words what decoding does not give back; it is empty if the text comes back.
    """

    name: str
    found: LoadedEncoding
    metrics: Metrics
    losses: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name on the screen."""
        return SHORT_NAMES[self.name]

    @property
    def owner(self) -> str:
        """Whose tokenizer it is."""
        return MODELS[self.name].owner


@dataclass(frozen=True, slots=True)
class Drawn:
    """Words `first` to `last` of a text, from 0, laid out; `told` says by row what an id is.

    `leads` says where each token can be stepped through.
    """

    chunks: tuple[Chunk, ...]
    told: tuple[Mapping[int, str], ...]
    leads: Leads
    first: int
    last: int
    words: int
    hidden: int


def open_all() -> None:
    """Open the tokenizers that have a row: whoever comes then need not wait.

    What a tokenizer only makes when it first cuts a text is made then, too.
    """
    cut("Ready?", "control")
    gc.set_threshold(*GARBAGE)
    gc.freeze()  # the vocabularies stay: let no collection of garbage go through them


def cut(text: str, special: Special) -> tuple[Row, ...]:
    """Cut a text by every tokenizer; `special` says how to read special tokens in it.

    Raises ValueError, in a sentence, for a lone surrogate.
    """
    return tuple(_row(name, text, special) for name in SHORT_NAMES)


def _row(name: str, text: str, special: Special) -> Row:
    model = open_model(name)
    found = Published(name, special).encode(text)
    metrics = measure(text, found, len(model.vocab) - (model.unk is not None))
    return Row(name, found, metrics, tuple(_losses(text, model, found, metrics)))


def _losses(text: str, model: Loaded, found: LoadedEncoding, metrics: Metrics) -> list[str]:
    """Return what does not come back on decoding, in words."""
    told = [f"{count_of(metrics.unknown, 'unknown')} ({model.unk})"] if metrics.unknown else []
    back = model.decode(found.ids)
    if back == text:
        return told
    if any(found.ids[n] in model.specials.values() for n in _inside(found)):
        told.append("special tokens")
    told += [name for name, count in _COUNTED.items() if count(back) < count(text)]
    if Counter(filter(str.isspace, text)) != Counter(filter(str.isspace, back)):
        told.append("spaces")
    return told or [f"from character {first_loss(text, back) + 1:,} on, other text comes back"]


def _inside(found: LoadedEncoding) -> list[int]:
    """Return the tokens that stand for something in the text and are what the text says."""
    rows = enumerate(zip(found.tokens, found.pieces, found.words, strict=True))
    return [n for n, (token, piece, word) in rows if word >= 0 and token == piece]


def _capitals(text: str) -> int:
    return sum(map(str.isupper, text))


def _accents(text: str) -> int:
    """Return how many marks a text has, taken apart.

    Each character alone: to order thousands of marks on one letter takes seconds, and nobody else
    would be served meanwhile.
    """
    return 0 if text.isascii() else sum(_marks(char) * n for char, n in Counter(text).items())


@lru_cache(maxsize=4096)
def _marks(char: str) -> int:
    return sum(unicodedata.category(part) == "Mn" for part in unicodedata.normalize("NFD", char))


_COUNTED = {"capitals": _capitals, "accents": _accents}


def drawn(text: str, special: Special, rows: Sequence[Row], first: int) -> Drawn:
    """Lay out as much of the text as is drawn at once, from word number `first` (from 0) on."""
    words = word_spans(text)
    first = min(first, max(len(words) - 1, 0))
    start, end, last = window(words, len(text), first)
    in_sight = words[first : last + 1]
    parts = [parts_of_words(in_sight, row.found) for row in rows]
    shown = [Published(row.name).readable(row.found) for row in rows]
    layout = Layout(text, (start, end), shown, range(len(rows)), in_sight, parts)
    chunks = tuple(layout.chunk(*span) for span in layout.spans())
    hidden = max(words[last][1] - end, 0) if words else 0
    told = tuple(_told(row, n, chunks) for n, row in enumerate(rows))
    ways = leads(text, (start, end), [(Published(row.name, special), row.found) for row in rows])
    return Drawn(chunks, told, ways, first, last, len(words), hidden)


def as_strip(rows: Sequence[Row], shown: Drawn) -> strip_message.Drawn:
    """Return what the strip shows: the rows by their names, with what is laid out."""
    names = [(row.title, f"{count_of(row.metrics.tokens, 'token')} · {row.owner}") for row in rows]
    return strip_message.Drawn(names, shown.chunks, ids=False, told=shown.told, leads=shown.leads)


def _told(row: Row, number: int, chunks: Sequence[Chunk]) -> dict[int, str]:
    ids = {tile.id for one in chunks for cell in one.rows[number] for tile in cell.tiles}
    return Published(row.name).told(ids)


def table_of(rows: Sequence[Row]) -> Table:
    """Return a table of all tokens."""
    table = []
    for row in rows:
        model = open_model(row.name)
        tokens = zip(row.found.tokens, row.found.ids, row.found.offsets, strict=True)
        table += [
            (row.title, number, token, id_, bytes_said(model, token), *span)
            for number, (token, id_, span) in enumerate(tokens, start=1)
        ]
    columns = ("tokenizer", "number", "token", "id", "bytes", "start", "end")
    return Table("All rows", columns, table)
