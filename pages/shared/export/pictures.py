r"""Export diagrams of a lattice or of a token's merge tree as SVG, DOT and TikZ.

A `Diagram` holds positions in em; all three formats are written from it. Invisible characters are
shown as on the screen. Only the player draws animated pictures.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import graphviz
from markupsafe import Markup

from pages.shared.drawing.display_text import INK, LIGHT, NOW, escape_invisible, show_spaces, tint
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.trees import MAX_NODES, label
from tokenizers.lattice import Edge, Lattice, best_path, posteriors
from tokenizers.merging.state import Pair

CHARACTER = 0.62  # em: the width of a character in a tile
EDGE = 1.5  # margin around the diagram
SPACING = 4.0  # distance between two positions of a lattice
LEVEL = 2.6  # distance between two levels of a lattice's labels or of a tree
GREY = "#8A867E"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DiagramBox:
    """A tile centered at `at`, with a small text `under` it; `name` identifies it in DOT."""

    name: str
    at: Point
    text: str
    under: str = ""
    is_chosen: bool = False
    is_position: bool = False  # a position or character of a lattice, not a token

    @property
    def width(self) -> float:
        """The width in em."""
        return max(1.6, CHARACTER * len(show_spaces(self.text)) + 0.7)


@dataclass(frozen=True, slots=True)
class DiagramLine:
    """A Bézier curve between the boxes named `ends`; `weight` (0 to 1) sets its width."""

    ends: tuple[str, str]
    points: tuple[Point, Point, Point, Point]
    text: str = ""
    weight: float = 0.2
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Diagram:
    """A drawing of boxes and lines, with its origin at the top left."""

    title: str
    size: Point
    boxes: tuple[DiagramBox, ...]
    lines: tuple[DiagramLine, ...]
    is_horizontal: bool = False  # reads from left to right


# --- Diagrams -------------------------------------------------------------------------------------


def tree_diagram(
    token: str, made_by: Mapping[str, tuple[int, Pair]], noun: str = "step"
) -> Diagram:
    """Return the tree of the merges that made `token`; a very large one is cut at nodes marked “…”.

    `made_by` maps each merged token to its step and pair, as in drawing/trees.py; `noun` precedes
    the number of a step.
    """
    boxes: list[DiagramBox] = []
    lines: list[DiagramLine] = []
    room = iter(range(MAX_NODES))

    def add_subtree(name: str, text: str, depth: int, left: float) -> tuple[Point, float]:
        """Add the token `text` and its parts; return its center and its subtree's right end."""
        step, pair = made_by.get(text, (0, None))
        opened = pair if pair and next(room, None) is not None else None
        under = f"{noun} {step:,}" + ("" if opened else " …") if pair else ""
        middles, right = [], left
        for side, part in zip("ab", opened or (), strict=False):
            middle, right = add_subtree(name + side, part, depth + 1, right)
            middles.append(middle)
        width = DiagramBox(name, (0, 0), text, under).width + 0.6
        right = max(right, left + width)
        x = sum(x for x, _ in middles) / 2 if middles else left + width / 2
        at = (x, EDGE + LEVEL * depth)
        boxes.append(DiagramBox(name, at, text, under, is_chosen=not depth))
        for side, to in zip("ab", middles, strict=False):
            half = (at[1] + to[1]) / 2
            lines.append(DiagramLine((name, name + side), (at, (x, half), (to[0], half), to)))
        return at, right

    _, width = add_subtree("n", token, 0, EDGE)
    height = max(box.at[1] for box in boxes) + EDGE + 0.6
    title = f"The merges that made {show_spaces(token)}"
    return Diagram(title, (width + EDGE, height), tuple(boxes), tuple(lines))


def log_prob_text(edge: Edge) -> str:
    """Return a piece's log probability as the text under its box."""
    return f"{edge.log_prob:.2f}".replace("-", "−")


def lattice_diagram(lattice: Lattice, under: Callable[[Edge], str] = log_prob_text) -> Diagram:
    """Return a lattice's diagram, with arcs as thick as their posteriors and a marked best path."""
    best, shares = set(best_path(lattice) or ()), posteriors(lattice)
    levels = _levels(lattice)
    line = EDGE + LEVEL * (max(levels, default=0) + 1)
    dots = [
        DiagramBox(f"p{i}", (_x(i), line), str(i), is_position=True)
        for i in range(len(lattice.text) + 1)
    ]
    letters = [
        DiagramBox(f"c{i}", ((_x(i) + _x(i + 1)) / 2, line), letter, is_position=True)
        for i, letter in enumerate(lattice.text)
    ]
    tiles, lines = [], []
    for n, (edge, level) in enumerate(zip(lattice.edges, levels, strict=True)):
        start, end, top = _x(edge.start), _x(edge.end), line - LEVEL * (level + 1)
        note = under(edge)
        tiles.append(DiagramBox(f"e{n}", ((start + end) / 2, top), edge.piece, note, n in best))
        lean, height = 0.25 * (end - start), line - (line - top) / 0.75
        points = ((start, line), (start + lean, height), (end - lean, height), (end, line))
        ends = (f"p{edge.start}", f"p{edge.end}")
        text = f"{show_spaces(edge.piece)} {note}"
        lines.append(DiagramLine(ends, points, text, shares[n], n in best))
    title = f"The lattice of {show_spaces(lattice.text)}"
    size = (_x(len(lattice.text)) + EDGE, line + EDGE)
    return Diagram(title, size, (*dots, *letters, *tiles), tuple(lines), is_horizontal=True)


def _x(position: int) -> float:
    return EDGE + SPACING * position


def _levels(lattice: Lattice) -> list[int]:
    """Return each label's level, above the arcs that its own arc encloses and without overlaps."""
    edges = lattice.edges
    levels = [0] * len(edges)
    occupied: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)  # spans by level
    order = sorted(range(len(edges)), key=lambda n: (edges[n].end - edges[n].start, edges[n].start))
    for rank, n in enumerate(order):
        edge = edges[n]
        middle = (_x(edge.start) + _x(edge.end)) / 2
        half = max(DiagramBox("", (0, 0), edge.piece).width, 2.4) / 2 + 0.2
        inside = (
            levels[m] + 1
            for m in order[:rank]
            if edges[m].start >= edge.start and edges[m].end <= edge.end
        )
        level = max(inside, default=0)
        start, end = middle - half, middle + half
        while any(left < end and start < right for left, right in occupied[level]):
            level += 1
        occupied[level].append((start, end))
        levels[n] = level
    return levels


# --- SVG ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiagramColors:
    """The colors of a diagram; without `tiles`, boxes have an outline instead of a tint."""

    chosen: str = NOW[0]
    other: str = GREY
    text: str = INK[0]
    under: str = "#55514A"
    tiles: tuple[str, ...] | None = LIGHT


IN_COLOR = DiagramColors()
_BLACK = "#000000"
ON_PAPER = DiagramColors(_BLACK, _BLACK, _BLACK, _BLACK, tiles=None)
"""Colors for printing: all black, chosen lines are thicker."""


def as_svg(diagram: Diagram, colors: DiagramColors = IN_COLOR) -> Markup:
    """Return the diagram as standalone SVG on a white background."""
    width, height = diagram.size
    lines = [_svg_line(line, colors) for line in diagram.lines]
    boxes = [_svg_box(box, colors) for box in diagram.boxes]
    return html(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {:.2f} {:.2f}"'
        ' width="{:.0f}" height="{:.0f}" font-size="1" text-anchor="middle"'
        ' font-family="Source Code Pro, ui-monospace, monospace">\n<title>{}</title>\n'
        '<rect width="100%" height="100%" fill="#FFFFFF"/>\n{}\n</svg>\n',
        width,
        height,
        16 * width,
        16 * height,
        diagram.title,
        joined([*lines, *boxes], "\n"),
    )


def _svg_line(line: DiagramLine, colors: DiagramColors) -> Markup:
    points = (f"{x:.2f} {y:.2f}" for x, y in line.points)
    colour = colors.chosen if line.is_chosen else colors.other
    path = '<path d="M{} C{} {} {}" fill="none" stroke="{}" stroke-width="{:.2f}"/>'
    return html(path, *points, colour, _thick(line))


def _thick(line: DiagramLine) -> float:
    return max(0.05 + 0.25 * line.weight, 0.14 if line.is_chosen else 0.0)


def _svg_box(box: DiagramBox, colors: DiagramColors) -> Markup:
    x, y = box.at
    thick = 0.12 if box.is_chosen else 0.03 if colors.tiles is None and not box.is_position else 0
    rim = html(' stroke="{}" stroke-width="{}"', colors.chosen, thick) if thick else ""
    fill = "#FFFFFF" if box.is_position or colors.tiles is None else colors.tiles[tint(box.text)]
    tile = '<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="1.5" rx="0.28" fill="{}"{}/>'
    text = '<text x="{:.2f}" y="{:.2f}" fill="{}">{}</text>'
    small = '<text x="{:.2f}" y="{:.2f}" font-size="0.75" fill="{}">{}</text>'
    svg = html(tile, x - box.width / 2, y - 0.75, box.width, fill, rim)
    svg += html(text, x, y + 0.35, colors.text, show_spaces(box.text))
    if box.under:
        svg += html(small, x, y + 1.5, colors.under, escape_invisible(box.under))
    return svg


# --- DOT ------------------------------------------------------------------------------------------


def as_dot(diagram: Diagram) -> str:
    """Return the diagram as a DOT graph without positions, because Graphviz makes the layout."""
    graph = graphviz.Digraph(
        graph_attr={"rankdir": "LR" if diagram.is_horizontal else "TB"},
        node_attr={"shape": "box", "style": "filled,rounded", "fillcolor": "#FFFFFF"},
        edge_attr={"arrowhead": "none", "color": GREY},
        comment=escape_invisible(diagram.title).replace("\n", " "),
    )
    ends = {name for line in diagram.lines for name in line.ends}
    for box in diagram.boxes:
        if box.name in ends or not diagram.lines:
            fill = {} if box.is_position else {"fillcolor": LIGHT[tint(box.text)]}
            rim = {"color": NOW[0], "penwidth": "2"} if box.is_chosen else {}
            graph.node(box.name, label=label(box.text, box.under), **fill, **rim)
    for line in diagram.lines:
        rim = {"color": NOW[0]} if line.is_chosen else {}
        text = {"label": label(line.text)} if line.text else {}
        graph.edge(*line.ends, **text, **rim, penwidth=f"{16 * _thick(line):.1f}")
    return graph.source


# --- TikZ -----------------------------------------------------------------------------------------

_LATEX: Mapping[str, str] = {
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\textquotedbl{}",
    "`": "\\textasciigrave{}",
    "·": "\\textperiodcentered{}",
    "−": "\\textminus{}",
    "…": "\\dots{}",
    "-": "{-}",
    "⟨": "$\\langle$",
    "⟩": "$\\rangle$",
}


def latex(text: str) -> str:
    r"""Escape a text for LaTeX.

    >>> latex("50% of $x_1")
    '50\\% of \\$x\\_1'
    """
    return "".join(_LATEX.get(character, character) for character in escape_invisible(text))


def as_tikz(diagram: Diagram) -> str:
    r"""Return the diagram as a `tikzpicture` for `\input`."""
    colors = {f"tint{n}": colour for n, colour in enumerate(LIGHT)}
    colors |= {"chosen": NOW[0], "rest": GREY}
    defined = "".join(
        f"\\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}\n" for name, colour in colors.items()
    )
    parts = [*map(_tikz_line, diagram.lines), *map(_tikz_box, diagram.boxes)]
    return (
        f"% {latex(diagram.title)}\n{defined}"
        "\\begin{tikzpicture}[x=1em, y=-1em, tile/.style={rounded corners=0.28em, "
        "inner sep=0.25em, font=\\ttfamily, minimum height=1.5em}]\n"
        + "\n".join(parts)
        + "\n\\end{tikzpicture}\n"
    )


def _tikz_line(line: DiagramLine) -> str:
    a, b, c, d = (f"({x:.2f},{y:.2f})" for x, y in line.points)
    colour = "chosen" if line.is_chosen else "rest"
    return f"\\draw[{colour}, line width={_thick(line):.2f}em] {a} .. controls {b} and {c} .. {d};"


def _tikz_box(box: DiagramBox) -> str:
    x, y = box.at
    fill = "white" if box.is_position else f"tint{tint(box.text)}"
    rim = ", draw=chosen, line width=0.12em" if box.is_chosen else ""
    text = latex(show_spaces(box.text))
    node = f"\\node[tile, fill={fill}{rim}] at ({x:.2f},{y:.2f}) {{{text}}};"
    if box.under:
        under = f"{{\\scriptsize {latex(box.under)}}}"
        node += f"\n\\node at ({x:.2f},{y + 1.25:.2f}) {under};"
    return node
