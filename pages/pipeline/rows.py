"""Turn the stages of a text into rows for the screen, with changes marked and each part's tokens.

The rows are plain data, which the browser draws (stage_table.js). This module also describes tokens
and the characters that they split. The stages are computed in `stage_trace.py`.
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
    Loss,
    Span,
    StageTrace,
    stage_span,
    token_boundary,
)
from pages.shared.drawing.display_text import _CLUSTER, shorten, show_spaces, tint
from pages.shared.drawing.phrasing import count_of
from tokenizers.measures.rulers import SplitMark

TOKENS_SHOWN = 150
"""Number of tokens shown at once."""
MAX_PART_CHARS = 160  # characters of one part of a row
MAX_PARTS = 500  # parts of one row, as one token may stand for a long text with many changes
NAMES = {RAW: "Raw text", WORDS: "Pre-tokens", MODEL: "Tokens and ids", DECODING: "Decoded"}
PLAIN, NEW, REMOVED = "", "new", "gone"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a row; tokens `low` to `high` hold some of its text (both are -1 if none does).

    In the row of pre-tokens, `word` is the index of the part's pre-token.
    """

    text: str
    kind: str = PLAIN
    low: int = -1
    high: int = -1
    word: int = -1


@dataclass(frozen=True, slots=True)
class StageRow:
    """One stage: its name, a short summary of its effect, and the text after it."""

    name: str
    summary: str
    parts: tuple[TextPart, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenTile:
    """A token as it is drawn, and a sentence that describes it."""

    text: str
    tint: int
    id: int
    is_unknown: bool
    description: str


@dataclass(frozen=True, slots=True)
class StageTable:
    """The tokens starting at index `first`, and their text at every stage.

    `summary` describes the tokens as a whole.
    """

    first: int
    rows: tuple[StageRow, ...]
    tiles: tuple[TokenTile, ...]
    summary: str
    decoded: StageRow


def token_range(trace: StageTrace, first: int) -> Span:
    """Return a range of about `TOKENS_SHOWN` tokens near `first` that splits no character."""
    count = len(trace.encoding.tokens)
    first = token_boundary(trace, min(first, max(count - 1, 0)))
    last = min(first + TOKENS_SHOWN, count)
    whole = token_boundary(trace, last)
    return first, whole if whole > first else last


def build_table(
    trace: StageTrace,
    lost: Sequence[Loss],
    tokens: Span,
    names: Mapping[str, str],
    off: Sequence[str] = (),
) -> StageTable:
    """Lay out the range `tokens`; `lost` has what is lost when they are decoded.

    `names` maps the normalizers that the model was trained with to titles; `off` names the stages
    that are switched off.
    """
    rows = [_row(trace, 0, tokens, NAMES[RAW])]
    at = 1
    for stage, name in {**names, WORDS: NAMES[WORDS]}.items():
        if stage in off and stage != WORDS:
            rows.append(StageRow(name, "switched off"))
            continue
        rows.append(_row(trace, at, tokens, name, stage in off))
        at += 1
    tiles = tuple(_tile(trace, n) for n in range(*tokens))
    summary = _token_summary(trace, tokens, MODEL in off)
    return StageTable(tokens[0], tuple(rows), tiles, summary, _decoded_row(trace, lost, tokens))


def _token_summary(trace: StageTrace, shown: Span, is_off: bool) -> str:
    found = trace.encoding
    text = "switched off, so each word is looked up whole: " if is_off else ""
    if shown != (0, len(found.tokens)):
        text += f"{shown[0] + 1:,} to {shown[1]:,} of "
    text += count_of(len(found.tokens), "token")
    unknown = len(found.unknown())
    return text + (f", {unknown:,} unknown" if unknown else "")


def _row(trace: StageTrace, at: int, shown: Span, name: str, is_off: bool = False) -> StageRow:
    stage = trace.stages[at]
    if at == 0:
        summary = count_of(len(stage.text), "character")
    elif stage.name == WORDS:
        summary = _pre_token_summary(trace, is_off)
    else:
        summary = count_of(len(stage.edits), "change") if stage.edits else "changes nothing here"
    return StageRow(name, summary, tuple(_parts(trace, at, shown)))


def _pre_token_summary(trace: StageTrace, is_off: bool) -> str:
    dropped = len(trace.stages[-1].text) - sum(end - start for start, end in trace.words)
    text = "switched off: " if is_off else ""
    text += count_of(len(trace.words), "pre-token")
    return text + (f", {count_of(dropped, 'character')} dropped between them" if dropped else "")


def _parts(trace: StageTrace, at: int, shown: Span) -> Iterator[TextPart]:
    """Yield the parts of a row, split wherever a token, a change or a pre-token begins or ends.

    Tokens do not split a grapheme cluster because that would change how the text looks.
    """
    stage = trace.stages[at]
    start, end = stage_span(trace, *shown, at)
    before = trace.stages[at - 1].text if at else ""
    edits = [edit for edit in stage.edits if start <= edit.new_start <= end]
    spans = [(n, stage.spans[n]) for n in range(*shown)]
    words = trace.words if stage.name == WORDS else ()
    ends = {start, end, *_visible_cuts(stage.text, start, end, spans)}
    changes = [(edit.new_start, edit.new_end) for edit in edits]
    ends |= {p for p in chain(*changes, *words) if start < p < end}
    borders = sorted(ends)[: MAX_PARTS + 1]
    waiting = deque(edit for edit in edits if edit.start < edit.end)
    changed = deque(edit for edit in edits if edit.new_start < edit.new_end)
    for low, high in pairwise(borders):
        tokens = _tokens_in(spans, low, high)
        while waiting and waiting[0].new_start <= low:
            yield _removed(before, waiting.popleft(), tokens)
        while changed and changed[0].new_end <= low:
            changed.popleft()
        is_new = bool(changed) and changed[0].new_start <= low
        word = _word_at(words, low)
        kind = REMOVED if stage.name == WORDS and word < 0 else NEW if is_new else PLAIN
        yield _part(stage.text[low:high], kind, tokens, word)
    if borders[-1] < end:
        yield TextPart("…")
        return
    for edit in waiting:
        if edit.new_start < end or shown[1] >= len(stage.spans):
            yield _removed(before, edit, [])


def _word_at(words: Sequence[Span], offset: int) -> int:
    """Return the index of the pre-token at an offset; -1 if it lies between pre-tokens."""
    n = bisect_right(words, offset, key=lambda span: span[0]) - 1
    return n if n >= 0 and offset < words[n][1] else -1


def _visible_cuts(text: str, start: int, end: int, spans: Sequence[tuple[int, Span]]) -> set[int]:
    """Return where tokens begin and end, except inside a grapheme cluster."""
    between = {start + match.start() for match in _CLUSTER.finditer(text[start:end])}
    return between.intersection(place for _, span in spans for place in span)


def _removed(before: str, edit: Edit, tokens: Sequence[int]) -> TextPart:
    """Return the text that an edit removed, with the tokens of the text in its place, if any."""
    stays = edit.new_start < edit.new_end
    return _part(before[edit.start : edit.end], REMOVED, tokens if stays else ())


def _part(text: str, kind: str, tokens: Sequence[int], word: int = -1) -> TextPart:
    ends = (min(tokens), max(tokens)) if tokens else (-1, -1)
    return TextPart(shorten(text, MAX_PART_CHARS), kind, *ends, word)


def _tile(trace: StageTrace, n: int) -> TokenTile:
    found = trace.encoding
    token = found.tokens[n]
    unknown = token != found.pieces[n]
    shown = show_spaces(token[:MAX_PART_CHARS]) + ("…" if len(token) > MAX_PART_CHARS else "")
    return TokenTile(shown, tint(token), found.ids[n], unknown, describe_token(trace, n))


def describe_token(trace: StageTrace, n: int) -> str:
    """Return a sentence about a token: its id, and the raw text it stands for."""
    encoding = trace.encoding
    start, end = encoding.offsets[n]
    text = f"Token {n + 1:,} of {len(encoding.tokens):,} is “{shorten(encoding.tokens[n])}”, "
    text += f"with the id {encoding.ids[n]:,}. It stands for "
    if start == end:
        return text + "nothing in the raw text: it was added."
    text += f"“{shorten(trace.raw[start:end])}”, {position_text(start, end)} of the raw text"
    near = encoding.offsets[max(n - 64, 0) : n + 65]
    others = sum(a < end and start < b for a, b in near) - 1
    return text + (f", shared with {count_of(others, 'other token')}." if others else ".")


def position_text(start: int, end: int) -> str:
    """Return a position in words, counted from 1.

    >>> position_text(0, 1), position_text(3, 9)
    ('character 1', 'characters 4 to 9')
    """
    one = end - start < 2
    return f"character {start + 1:,}" if one else f"characters {start + 1:,} to {end:,}"


# --- The way back ---------------------------------------------------------------------------------


def _decoded_row(trace: StageTrace, lost: Sequence[Loss], shown: Span) -> StageRow:
    """Return the decoded text, with its differences from the raw text marked."""
    parts = list(islice(_decoded_parts(trace, lost, shown), MAX_PARTS + 1))
    if len(parts) > MAX_PARTS:
        parts[-1] = TextPart("…")
    return StageRow(NAMES[DECODING], round_trip_text(trace, lost), tuple(parts))


def _decoded_parts(trace: StageTrace, lost: Sequence[Loss], shown: Span) -> Iterator[TextPart]:
    start, end = stage_span(trace, *shown)
    spans = [(n, trace.encoding.offsets[n]) for n in range(*shown)]
    for loss in (*lost, Loss(end, end, "", DECODING)):
        same = {start, loss.start, *_visible_cuts(trace.raw, start, loss.start, spans)}
        for low, high in pairwise(sorted(same)):
            yield _part(trace.raw[low:high], PLAIN, _tokens_in(spans, low, high))
        tokens = _tokens_in(spans, loss.start, loss.end)
        if loss.start < loss.end:
            yield _part(trace.raw[loss.start : loss.end], REMOVED, tokens)
        if loss.decoded:
            yield _part(loss.decoded, NEW, tokens)
        start = loss.end


def _tokens_in(spans: Sequence[tuple[int, Span]], start: int, end: int) -> list[int]:
    return [n for n, (a, b) in spans if a < end and start < b]


def round_trip_text(trace: StageTrace, lost: Sequence[Loss]) -> str:
    """Return a short text on whether decoding gives the text back."""
    if trace.is_lossless:
        return "exactly the original text: nothing is lost"
    if not lost:
        return "not quite the original text, but this part is unchanged"
    return f"not quite the original text: {count_of(len(lost), 'difference')} here"


def loss_rows(
    trace: StageTrace, lost: Sequence[Loss], names: Mapping[str, str]
) -> list[tuple[str, str, str, str]]:
    """Return table rows with each loss's position, original, decoded text, and stage to blame."""
    because = {
        **names,
        WORDS: "Pre-tokens: dropped between words",
        MODEL: "Model: unknown to it",
        DECODING: "Decoding: it cannot know where spaces were",
    }
    return [
        (
            position_text(loss.start, loss.end)
            if loss.start < loss.end
            else f"after {loss.start:,}",
            shorten(trace.raw[loss.start : loss.end]) if loss.start < loss.end else "nothing",
            shorten(loss.decoded) if loss.decoded else "nothing",
            because[loss.stage],
        )
        for loss in lost
    ]


def losses_by_stage(lost: Sequence[Loss], names: Mapping[str, str]) -> str:
    """Return the number of losses by stage, the largest first.

    >>> losses_by_stage([Loss(0, 1, "a", "lower")], {"lower": "Lowercase"})
    'Lowercase (1 place)'
    """
    stages = [loss.stage for loss in lost]
    ranked = sorted(dict.fromkeys(stages), key=lambda stage: -stages.count(stage))
    titles = {**names, **NAMES, MODEL: "The model", DECODING: "Decoding"}
    return ", ".join(f"{titles[s]} ({count_of(stages.count(s), 'place')})" for s in ranked)


def describe_cut(cut: SplitMark) -> str:
    """Return a sentence about a grapheme cluster that several tokens share.

    >>> from tokenizers.measures.rulers import RulerMark
    >>> describe_cut(SplitMark(RulerMark(0, 2, "é"), (4, 5)))
    'é looks like one character: 1 code point, 2 bytes, and 2 tokens hold a part of it.'
    """
    text = cut.mark.text
    return (
        f"{shorten(text)} looks like one character: {count_of(len(text), 'code point')}, "
        f"{count_of(cut.mark.end - cut.mark.start, 'byte')}, and "
        f"{count_of(len(cut.tokens), 'token')} hold a part of it."
    )
