"""The export menu “Take it with you”, below a page's picture or in a place that the page gives.

The parameter `take` of a URL opens it at a tab, such as `?take=worksheet`. The menu's content is
computed only while it is open, and a file only when it is downloaded. The exported files are
defined in ../catalog.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import routes
from pages.shared.component import build_component
from pages.shared.component_state import component_renderer
from pages.shared.controls import browser_scripts, panels, url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.markup import html
from pages.shared.drawing.trees import Tree
from pages.shared.export.catalog import (
    ExportCatalog,
    ExportItem,
    MakeFile,
    picture_items,
    run_document,
)
from pages.shared.export.document.blocks import Document, Note, PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from pages.shared.export.menu import links, worksheets_menu
from pages.shared.export.menu.worksheets_menu import download_button
from pages.shared.export.pictures import tree_diagram
from pages.shared.recording.frame_types import Recording
from pages.shared.recording.packing import make_whole
from pages.shared.work import jobs, results
from tokenizers.errors import user_message

QR_WIDTH = 220  # px
FILES, WORKSHEET, MOODLE, LINK = "files", "worksheet", "moodle", "link"
_TABS = {FILES: "Files", WORKSHEET: "Worksheet", MOODLE: "For Moodle", LINK: "Link"}
"""The tabs, by their names in the URL."""
_PNG = '<button type="button"></button><p role="status" hidden></p>'
# The browser draws the PNG.
_png = component_renderer(
    build_component("png", Path(__file__).parent, "png.css", "png.js", html=_PNG)
)
_HAS_MENU = "page has a menu"
_VISITS = "visits to the menu by a link"
_RUNS = "It steps, asks and presents by itself, on any machine, without a network."
_SCREENS = "It works and presents by itself, on any machine, without a network."
_KEPT = (
    "Your text is too long for an address, so this link finds it only in this browser. To pass it "
    "on, {}."
)
_LARGE = html(
    '<p class="pp-caption pp-of-keys">{}</p>',
    "The key Q shows it large, also in presenter view.",
)
_TOO_LONG = "This address is too long for a QR code. To pass it on, {}."
_BY_FILE = "take the HTML file, or choose a shorter text"
_BY_TEXT = "send the text itself, or choose a shorter one"


def export_menu(
    recording: Recording,
    step: int,
    make_catalog: Callable[[], ExportCatalog],
    *,
    about: str = "",
    notes: Sequence[Note] = (),
    left_out: Iterable[str] = (),
    rule: int = 0,
    user_path: tuple[int, ...] = (),
) -> None:
    """Show the export menu for a recording, shown at `step`, and the page's catalog.

    `about` describes the run, `notes` stand under the player, `left_out` names panels that the HTML
    file does not have.
    """
    box = open_menu()
    if box is None:
        return
    offered = _with_shown_charts(make_catalog())

    def document(whole: Recording) -> Document:
        player = PlayerBlock(whole, step, rule, user_path)
        return run_document(player, offered, about=about, notes=notes, left_out=tuple(left_out))

    def prepare() -> ExportItem | None:
        whole = _whole(recording)
        return whole and _html_item("This run", partial(document, whole), _RUNS)

    fill_menu(box, _title(), prepare, offered)


def _title() -> str:
    return routes.page_title(url_state.page())


def _html_item(what: str, make: Callable[[], Document], note: str) -> ExportItem:
    """Return the page's HTML file; the document is made when the file is downloaded."""
    title, here = _title(), _current_url()

    def file() -> str:
        return build_document_html(replace(make(), title=title, link=here))

    return ExportItem(f"{what} as one HTML file", f"{url_state.page()}.html", file, note)


def _whole(recording: Recording) -> Recording | None:
    """Return the recording with all its frames; until a worker has made them, show its progress."""
    job = jobs.run(results.key_of("whole", recording.key), make_whole, recording)
    return job.result if jobs.wait_for(job, "Drawing every step for the HTML file …") else None


def _with_shown_charts(catalog: ExportCatalog) -> ExportCatalog:
    """Add the charts and trees of the currently shown panel to the catalog."""
    known = {chart.name for chart in catalog.charts}
    charts = [chart for chart in _shown_charts() if chart.name not in known]
    items = list(catalog.items)
    for one in panels.on_screen().values():
        if isinstance(one, Tree):
            drawn = partial(tree_diagram, one.token, one.made_by, one.noun)
            items += picture_items(one.name, drawn)
    return replace(catalog, items=tuple(items), charts=(*catalog.charts, *charts))


def _shown_charts() -> list[Chart]:
    return [one for one in panels.on_screen().values() if isinstance(one, Chart)]


def document_export_menu(
    make: Callable[[], Document],
    make_catalog: Callable[[], ExportCatalog],
    what: str = "This comparison",
) -> None:
    """Show the export menu for the document that `make` returns, and the page's catalog.

    The HTML file also has the blocks and the charts of the open panel.
    """
    fill_document_menu(open_menu(), make, make_catalog, what)


def fill_document_menu(
    box: DeltaGenerator | None,
    make: Callable[[], Document],
    make_catalog: Callable[[], ExportCatalog],
    what: str = "This comparison",
) -> None:
    """Fill a menu that is open already as `document_export_menu` does; None if it is closed."""
    if box is None:
        return
    shown = panels.on_screen()  # filled below the menu, and read when the file is downloaded

    def document() -> Document:
        return with_open_panel(make(), shown)

    item = _html_item(what, document, _SCREENS)
    fill_menu(box, _title(), lambda: item, _with_shown_charts(make_catalog()))


def with_open_panel(document: Document, shown: Mapping[str, Any]) -> Document:
    """Add what is on the screen to a document."""
    found = list(shown.values())
    in_panels = [block for one in found if isinstance(one, tuple) for block in one]
    charts = [one for one in found if isinstance(one, Chart) and one not in in_panels]
    left_out = tuple(name for name in document.left_out if name not in shown)
    return replace(document, blocks=(*document.blocks, *in_panels, *charts), left_out=left_out)


def fill_files_menu(
    box: DeltaGenerator | None, make_catalog: Callable[[], ExportCatalog] = ExportCatalog
) -> None:
    """Fill an open menu with the page's catalog and link, without an HTML file; None if closed."""
    if box is not None:
        catalog = _with_shown_charts(make_catalog())
        fill_menu(box, _title(), None, catalog)


@contextmanager
def ensure_menu() -> Iterator[None]:
    """Run a page; if it has shown no export menu, add one with the page's link at the end."""
    st.session_state[_HAS_MENU] = False
    yield
    if not st.session_state[_HAS_MENU]:
        fill_files_menu(open_menu())


def open_menu(place: DeltaGenerator | None = None) -> DeltaGenerator | None:
    """Show the menu, in `place` if given; return its container if it is open, else None.

    A page with much to compute shows it first and fills it last, so that its button never moves.
    """
    st.session_state[_HAS_MENU] = True
    if (tab := url_state.incoming("take")) in _TABS:
        url_state.set_param("take", tab)
        url_state.preset_widget("export", True)
        st.session_state[_VISITS] = st.session_state.get(_VISITS, 0) + 1
    with place or st.container(horizontal=True, horizontal_alignment="right"):
        box = st.popover("Take it with you", key="export", on_change="rerun")
    if visit := st.session_state.get(_VISITS):
        browser_scripts.scroll_to_menu(visit)
    return box if box.open else None


def fill_menu(
    box: DeltaGenerator,
    title: str,
    prepare: Callable[[], ExportItem | None] | None,
    catalog: ExportCatalog,
) -> None:
    """Fill the menu with the HTML file, the other files, the worksheets, and the link.

    `prepare` returns the HTML file; until there is one, it shows why.
    """
    filled = {
        FILES: prepare or catalog.all_items(),
        WORKSHEET: catalog.worksheet,
        MOODLE: catalog.packages,
        LINK: True,
    }
    names = [name for name, is_there in filled.items() if is_there]
    first = url_state.last_set("take")
    default = _TABS[first] if first in names else None
    with box:
        shown = st.tabs([_TABS[name] for name in names], default=default)
    tabs = dict(zip(names, shown, strict=True))
    if FILES in tabs:
        with tabs[FILES]:
            if prepare and (whole := prepare()):
                download_button(whole.label, whole.make, whole.name, "text/html", "export_html")
                st.caption(whole.note)
            _files(catalog, "Another file" if prepare else "A file")
    if catalog.worksheet:
        with tabs[WORKSHEET]:
            worksheets_menu.worksheet_controls(catalog.worksheet)
    if MOODLE in tabs:
        with tabs[MOODLE]:
            _packages(catalog.packages)
    with tabs[LINK]:
        _link(title, _BY_FILE if prepare else _BY_TEXT)


def _packages(packages: Sequence[ExportItem]) -> None:
    """Show a button for each package of a learning platform, the first one as the usual choice."""
    for item, look in zip(packages, ("primary", "secondary"), strict=False):
        download_button(
            item.label, item.make, item.name, "application/zip", f"export {item.name}", look
        )
        st.caption(item.note)


def _files(catalog: ExportCatalog, label: str) -> None:
    """Show a choice of the other files and the download of the chosen one."""
    items = {item.label: item for item in catalog.all_items()}
    if not items:
        return
    label = st.selectbox(label, list(items), key="export_file")
    item = items[label]
    make = _try_make(item)
    if item.note:
        st.caption(item.note)
    if item.is_drawn_by_browser:
        _png(key=f"export {label}", data={"name": item.name, "svg": item.make()})
    elif make:
        of_bytes = "application/octet-stream"
        download_button(
            f"Download {item.name}", make, item.name, of_bytes, f"export {label}", "secondary"
        )


def _try_make(item: ExportItem) -> MakeFile | None:
    """Return the maker of the file, or show why it fails and return None."""
    if not item.may_fail:
        return item.make
    try:
        made = item.make()
    except ValueError as error:
        st.info(escape_markdown(user_message(error)))
        return None
    return lambda: made


def _parameters() -> dict[str, str]:
    """Return the parameters of the page in its current state, as others need them."""
    here = st.query_params.to_dict()
    return {name: value for name, value in here.items() if name not in url_state.ONLY_HERE}


def _current_url() -> str:
    """Return the URL of the page in its current state."""
    return links.link(st.context.url or "", _parameters())


def _link(title: str, instead: str) -> None:
    """Show the page's URL as a link to copy, as a QR code, and as an iframe.

    `instead` says how to share a text that is too long for a URL.
    """
    parameters = _parameters()
    reach = links.reach(st.context.url or "", st.get_option("server.address") or "")
    here = links.at_host(_current_url(), reach.host)
    if "kept" in parameters:
        st.info(_KEPT.format(instead))
    elif reach.note:
        st.info(reach.note)
    st.caption("Link to this step" if "step" in parameters else "Link to this screen")
    st.code(here, language=None, wrap_lines=True, height=110)
    code = links.qr_code(here)
    if code:
        st.image(code, width=QR_WIDTH, alt="QR code of the address of this screen")
        st.html(_LARGE)
    else:
        st.caption(_TOO_LONG.format(instead))
    st.caption("To embed this screen in your own page:")
    st.code(
        links.frame(links.at_host(st.context.url or "", reach.host), parameters, title),
        language="html",
        wrap_lines=True,
        height=110,
    )
