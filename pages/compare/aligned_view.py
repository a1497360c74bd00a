"""The strip: a text, and under it the tokens of several tokenizers, each under its characters.

One component: aligned_view.js draws what it is sent; pointing at a token, or walking with the arrow keys,
marks the same token elsewhere and what the others have in its place, without the server. Left out:
what it is sent (aligned_view_message.py).
"""

from pages.compare.aligned_view_message import ALIGNED_VIEW, AlignedView, message
from pages.shared.component_state import component_renderer

_mount = component_renderer(ALIGNED_VIEW)


def aligned_view(view: AlignedView, large: bool = False) -> None:
    """Show the strip."""
    _mount(key="strip", data=message(view, large))
