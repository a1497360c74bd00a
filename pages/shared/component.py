"""Assemble the HTML, CSS and JavaScript of a component from its files, and pack its messages.

`component_state.py` mounts a component in the app, `export/document` in an exported file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from pages.shared.drawing.display_text import palette_css

_HERE = Path(__file__).parent
MOUNT_HTML = '<div class="component"></div>'


@dataclass(frozen=True, slots=True)
class WebComponent:
    """A component; the default export of its module `js` receives the data and parent element."""

    name: str
    html: str
    css: str
    js: str


PRESENTER = tuple(str(_HERE / name) for name in ("presenter_base.js", "picture_presenter.js"))
"""The scripts of a component whose picture can be presented."""


def build_component(
    name: str, folder: Path, styles: str | Sequence[str], *scripts: str, html: str = MOUNT_HTML
) -> WebComponent:
    """Return the component `name`, assembled from files in a page's `folder`.

    Its scripts may use `dom.js` and `synced_state.js`, and its styles may use `base.css`.
    """
    all_styles = [styles] if isinstance(styles, str) else styles
    css = _read(_HERE / "base.css", *map(folder.joinpath, all_styles))
    js = _read(_HERE / "dom.js", _HERE / "synced_state.js", *map(folder.joinpath, scripts))
    return WebComponent(name, html, f":host {{{palette_css()}}}\n{css}", js)


def pack_message(header: Mapping[str, object], blobs: Sequence[bytes] = ()) -> bytes:
    """Return a component's message as bytes: length of the header, header as JSON, blobs.

    Streamlit takes bytes only at the top level of a component's data, and sends unchanged data as
    a reference; anything else it serializes twice, and more slowly. `readMessage` in dom.js unpacks
    the message.
    """
    sizes = {"sizes": [len(blob) for blob in blobs]}
    option = orjson.OPT_NON_STR_KEYS
    text = orjson.dumps({**header, **sizes}, default=tuple, option=option)
    return b"".join((len(text).to_bytes(4, "little"), text, *blobs))


def _read(*files: Path) -> str:
    return "\n".join(file.read_text("utf-8") for file in files)
