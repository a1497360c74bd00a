"""HTML of two segmentations under each other, and of numbers whose digits stand by place value."""

from collections.abc import Sequence

from markupsafe import Markup

from pages.real.segmentations.finding import ShownTokens
from pages.shared.drawing.display_text import html_tiles, html_token, tint
from pages.shared.drawing.markup import html, joined
from tokenizers.runtime.inspection.digit_groups import DigitGroup


def blocks_html(
    blocks: Sequence[tuple[ShownTokens, ShownTokens]], names: tuple[str, str]
) -> Markup:
    """Return two segmentations in blocks, whose ends are the boundaries that both have."""
    parts = [
        html(
            '<div class="block">{}{}</div>',
            html_tiles(one.tokens, ids=one.ids, label=names[0]),
            html_tiles(two.tokens, ids=two.ids, new=two.new, label=names[1]),
        )
        for one, two in blocks
    ]
    heads = html('<div class="heads"><b>{}</b><b>{}</b></div>', *names)
    return html('<div class="pp-blocks">{}{}</div>', heads, joined(parts))


def digits_html(rows: Sequence[Sequence[DigitGroup]], label: str) -> Markup:
    """Return numbers under each other, so that digits of one place value share a column."""
    width = max(group.after + len(group.text) for row in rows for group in row)
    signs = ("", "+", "=")
    lines = [
        html(
            '<span class="sign" style="grid-row: {}">{}</span>{}',
            number,
            signs[number - 1],
            joined(_group_html(group, number, width) for group in row),
        )
        for number, row in enumerate(rows, start=1)
    ]
    template = (
        '<div class="pp-digits pp-tiles" role="group" aria-label="{}" '
        'style="grid-template-columns: 1em repeat({}, 1fr)">{}</div>'
    )
    return html(template, label, width, joined(lines))


def _group_html(group: DigitGroup, row: int, width: int) -> Markup:
    first = width - group.after - len(group.text) + 2  # after the column of signs
    return html(
        '<span style="grid-row: {}; grid-column: {} / span {}"><bdi class="t{}">{}</bdi>'
        "<small>{}</small></span>",
        row,
        first,
        len(group.text),
        tint(group.text),
        html_token(group.text),
        group.id,
    )
