"""Controls for the model size by which costs are computed, shared by all pages that show costs."""

from pages.shared.controls.url_state import choice, whole_number
from pages.shared.drawing.phrasing import count_of
from pages.shared.drawing.prices import WIDTHS

_LABELS = {name: f"{name}, {count_of(size, 'byte')}" for name, size in WIDTHS.items()}


def width() -> int:
    """Show a control for the model's width (an embedding's dimension) and return the width."""
    return whole_number("Width of the model, d", 1, 100_000, 768, key="width")


def precision() -> str:
    """Show a control for the number format of the weights; return one of `WIDTHS`."""
    return choice("Precision", _LABELS, "float32", key="precision")
