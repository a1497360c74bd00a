"""The export menu: on every page, with the charts that the page currently shows.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.controls import panels
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.svg.drawing import render_svg
from pages.shared.export import menu
from pages.shared.export.menu import links
from pages.shared.work import worker
from tests.pages.opening import PAGES, checked, opened, texts_of


def with_menu(app: AppTest) -> AppTest:
    """The page with its menu open."""
    app.session_state["export"] = True
    return checked(app.run())


def menu_labels(app: AppTest) -> list[str]:
    found = [box for box in app.selectbox if box.key == "export_file"]
    return found[0].options if found else []


def downloads(app: AppTest) -> list[str]:
    return [one.proto.label for one in app.get("download_button")]


def plotted(app: AppTest) -> int:
    return len(app.get("plotly_chart"))


def charts(app: AppTest) -> list[Chart]:
    found = app.session_state[panels.ON_SCREEN][1].values()
    return [one for one in found if isinstance(one, Chart)]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_one_menu_with_its_link(page: str):
    app = with_menu(opened(page))
    tabs = [tab.label for tab in app.tabs]
    assert tabs.count("Link") == 1
    link = next(tab for tab in app.tabs if tab.label == "Link")
    assert link.code
    whole = [one for one in app.get("download_button") if one.proto.id.endswith("-export_html")]
    assert ("Files" in tabs) == bool(whole or menu_labels(app))


@pytest.mark.parametrize(
    ("page", "query", "tab"),
    [
        ("bpe_train", {}, "Worksheet"),
        ("unigram_lattice", {}, "Worksheet"),
        ("lessons", {"lesson": "bpe-by-hand"}, "For Moodle"),
        ("about", {}, "Link"),
    ],
)
def test_a_link_opens_the_menu_at_a_tab(page: str, query: dict[str, str], tab: str):
    take = next(name for name, label in menu._TABS.items() if label == tab)
    app = opened(page, **query, take=take)
    assert not app.toast
    (group,) = app.get("tab_container")
    assert group.proto.tab_container.default_tab_index == [one.label for one in app.tabs].index(tab)
    links_there = next(one for one in app.tabs if one.label == "Link").code
    assert links_there
    assert not any("take" in one.value or "back" in one.value for one in links_there)


def test_a_link_opens_the_menu_again_on_a_second_visit():
    app = opened("bpe_train", take=menu.WORKSHEET)
    for page, query in (("teach", {}), ("bpe_train", {"take": menu.WORKSHEET})):
        app.session_state["export"] = False
        app._page_hash = calc_hash(page)
        app.query_params.clear()
        app.query_params.update(query)
        app = checked(app.run())
    assert "1 sheet and its answers" in downloads(app)


def test_a_package_for_moodle_is_no_longer_one_of_many_files():
    app = opened("lessons", lesson="bpe-by-hand", take=menu.MOODLE)
    offered = [one.proto.label for one in app.get("download_button")]
    assert "For Moodle and others (SCORM 1.2)" in offered
    assert not any("SCORM" in label for label in menu_labels(app))


@pytest.mark.parametrize(
    ("url", "server", "own", "expected"),
    [
        ("https://pieces.example/race", "127.0.0.1", "192.168.1.5", links.Reach()),
        ("http://192.168.1.5:8501/race", "", "192.168.1.5", links.Reach()),
        ("http://localhost:8501/race", "127.0.0.1", "192.168.1.5",
         links.Reach(note=links.ONLY_THIS_COMPUTER)),
        ("http://[::1]:8501/", "::1", "192.168.1.5", links.Reach(note=links.ONLY_THIS_COMPUTER)),
        ("http://127.0.0.1:8501/", "", None, links.Reach(note=links.ONLY_THIS_COMPUTER)),
        ("http://localhost:8501/race", "", "192.168.1.5",
         links.Reach("192.168.1.5:8501", links.FOR_YOUR_NETWORK)),
        ("http://localhost/race", "0.0.0.0", "192.168.1.5",
         links.Reach("192.168.1.5", links.FOR_YOUR_NETWORK)),
    ],
)  # fmt: skip
def test_a_link_says_who_can_open_it(monkeypatch, url, server, own, expected):
    monkeypatch.setattr(links, "own_address", lambda: own)
    monkeypatch.setattr(links, "CONTAINER_MARKS", ())
    assert links.reach(url, server) == expected


def test_in_a_container_the_address_of_the_container_is_not_shown(monkeypatch, tmp_path):
    monkeypatch.setattr(links, "own_address", lambda: "172.17.0.2")
    monkeypatch.setattr(links, "CONTAINER_MARKS", (str(tmp_path),))
    there = links.reach("http://localhost:8501/race", "0.0.0.0")
    assert there == links.Reach(note=links.IN_CONTAINER)
    local = links.reach("http://localhost:8501/race", "127.0.0.1")
    assert local == links.Reach(note=links.ONLY_THIS_COMPUTER)


def test_the_link_is_the_one_that_others_can_open(monkeypatch):
    monkeypatch.setattr(links, "reach", lambda *_: links.Reach("192.168.1.5:8501", "For you."))
    app = opened("about", take=menu.LINK)
    assert texts_of(app.info) == ["For you."]
    link, frame = next(one for one in app.tabs if one.label == "Link").code
    assert "//192.168.1.5:8501" in link.value
    assert "//192.168.1.5:8501" in frame.value


def test_what_is_too_long_for_a_link_is_passed_on_by_what_there_is():
    for page in ("start", "compare"):
        app = opened(page)
        app = checked(app.text_area(key="text_box").set_value("low tide " * 500).run())
        menu_text = " ".join(texts_of(with_menu(app).info))
        has_file = "as one HTML file" in " ".join(downloads(app))
        assert has_file == (page == "compare")
        assert ("HTML file" in menu_text) == has_file
        assert "only in this browser" in menu_text


def test_the_file_of_a_run_has_every_step_and_drawing_them_can_be_stopped():
    assert "This run as one HTML file" in downloads(with_menu(opened("bpe_train", merges="6")))
    app = opened("bpe_train", merges="7")

    def stop(reporter: worker.Reporter, done: int, total: int) -> bool:
        reporter.is_stop_requested = True
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker.Reporter, "__call__", stop)
        app = with_menu(app)
    assert "This run as one HTML file" not in downloads(app)
    assert "Stopped early." in texts_of(app.caption)
    (again,) = (button for button in app.button if button.label == "Run it to the end")
    app = checked(again.click().run())
    assert "This run as one HTML file" in downloads(app)


SHOWN = {
    "what languages pay": ("essay", {}, "The chart of what languages pay"),
    "three texts": ("languages", {}, "The chart of three training texts"),
    "models": ("languages", {"panel": "Published models"}, "The chart of published models"),
    "bars": ("languages", {}, "The bars"),
    "lengths": ("compare", {"look": "scripts"}, "The chart of lengths"),
    "curves": ("sizes", {}, "The curves"),
    "unknown words": ("sizes", {}, "The chart of unknown words"),
    "draws": ("unigram_lattice", {"show": "sampling"}, "The chart of the draws"),
    "bound": ("unigram_lattice", {"panel": "A bound on the sum"}, "The chart of the bound"),
    "ranks": ("unigram_train", {"panel": "Losses side by side"}, "The chart of ranks"),
    "both runs": ("unigram_train", {"panel": "Hard and soft EM"}, "The chart of both runs"),
    "run": ("bpe_train", {}, "The chart of the run"),
    "pieces": ("unigram_train", {}, "The chart of single pieces"),
    "ways": ("race", {}, "The chart of sizes"),
    "shares": ("race", {}, "The chart of shares"),
    "counts": ("surgery", {}, "The chart of counts"),
    "growth": ("complexity", {}, "The chart"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_plotly_charts_can_be_exported(name: str):
    page, query, chart = SHOWN[name]
    app = with_menu(opened(page, **query))
    assert plotted(app) or name in {"bars", "run", "pieces", "growth"}  # these are drawn as SVG
    assert {f"{chart} as SVG", f"{chart} as PNG"} <= set(menu_labels(app))
    for shown in charts(app):
        assert "</svg>" in render_svg(shown.figure, shown.finding)


TREES = {
    "bpe_encode": {"panel": "How a token was built", "token": "est"},
    "real": {"panel": "A token’s life"},
}


@pytest.mark.parametrize("page", TREES)
def test_a_shown_tree_can_be_exported_in_four_formats(page: str):
    app = with_menu(opened(page, **TREES[page]))
    assert app.get("graphviz_chart")
    formats = ("SVG", "PNG", "DOT", "TikZ")
    assert {f"The tree of the token as {one}" for one in formats} <= set(menu_labels(app))


def test_a_chart_no_longer_shown_is_not_in_the_catalog():
    app = with_menu(opened("languages"))
    assert "The chart of three training texts as SVG" in menu_labels(app)
    app.session_state["panel"] = "The sentences"
    checked(app.run())  # the menu comes before the panel: it is one run behind
    checked(app.run())
    assert "The chart of three training texts as SVG" not in menu_labels(app)
    assert "The bars as SVG" in menu_labels(app)
