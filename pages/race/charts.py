"""Charts and tables of a race, about vocabulary sizes, common pieces and agreement on words.

As in `pages/shared/drawing/charts.py`, a chart over positions is the same at every position.
"""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
from markupsafe import Markup

from pages.race.frames import SharesBySize
from pages.race.overlap import GROUPS, PAIRS, Overlap, group_name
from pages.race.race import NAMES, Race
from pages.shared.drawing.charts import COLOURS, DASHES, FIXED, GREY, SYMBOLS, figure, line
from pages.shared.drawing.display_text import html_tiles, plain_table
from pages.shared.drawing.markup import NUMBER, Cell, html, table
from pages.shared.drawing.phrasing import count_of

EXAMPLES = 8  # pieces shown in a row
FAR_APART = 8  # ratio of sizes above which the axis is logarithmic
LAYOUT = {"height": 390, "margin": {"t": 30, "r": 24, "b": 44, "l": 70}}
LEGEND = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"}


def sizes_chart(race: Race) -> go.Figure:
    """Draw the three vocabularies' sizes over the race's positions; two rise, one falls."""
    positions = list(range(race.last + 1))
    lines, most, least = [], race.goal, race.goal
    for n, runner in enumerate(race.runners):
        sizes = [runner.sizes[runner.stage(position, race.last)] for position in positions]
        most, least = max(most, *sizes), max(min(least, *sizes), 1)
        drawn = line(positions, sizes, NAMES[n], DASHES[n])
        drawn["line"] |= {"color": COLOURS[n], "width": 3}
        drawn["hovertemplate"] = "position %{x:,}: %{y:,} pieces<extra>" + NAMES[n] + "</extra>"
        lines.append(drawn)
    axis = {"title": "pieces in the vocabulary", **FIXED}
    if most > FAR_APART * least:
        ticks = [n * 10**k for k in range(6) for n in (1, 2, 5)]
        axis |= {"type": "log", "tickvals": ticks, "ticktext": [f"{tick:,}" for tick in ticks]}
        axis["title"] = "pieces, on a logarithmic axis"
    else:
        axis |= {"range": [0, 1.05 * most]}
    drawn = figure(lines, race.last, yaxis=axis, showlegend=True, legend=LEGEND)
    drawn["layout.xaxis.title.text"] = "position in the race"
    return drawn


def sizes_finding(race: Race, position: int) -> str:
    """Return a summary sentence with the three vocabularies' sizes at a position."""
    sizes = [r.sizes[s] for r, s in zip(race.runners, race.stages(position), strict=True)]
    stand = ", ".join(f"{name} {size:,}" for name, size in zip(NAMES, sizes, strict=True))
    return f"One axis of sizes, three runners. Here: {stand}"


def shares_chart(shares: SharesBySize, goal: int) -> go.Figure:
    """Draw, for each pair of vocabularies, the fraction of common pieces at equal sizes."""
    lines = []
    for n, pair in enumerate(PAIRS):
        points = shares[pair]
        lines.append(
            {
                "x": [size for size, _, _ in points],
                "y": [share for _, _, share in points],
                "customdata": [both for _, both, _ in points],
                "mode": "lines" if n == 0 and len(points) > 1 else "lines+markers",
                "name": group_name(pair),
                "line": {"width": 2, "color": COLOURS[n], "dash": DASHES[n]},
                "marker": {"size": 6, "symbol": SYMBOLS[n]},
                "hovertemplate": "%{x:,} pieces: %{customdata:,} in common, %{y:.1%}<extra>"
                + group_name(pair)
                + "</extra>",
            }
        )
    rule = {"type": "line", "x0": goal, "x1": goal, "y0": 0, "y1": 1, "yref": "paper"}
    layout = LAYOUT | {
        "xaxis": {"title": "pieces in each vocabulary", "tickformat": ",", **FIXED},
        "yaxis": {"title": "share in common", "range": [0, 1], "tickformat": ".0%", **FIXED},
        "shapes": [rule | {"line": {"color": GREY, "dash": "dot", "width": 2}}],
        "legend": LEGEND,
        "showlegend": True,
    }
    return go.Figure({"data": lines, "layout": layout})


def shares_finding(shares: SharesBySize) -> str:
    """Return a summary sentence on the pair of vocabularies that is compared at the most sizes."""
    pair = max(PAIRS, key=lambda pair: len(shares[pair]))
    points = shares[pair]
    if len(points) < 2:
        return "The three share too few sizes to draw a curve"
    (first, _, begins), (last, _, ends) = points[0], points[-1]
    verb = "rises" if ends > begins else "falls"
    return (
        f"From {first:,} to {count_of(last, 'piece')}, what {group_name(pair)} share {verb} "
        f"from {begins:.1%} to {ends:.1%}"
    )


def place_of_end(race: Race) -> str:
    """Return what to call the end of the race in a sentence."""
    return "Where they meet" if race.has_meeting else "At the end"


def finding(race: Race, overlap: Overlap, num_agreeing: int) -> str:
    """Describe how far the three agree at the goal; all split `num_agreeing` words alike."""
    share = overlap.num_in_all / overlap.num_in_any if overlap.num_in_any else 0.0
    closest, num_shared = group_name(overlap.closest), overlap.num_shared(overlap.closest)
    num_words = len(race.words)
    return (
        f"{place_of_end(race)}, {overlap.num_in_all:,} of {count_of(overlap.num_in_any, 'piece')} "
        f"({share:.1%}) are in all three vocabularies; {closest} are closest, with {num_shared:,} "
        f"in common. All three split {num_agreeing:,} of {count_of(num_words, 'distinct word')} "
        f"({num_agreeing / num_words:.1%}) the same way."
    )


# --- The table of pieces by the vocabularies that have them ---------------------------------------

_DOT = ' class="d"'


def html_regions(found: Mapping[tuple[int, ...], Sequence[str]], caption: str) -> Markup:
    """Return HTML with a row for each of `GROUPS`; `found` maps groups to their pieces."""
    most = max(map(len, found.values()), default=0)
    dots = (Cell(name, _DOT) for name in NAMES)
    return table(
        ["who has them", *dots, Cell("pieces", NUMBER), Cell("", ' class="b"'), "such as"],
        (_region(have, found[have], most) for have in GROUPS),
        caption,
        kind="pp-sets",
        label="pieces by who has them",
    )


def html_pairs(overlap: Overlap) -> Markup:
    """Return an HTML table of how many pieces each pair of vocabularies has in common."""
    rows = []
    for pair in PAIRS:
        both = overlap.num_shared(pair)
        either = len(overlap.vocabs[pair[0]] | overlap.vocabs[pair[1]])
        share = f"{both:,} / {either:,} = {overlap.share(pair):.3f}"
        name = group_name(pair)
        rows.append((name, Cell(f"{both:,}", NUMBER), Cell(f"{either:,}", NUMBER), share))
    return table(
        ("pair", Cell("both have", NUMBER), Cell("either has", NUMBER), "share"),
        rows,
        "Pair by pair: what both have, divided by what either has (Jaccard)",
        kind="pp-sets",
        label="shares of pairs",
    )


def html_agreement(rows: Sequence[tuple[str, int, int]]) -> Markup:
    """Return an HTML table of `rows` (who splits alike, distinct words, words of the text)."""
    caption = "Words that are split the same way at the end"
    return plain_table(caption, ("by", "distinct words", "of the text"), rows)


def _region(have: tuple[int, ...], pieces: Sequence[str], most: int) -> list[object]:
    dots = (
        Cell(html('<i class="{}"></i>', "in" if n in have else ""), f'{_DOT} aria-hidden="true"')
        for n in range(len(NAMES))
    )
    name = group_name(have)
    bar = html('<i style="width:{}"></i>', f"{len(pieces) / most:.1%}" if most else "0%")
    return [
        name[0].upper() + name[1:],
        *dots,
        Cell(f"{len(pieces):,}", NUMBER),
        Cell(bar, ' class="b" aria-hidden="true"'),
        Markup(html_tiles(pieces[:EXAMPLES], label=name)) if pieces else "–",
    ]
