"""The vocabulary-size scrubber: one component that goes through all sizes in the browser.

Here: the jobs that make what is drawn, the message to the browser, and what its answers mean. The
component itself is scrubber.html, scrubber.css and three files of JavaScript. Left out: what is
sent of a text (film.py).
"""

import json
from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from pages.shared.controls import address
from pages.shared.drawing.prices import WIDTHS
from pages.shared.drawing.tiles import palette_css
from pages.shared.learning.source import Source
from pages.shared.work import jobs
from pages.shared.work.results import key_of
from pages.sizes.film import Filmed, Scrub, film

_HERE = Path(__file__).parent
_SCRIPTS = ("../shared/drawing/written.js", "rows.js", "figures.js", "scrubber.js")
_mount = component(
    "piece_by_piece_sizes",
    html=(_HERE / "scrubber.html").read_text("utf-8"),
    css=f":host {{{palette_css()}}}\n" + (_HERE / "scrubber.css").read_text("utf-8"),
    js="\n".join((_HERE / name).read_text("utf-8") for name in _SCRIPTS),
)
AT = "at_size"
"""The size in the address."""


def resized(source: Source, kinds: Sequence[str], text: str) -> tuple[str, list[Filmed]]:
    """Return `text` at every size of every tokenizer, and a name for all of it.

    They are made at the same time; the page ends here while one is not there yet.
    """
    keys = [key_of("resized", source, kind, text) for kind in kinds]
    asked = zip(keys, kinds, strict=True)
    started = [jobs.run(key, film, source, kind, text) for key, kind in asked]
    for job in started:
        if not jobs.wait_for(job, "Training, and splitting the text at every size …"):
            address.end_early()
    return key_of(*keys), [job.result for job in started]


def scrubber(shown: Scrub, name: str, model: tuple[int, str], large: bool = False) -> int:
    """Show the scrubber and return the size at which it rests; `name` tells this text from others.

    `model` is the width and the number format by which sizes are priced. The size stands in the
    address. The message to the browser stays the same while the visitor moves there, so that
    nothing is sent again; a size that comes with the address is a new visit.
    """
    told = address.news(AT)
    before = st.session_state.get("sizes.visit")
    if told is not None or before is None or before[0] != name:
        began = _size(told, shown) if told is not None or before is None else before[3]
        before = (name, shown.nearest(began), before[2] + 1 if before else 1, began)
    key = f"{name}:{before[2]}"
    at = shown.nearest(_reported(key, before[1]))
    st.session_state["sizes.visit"] = (*before[:3], at)
    address.write(AT, str(at) if at != first(shown) else None)
    data = message(shown, key, before[1], model, large)
    _mount(key="sizes", data=data, on_size_change=_rerun)
    return at


def first(shown: Scrub) -> int:
    """Return the size at which a visit begins: half way on the logarithmic scale."""
    return shown.nearest(round((shown.sizes[0] * shown.sizes[-1]) ** 0.5))


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
        "lengths": list(map(len, films)),
    }
    text = json.dumps(header).encode()
    return b"".join((len(text).to_bytes(4, "little"), text, *films))


def _size(told: str | None, shown: Scrub) -> int:
    """Return the size that the address asks for; what is none means the beginning."""
    is_number = told is not None and told.isascii() and told.isdigit() and len(told) < 9
    return int(told or 0) if is_number else first(shown)


def _reported(key: str, otherwise: int) -> int:
    """Return the size that the browser has told of this very text."""
    match (st.session_state.get("sizes") or {}).get("size"):
        case [int(size), told] if told == key:
            return size
    return otherwise


def _rerun() -> None:
    """A named change is what makes Streamlit keep its value; the rerun does the rest."""
