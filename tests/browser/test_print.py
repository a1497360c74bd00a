"""Pages on paper: each name beside its own row, all of it on the sheet, nothing to press."""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from pages.shared.places import NAVIGATION, START
from tests.browser.conftest import PATIENCE
from tests.browser.test_app import WIDTHS

SHEET = 794  # pixels: A4
OFF = """(lines) => [...lines.querySelectorAll('.cell')].map((cell) => {
  const row = Number(cell.querySelector('button')?.dataset.row);
  const here = cell.getBoundingClientRect();
  const names = [...lines.querySelectorAll('.names')].filter((one) => one.checkVisibility());
  const middles = names.map((one) => one.querySelectorAll('.name')[row].getBoundingClientRect())
    .map(({ top, bottom }) => (top + bottom) / 2);
  return Math.min(...middles.map((y) => Math.abs(y - (here.top + here.bottom) / 2)));
})"""
CONTROLS = ".stTextArea, .stTextInput, .stSelectbox, .stSlider, .stPopover, .player .bar"
SOONER = {"race": "race?size=100&step=10", "sources": "sources?verdict=differs"}
# What is cut by its box or by the sheet: of tables of Streamlit, which scroll, the page says so.
CUT = """(sheet) => {
  const cut = [];
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.shadowRoot) look(one.shadowRoot);
      if (!one.checkVisibility({ visibilityProperty: true })) continue;
      if (one.closest(".stDataFrame, .stPlotlyChart svg, .names, .heard")) continue;
      const box = one.getBoundingClientRect();
      const { overflowX, overflowY, position } = getComputedStyle(one);
      const said = `${one.tagName}.${one.getAttribute("class")}: ${one.textContent.slice(0, 40)}`;
      if (box.width && box.right > sheet + 2 && position !== "fixed") cut.push(`wide ${said}`);
      const scrolls = (way) => way === "auto" || way === "scroll";
      if (scrolls(overflowY) && one.scrollHeight > one.clientHeight + 4 && one.clientHeight) {
        cut.push(`high ${said}`);
      }
      if (scrolls(overflowX) && one.scrollWidth > one.clientWidth + 4 && one.clientWidth) {
        cut.push(`across ${said}`);
      }
    }
  };
  look(document.querySelector(".stMain"));
  for (const chart of document.querySelectorAll(".stPlotlyChart")) {
    if (getComputedStyle(chart).breakInside !== "avoid") cut.push("a chart may end mid-way");
    const right = chart.querySelector(".main-svg")?.getBoundingClientRect().right;
    if (right > sheet + 2) cut.push("a chart is wider than the sheet");
  }
  return cut;
}"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


def on_paper(page: Page, address: str, drawn: str) -> Page:
    """Open a page on a laptop, and lay it out for a sheet as wide as A4."""
    page.goto(address)
    expect(page.locator(drawn).first).to_be_visible(timeout=2 * PATIENCE)
    page.wait_for_timeout(500)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": SHEET, "height": 1123})
    page.wait_for_timeout(500)
    return page


@pytest.mark.parametrize("name", ["start", "compare"])
def test_each_name_stands_beside_its_own_row(laptop, url, name):
    page = on_paper(laptop, f"{url}/{'' if name == 'start' else name}", ".cell button")
    # Paper asks nobody to measure again: what was placed for the window must not be there.
    assert page.locator(".lines > .names").locator("visible=true").count() == 0
    off = page.locator(".lines").first.evaluate(OFF)
    assert len(off) > 20
    assert max(off) <= 3
    assert max(page.evaluate(WIDTHS)) <= SHEET


@pytest.mark.parametrize(
    ("name", "drawn"),
    [("bpe_train?step=3", ".player .say"), ("unigram_lattice", ".lattice .label")],
)
def test_a_picture_is_no_wider_than_the_sheet_and_there_is_nothing_to_press(
    laptop, url, name, drawn
):
    page = on_paper(laptop, f"{url}/{name}", drawn)
    assert max(page.evaluate(WIDTHS)) <= SHEET
    assert page.locator(CONTROLS).locator("visible=true").count() == 0


def settle(page: Page) -> None:
    """Wait until the page has drawn what it draws when its stage has come to rest."""
    count, before = "document.querySelectorAll('.stMain *').length", -1
    for _ in range(40):
        page.wait_for_timeout(500)
        running = page.locator('[data-test-script-state="running"]').count()
        if (now := page.evaluate(count)) == before and not running:
            return
        before = now


@pytest.mark.parametrize("name", [name for rows in NAVIGATION.values() for name in rows])
def test_a_page_is_whole_on_paper_and_without_controls(laptop, url, name):
    laptop.goto(f"{url}/{'' if name == START else SOONER.get(name, name)}")
    expect(laptop.locator(".pp-heading")).to_be_visible(timeout=2 * PATIENCE)
    at_rest = '[data-testid="stApp"][data-test-script-state="notRunning"]'
    expect(laptop.locator(at_rest)).to_be_visible(timeout=2 * PATIENCE)
    expect(laptop.locator(".stSkeleton")).to_have_count(0)
    if laptop.locator(".player").count():
        expect(laptop.locator(".player[data-step]").first).to_be_visible()
    settle(laptop)
    laptop.emulate_media(media="print")
    laptop.set_viewport_size({"width": SHEET, "height": 1123})
    laptop.wait_for_timeout(300)  # charts and lattices measure their room again
    assert laptop.evaluate(CUT, SHEET) == []
    assert laptop.locator(CONTROLS).locator("visible=true").count() == 0


def test_a_long_lattice_is_shrunk_to_the_sheet(laptop, url):
    word = "internationalization" * 3
    page = on_paper(laptop, f"{url}/unigram_lattice?say={word}", ".lattice .label")
    last = page.locator(".lattice .spot").last.evaluate(
        "(node) => node.getBoundingClientRect().right"
    )
    assert last <= SHEET


def test_the_names_of_the_lessons_are_on_paper(laptop, url):
    page = on_paper(laptop, f"{url}/lessons", ".pp-heading")
    expect(page.get_by_text("1. ", exact=False).first).to_be_visible()
    assert page.locator("[class*='st-key-open-'] button").locator("visible=true").count() >= 40
