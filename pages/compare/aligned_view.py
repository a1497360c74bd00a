"""The aligned view: a text, and under it the tokens of several tokenizers, under their characters.

aligned_view.js draws the message (aligned_view_message.py). Pointing at a token, or moving with the
arrow keys, marks the same token elsewhere and its counterparts in other rows, without the server.
"""

from pages.compare.aligned_view_message import ALIGNED_VIEW, AlignedView, message
from pages.shared.component_state import component_renderer

_mount = component_renderer(ALIGNED_VIEW)


def aligned_view(view: AlignedView, large: bool = False) -> None:
    """Show the aligned view."""
    _mount(key="aligned_view", data=message(view, large))
