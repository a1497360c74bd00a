"""Overlays over the whole window: the page's URL as a QR code, and the keys (see overlays.js)."""

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.export.menu import links
from pages.shared.player.assets import OVERLAYS_JS

KEY = "scan"
_watch = component(KEY, js=OVERLAYS_JS)


def mount() -> None:
    """Listen for the keys; call this once per rerun, before the page is drawn."""
    reach = links.reach(st.context.url or "", st.get_option("server.address") or "")
    _watch(key=KEY, data=reach._asdict())
