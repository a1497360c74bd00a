"""Four rulers below each other, as HTML, in which one column is one byte of UTF-8.

The rulers are computed in `tokenizers/measures/rulers.py`.
"""

from collections.abc import Collection, Sequence

from markupsafe import Markup

from pages.pipeline.stage_trace import Span
from pages.shared.drawing.display_text import (
    shorten,
    show_spaces,
    show_spaces_keep_joiners,
    tint,
)
from pages.shared.drawing.markup import html, joined
from tokenizers.measures.rulers import RulerMark, Rulers

MIN_BYTES = 12  # bytes shown, if there are that many
MAX_BYTES = 48  # bytes shown


def visible_bytes(rulers: Rulers, token: int) -> Span:
    """Return the span of bytes to show: the clusters that a token holds a part of, and more."""
    if not rulers.clusters:
        return 0, 0
    start, end = rulers.tokens[token].start, rulers.tokens[token].end
    start, end = _widened(rulers.clusters, start, max(end, start + 1))
    sharing = [mark for mark in rulers.tokens if mark.start < end and start < mark.end]
    start = min([start, *(mark.start for mark in sharing)])
    end = max([end, *(mark.end for mark in sharing)])
    start, end = _widened(rulers.clusters, start, end)
    low, high = rulers.clusters[0].start, rulers.clusters[-1].end
    while end - start < MIN_BYTES and (start > low or end < high):
        start, end = _widened(rulers.clusters, max(start - 1, low), min(end + 1, high))
    return (start, end) if end - start <= MAX_BYTES else (start, start + MAX_BYTES)


def _widened(clusters: Sequence[RulerMark], start: int, end: int) -> Span:
    """Return the smallest span of whole clusters that contains these bytes."""
    held = [mark for mark in clusters if mark.start < end and start < mark.end]
    return (held[0].start, held[-1].end) if held else (clusters[-1].start, clusters[-1].end)


def html_rulers(rulers: Rulers, shown: Span, token: int) -> Markup:
    """Return HTML of the rulers for `st.html`; parts that several tokens share have a dashed frame.

    `token` is the index of the chosen token, which has a solid frame.
    """
    cut = {c.mark for c in rulers.split_clusters} | {c.mark for c in rulers.split_code_points}
    rows = [
        *_ruler("Grapheme cluster", rulers.clusters, shown, 1, cut, "big"),
        *_ruler("Code point", rulers.code_points, shown, 2, cut, "code"),
        *_ruler("UTF-8 byte", rulers.utf8, shown, 3),
        *_ruler("GPT-2’s glyph", rulers.glyphs, shown, 4),
        *_tokens(rulers.tokens, shown, 5, token),
    ]
    return html(
        '<div class="pp-rulers" role="group" aria-label="Four rulers" tabindex="0">'
        '<div style="grid-template-columns:auto repeat({},minmax(2.4rem,auto))">{}</div></div>',
        max(shown[1] - shown[0], 1),
        joined(rows),
    )


def _ruler(
    name: str,
    marks: Sequence[RulerMark],
    shown: Span,
    row: int,
    cut: Collection[RulerMark] = (),
    look: str = "",
) -> list[Markup]:
    cells = [_label(name, row)]
    for mark in marks:
        if mark.start < shown[1] and shown[0] < mark.end:
            kind = look + (" cut" if mark in cut else "")
            under = html("<small>{:04X}</small>", ord(mark.text)) if look == "code" else ""
            cells.append(_cell(mark, shown, row, kind, under))
    return cells


def _tokens(marks: Sequence[RulerMark], shown: Span, row: int, token: int) -> list[Markup]:
    """Return cells for the tokens; tokens that overlap go into further rows."""
    cells, ends = [_label("Token", row)], []
    for n, mark in enumerate(marks):
        if mark.start < mark.end and mark.start < shown[1] and shown[0] < mark.end:
            lane = next((i for i, end in enumerate(ends) if end <= mark.start), len(ends))
            ends[lane : lane + 1] = [mark.end]
            kind = f"t{tint(mark.text)}" + (" on" if n == token else "")
            cells.append(_cell(mark, shown, row + lane, kind))
    return cells


def _label(name: str, row: int) -> Markup:
    return html('<b style="grid-area:{}/1">{}</b>', row, name)


def _cell(mark: RulerMark, shown: Span, row: int, kind: str, under: str = "") -> Markup:
    start, end = max(mark.start, shown[0]) - shown[0] + 2, min(mark.end, shown[1]) - shown[0] + 2
    part = shorten(mark.text, MAX_BYTES)
    area = f"{row}/{start}/{row + 1}/{end}"
    text = show_spaces_keep_joiners(part) if kind.startswith("big") else show_spaces(part)
    cell = '<span class="{}" style="grid-area:{}"><bdi>{}</bdi>{}</span>'
    return html(cell, kind, area, text, under)
