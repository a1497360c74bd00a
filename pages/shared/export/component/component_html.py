"""Export a component other than the player as one HTML file that works without a network.

The file contains the component (the same HTML, CSS and JavaScript) and the message that the app
sends to it. component.js replaces Streamlit: it passes the message on and stores the component's
state. See standalone_html.py for the general form of such a file, and run_html.py for the
player's.
"""

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pages.shared.component import WebComponent
from pages.shared.export import charts, standalone_html
from pages.shared.export.run_html import FileInfo
from pages.shared.export.standalone_html import html_text
from pages.shared.player.assets import OVERLAYS_JS

HERE = Path(__file__).parent
_BOLD, _MARK = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"`([^`]+)`")
MOST_QUOTED = 80  # characters quoted from a text
_PRESENTS = " P presents, T turns light or dark there, Q shows the address as a QR code."


@dataclass(frozen=True, slots=True)
class StatePart:
    """A part of a component's state; `name` is its key in the message, `param` in the URL hash.

    `words` are the spellings of `values` in the URL. `payloads` maps a value to the additional
    message data that Python would send in the app.
    """

    name: str
    param: str
    initial: int | str
    values: Sequence[int | str]
    words: Sequence[str]
    payloads: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ComponentExport:
    """A component and its message; `form` says if it is an object, JSON bytes or header and blobs.

    `state_name` names the component's state value, which has `parts`.
    """

    component: WebComponent
    form: Literal["object", "json", "headed"]
    message: Mapping[str, object] | bytes
    keys: str
    state_name: str = ""
    parts: tuple[StatePart, ...] = ()


def build_component_html(export: ComponentExport, info: FileInfo, below: Sequence[str]) -> str:
    """Return the HTML file; `below` is trusted HTML for the section under the component."""
    parts = [standalone_html.resolve_app_links(part, "") for part in below]
    parts.append(charts.as_html(info.charts))
    css = (HERE / "component.css").read_text("utf-8")
    modules = standalone_html.js_module("mount", export.component.js)
    modules += standalone_html.js_module("mountOverlays", OVERLAYS_JS)
    return standalone_html.render_file(
        HERE / "component.html",
        modules + standalone_html.FILE_SHELL_JS + (HERE / "component.js").read_text("utf-8"),
        {
            "styles": f"<style>{css}</style>",
            "title": html_text(info.title),
            "purpose": html_text(info.about),
            "component_style": export.component.css,
            "component": export.component.html,
            "below": "\n".join(filter(None, parts)),
            "keys": html_text(export.keys + _PRESENTS),
            "under": "charts and tables" if info.charts else "tables",
            "left_out": html_text(", ".join(f"“{name}”" for name in info.left_out)),
            "link": standalone_html.app_link(info.link),
            "config": standalone_html.encode_json(_config(export)),
            "message": _compress(export.message),
            "payloads": _compress(
                {part.name: part.payloads for part in export.parts if part.payloads}
            ),
        },
    )


def caption_html(markdown: str) -> str:
    """Return a caption with Markdown's bold and code as HTML.

    >>> caption_html("**T²** is < V")
    '<p class="caption"><strong>T²</strong> is &lt; V</p>'
    """
    escaped = str(html_text(markdown))  # Markup would escape the inserted tags, too
    found = _BOLD.sub(r"<strong>\1</strong>", _MARK.sub(r"<code>\1</code>", escaped))
    return f'<p class="caption">{found}</p>'


def quote_beginning(text: str) -> str:
    """Return the beginning of a text in quotes, for a line about the file.

    >>> quote_beginning("low"), len(quote_beginning("low " * 100)) - 2 == MOST_QUOTED
    ('“low”', True)
    """
    short = " ".join(text.split())
    if len(short) > MOST_QUOTED:
        short = f"{short[: MOST_QUOTED - 1]}…"
    return f"“{short}”"


def app_url(link: str) -> str:
    """Return the base URL of the app's pages, for links in a file; "" if it is unknown.

    >>> app_url("https://a.org/learn/compare?text=x/y"), app_url("")
    ('https://a.org/learn/', '')
    """
    if not link.startswith(("http://", "https://")):
        return ""
    return link.partition("?")[0].rpartition("/")[0] + "/"


def _config(export: ComponentExport) -> dict[str, object]:
    parts = [
        {
            "name": part.name,
            "param": part.param,
            "initial": part.initial,
            "values": list(part.values),
            "words": list(part.words),
        }
        for part in export.parts
    ]
    return {
        "form": export.form,
        "stateName": export.state_name,
        "parts": parts,
    }


def _compress(data: Mapping[str, object] | bytes) -> str:
    found = data if isinstance(data, bytes) else json.dumps(data).encode()
    return standalone_html.encode_bytes(zlib.compress(found, 9))
