"""Draw lattices for worksheets: blank ones, or ones with the best path or with given numbers.

The pictures are the exported diagrams (pictures.py) in black and white.
"""

from collections.abc import Callable
from dataclasses import replace

from pages.shared.drawing.display_text import show_spaces
from pages.shared.export import pictures
from pages.shared.export.worksheets.content import SvgPicture
from tokenizers.lattice import Edge, Lattice

_DOT = "•"
_UNDER = 0.5  # em, for the indices of the positions
_THIN = 0.0  # the weight of arcs without posteriors


def blank_picture(lattice: Lattice) -> SvgPicture:
    """Return the positions and characters, with room for the arcs."""
    whole = pictures.lattice_diagram(lattice)
    boxes = tuple([box for box in whole.boxes if box.is_position])
    return _print_picture(lattice, replace(whole, boxes=boxes, lines=()), "to draw on")


def best_path_picture(lattice: Lattice) -> SvgPicture:
    """Return the lattice with its best path drawn thicker."""
    return _print_picture(
        lattice, _without_weights(pictures.lattice_diagram(lattice)), "with its best path"
    )


def labelled_picture(lattice: Lattice, under: Callable[[Edge], str]) -> SvgPicture:
    """Return the lattice with numbers under its pieces, without marking a path."""
    whole = _without_weights(pictures.lattice_diagram(lattice, under))
    boxes = tuple([replace(box, is_chosen=False) for box in whole.boxes])
    lines = tuple([replace(line, is_chosen=False) for line in whole.lines])
    return _print_picture(lattice, replace(whole, boxes=boxes, lines=lines), "with its pieces")


def _without_weights(picture: pictures.Diagram) -> pictures.Diagram:
    """Remove the lines' weights, which do not come from the numbers on the worksheet."""
    return replace(picture, lines=tuple([replace(line, weight=_THIN) for line in picture.lines]))


def _print_picture(lattice: Lattice, picture: pictures.Diagram, what: str) -> SvgPicture:
    """Return the diagram as SVG, with dots for positions because digits could be taken for text."""
    boxes = [
        replace(box, text=_DOT, under=box.text)
        if box.is_position and box.name.startswith("p")
        else box
        for box in picture.boxes
    ]
    width, height = picture.size
    whole = replace(picture, boxes=tuple(boxes), size=(width, height + _UNDER))
    svg = pictures.as_svg(whole, pictures.ON_PAPER)
    return SvgPicture(svg, f"The lattice of {show_spaces(lattice.text)}, {what}")
