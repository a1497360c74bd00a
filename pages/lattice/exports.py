"""Exports of Unigram · Lattice."""

import math
from collections.abc import Sequence
from functools import partial

from pages.lattice.runs import SamplingSettings
from pages.lattice.samples import describe_draws, draw, draws_chart
from pages.lattice.worksheet import worksheet
from pages.shared.drawing.charts import Chart
from pages.shared.export import trace_json
from pages.shared.export.catalog import ExportCatalog, WorksheetExport, picture_items, trace_items
from pages.shared.export.pictures import lattice_diagram
from pages.shared.export.tables import ExportTable
from tokenizers.lattice import Lattice, Path, forward_values, posteriors
from tokenizers.lattice.sampling import Sampler

_WORKSHEET = (
    "Pages to print, on A4 or Letter: draw this lattice, find the best path and the sums by hand, "
    "and after them the answers. Every other sheet has a made-up text and other probabilities, and "
    "is just as hard: as many pieces, sums and ties. The same seed gives the same sheets again."
)


def lattice_exports(
    drawn_lattice: Lattice,
    lattice: Lattice,
    paths: Sequence[Path] = (),
    sampling: SamplingSettings | None = None,
) -> ExportCatalog:
    """Return the exports of a lattice and its first segmentations `paths`.

    `drawn_lattice` is the part of `lattice` that is drawn; `sampling` adds the chart of samples.
    """
    record = trace_items(lambda: trace_json.of_lattice(drawn_lattice))
    pictures = picture_items("The lattice", lambda: lattice_diagram(drawn_lattice))
    tables = {"Pieces in the lattice": lambda: _edges(drawn_lattice)}
    if paths:
        tables["Segmentations"] = lambda: _segmentations(lattice, paths)
    sheets = WorksheetExport("worksheet", partial(worksheet, lattice), _WORKSHEET)
    charts = ()
    if sampling and paths and lattice.text:
        sampler = Sampler(lattice, sampling.alpha, sampling.convention)
        chart = draws_chart(sampler, paths, draw(sampler, sampling.seed))
        charts = (Chart("The chart of the draws", chart, describe_draws(len(paths))),)
    return ExportCatalog((*record, *pictures), tables, sheets, charts)


def _edges(lattice: Lattice) -> ExportTable:
    rows = [
        (edge.start, edge.end, edge.piece, edge.log_prob, share)
        for edge, share in zip(lattice.edges, posteriors(lattice), strict=True)
    ]
    columns = ("from", "to", "piece", "log probability", "share of all paths")
    return ExportTable("Pieces in the lattice", columns, rows)


def _segmentations(lattice: Lattice, paths: Sequence[Path]) -> ExportTable:
    total = forward_values(lattice)[-1]
    logs = [lattice.log_prob(path) for path in paths]
    rows = [
        (rank, " | ".join(lattice.pieces(path)), log, math.exp(log - total))
        for rank, (path, log) in enumerate(zip(paths, logs, strict=True), start=1)
    ]
    columns = ("rank", "segmentation", "log probability", "share of all paths")
    return ExportTable("Segmentations", columns, rows)
