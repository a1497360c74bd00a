"""The export menu: on every page, with the charts that the page currently shows.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.controls import panels
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.svg.drawing import render_svg
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
    found = app.session_state[panels._ON_SCREEN][1].values()
    return [one for one in found if isinstance(one, Chart)]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_one_menu_with_its_link(page: str):
    app = with_menu(opened(page))
    tabs = [tab.label for tab in app.tabs]
    assert tabs.count("Link") == 1
    link = next(tab for tab in app.tabs if tab.label == "Link")
    assert link.code
    assert ("Files" in tabs) == bool(menu_labels(app))


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
    "ways": ("race", {}, "The chart of the ways"),
    "shares": ("race", {}, "The chart of shares"),
    "counts": ("surgery", {}, "The chart of counts"),
    "growth": ("complexity", {}, "The chart"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_plotly_charts_can_be_exported(name: str):
    page, query, chart = SHOWN[name]
    app = with_menu(opened(page, **query))
    assert plotted(app) or name in {"bars", "run", "pieces"}  # these are drawn as SVG
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
