"""The files that a page exports besides its HTML file; each is made on demand.

trace_json.py, tables.py, pictures.py and tokenizer_files.py make the contents of the files; menu/
shows the export menu.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pages.shared.drawing.charts import Chart
from pages.shared.drawing.svg import drawing
from pages.shared.export import charts, replay
from pages.shared.export.document.blocks import Document, Note, PlayerBlock
from pages.shared.export.pictures import Diagram, as_dot, as_svg, as_tikz
from pages.shared.export.replay_notebook import replay_notebook
from pages.shared.export.tables import ExportTable, as_csv
from pages.shared.export.trace_json import TraceJson, as_json
from pages.shared.export.worksheets.content import WorksheetSet

MakeFile = Callable[[], str | bytes]


@dataclass(frozen=True, slots=True)
class ExportItem:
    """A file in the export menu; `make` returns its content, and `note` says what it is for.

    With `may_fail`, `make` raises UserError if the format cannot hold the content. With
    `is_drawn_by_browser`, the file is a PNG that the browser draws from the SVG `make` returns.
    """

    label: str
    name: str
    make: MakeFile
    note: str = ""
    may_fail: bool = False
    is_drawn_by_browser: bool = False


@dataclass(frozen=True, slots=True)
class WorksheetExport:
    """Worksheets to print; `make` takes the number of different sheets and a random seed.

    `make` raises UserError if it cannot find that many. `note` says how the sheets differ.
    """

    name: str
    make: Callable[[int, int], WorksheetSet]
    note: str


@dataclass(frozen=True, slots=True)
class ExportCatalog:
    """What a page exports; its HTML file also contains the tables (by name) and the charts."""

    items: tuple[ExportItem, ...] = ()
    tables: Mapping[str, Callable[[], ExportTable]] = field(default_factory=dict)
    worksheet: WorksheetExport | None = None
    charts: tuple[Chart, ...] = ()
    packages: tuple[ExportItem, ...] = ()
    """For learning platforms."""

    def all_items(self) -> tuple[ExportItem, ...]:
        """Return all files, including the ones made from charts and tables."""
        of_charts = [item for chart in self.charts for item in chart_items(chart)]
        of_tables = [table_item(name, make) for name, make in self.tables.items()]
        return (*self.items, *of_charts, *of_tables)


def run_document(
    player: PlayerBlock,
    catalog: ExportCatalog,
    *,
    about: str = "",
    notes: Sequence[Note] = (),
    left_out: tuple[str, ...] = (),
) -> Document:
    """Return the document of a run: the player, notes, and the catalog's charts and tables."""
    tables = [make() for make in catalog.tables.values()]
    return Document("", about, (player, *notes, *catalog.charts, *tables), left_out)


def table_item(name: str, make: Callable[[], ExportTable]) -> ExportItem:
    """Return the CSV file of a table."""
    return ExportItem(
        f"{name} as CSV",
        f"{_file_name(name)}.csv",
        lambda: as_csv(make()),
        "For a spreadsheet. What would be a formula there gets an apostrophe in front.",
    )


def trace_items(make: Callable[[], TraceJson]) -> tuple[ExportItem, ...]:
    """Return the trace file, the script that replays it, and both as a notebook."""
    return (
        ExportItem(
            "The trace as JSON",
            "trace.json",
            lambda: as_json(make()),
            "Every step with its numbers, to compute with. docs/trace.md describes the format.",
        ),
        ExportItem(
            "The script that replays the trace",
            "replay.py",
            replay.script,
            "Run `python replay.py trace.json`: it counts again, and checks every step.",
        ),
        ExportItem(
            "A Jupyter notebook that replays it",
            "replay.ipynb",
            lambda: replay_notebook(make()),
            "The trace, the part of the script that checks it, and something to change.",
            may_fail=True,
        ),
    )


def image_items(name: str, make: Callable[[], str]) -> tuple[ExportItem, ...]:
    """Return the SVG and PNG files of a picture that `make` draws as SVG."""
    file = _file_name(name)
    return (
        ExportItem(f"{name} as SVG", f"{file}.svg", make, "For a page or a slide."),
        ExportItem(
            f"{name} as PNG",
            f"{file}.png",
            make,
            "Your browser draws it, three times as large as the SVG, with the fonts that it has.",
            is_drawn_by_browser=True,
        ),
    )


def chart_items(chart: Chart) -> tuple[ExportItem, ...]:
    """Return a chart's images, and a file of its numbers unless a table of the page has them."""
    items = image_items(chart.name, lambda: drawing.render_svg(chart.figure, chart.finding))
    if chart.table:
        return items
    return (*items, table_item(f"{chart.name}, in numbers", lambda: charts.chart_values(chart)))


def picture_items(name: str, make: Callable[[], Diagram]) -> tuple[ExportItem, ...]:
    """Return a diagram's files as SVG, PNG, DOT and TikZ."""
    file = _file_name(name)
    return (
        *image_items(name, lambda: as_svg(make())),
        ExportItem(f"{name} as DOT", f"{file}.dot", lambda: as_dot(make()), "For Graphviz."),
        ExportItem(
            f"{name} as TikZ",
            f"{file}.tex",
            lambda: as_tikz(make()),
            "For LaTeX: `\\usepackage{tikz}`. Other scripts than Latin need LuaLaTeX or XeLaTeX.",
        ),
    )


def _file_name(name: str) -> str:
    return name.lower().removeprefix("the ").replace(",", "").replace(" ", "-")
