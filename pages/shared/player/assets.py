"""What the player is in a browser: its HTML, its CSS and its JavaScript, put together from files.

The app hands them to Streamlit; a file that is taken along holds them itself. Nothing here knows of
Streamlit.
"""

from pathlib import Path

from pages.shared.drawing.tiles import palette_css

_STYLES = (
    "../base.css",
    "player.css",
    "flow.css",
    "presenter.css",
    "code.css",
    "classroom/classroom.css",
    "adapted.css",
)
_SCRIPTS = (
    "../dom.js",
    "../hall.js",
    "../drawing/written.js",
    "parts.js",
    "lattice_layout.js",
    "lattice_arcs.js",
    "lattice.js",
    "flow_layout.js",
    "flow.js",
    "film.js",
    "jump.js",
    "presenter.js",
    "classroom/codes.js",
    "classroom/reading.js",
    "classroom/handing.js",
    "classroom/panel.js",
    "painting.js",
    "code.js",
    "predicting.js",
    "resting.js",
    "player.js",
    "keyboard.js",
)


def _read(*names: str) -> str:
    return "\n".join((Path(__file__).parent / name).read_text("utf-8") for name in names)


HTML = _read("player.html")
CSS = f":host {{{palette_css()}}}\n{_read(*_STYLES)}"
JS = _read(*_SCRIPTS)
"""A module: its default export takes `data`, `parentElement` and `setStateValue`."""
