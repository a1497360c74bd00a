"""Assemble the player's HTML, CSS and JavaScript from files.

The app passes them to Streamlit, and exported files embed them, so Streamlit is not imported here.
"""

import json
from pathlib import Path

from lessons.glossary import GLOSSARY
from pages.shared.component import WebComponent
from pages.shared.drawing.display_text import palette_css
from pages.shared.drawing.styles import TERMS_CSS

_STYLES = (
    "../base.css",
    "player.css",
    "picture/flow.css",
    "picture/curves.css",
    "presenter.css",
    "code.css",
    "classroom/classroom.css",
    "classroom/room.css",
    "adapted.css",
)
_CLASSROOM = tuple(
    f"classroom/{name}.js"
    for name in (
        "codes",
        "qr",
        "qr_picture",
        "decode",
        "answer_code",
        "votes",
        "scanning",
        "pasted_codes",
    )
)
_ROOM = ("classroom/room.js", "classroom/room_panel.js")
_SCRIPTS = (
    "../dom.js",
    "../synced_state.js",
    "../storage.js",
    "../presenter_base.js",
    "../place_beside.js",
    "../drawing/display_text.js",
    "glossary.js",
    "picture/row_budget.js",
    "picture/why.js",
    "picture/motion.js",
    "picture/parts.js",
    "picture/highlights.js",
    "picture/lattice_layout.js",
    "picture/lattice_arcs.js",
    "picture/lattice.js",
    "picture/flow_layout.js",
    "picture/flow.js",
    "picture/curves.js",
    "recording.js",
    "jump.js",
    "presenter.js",
    *_CLASSROOM,
    *_ROOM,
    "classroom/room_step.js",
    "classroom/panel.js",
    "painting.js",
    "code.js",
    "predicting.js",
    "idle_sync.js",
    "player.js",
    "keyboard.js",
    "mount.js",
)


def _read(*names: str) -> str:
    return "\n".join((Path(__file__).parent / name).read_text("utf-8") for name in names)


def classroom_html(instructions: str) -> str:
    """Return HTML of the panel for a class's answers; `instructions` says how to get the codes."""
    return _read("classroom/panel.html").replace("{{instructions}}", instructions)


ROOM_HTML = _read("classroom/room_panel.html")
"""The teacher's panel of a live room."""
HTML = (
    _read("player.html")
    .replace("{{room}}", ROOM_HTML)
    .replace(
        "{{classroom}}",
        classroom_html(
            "Students press Predict on this same run, here or in its file, and send you the code "
            "that appears below the picture."
        ),
    )
)
CSS = f":host {{{palette_css()}}}\n{TERMS_CSS}\n{_read(*_STYLES)}"
_TERMS = json.dumps(
    [(term.forms, term.bubble) for term in GLOSSARY.values()],
    ensure_ascii=False,
    separators=(",", ":"),
)
JS = f"const GLOSSARY = {_TERMS};\n{_read(*_SCRIPTS)}"
"""A module: its default export takes `data`, `parentElement` and `setStateValue`."""
PLAYER = WebComponent("player", HTML, CSS, JS)
STEP_LISTENER_JS = _read("step_listener.js")
"""A module: its default export passes the step of the player named in `data` to Python."""
TERMS_JS = _read("../place_beside.js", "../controls/browser_scripts/terms.js")
"""A module: its default export shows the definitions of terms, also those in the player."""
OVERLAYS_JS = _read(
    "../dom.js",
    "../presenter_base.js",
    "../keys.js",
    "classroom/qr.js",
    "classroom/qr_picture.js",
    "../export/qr_overlay.js",
    "../export/keys_table.js",
    "../export/overlays.js",
)
"""A module: its default export shows the URL as a QR code on the key Q, and the keys on ?."""
CLASSROOM_JS = _read("../dom.js", "../storage.js", *_CLASSROOM)
"""The scripts that a page with questions needs for the answers of a class."""
CLASSROOM_CSS = _read("classroom/classroom.css")
ROOM_JS = _read("../dom.js", "../storage.js", *_CLASSROOM, *_ROOM)
"""The scripts that a page with questions needs for a live room."""
ROOM_CSS = _read("classroom/classroom.css", "classroom/room.css")
