"""The menu “Take it with you”, in the same place on every page with a stage: under the picture.

What is in it is looked at only while it is open, and a file is made when it is downloaded. Left
out: what there is to take (../catalog.py).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import routes
from pages.shared.component import build_component
from pages.shared.component_state import component_renderer
from pages.shared.controls import panels, url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.trees import Tree
from pages.shared.export.catalog import Item, Make, Offer, picture_items
from pages.shared.export.menu import links, worksheets_menu
from pages.shared.export.menu.worksheets_menu import download
from pages.shared.export.pictures import tree_picture
from pages.shared.export.run_html import Sheet, html_file
from pages.shared.recording.frame_types import Recording
from tokenizers.errors import user_message

QR_WIDTH = 220  # px
_PNG = '<button type="button"></button><p role="status" hidden></p>'
# drawn by the browser
_png = component_renderer(
    build_component("png", Path(__file__).parent, "png.css", "png.js", html=_PNG)
)
_HAS_MENU = "page has a menu"
_RUNS = "It steps, asks and presents by itself, on any machine, without a network."
_SCREENS = "It works and presents by itself, on any machine, without a network."
_KEPT = (
    "Your text is too long for an address, so this link finds it only in this browser. To pass it "
    "on, {}."
)
_TOO_LONG = "This address is too long for a QR code. To pass it on, {}."
_BY_FILE = "take the HTML file, or choose a shorter text"
_BY_TEXT = "send the text itself, or choose a shorter one"


def take(
    film: Recording,
    step: int,
    offer: Callable[[], Offer],
    *,
    about: str = "",
    left_out: Iterable[str] = (),
    rule: int = 0,
    own: tuple[int, ...] = (),
) -> None:
    """Offer to take along the film, which rests at `step`, and the page's own files.

    `about` says what was run. `left_out` are panels of the page that an HTML file has not.
    """
    box = opened()
    if box is not None:
        filed = partial(html_file, film, step=step, rule=rule, own=own)
        _fill_with(box, "This run as one HTML file", filed, offer(), about, left_out)


def take_two_runs(
    film: Callable[[], Recording],
    step: int,
    offer: Callable[[], Offer],
    about: str,
    left_out: Iterable[str],
) -> None:
    """As `take`, of two runs that the page does not step: they are filmed once the menu is open.

    `film` may end the page while it is at work; `left_out` is what the page has besides.
    """
    box = opened()
    if box is None:
        return
    with box:
        both = film()
    filed = partial(html_file, both, step=min(step, both.last))
    _fill_with(box, "Both runs as one HTML file", filed, offer(), about, left_out)


def _fill_with(
    box: DeltaGenerator,
    label: str,
    filed: Callable[[Sheet], str],
    offer: Offer,
    about: str,
    left_out: Iterable[str],
) -> None:
    """Fill the menu of a page with a film, of which `filed` makes the HTML file."""
    page, here = url_state.page(), _here()
    title, offered = routes.page_title(page), _with_screen(offer)

    def whole() -> str:
        tables = tuple([make() for make in offered.tables.values()])
        return filed(Sheet(title, about, here, tables, tuple(left_out), charts=offered.charts))

    fill(box, title, Item(label, f"{page}.html", whole, _RUNS), offered)


def _with_screen(offered: Offer) -> Offer:
    """Offer the charts and trees that the page shows just now, too: those of a panel of choice."""
    known = {chart.name for chart in offered.charts}
    charts = [chart for chart in _charts_shown() if chart.name not in known]
    items = list(offered.items)
    for one in panels.on_screen().values():
        if isinstance(one, Tree):
            drawn = partial(tree_picture, one.token, one.made_by, one.noun)
            items += picture_items(one.name, drawn)
    return replace(offered, items=tuple(items), charts=(*offered.charts, *charts))


def _charts_shown() -> list[Chart]:
    return [one for one in panels.on_screen().values() if isinstance(one, Chart)]


def take_screen(
    make: Callable[[str, str, Sequence[Chart]], str],
    offer: Callable[[], Offer],
    what: str = "This comparison",
) -> None:
    """Offer to take along a component other than the player, and the page's own files.

    `make` is given the title of the page, the address of this screen and the charts that are shown
    under the component; it returns the HTML file.
    """
    box = opened()
    if box is None:
        return
    page, here = url_state.page(), _here()
    title = routes.page_title(page)
    file = partial(make, title, here, _charts_shown())
    html = Item(f"{what} as one HTML file", f"{page}.html", file, _SCREENS)
    fill(box, title, html, _with_screen(offer()))


def take_files(offer: Callable[[], Offer]) -> None:
    """Offer a page's own files, if it has any, and its link: no picture comes along as a whole."""
    box = opened()
    if box is not None:
        fill(box, routes.page_title(url_state.page()), None, _with_screen(offer()))


@contextmanager
def on_every_page() -> Iterator[None]:
    """Around a page: one that has no menu of its own gets one with its link, at its end."""
    st.session_state[_HAS_MENU] = False
    yield
    if not st.session_state[_HAS_MENU]:
        take_files(Offer)


def opened() -> DeltaGenerator | None:
    """Show the menu; return it while it is open."""
    st.session_state[_HAS_MENU] = True
    with st.container(horizontal=True, horizontal_alignment="right"):
        box = st.popover("Take it with you", key="take", on_change="rerun")
    return box if box.open else None


def fill(box: DeltaGenerator, title: str, whole: Item | None, offered: Offer) -> None:
    """Put into the menu the HTML file, the other files, sheets to print, and this screen's link."""
    with box:
        has = {"Files": whole or offered.all_items(), "Worksheet": offered.handout, "Link": True}
        names = [name for name, is_there in has.items() if is_there]
        tabs = dict(zip(names, st.tabs(names), strict=True))
        if "Files" in tabs:
            with tabs["Files"]:
                if whole:
                    download(whole.label, whole.make, whole.name, "text/html", "take_html")
                    st.caption(whole.note)
                _files(offered, "Another file" if whole else "A file")
        if offered.handout:
            with tabs["Worksheet"]:
                worksheets_menu.offer(offered.handout)
        with tabs["Link"]:
            _link(title, _BY_FILE if whole else _BY_TEXT)


def _files(offered: Offer, label: str) -> None:
    """Offer the other files, one of which is chosen."""
    items = {item.label: item for item in offered.all_items()}
    if not items:
        return
    label = st.selectbox(label, list(items), key="take_file")
    item = items[label]
    make = _tried(item)
    if item.note:
        st.caption(item.note)
    if item.by_browser:
        _png(key=f"take {label}", data={"name": item.name, "svg": item.make()})
    elif make:
        of_bytes = "application/octet-stream"
        download(f"Download {item.name}", make, item.name, of_bytes, f"take {label}", "secondary")


def _tried(item: Item) -> Make | None:
    """Return what makes the file; None where the format refuses, which is said."""
    if not item.may_refuse:
        return item.make
    try:
        made = item.make()
    except ValueError as error:
        st.info(escape_markdown(user_message(error)))
        return None
    return lambda: made


def _here() -> str:
    """Return the address of this very screen."""
    return links.link(st.context.url or "", st.query_params.to_dict())


def _link(title: str, instead: str) -> None:
    """Show the address of this very screen: to copy, to scan, and as a frame.

    `instead` says how to pass on what is too long for an address.
    """
    here, parameters = _here(), st.query_params.to_dict()
    if "kept" in parameters:
        st.info(_KEPT.format(instead))
    st.caption("The address of this very screen:")
    st.code(here, language=None, wrap_lines=True, height=110)
    code = links.qr_code(here)
    if code:
        st.image(code, width=QR_WIDTH, alt="QR code of the address of this screen")
        st.caption("The key Q shows it large, also in presenter view.")
    else:
        st.caption(_TOO_LONG.format(instead))
    st.caption("To put this screen into a page of your own:")
    st.code(
        links.frame(st.context.url or "", parameters, title),
        language="html",
        wrap_lines=True,
        height=110,
    )
