"""The prerendered top of the start page, visible while Streamlit's own scripts still load.

Those scripts take about a second. At a URL without parameters, the title, text and rows are the
same for every visitor, so the server writes them into the page (pages/serving.py). The app's own
component draws the rows, from the message that the app will send to it, so visitors can point at
tokens before Python has seen the visit. A text given in the URL is not prerendered.
"""

import re
from pathlib import Path
from threading import Thread

from markupsafe import Markup, escape

from pages.shared.aligned.aligned_view_message import ALIGNED_VIEW, message
from pages.shared.drawing import terms
from pages.shared.drawing.markup import each
from pages.shared.drawing.styles import TERMS_CSS
from pages.shared.export import standalone_html
from pages.start import published
from pages.start.presets import (
    FIRST_TEXT,
    HAVE_TEXT,
    LABEL,
    LEARN,
    PURPOSE,
    SAMPLE_TEXTS,
    TEACH,
    TITLE,
)

_HERE = Path(__file__).parent
_PRERENDER_JS = (_HERE / "prerender.js").read_text("utf-8")
_STORAGE_JS = (_HERE.parent / "shared/storage.js").read_text("utf-8")
SCRIPT = f"{{\n{standalone_html.js_module('mount', ALIGNED_VIEW.js)}{_STORAGE_JS}{_PRERENDER_JS}}}"
"""The script that the content security policy must allow. Its braces keep its names local."""
_html: list[Markup] = []


def prepare() -> None:
    """Open the tokenizers and prerender the page, in the background, before anyone visits."""
    Thread(target=_prepare, daemon=True).start()


def _prepare() -> None:
    published.open_all()
    rows = published.tokenize(FIRST_TEXT, "control")
    words_shown = published.lay_out_words(FIRST_TEXT, "control", rows, 0)
    values = {
        "style": f":host {{{standalone_html.theme_css()}}}" + TERMS_CSS + _read("prerender.css"),
        "title": escape(TITLE),
        "purpose": terms.first_occurrence_marker("prerender")(PURPOSE),
        "doors": each("<span>{}</span>", (LEARN, TEACH, HAVE_TEXT)),
        "label": escape(LABEL),
        "text": escape(FIRST_TEXT),
        "totals": published.totals(rows),
        "samples": each("<span>{}</span>", SAMPLE_TEXTS),
        "rows_style": ALIGNED_VIEW.css,
        "rows": ALIGNED_VIEW.html,
        "message": standalone_html.encode_json(message(published.aligned_view(rows, words_shown))),
        "script": SCRIPT,
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], _read("prerender.html"))
    _html.append(Markup(page))


def prerendered_html() -> Markup:
    """Return the HTML for the end of the page; empty until it has been rendered."""
    return _html[-1] if _html else Markup()


def _read(name: str) -> str:
    return (_HERE / name).read_text("utf-8")
