"""What is typed or pasted anywhere reaches us as whole characters: see well_formed.js.

A lone surrogate cannot be written as UTF-8, so that a message with one in it ends the connection
before any of our code has seen it. That is why this is mended in the browser.
"""

from pathlib import Path

from streamlit.components.v2 import component

KEY = "well_formed"
_watch = component(KEY, js=Path(__file__).with_name("well_formed.js").read_text(encoding="utf-8"))


def watch() -> None:
    """Watch over the boxes of a page; called once in every run, before the page."""
    _watch(key=KEY, data={})
