"""Exports of Compare · Race."""

from collections.abc import Iterable

from pages.race.charts import shares_chart, shares_finding, sizes_chart, sizes_finding
from pages.race.frames import RaceRun
from pages.race.overlap import PAIRS, group_name, iter_overlaps, words
from pages.race.race import NAMES, Race
from pages.shared.drawing.charts import Chart
from pages.shared.export import trace_json
from pages.shared.export.catalog import ExportCatalog, trace_items
from pages.shared.export.tables import ExportTable


def race_exports(run: RaceRun) -> ExportCatalog:
    """Return a race's exports, which are its trace, both charts, and three tables."""
    race = run.race
    tables = {
        "Positions": lambda: _positions(race),
        "Pieces": lambda: _pieces(race),
        "Words": lambda: _words(race),
    }
    last, ended = race.last, sizes_finding(race, race.last)
    sizes = Chart("The chart of sizes", sizes_chart(race), ended, last, "Positions")
    drawn = shares_chart(run.shares, race.goal)
    shares = Chart("The chart of shares", drawn, shares_finding(run.shares))
    return ExportCatalog(trace_items(lambda: race_trace(race)), tables, charts=(sizes, shares))


def left_out(panels: Iterable[str]) -> list[str]:
    """Return the panels that the HTML file lacks; it has the words as a table."""
    return [name for name in panels if name != "Words cut alike"]


def race_trace(race: Race) -> trace_json.TraceJson:
    """Return a race's trace, with both merging runs, Unigram's models, and every position."""
    bpe, wordpiece = race.merging
    positions = []
    for position, overlap in enumerate(iter_overlaps(race)):
        stages = race.stages(position)
        runner_stages = list(zip(race.runners, stages, strict=True))
        positions.append(
            {
                "stages": stages,
                "sizes": [runner.sizes[stage] for runner, stage in runner_stages],
                "tokens": [runner.tokens[stage] for runner, stage in runner_stages],
                "shared": [overlap.num_shared(pair) for pair in PAIRS],
                "all_three": overlap.num_in_all,
            }
        )
    return {
        "kind": "race",
        "goal": race.goal,
        "bpe": trace_json.of_merging(bpe),
        "wordpiece": trace_json.of_merging(wordpiece),
        "unigram": {"models": [trace_json.as_table(model) for model in race.models]},
        "positions": positions,
    }


def _positions(race: Race) -> ExportTable:
    figures = ("pieces", "tokens of the text")
    columns = ("step", *(f"{name}: {figure_name}" for name in NAMES for figure_name in figures))
    rows = []
    for position in range(race.last + 1):
        stages = zip(race.runners, race.stages(position), strict=True)
        pairs = [(runner.sizes[stage], runner.tokens[stage]) for runner, stage in stages]
        rows.append((position, *(figure for pair in pairs for figure in pair)))
    return ExportTable("Positions", columns, rows, by_step=True)


def _pieces(race: Race) -> ExportTable:
    """Return a table of every piece at the goal, and which of the three tokenizers have it."""
    vocabularies = [runner.vocab(runner.goal_stage) for runner in race.runners]
    pieces = sorted(frozenset().union(*vocabularies))
    rows = [
        (piece, *("yes" if piece in vocab else "no" for vocab in vocabularies)) for piece in pieces
    ]
    return ExportTable("Pieces", ("piece", *NAMES), rows)


def _words(race: Race) -> ExportTable:
    """Return a table of every word as each of the three tokenizers splits it at the goal."""
    rows = [
        (
            word.text,
            word.count,
            *(" ".join(split) for split in word.splits),
            group_name(word.agreeing) if word.agreeing else "none",
        )
        for word in words(race)
    ]
    return ExportTable("Words", ("word", "seen", *NAMES, "cut alike by"), rows)
