"""The exports of Compare · Languages besides its HTML file: its bars, as CSV and as a picture."""

from collections.abc import Sequence

from pages.languages.charts import bars_chart
from pages.languages.findings import groups, mix_name
from pages.languages.study import MEASURES, PASSAGES, SHARES, Study
from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.tables import ExportTable, Value


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
