"""The exports of Compare · Complexity: its chart, and its tables as CSV."""

from collections.abc import Callable, Sequence

from pages.complexity.counts import OPERATIONS, OperationGrowth, claimed_exponent, measured_exponent
from pages.complexity.findings import chart, finding, meanings, verdict
from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.tables import ExportTable, Value


def of_growth(growth: OperationGrowth, growths: Sequence[OperationGrowth]) -> ExportCatalog:
    """Return the chart and tables of one operation, and the claims about all operations."""
    tables: dict[str, Callable[[], ExportTable]] = {
        "Every size": lambda: sizes(growth),
        "What is counted": lambda: ExportTable(*meanings(growth)),
        "Claims and counts": lambda: claims(growths),
    }
    drawn = Chart("The chart", chart(growth), finding(growth), table="Every size")
    return ExportCatalog(tables=tables, charts=(drawn,))


def sizes(growth: OperationGrowth) -> ExportTable:
    """Return the counts at every size, and the claims up to a constant factor."""
    columns = (growth.axis, *(f"{one.name}, {growth.unit}s" for one in growth.series))
    columns += tuple([f"{one.name}, in proportion: {one.claim.formula}" for one in growth.series])
    rows = [
        (
            size,
            *(one.counts[n] for one in growth.series),
            *(one.claim.values[n] for one in growth.series),
        )
        for n, size in enumerate(growth.sizes)
    ]
    return ExportTable("Every size", columns, rows)


def claims(growths: Sequence[OperationGrowth]) -> ExportTable:
    """Return every count beside its claim, with both exponents and the verdict."""
    columns = (
        "operation",
        "count",
        "claim",
        "source of the claim",
        "formula here",
        "exponent of the claim",
        "exponent measured",
        "verdict",
    )
    rows = [
        (
            OPERATIONS[growth.operation],
            one.name,
            one.claim.formula,
            one.claim.source,
            one.formula,
            _or_empty(claimed_exponent(growth, one)),
            _or_empty(measured_exponent(growth, one)),
            verdict(growth, one),
        )
        for growth in growths
        for one in growth.series
    ]
    return ExportTable("Claims and counts", columns, rows)


def _or_empty(exponent: float | None) -> Value:
    return "" if exponent is None else exponent
