"""The exports of Compare · Languages besides its HTML file: its bars, as CSV and as a picture."""

from collections.abc import Sequence

from pages.languages.charts import bars_chart
from pages.languages.findings import groups, mix_name, name_of, piece_text
from pages.languages.study import MEASURES, PASSAGES, SHARES, Study, cost
from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import ExportCatalog, table_item
from pages.shared.export.tables import ExportTable, Value


def of_study(study: Study, measure: str, at: int, usual: Study | None = None) -> ExportCatalog:
    """Return the bars at share `at` as a picture, and the bars at every share as CSV.

    With the study of the `usual` rule, where languages choose, also who chose each merge.
    """
    items = [table_item("What each language pays", lambda: bars(study, measure, usual))]
    if usual:
        items.append(table_item("Who chose each merge", lambda: turns(study)))
    mix = mix_name(study.request, SHARES[at])
    shown = f"{MEASURES[measure]} of every language, trained on {mix}"
    chart = Chart(
        "The bars", bars_chart(study, measure, at), shown, table="What each language pays"
    )
    return ExportCatalog(tuple(items), charts=(chart,))


def bars(study: Study, measure: str, usual: Study | None = None) -> ExportTable:
    """Return a row for each language and share of the mix; no value for those without words.

    With the study of the `usual` rule, the last column has what it costs there.
    """
    others = f"percent that is not {PASSAGES[study.request.first].name}"
    unknown = "part of the text that is unknown"
    columns = ("language", "script", others, MEASURES[measure], unknown)
    if usual:
        columns += ("by the most frequent pair",)
    rows: list[Sequence[Value]] = []
    for _, found in groups(study, measure):
        for row in found:
            passage = PASSAGES[row.code]
            each = zip(SHARES, row.values, row.unknown, strict=True)
            before = [cost(mix, row.code, measure) for mix in usual.mixes] if usual else []
            rows += [
                (
                    *(passage.name, passage.script, share, "" if value is None else value, lost),
                    *("" if value is None else value for value in before[n : n + 1]),
                )
                for n, (share, value, lost) in enumerate(each)
            ]
    return ExportTable("What each language pays", columns, rows)


def turns(study: Study) -> ExportTable:
    """Return a row for each merge at each share: who chose it, and what all paid before it."""
    codes = (study.request.first, *study.request.others)
    others = f"percent that is not {PASSAGES[study.request.first].name}"
    columns = (others, "merge", "chosen by", "pair", "count there", *map(name_of, codes))
    rows: list[Sequence[Value]] = []
    for share, mix in zip(SHARES, study.mixes, strict=True):
        if mix.run is None:
            continue
        for number, turn in enumerate(mix.run.turns, start=1):
            lengths = dict(zip(mix.run.languages, turn.lengths, strict=True))
            chooser = name_of(turn.language) if turn.language else "all"
            pair = " + ".join(piece_text(part, study.request.kind) for part in turn.pair)
            paid = [lengths.get(code, "") for code in codes]
            rows.append((share, number, chooser, pair, turn.count, *paid))
    return ExportTable("Who chose each merge", columns, rows)
