"""Start's first look: what a browser shows of it while Streamlit's own scripts are still coming.

They take a second. Start's title, its text and the rows under it are the same for everybody who
comes by the plain address, so that the server writes them into the page (pages/serving.py). The
rows are the app's component with the message that the app will send to it: a token can be pointed
at before Python has heard of the visit. Left out: text, chosen or typed, that an address brings.
"""

import re
from pathlib import Path
from threading import Thread

from markupsafe import Markup, escape

from pages.compare.aligned_view_message import ALIGNED_VIEW, message
from pages.shared.drawing import terms
from pages.shared.drawing.markup import each
from pages.shared.export import standalone_html
from pages.start import published
from pages.start.presets import FIRST_TEXT, LABEL, PURPOSE, SAMPLE_TEXTS, TITLE

_HERE = Path(__file__).parent
_LOOK_JS = (_HERE / "first_look.js").read_text("utf-8")
_STORAGE_JS = (_HERE.parent / "shared/storage.js").read_text("utf-8")
SCRIPT = f"{{\n{standalone_html.js_module('mount', ALIGNED_VIEW.js)}{_STORAGE_JS}{_LOOK_JS}}}"
"""What the page's policy has to let run; a block, for the page's names are Streamlit's."""
_html: list[Markup] = []


def prepare() -> None:
    """Open the tokenizers and write the look, in the background: who comes then need not wait."""
    Thread(target=_prepare, daemon=True).start()


def _prepare() -> None:
    published.open_all()
    rows = published.tokenize(FIRST_TEXT, "control")
    words_shown = published.lay_out_words(FIRST_TEXT, "control", rows, 0)
    values = {
        "style": f":host {{{standalone_html.theme_css()}}}" + terms.CSS + _read("first_look.css"),
        "title": escape(TITLE),
        "purpose": terms.first_occurrence_marker("first-look")(PURPOSE),
        "label": escape(LABEL),
        "text": escape(FIRST_TEXT),
        "ready": each("<span>{}</span>", SAMPLE_TEXTS),
        "rows_style": ALIGNED_VIEW.css,
        "rows": ALIGNED_VIEW.html,
        "message": message(published.aligned_view(rows, words_shown))
        .decode()
        .replace("<", "\\u003c"),
        "script": SCRIPT,
    }
    html = re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], _read("first_look.html"))
    _html.append(Markup(html))


def prerendered_html() -> Markup:
    """Return the look as HTML for the end of a page; nothing as long as it is not written."""
    return _html[-1] if _html else Markup()


def _read(name: str) -> str:
    return (_HERE / name).read_text("utf-8")
