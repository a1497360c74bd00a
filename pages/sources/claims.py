"""Compare claims with what the core computes, in a card for one claim or a table for several.

Everything is HTML for `st.html`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from markupsafe import Markup

from lessons.claims import (
    CLAIMS,
    IN_PART,
    NOT_SHOWN,
    OPENED,
    SOURCES,
    Checked,
    ClaimPart,
    check_claim,
)
from lessons.claims.values import AGREES, DIFFERS, Value, format_value
from pages.shared.drawing.display_text import (
    escape_invisible,
    show_spaces,
    tint,
)
from pages.shared.drawing.markup import Cell, html, joined, table
from tokenizers.progress import ProgressCallback, ignore_progress

SIGNS: Mapping[str, str] = {AGREES: "=", IN_PART: "≈", DIFFERS: "≠", NOT_SHOWN: "?"}
"""Signs that accompany a verdict's word, so that the verdict needs no colour."""

COLUMNS = ("The source says", "The source's value", "Recomputed", "Verdict", "Why")
VERDICT_NOTE = (
    "A printed number agrees when the computed one rounds to it; one that is off by less than a "
    "thousandth is near, and the claim then agrees in part. All of these sources are worth "
    "reading: slips are easy, and a computer finds them."
)
MAX_IN_COLUMN = 6  # values under each other; more of them go into columns
MAX_SHORT_LABEL = 8  # characters of a label that fits in a column


def html_claim(checked: Checked) -> Markup:
    """Return a card for one claim, with the source's value, the computed value and the verdict.

    >>> "≠" in html_claim(check_claim(CLAIMS["B2-2"]))
    True
    """
    claim = checked.claim
    label_says, gives, computed, _, why = COLUMNS
    rows = (
        (label_says, html("{}<br><small>{}</small>", claim.says, source_of(checked))),
        (gives, _values(checked.parts, of_source=True)),
        (computed, _values(checked.parts) + _unit(checked)),
        (why, escape_invisible(checked.reason)),
    )
    return html(
        '<section class="pp-claims pp-claim" aria-label="Check the source: {}">'
        "<p>{}</p><dl>{}</dl><p>{}</p></section>",
        claim.id,
        html_verdict(checked.verdict),
        joined(html("<dt>{}</dt><dd>{}</dd>", *row) for row in rows),
        _link(checked),
    )


def html_claims(caption: str, rows: Sequence[Checked]) -> Markup:
    """Return claims as one table, a row for each."""
    ids = (f' id="{checked.claim.id}"' for checked in rows)
    return table(COLUMNS, map(_row, rows), caption, kind="pp-claims", row_attributes=ids)


def _row(checked: Checked) -> list[object]:
    claim = checked.claim
    name = html("{}<br><small>{} · {}</small>", claim.says, claim.id, source_of(checked))
    cells = (
        _values(checked.parts, of_source=True),
        _values(checked.parts) + _unit(checked),
        html_verdict(checked.verdict),
        html("{}<br>{}", escape_invisible(checked.reason), _link(checked)),
    )
    heads = (f' data-head="{column}"' for column in COLUMNS[1:])
    return [name, *map(Cell, cells, heads)]


def html_verdict(verdict: str) -> Markup:
    """Return a verdict as a sign and its word."""
    kind = "differs" if verdict == DIFFERS else "holds"
    return html(
        '<span class="verdict {}"><span class="sign" aria-hidden="true">{}</span>{}</span>',
        kind,
        SIGNS[verdict],
        verdict,
    )


def source_of(checked: Checked) -> Markup:
    """Return a source's title, with a link if it is public, its kind, and what of it was read."""
    source = SOURCES[checked.claim.source]
    title = html("“{}”", source.title)
    if source.link:
        title = html('<a href="{}" target="_blank" rel="noopener">{}</a>', source.link, title)
    note = f" ({OPENED[checked.claim.opened]})" if checked.claim.opened else ""
    return html("{}, {}{}", title, source.kind, note)


def _unit(checked: Checked) -> Markup:
    unit = checked.claim.unit
    return html("<small>{}</small>", unit) if unit else Markup()


def _link(checked: Checked) -> Markup:
    claim = checked.claim
    return html('<a href="{}" aria-label="See {}">See it</a>', claim.address, claim.id)


def _values(parts: Sequence[ClaimPart], of_source: bool = False) -> Markup:
    """Return the values of one side, each with its label; values that do not agree are marked."""
    shown = []
    for part in parts:
        value = part.claimed if of_source else part.computed
        is_open = part.agreement == NOT_SHOWN
        missing = "left out" if of_source else "not computed" if is_open else "not there"
        text = missing if value is None else _value(value)
        kind = "part" if is_open or part.agreement == AGREES else "part off"
        label = escape_invisible(part.label)
        shown.append(
            html('<span class="{}"><span class="label">{}</span>{}</span>', kind, label, text)
        )
    is_long = len(shown) > MAX_IN_COLUMN and all(
        len(part.label) <= MAX_SHORT_LABEL for part in parts
    )
    return html('<div class="many">{}</div>', joined(shown)) if is_long else joined(shown)


def _value(value: Value) -> str:
    if isinstance(value, tuple):
        return joined(html('<bdi class="t t{}">{}</bdi>', tint(t), show_spaces(t)) for t in value)
    return escape_invisible(format_value(value))


# --- All claims ----------------------------------------------------------------------------------


def check_all(report: ProgressCallback = ignore_progress) -> tuple[Checked, ...]:
    """Return all claims, checked; runs in a worker, since some open published tokenizers."""
    found = []
    for done, claim in enumerate(CLAIMS.values()):
        report(done, len(CLAIMS))
        found.append(check_claim(claim))
    return tuple(found)


def describe_counts(rows: Sequence[Checked]) -> str:
    """Return how many of the claims agree, in a sentence."""
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in SIGNS}
    open_ones = f" {counts[NOT_SHOWN]} can’t be computed here." if counts[NOT_SHOWN] else ""
    return (
        f"{counts[AGREES]} of {len(rows)} claims agree with what is computed, "
        f"{counts[IN_PART]} agree in part, {counts[DIFFERS]} differ.{open_ones}"
    )


def by_example(rows: Iterable[Checked]) -> dict[str, list[Checked]]:
    """Return the claims by family of examples."""
    return _grouped(rows, lambda row: FAMILIES[row.claim.example[0]])


def by_source(rows: Iterable[Checked]) -> dict[str, list[Checked]]:
    """Return the claims by source."""
    ordered = sorted(rows, key=lambda row: row.claim.source)
    return _grouped(ordered, _title)


FAMILIES: Mapping[str, str] = {
    "P": "Texts and words",
    "B": "BPE",
    "W": "WordPiece",
    "U": "Unigram",
    "V": "Vocabulary size",
    "R": "Recent research",
}
"""The subject of the examples, by the first letter of their ids."""


def _title(row: Checked) -> str:
    source = SOURCES[row.claim.source]
    return f"{source.title} ({source.kind})"


def _grouped(rows: Iterable[Checked], name: Callable[[Checked], str]) -> dict[str, list[Checked]]:
    groups: dict[str, list[Checked]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return groups
