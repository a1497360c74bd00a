"""What the browser is sent of a text cut up at every size, and the tables that stand below it.

The film holds every distinct word that is drawn, with its changes from size to size, so that the
browser can go from any size to any other and touch only the words that differ. A file that is taken
along holds the same message.
"""

import zlib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from pages.shared.component import build_component
from pages.shared.drawing.display_text import show_spaces, tint
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.prices import WIDTHS
from pages.shared.training.published import PACK, Published, is_published, published_of
from pages.shared.training.source import ProgressCallback, Source
from pages.shared.training.tokenizer_kinds import KINDS
from pages.sizes.by_size import RESIZED, Resized, Word, cut_up, resize
from pages.sizes.published import GREEDY, cut_short
from pages.sizes.sized_runs import record_ahead
from tokenizers.text.corpus import Pipeline
from tokenizers.text.symbols import Split

DRAWN = 3_000  # characters of the text that are drawn
NEWEST = 24  # pieces that are listed
ROWS = 12  # of the table of sizes, about
_HERE = Path(__file__).parent
_HTML = (_HERE / "size_slider.html").read_text("utf-8")
_SCRIPTS = ("../shared/drawing/display_text.js", "rows.js", "figures.js", "size_slider.js")
SCRUBBER = build_component("sizes", _HERE, "size_slider.css", *_SCRIPTS, html=_HTML)
NAMES = {kind: KINDS[kind].name for kind in RESIZED} | {kind: PACK[kind] for kind in GREEDY}
"""The tokenizers of the page: those that are trained here, and those of the pack that merge."""


def name_of(kind: str) -> str:
    """Return the name of a tokenizer: one of `NAMES`, or that of a visitor's own."""
    return NAMES.get(kind) or published_of(kind).title


@dataclass(frozen=True, slots=True)
class Filmed:
    """What one tokenizer makes of a text at all its sizes; `film` is what the browser draws of it.

    The other fields are those of `Resized`.
    """

    kind: str
    sizes: tuple[int, ...]
    tokens: tuple[int, ...]
    new: tuple[Split, ...]
    beyond: int
    stopped: str
    notes: tuple[str, ...]
    film: bytes

    def index(self, size: int) -> int:
        """Return the number of its size that is shown at any size: the next smaller, or 0."""
        return max(bisect_right(self.sizes, size) - 1, 0)

    def tokens_at(self, size: int, none: str) -> int | str:
        """Return how many tokens there are at a size; `none` below the smallest on record."""
        return self.tokens[self.index(size)] if size >= self.sizes[0] else none


def film(report: ProgressCallback, source: Source | None, kind: str, text: str) -> Filmed:
    """Train a tokenizer and cut `text` at all its sizes: what a worker does, see `resize`.

    Without a source nothing is learned: the tokenizer is the one that was trained ahead.
    """
    if source:
        return _filmed(resize(report, source, kind, text))
    return _filmed(cut_up(report, record_ahead(kind), text))


def film_of_published(model: Published, text: str) -> Filmed:
    """Cut `text` by a published BPE at all sizes that matter to it: see `cut_short`."""
    return _filmed(cut_short(model, text))


def _filmed(cut: Resized) -> Filmed:
    made = cut.kind, cut.sizes, cut.tokens, cut.new, cut.beyond, cut.stopped, cut.notes
    return Filmed(*made, zlib.compress(orjson.dumps(drawn_of(cut))))


@dataclass(frozen=True, slots=True)
class Scrub:
    """A text, cut up by several tokenizers at all their sizes.

    `sizes` are all that one of them has on record. `words` is how many words the text has, cut at
    spaces: the same ones for all, so that tokens for each word can be compared.
    """

    contestants: tuple[Filmed, ...]
    sizes: tuple[int, ...]
    words: int

    def nearest(self, size: int) -> int:
        """Return the size of `sizes` that is shown for any size: the next smaller, or the first."""
        return self.sizes[max(bisect_right(self.sizes, size) - 1, 0)]


def scrub(contestants: Sequence[Filmed], text: str) -> Scrub:
    """Put together what several tokenizers make of `text` at all sizes."""
    sizes = tuple(sorted({size for one in contestants for size in one.sizes}))
    return Scrub(tuple(contestants), sizes, max(sum(1 for _ in Pipeline().words(text)), 1))


def drawn_of(one: Resized) -> dict[str, object]:
    """Return what the browser needs of the words that are drawn, and the figures of every size."""
    drawn, room = [], DRAWN
    for number in one.text:
        if room <= 0:
            break
        drawn.append(number)
        room -= len(one.words[number].symbols)
    numbers = list(dict.fromkeys(drawn))
    words = [clipped(one.words[number], DRAWN) for number in numbers]
    place = {number: n for n, number in enumerate(numbers)}
    face = face_of(one.kind)
    return {
        "name": name_of(one.kind),
        "legend": "" if is_published(one.kind) else KINDS[one.kind].mark,
        "published": is_published(one.kind),
        "mark": one.mark,
        "shrinks": one.kind == "unigram",
        "sizes": one.sizes,
        "beyond": one.beyond,
        "tokens": one.tokens,
        "new": [[show_spaces(face(new[0])) if new else "", len(new)] for new in one.new],
        "tints": [tint(face(new[0])) if new else 0 for new in one.new],
        "places": one.places,
        "pieces": _pieces(words, one),
        "words": [[w.symbols, w.cuts, w.changes, w.is_unknown] for w in words],
        "text": [place[number] for number in drawn],
        "more": len(one.text) - len(drawn) or sum(len(one.words[n].symbols) > DRAWN for n in drawn),
    }


def clipped(word: Word, most: int) -> Word:
    """Return the word, or the first `most` symbols of a very long one.

    >>> clipped(Word(tuple("abcd"), 1, (1, 2, 3), ((1, (2, 3)),)), 3)
    Word(symbols=('a', 'b', 'c'), count=1, cuts=(1, 2), changes=((1, (2,)),), is_unknown=False)
    """
    if len(word.symbols) <= most:
        return word
    changes = ((i, tuple([p for p in positions if p < most])) for i, positions in word.changes)
    return Word(
        word.symbols[:most],
        word.count,
        tuple([position for position in word.cuts if position < most]),
        tuple([change for change in changes if change[1]]),
        word.is_unknown,
    )


def _pieces(words: Sequence[Word], one: Resized) -> list[tuple[str, str, int, int]]:
    """Return every token that can be drawn: itself, as shown, its tint, its size; -1 if unknown.

    What is unknown has no known symbol; the last token of a clipped word has, and is no piece.
    """
    tokens = {
        word.token(span, one.mark) for word in words for _, spans in word.formed() for span in spans
    }
    asked = tokens.union([token[:1] for token in tokens])
    born = {piece: index for index, new in enumerate(one.new) for piece in asked.intersection(new)}

    def since(token: str) -> int:
        return born.get(token, 0 if token[:1] in born else -1)

    face = face_of(one.kind)
    faces = [(token, face(token)) for token in sorted(tokens)]
    return [(token, show_spaces(shown), tint(shown), since(token)) for token, shown in faces]


def face_of(kind: str) -> Callable[[str], str]:
    """Return what shows a piece: those of published models are read as text."""
    return published_of(kind).read if is_published(kind) else str


def message(shown: Scrub, key: str, at: int, model: tuple[int, str], large: bool) -> bytes:
    """Return the bytes for the browser: length of the header, header as JSON, films."""
    films = [one.film for one in shown.contestants]
    width, precision = model
    header = {
        "key": key,
        "at": at,
        "width": width,
        "precision": precision,
        "bytes": WIDTHS[precision],
        "large": large,
        "words": shown.words,
        "sizes": list(map(len, films)),
    }
    text = orjson.dumps(header)
    return b"".join((len(text).to_bytes(4, "little"), text, *films))


# --- The tables below -----------------------------------------------------------------------------


def newest(one: Filmed, size: int) -> tuple[str, ...]:
    """Return the pieces that the vocabulary of `size` got last, the newest first."""
    found: list[str] = []
    for index in range(one.index(size), 0, -1):
        found += reversed(one.new[index])
        if len(found) >= NEWEST:
            break
    return tuple(found[:NEWEST])


def some_sizes(shown: Scrub) -> list[int]:
    """Return about `ROWS` sizes from the smallest to the largest, each larger by one factor."""
    low, high = shown.sizes[0], shown.sizes[-1]
    factor = (high / low) ** (1 / (ROWS - 1))
    wanted = [round(low * factor**n) for n in range(ROWS)]
    return sorted({low, *map(shown.nearest, wanted), high})


def size_table(shown: Scrub, width: int, at: int) -> tuple[list[str], list[list[str | int]]]:
    """Return the columns and rows of the trade-off in numbers: tokens and parameters by size.

    `width` is that of an embedding, which has a row for the unknown too, where there is such a
    token. The row of the size `at` is among them.
    """
    names = [f"tokens, {name_of(one.kind)}" for one in shown.contestants]
    beyond = max(one.beyond for one in shown.contestants)
    ids = f"(V + {beyond})" if beyond else "V"
    columns = ["pieces, V", *names, f"{ids} · {width:,} parameters"]
    rows: list[list[str | int]] = []
    for size in sorted({*some_sizes(shown), at}):
        tokens = [one.tokens_at(size, "–") for one in shown.contestants]
        rows.append([size, *tokens, (size + beyond) * width])
    return columns, rows


def finding(shown: Scrub) -> str:
    """Return what the curves show, in a sentence for each tokenizer."""
    said = (
        f"{name_of(one.kind)}: {count_of(one.tokens[0], 'token')} with {one.sizes[0]:,} pieces, "
        f"{one.tokens[-1]:,} with {one.sizes[-1]:,}"
        for one in shown.contestants
    )
    return ". ".join(said) + "."


def how_far(one: Filmed) -> str:
    """Return in a sentence which sizes a tokenizer has on record, and why no others."""
    name, low, high = name_of(one.kind), one.sizes[0], one.sizes[-1]
    sizes = count_of(len(one.sizes), "size")
    if is_published(one.kind):
        return (
            f"{name} starts from {low:,} pieces and has {high - low:,} merges, of which "
            f"{len(one.sizes) - 2:,} change how this text is split. The slider stops at those: "
            "a list that ends between two of them splits it just the same."
        )
    if one.kind == "unigram":
        return (
            f"{name} has {sizes} on record, all from one run that shrinks from {high:,} pieces "
            f"to {low:,}. It starts with substrings that occur at least twice in its text, "
            "so rare words are never one piece."
        )
    return f"{name} has {sizes} on record, from {low:,} to {high:,} pieces: {one.stopped}."
