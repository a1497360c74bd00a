"""One HTML file of a component and its data: opened from a disk, it asks nobody for anything.

It holds the component of the app, the same HTML, CSS and JavaScript, and the message that the app
sends to it. What Streamlit is to the component there, component.js is here: it hands over the message,
remembers the place, presents, and turns light or dark. Tables that Python draws come along as they
are. Left out: what such a file has to be (standalone_html.py), and the player's (run_html.py).
"""

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pages.shared.component import Component
from pages.shared.export import charts, standalone_html
from pages.shared.export.run_html import Sheet
from pages.shared.export.standalone_html import text
from pages.shared.player.assets import SCAN_JS

HERE = Path(__file__).parent
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_BOLD, _MARK = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"`([^`]+)`")
_BUTTON = """
<button type="button" id="present" aria-keyshortcuts="p">Presenter view <kbd>P</kbd></button>"""
MOST_QUOTED = 80  # characters of a text
_PRESENTS = " P presents, T turns light or dark{}, Q shows the address as a QR code."


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the place at which a component rests: how its message calls it, and the address.

    Each of `values` has its word in the address. `brings` is, by value, what the message has with
    it: what Python sends in the app, once the component has told its place.
    """

    name: str
    in_address: str
    own: int | str
    values: Sequence[int | str]
    words: Sequence[str]
    brings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Screen:
    """A component with its message: an object; the bytes of one as JSON; or a header and blobs.

    `told` is the name under which it tells its place, which has `parts`. `presents` says that it
    has a presenter view of its own; any other is drawn `large` in that of the file.
    """

    component: Component
    form: Literal["object", "json", "headed"]
    message: Mapping[str, object] | bytes
    keys: str
    told: str = ""
    parts: tuple[Part, ...] = ()
    presents: bool = False


def screen_file(screen: Screen, sheet: Sheet, below: Sequence[str]) -> str:
    """Return the file; `below` is HTML of our own that comes under the picture."""
    styles = dict.fromkeys(style for part in below for style in _STYLE.findall(part))
    shown = [standalone_html.linked(_STYLE.sub("", part), "") for part in below]
    shown.append(charts.as_html(sheet.charts))
    modules = standalone_html.module("mount", screen.component.js)
    modules += standalone_html.module("watchForScan", SCAN_JS)
    return standalone_html.written(
        HERE / "component.html",
        modules + standalone_html.AROUND_JS + (HERE / "component.js").read_text("utf-8"),
        {
            "styles": f"<style>{(HERE / 'component.css').read_text('utf-8')}</style>{''.join(styles)}",
            "title": text(sheet.title),
            "purpose": text(sheet.about),
            "buttons": _BUTTON,
            "component_style": screen.component.css,
            "component": screen.component.html,
            "below": "\n".join(filter(None, shown)),
            "keys": text(screen.keys + _PRESENTS.format(" there" if screen.presents else "")),
            "under": "charts and tables" if sheet.charts else "tables",
            "left_out": text(", ".join(f"“{name}”" for name in sheet.left_out)),
            "link": standalone_html.same_screen(sheet.link),
            "how": standalone_html.data_as_text(_how(screen)),
            "message": _packed(screen.message),
            "brings": _packed({part.name: part.brings for part in screen.parts if part.brings}),
        },
    )


def said(sentence: str) -> str:
    """Return a caption of the app, in which some words are bold or code, as HTML.

    >>> said("**T²** is < V")
    '<p class="said"><strong>T²</strong> is &lt; V</p>'
    """
    escaped = str(text(sentence))  # as Markup it would escape the tags that are put in, too
    found = _BOLD.sub(r"<strong>\1</strong>", _MARK.sub(r"<code>\1</code>", escaped))
    return f'<p class="said">{found}</p>'


def quoted(taken: str) -> str:
    """Return the beginning of a text, for a line about the file.

    >>> quoted("low"), len(quoted("low " * 100)) - 2 == MOST_QUOTED
    ('“low”', True)
    """
    short = " ".join(taken.split())
    if len(short) > MOST_QUOTED:
        short = f"{short[: MOST_QUOTED - 1]}…"
    return f"“{short}”"


def address_of_app(link: str) -> str:
    """Return where the pages of the app are, for links out of a file; "" where that is not known.

    >>> address_of_app("https://a.org/learn/compare?text=x/y"), address_of_app("")
    ('https://a.org/learn/', '')
    """
    if not link.startswith(("http://", "https://")):
        return ""
    return link.partition("?")[0].rpartition("/")[0] + "/"


def _how(screen: Screen) -> dict[str, object]:
    parts = [
        {
            "name": part.name,
            "inAddress": part.in_address,
            "own": part.own,
            "values": list(part.values),
            "words": list(part.words),
        }
        for part in screen.parts
    ]
    return {"form": screen.form, "presents": screen.presents, "told": screen.told, "parts": parts}


def _packed(data: Mapping[str, object] | bytes) -> str:
    found = data if isinstance(data, bytes) else json.dumps(data).encode()
    return standalone_html.bytes_as_text(zlib.compress(found, 9))
