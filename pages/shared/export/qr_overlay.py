"""An overlay that shows the page's URL as a large QR code on a key press (see qr_overlay.js)."""

from streamlit.components.v2 import component

from pages.shared.player.assets import QR_OVERLAY_JS

KEY = "scan"
_watch = component(KEY, js=QR_OVERLAY_JS)


def mount() -> None:
    """Listen for the key; call this once per rerun, before the page is drawn."""
    _watch(key=KEY, data={})
