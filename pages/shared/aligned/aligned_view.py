"""The aligned view shows each tokenizer's tokens under the characters that they stand for.

aligned_view.js draws the message (aligned_view_message.py). When a reader points at a token or
moves to it, the browser marks the same token elsewhere and its counterparts in other rows.
"""

from pages.shared.aligned.aligned_view_message import ALIGNED_VIEW, AlignedView, message
from pages.shared.component import pack_message
from pages.shared.component_state import component_renderer

_mount = component_renderer(ALIGNED_VIEW)


def aligned_view(view: AlignedView) -> None:
    """Show the aligned view."""
    _mount(key="aligned_view", data=pack_message(message(view)))
