"""The model that a vocabulary is priced for: asked alike, and kept, wherever costs are shown."""

from pages.shared.controls.url_state import choice, whole_number
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.prices import WIDTHS

_LABELS = {name: f"{name}, {count_of(size, 'byte')}" for name, size in WIDTHS.items()}


def width() -> int:
    """Ask for the width of the model: the numbers in the vector of a token."""
    return whole_number("Width of the model, d", 1, 100_000, 768, key="width")


def precision() -> str:
    """Ask in which format each number is kept; return one of `WIDTHS`."""
    return choice("Precision", _LABELS, "float32", key="precision")
