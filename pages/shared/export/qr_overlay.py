"""An overlay with the URL of the page as a large QR code, opened by a key: see qr_overlay.js."""

from streamlit.components.v2 import component

from pages.shared.player.assets import QR_OVERLAY_JS

KEY = "scan"
_watch = component(KEY, js=QR_OVERLAY_JS)


def mount() -> None:
    """Listen for the key; called once in every run, before the page."""
    _watch(key=KEY, data={})
