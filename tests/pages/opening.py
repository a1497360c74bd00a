"""Open pages in Streamlit's AppTest, and read what they show.

Jobs run in this process (`at_once`, in conftest.py).
"""

import io
import json
import pickle
import re
from html import unescape
from pathlib import Path
from threading import Event
from typing import Any, cast

import plotly.graph_objects as go
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.routes import NAVIGATION, START
from pages.shared.training.run_and_record import TrainingRun
from pages.shared.work import jobs, worker
from tokenizers.record.trace import Trace

PAGES = tuple(page for rows in NAVIGATION.values() for page in rows)
FRAME = Path(__file__).parents[2] / "pages/frame.py"
NO_WORDS = "There are no words to train on yet. Type or paste a text, or choose another one."


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "# h",
    "**b** *i* `c` ~~s~~",
    "$x^2$ $$y$$",
    ":smile: :red[x] :material/home:",
    "[a](http://evil.test) ![a](http://evil.test/x.png)",
    "&amp; &lt;b&gt; &#60;",
    '"></bdi></div><b>x</b>',
    "a\0b\x07\x1b[31m",
    "שלום \u202eabc\u202c \u2066x\u2069",
    "👩🏽‍🚀👨‍👩‍👧‍👦 👩🏽‍🚀",
    "%(x)s {x} {{x}} \\n \\",
    "\\frac{1}{2} }{",
]


class AtOnce:
    """A stand-in for the pool of worker processes: runs every job at once in this process."""

    def __init__(self) -> None:
        self.known: dict[str, jobs.Job] = {}
        self.newest: TrainingRun | None = None
        """The newest training run."""

    def run(
        self, key: str, function: Any, *args: Any, watcher: str = "", browser: str = ""
    ) -> jobs.Job:
        if key not in self.known:
            job = self.known[key] = jobs.Job(key, pickle.dumps((function, args)))
            report = worker.Reporter(io.BytesIO(), {"stop": Event(), "cancel": Event()})
            job.apply_message(*worker.run_call(job.call, report))
        if isinstance(self.known[key].result, TrainingRun):
            self.newest = self.known[key].result
        return self.known[key]

    def forget(self, job: jobs.Job) -> None:
        del self.known[job.key]

    def begin_page(self, visitor: str) -> None:
        """No job waits."""

    end_page = begin_page


POOL = AtOnce()


def opened(page: str, **query: str) -> AppTest:
    """Return the page opened at that URL."""
    app = AppTest.from_file(FRAME, default_timeout=60)
    app._page_hash = calc_hash("" if page == START else page)  # by URL, like a browser
    app.query_params.update(query)
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception, [element.message for element in app.exception]
    return app


def rests(app: AppTest, key: str, step: int) -> AppTest:
    """Return the page after the player has reported that step."""
    sent = app.session_state[f"{key}.step"].revision
    app.session_state[key] = {"step": [step, sent]}
    return checked(app.run())


def at(app: AppTest, key: str = "train") -> int:
    return app.session_state[f"{key}.step"].current


def last(app: AppTest) -> int:
    return len(trace(app))


def trace(app: AppTest) -> Trace:
    """Return the run that the page shows."""
    assert POOL.newest
    assert POOL.newest.recording.key == app.session_state["train.rule"].content
    return POOL.newest.trace


def texts_of(elements) -> list[str]:
    """Return the texts of elements, with escaped Markdown resolved."""
    return [re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", element.value) for element in elements]


def sent_to(app, key: str) -> dict:
    """Return the data sent to the component whose data have `key`."""
    parts = [part.proto for part in app.get("bidi_component")]
    messages = [
        json.loads(part.json) if part.json else unpacked(part.bytes)[0]
        for part in parts
        if not part.component_name.endswith("_chart")  # its message is a list
    ]
    (data,) = (data for data in messages if key in data)
    return data


def unpacked(message: bytes) -> tuple[dict, list[bytes]]:
    """Return the header of a component's message, and its blobs."""
    start = 4 + int.from_bytes(message[:4], "little")
    header, blobs = json.loads(message[4:start]), []
    for size in header["sizes"]:
        blobs.append(message[start : start + size])
        start += size
    return header, blobs


def chart_of(app, key: str) -> list:
    """Return the data sent to a chart: its finding, the SVG, and the share of the steps."""
    (part,) = [one for one in app.get("bidi_component") if one.proto.id.endswith(f"-{key}")]
    return json.loads(part.proto.bytes)


def lines_of(chart: go.Figure) -> list[Any]:
    """Return the lines or bars of a chart; the type of `Figure.data` is not usable."""
    return list(cast("Any", chart.data))


def links_of(app: AppTest) -> set[str]:
    """Return the targets of links written by the app, without Streamlit's own."""
    written = re.findall(r'href="([^"]*)"', html_of(app))
    written += re.findall(r"\]\(([^)\s]+)\)", markdown_of(app))
    return {unescape(one) for one in written} | {one.proto.url for one in app.get("link_button")}


def html_of(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def columns_of(table: str) -> dict[str, list[str]]:
    """The cells of each column by its heading, without the sign of the best."""
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    texts = [
        re.sub(r"<small>best</small>|<[^>]*>", "", row.replace("</t", " |</t")) for row in rows
    ]
    names, *lines = [[cell.strip() for cell in text.split("|")[:-1]] for text in texts]
    return dict(zip(names, map(list, zip(*lines, strict=True)), strict=True))


def columns_under(app: AppTest, caption: str) -> dict[str, list[str]]:
    """The columns of the table whose caption begins so."""
    tables = re.findall(r"<table.*?</table>", html_of(app), re.DOTALL)
    (found,) = [one for one in tables if re.search(f"<caption><span>{caption}", one)]
    return columns_of(found)


def notes_of(app: AppTest) -> list[str]:
    """Return the headings and notes that the page shows as blocks, as text."""
    found = re.findall(r'<p class="pp-(?:subheading|caption)">(.*?)</p>', html_of(app), re.DOTALL)
    without_definitions = [
        re.sub(r'<span class="pp-definition".*?</span>', "", one) for one in found
    ]
    return [unescape(re.sub(r"<[^>]*>", "", one)) for one in without_definitions]


def markdown_of(app: AppTest) -> str:
    """Return all text that Streamlit parses as Markdown."""
    kinds = (app.markdown, app.caption, app.info, app.error, app.toast, app.latex)
    kinds += (app.header, app.subheader)
    return "\n".join(element.value for kind in kinds for element in kind)


def paste(app: AppTest, text: str) -> AppTest:
    app.text_area(key="text_box").input(text)
    return checked(app.run())
