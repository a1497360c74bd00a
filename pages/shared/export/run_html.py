"""One HTML file of a film that steps by itself: opened from a disk, it asks nobody for anything.

It holds the player of the app, the same HTML, CSS and JavaScript, and the packed film. What
Streamlit is to the player in the app, file.js is here: it hands over the film, remembers the step,
and turns light or dark. Left out: what such a file has to be (standalone_html.py), and what Python draws
under the player, but for the tables that are given along; the file says so.
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
    """What a file tells around its film; `link` is the address of the same screen in the app.

    `tables` and `charts` come along as they were recorded; `left_out` names what the app shows
    besides; `contents` is the page that lists this file, where it is part of a site.
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
    """Return the file: the film begins at `step`, by `rule`, with the path `own` in its lattice."""
    every = range(len(recording.windows))
    message = pack_message(
        recording, every, "file", step=(1, step), rule=(1, rule), path=(1, user_path)
    )
    modules = js_module("mount", assets.JS) + js_module("answerTerms", assets.TERMS_JS)
    modules += js_module("watchForScan", assets.SCAN_JS)
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
            "film": standalone_html.encode_bytes(message),
        },
    )
