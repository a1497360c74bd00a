"""Controls for what costs are computed by: a model's size, or the price of its tokens."""

import streamlit as st

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


def price(label: str, key: str) -> float | None:
    """Show a control for a price in dollars per million tokens; None while it is not filled in.

    Prices change, so none is given.
    """
    return st.number_input(
        label, 0.0, 1e6, None, key=key, placeholder="Fill in", persist_state="session"
    )


def dollars(amount: float | None) -> str:
    """Return an amount as text.

    >>> dollars(0.00024), dollars(None)
    ('$0.000240', '–')
    """
    return "–" if amount is None else f"${amount:.6f}"
