"""Export a recording as one HTML file that plays without a network.

The file contains the app's player (the same HTML, CSS and JavaScript) and the packed recording.
file.js replaces Streamlit: it passes the recording to the player, stores the step, and switches the
theme. The file omits what Python draws below the player, except charts and tables, and says so. See
standalone_html.py for the general form of such a file.
"""

from dataclasses import dataclass

from pages.shared.drawing.charts import Chart
from pages.shared.export import charts, standalone_html
from pages.shared.export.standalone_html import html_text, js_module
from pages.shared.export.tables import ExportTable, as_html
from pages.shared.player import assets
from pages.shared.player.message import pack_message
from pages.shared.recording.frame_types import Recording


@dataclass(frozen=True, slots=True)
class FileInfo:
    """The texts, tables and charts around the picture in an HTML file.

    `link` is the URL of the same page in the app, `left_out` names what only the app shows, and
    `contents` is the URL of the page that lists this file, if it is part of a site.
    """

    title: str
    about: str = ""
    link: str = ""
    tables: tuple[ExportTable, ...] = ()
    left_out: tuple[str, ...] = ()
    contents: str = ""
    charts: tuple[Chart, ...] = ()


def build_run_html(
    recording: Recording,
    info: FileInfo,
    *,
    step: int = 0,
    rule: int = 0,
    user_path: tuple[int, ...] = (),
) -> str:
    """Return the file; its player starts at `step` with `rule` (0 or 1) and the learner's path."""
    every = range(len(recording.windows))
    message = pack_message(
        recording, every, "file", step=(1, step), rule=(1, rule), path=(1, user_path)
    )
    modules = js_module("mount", assets.JS) + js_module("mountTerms", assets.TERMS_JS)
    modules += js_module("mountOverlays", assets.OVERLAYS_JS)
    above = " and ".join(name for name in ("charts", "tables") if getattr(info, name))
    return standalone_html.render_file(
        standalone_html.HERE / "file.html",
        modules
        + standalone_html.FILE_SHELL_JS
        + (standalone_html.HERE / "file.js").read_text("utf-8"),
        {
            "way_out": standalone_html.contents_link(info.contents),
            "title": html_text(info.title),
            "purpose": html_text(info.about),
            "player_style": assets.CSS,
            "player": assets.HTML,
            "charts": charts.as_html(info.charts),
            "tables": "\n".join(map(as_html, info.tables)),
            "above": f" and the {above} above" if above else "",
            "left_out": html_text("".join(f", “{name}”" for name in info.left_out)),
            "link": standalone_html.app_link(info.link),
            "recording": standalone_html.encode_bytes(message),
        },
    )
