"""What the browser is sent to draw the scrubber; a file that is taken along holds the same.

The component itself is scrubber.html, scrubber.css and three files of JavaScript. Left out: what is
sent of a text (film.py).
"""

from pathlib import Path

import orjson

from pages.shared.component import component_of
from pages.shared.drawing.prices import WIDTHS
from pages.sizes.film import Scrub

_HERE = Path(__file__).parent
_HTML = (_HERE / "scrubber.html").read_text("utf-8")
_SCRIPTS = ("../shared/drawing/written.js", "rows.js", "figures.js", "scrubber.js")
SCRUBBER = component_of("sizes", _HERE, "scrubber.css", *_SCRIPTS, html=_HTML)


def message(shown: Scrub, key: str, at: int, model: tuple[int, str], large: bool) -> bytes:
    """Return the bytes for the browser: length of the header, header as JSON, films."""
    films = [one.film for one in shown.contestants]
    width, precision = model
    header = {
        "key": key,
        "at": at,
        "width": width,
        "precision": precision,
        "bytes": WIDTHS[precision],
        "large": large,
        "words": shown.words,
        "sizes": list(map(len, films)),
    }
    text = orjson.dumps(header)
    return b"".join((len(text).to_bytes(4, "little"), text, *films))
