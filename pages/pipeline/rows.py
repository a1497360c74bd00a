"""The stages of a text as rows for the screen: what changed is marked, every part knows its tokens.

The rows are plain data, which the browser draws (stage_table.js). Also here: the sentence
about one token, and that about what it cuts. Left out: how the stages come about (`stage_trace.py`).
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from pages.pipeline.stage_trace import (
    DECODING,
    MODEL,
    RAW,
    WORDS,
    Edit,
    Journey,
    Loss,
    Span,
    apart,
    stretch,
)
from pages.shared.drawing.display_text import _CLUSTER, shorten, show_spaces, tint
from pages.shared.drawing.phrasing import count_of
from tokenizers.measures.rulers import SplitMark

SHOWN = 150
"""Tokens that are shown at once."""
LONGEST_PART = 160  # characters of one part of a row
MOST_PARTS = 500  # of one row: a single token may stand for a long text with many changes
NAMES = {RAW: "Raw text", WORDS: "Pre-tokens", MODEL: "Tokens and ids", DECODING: "Decoded"}
PLAIN, NEW, GONE = "", "new", "gone"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a row; `low` to `high` are the tokens that hold some of it, -1 for none.

    `word` is the number of its pre-token, where the row is cut into them.
    """

    text: str
    kind: str = PLAIN
    low: int = -1
    high: int = -1
    word: int = -1


@dataclass(frozen=True, slots=True)
class Row:
    """One stage: its name, what it did in a few words, and the text after it."""

    name: str
    said: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Tile:
    """A token as it is drawn; `said` is its sentence."""

    text: str
    tint: int
    id: int
    unknown: bool
    said: str


@dataclass(frozen=True, slots=True)
class Rail:
    """What is shown of a journey: the tokens from `first` on, and every stage of their stretch.

    `said` is about the tokens as a whole.
    """

    first: int
    rows: tuple[Row, ...]
    tiles: tuple[Tile, ...]
    said: str
    back: Row


def window(journey: Journey, first: int) -> Span:
    """Return which tokens are shown from `first` on: about `SHOWN`, and no part of a character."""
    count = len(journey.encoding.tokens)
    first = apart(journey, min(first, max(count - 1, 0)))
    last = min(first + SHOWN, count)
    whole = apart(journey, last)
    return first, whole if whole > first else last


def rail(
    journey: Journey,
    lost: Sequence[Loss],
    shown: Span,
    names: Mapping[str, str],
    off: Sequence[str] = (),
) -> Rail:
    """Lay out the tokens `shown`; `lost` is what of them does not come back.

    `names` are those of the normalizers that the model has learned with; `off` are the stages that
    were left out.
    """
    rows = [_row(journey, 0, shown, NAMES[RAW])]
    at = 1
    for stage, name in {**names, WORDS: NAMES[WORDS]}.items():
        if stage in off and stage != WORDS:
            rows.append(Row(name, "switched off"))
            continue
        rows.append(_row(journey, at, shown, name, stage in off))
        at += 1
    tiles = tuple(_tile(journey, n) for n in range(*shown))
    said = _tokens_said(journey, shown, MODEL in off)
    return Rail(shown[0], tuple(rows), tiles, said, _back(journey, lost, shown))


def _tokens_said(journey: Journey, shown: Span, is_off: bool) -> str:
    found = journey.encoding
    said = "switched off, so each word is looked up whole: " if is_off else ""
    if shown != (0, len(found.tokens)):
        said += f"{shown[0] + 1:,} to {shown[1]:,} of "
    said += count_of(len(found.tokens), "token")
    unknown = len(found.unknown())
    return said + (f", {unknown:,} unknown" if unknown else "")


def _row(journey: Journey, at: int, shown: Span, name: str, is_off: bool = False) -> Row:
    stage = journey.stages[at]
    if at == 0:
        said = count_of(len(stage.text), "character")
    elif stage.name == WORDS:
        said = _words_said(journey, is_off)
    else:
        said = count_of(len(stage.edits), "change") if stage.edits else "changes nothing here"
    return Row(name, said, tuple(_parts(journey, at, shown)))


def _words_said(journey: Journey, is_off: bool) -> str:
    dropped = len(journey.stages[-1].text) - sum(end - start for start, end in journey.words)
    said = "switched off: " if is_off else ""
    said += count_of(len(journey.words), "pre-token")
    return said + (f", {count_of(dropped, 'character')} dropped between them" if dropped else "")


def _parts(journey: Journey, at: int, shown: Span) -> Iterator[Part]:
    """Yield the parts of a row, cut wherever a token, a change or a pre-token begins or ends.

    A token alone does not cut what looks like one character: the text looks as it is written.
    """
    stage = journey.stages[at]
    start, end = stretch(journey, *shown, at)
    before = journey.stages[at - 1].text if at else ""
    edits = [edit for edit in stage.edits if start <= edit.new_start <= end]
    held = [(n, stage.places[n]) for n in range(*shown)]
    words = journey.words if stage.name == WORDS else ()
    ends = {start, end, *_cuts(stage.text, start, end, held)}
    changes = [(edit.new_start, edit.new_end) for edit in edits]
    ends |= {p for p in chain(*changes, *words) if start < p < end}
    borders = sorted(ends)[: MOST_PARTS + 1]
    waiting = deque(edit for edit in edits if edit.start < edit.end)
    changed = deque(edit for edit in edits if edit.new_start < edit.new_end)
    for low, high in pairwise(borders):
        tokens = _holders(held, low, high)
        while waiting and waiting[0].new_start <= low:
            yield _gone(before, waiting.popleft(), tokens)
        while changed and changed[0].new_end <= low:
            changed.popleft()
        is_new = bool(changed) and changed[0].new_start <= low
        word = _word_at(words, low)
        kind = GONE if stage.name == WORDS and word < 0 else NEW if is_new else PLAIN
        yield _part(stage.text[low:high], kind, tokens, word)
    if borders[-1] < end:
        yield Part("…")
        return
    for edit in waiting:
        if edit.new_start < end or shown[1] >= len(stage.places):
            yield _gone(before, edit, [])


def _word_at(words: Sequence[Span], place: int) -> int:
    """Return the number of the pre-token at a place, -1 between two."""
    n = bisect_right(words, place, key=lambda span: span[0]) - 1
    return n if n >= 0 and place < words[n][1] else -1


def _cuts(text: str, start: int, end: int, held: Sequence[tuple[int, Span]]) -> set[int]:
    """Return where tokens begin and end, but for what lies inside a grapheme cluster."""
    between = {start + match.start() for match in _CLUSTER.finditer(text[start:end])}
    return between.intersection(place for _, span in held for place in span)


def _gone(before: str, edit: Edit, tokens: Sequence[int]) -> Part:
    """Return what an edit replaced; what took its place has these tokens, if anything has."""
    stays = edit.new_start < edit.new_end
    return _part(before[edit.start : edit.end], GONE, tokens if stays else ())


def _part(text: str, kind: str, tokens: Sequence[int], word: int = -1) -> Part:
    ends = (min(tokens), max(tokens)) if tokens else (-1, -1)
    return Part(shorten(text, LONGEST_PART), kind, *ends, word)


def _tile(journey: Journey, n: int) -> Tile:
    found = journey.encoding
    token = found.tokens[n]
    unknown = token != found.pieces[n]
    shown = show_spaces(token[:LONGEST_PART]) + ("…" if len(token) > LONGEST_PART else "")
    return Tile(shown, tint(token), found.ids[n], unknown, token_said(journey, n))


def token_said(journey: Journey, n: int) -> str:
    """Return one sentence about a token: its id, and what of the raw text it stands for."""
    found = journey.encoding
    start, end = found.offsets[n]
    said = f"Token {n + 1:,} of {len(found.tokens):,} is “{shorten(found.tokens[n])}”, "
    said += f"with the id {found.ids[n]:,}. It stands for "
    if start == end:
        return said + "nothing in the raw text: it was added."
    said += f"“{shorten(journey.raw[start:end])}”, {places_said(start, end)} of the raw text"
    near = found.offsets[max(n - 64, 0) : n + 65]
    others = sum(a < end and start < b for a, b in near) - 1
    return said + (f", shared with {count_of(others, 'other token')}." if others else ".")


def places_said(start: int, end: int) -> str:
    """Return where something stands, counted from 1 as people do.

    >>> places_said(0, 1), places_said(3, 9)
    ('character 1', 'characters 4 to 9')
    """
    one = end - start < 2
    return f"character {start + 1:,}" if one else f"characters {start + 1:,} to {end:,}"


# --- The way back ---------------------------------------------------------------------------------


def _back(journey: Journey, lost: Sequence[Loss], shown: Span) -> Row:
    """Return the decoded text with what is not as it was."""
    parts = list(islice(_back_parts(journey, lost, shown), MOST_PARTS + 1))
    if len(parts) > MOST_PARTS:
        parts[-1] = Part("…")
    return Row(NAMES[DECODING], back_said(journey, lost), tuple(parts))


def _back_parts(journey: Journey, lost: Sequence[Loss], shown: Span) -> Iterator[Part]:
    start, end = stretch(journey, *shown)
    held = [(n, journey.encoding.offsets[n]) for n in range(*shown)]
    for loss in (*lost, Loss(end, end, "", DECODING)):
        same = {start, loss.start, *_cuts(journey.raw, start, loss.start, held)}
        for low, high in pairwise(sorted(same)):
            yield _part(journey.raw[low:high], PLAIN, _holders(held, low, high))
        tokens = _holders(held, loss.start, loss.end)
        if loss.start < loss.end:
            yield _part(journey.raw[loss.start : loss.end], GONE, tokens)
        if loss.now:
            yield _part(loss.now, NEW, tokens)
        start = loss.end


def _holders(held: Sequence[tuple[int, Span]], start: int, end: int) -> list[int]:
    return [n for n, (a, b) in held if a < end and start < b]


def back_said(journey: Journey, lost: Sequence[Loss]) -> str:
    """Return in a few words whether the text comes back."""
    if journey.comes_back:
        return "exactly the original text: nothing is lost"
    if not lost:
        return "not quite the original text, but this part is unchanged"
    return f"not quite the original text: {count_of(len(lost), 'difference')} here"


def loss_rows(
    journey: Journey, lost: Sequence[Loss], names: Mapping[str, str]
) -> list[tuple[str, str, str, str]]:
    """Return the rows of a table: where, what was there, what comes back, because of what."""
    because = {
        **names,
        WORDS: "Pre-tokens: dropped between words",
        MODEL: "Model: unknown to it",
        DECODING: "Decoding: it cannot know where spaces were",
    }
    return [
        (
            places_said(loss.start, loss.end) if loss.start < loss.end else f"after {loss.start:,}",
            shorten(journey.raw[loss.start : loss.end]) if loss.start < loss.end else "nothing",
            shorten(loss.now) if loss.now else "nothing",
            because[loss.stage],
        )
        for loss in lost
    ]


def losses_said(lost: Sequence[Loss], names: Mapping[str, str]) -> str:
    """Return which stages cost how many places, the costliest first.

    >>> losses_said([Loss(0, 1, "a", "lower")], {"lower": "Lowercase"})
    'Lowercase (1 place)'
    """
    blamed = [loss.stage for loss in lost]
    ranked = sorted(dict.fromkeys(blamed), key=lambda stage: -blamed.count(stage))
    called = {**names, **NAMES, MODEL: "The model", DECODING: "Decoding"}
    return ", ".join(f"{called[s]} ({count_of(blamed.count(s), 'place')})" for s in ranked)


def cut_said(cut: SplitMark) -> str:
    """Return one sentence about a cluster that several tokens share.

    >>> from tokenizers.measures.rulers import Mark
    >>> cut_said(Cut(Mark(0, 2, "é"), (4, 5)))
    'é looks like one character: 1 code point, 2 bytes, and 2 tokens hold a part of it.'
    """
    text = cut.mark.text
    return (
        f"{shorten(text)} looks like one character: {count_of(len(text), 'code point')}, "
        f"{count_of(cut.mark.end - cut.mark.start, 'byte')}, and "
        f"{count_of(len(cut.tokens), 'token')} hold a part of it."
    )
