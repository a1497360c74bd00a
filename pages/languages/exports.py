"""The exports of Compare · Languages: the mix as one HTML file, its bars as CSV."""

from collections.abc import Sequence

from pages.languages.charts import bars_chart
from pages.languages.findings import caveats, groups, mix_name, name_of, sentences_html
from pages.languages.mix_message import MIX, message, split_of
from pages.languages.study import MEASURES, PASSAGES, SHARES, Study
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.component.component_html import (
    ComponentExport,
    StatePart,
    build_component_html,
    caption_html,
)
from pages.shared.export.run_html import FileInfo
from pages.shared.export.tables import ExportTable, Value
from pages.shared.training.tokenizer_kinds import KINDS

LEFT_OUT = ("Three training texts", "Published models", "All four tokenizers", "The code")
KEYS = "← → Home End move the mix; choose a language to see it split."
REPORTED = "chosen"  # the state that mix_component.js reports


def html_file(
    study: Study,
    measure: str,
    at: int,
    code: str,
    title: str,
    here: str,
    charts: Sequence[Chart] = (),
) -> str:
    """Return the mix as one HTML file, with every language split at every share.

    `at` is the index of the initial share, `code` the language whose split is shown at first.
    """
    shares = StatePart("at", "mix", at, range(len(SHARES)), list(map(str, SHARES)))
    brings = {one: split_of(study, one) for one in PASSAGES}
    codes = StatePart("code", "cut", code, list(PASSAGES), list(PASSAGES), brings)
    data = message(study, measure, code)
    screen = ComponentExport(MIX, "object", data, KEYS, REPORTED, (shares, codes))
    request = study.request
    about = (
        f"{KINDS[request.kind].name}, {count_of(request.extra, 'learned piece')}, "
        f"{name_of(request.first)} mixed with {name_of(request.second)}: "
        f"{MEASURES[measure].lower()}."
    )
    sheet = FileInfo(title, about, here, left_out=LEFT_OUT, charts=tuple(charts))
    table = sentences_html(tuple(PASSAGES))
    sentences = html("<details><summary>The sentences</summary>{}</details>", table)
    return build_component_html(screen, sheet, [caption_html(caveats(request)), sentences])


def of_study(study: Study, measure: str, at: int) -> ExportCatalog:
    """Return the bars at share `at` as a picture, and the bars at every share as CSV."""
    item = table_item("What each language pays", lambda: bars(study, measure))
    mix = mix_name(study.request, SHARES[at])
    shown = f"{MEASURES[measure]} of every language, trained on {mix}"
    chart = Chart(
        "The bars", bars_chart(study, measure, at), shown, table="What each language pays"
    )
    return ExportCatalog((item,), charts=(chart,))


def bars(study: Study, measure: str) -> ExportTable:
    """Return a row for each language and share of the mix; no value for those without words."""
    others = f"percent that is not {PASSAGES[study.request.first].name}"
    unknown = "part of the text that is unknown"
    columns = ("language", "script", others, MEASURES[measure], unknown)
    rows: list[Sequence[Value]] = []
    for _, found in groups(study, measure):
        for row in found:
            passage = PASSAGES[row.code]
            each = zip(SHARES, row.values, row.unknown, strict=True)
            rows += [
                (passage.name, passage.script, share, "" if value is None else value, lost)
                for share, value, lost in each
            ]
    return ExportTable("What each language pays", columns, rows)
