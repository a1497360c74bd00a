"""Every page in Chromium, opened once: for the eye, light and dark, for paper, policy and hand.

To open a page takes longer than to look at it. The pages are read from the navigation: a new one is
tested as soon as it is there.
"""

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page

from pages.shared.routes import NAVIGATION, START
from tests.browser.conftest import PATIENCE, look_below, until
from tests.browser.test_accessibility import darkened, opened, violations
from tests.browser.test_app import WIDTHS, at, press
from tests.browser.test_hosting import forbidden
from tests.browser.test_print import CONTROLS, SHEET
from tests.browser.test_thumb import STEPPED, within_reach

PATHS = [path for rows in NAVIGATION.values() for path in rows]
WITH_A_PICTURE = [
    "start", "bpe_train", "wordpiece_train", "wordpiece_train?rule=top_down", "unigram_train",
    "bpe_encode", "wordpiece_encode", "unigram_lattice", "race", "real", "pipeline",
    "compare", "sizes", "languages",
]  # fmt: skip
STOPS = ["lessons?lesson=bpe-ends-of-words&stop=3", "lessons?lesson=unigram-many-ways&stop=1"]
SCREENS = [
    "teach?plan=45",
    "teach?sheet=exam&from=own&lessons=bpe-by-hand+wordpiece-score&questions=4",
    "lessons?path=own&lessons=why-not-words+what-a-prompt-costs~1-2.7&title=Until+Friday",
    "real?model=cl100k&say=9906+1917&as_ids=1",
]
# Whether a picture is given room for all that is in sight till it is painted, and then no more.
HELD = """(node) => {
  const isHeld = () => parseFloat(getComputedStyle(node).minHeight) >= innerHeight;
  const after = isHeld();
  node.removeAttribute("data-painted");
  return [isHeld(), after];
}"""
# What still has that room: nothing, once all of a page is there.
RESERVED = """[...document.querySelectorAll(".stElementContainer")]
  .filter((one) => parseFloat(getComputedStyle(one).minHeight) >= innerHeight)
  .map((one) => one.className)"""
# What is cut by its box or by the sheet: of tables of Streamlit, which scroll, the page says so.
CUT = """(sheet) => {
  const cut = [];
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.shadowRoot) look(one.shadowRoot);
      if (!one.checkVisibility({ visibilityProperty: true })) continue;
      if (one.closest(".stDataFrame, .stPlotlyChart svg, .names, .announcement")) continue;
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


@pytest.mark.parametrize("path", dict.fromkeys([*PATHS, *WITH_A_PICTURE, *STOPS, *SCREENS]))
def test_every_page(laptop, url, path):
    """In the dark only the colours are new. What still moves has none to measure: no motion."""
    laptop.emulate_media(color_scheme="light", reduced_motion="reduce")
    refused = forbidden(laptop)
    page = opened(laptop, f"{url}/{'' if path == START else path}")
    picture = page.locator(".stElementContainer[data-painted]").first
    if path in WITH_A_PICTURE:
        picture.wait_for(timeout=2 * PATIENCE)
    found = {
        "wider than the window": page.evaluate(f"Math.max(...{WIDTHS}) > innerWidth"),
        "serious": violations(page),
        "serious in the dark": violations(darkened(page), "color-contrast"),
        "cut off on paper": cut_on_paper(page),
        "to press on paper": page.locator(CONTROLS).locator("visible=true").all_inner_texts(),
        "forbidden by the policy": refused,
    }
    assert {what: where for what, where in found.items() if where} == {}
    page.emulate_media(media="screen")
    if path in PATHS:
        if path in STEPPED:
            press(page, "Home", "ArrowRight", "ArrowRight", "ArrowRight")
            at(page, 3)
        within_reach(page, path)
    if (below := page.locator(".st-key-step_fragment")).count():
        look_below(page)
        below.locator(".stElementContainer").first.wait_for()
    until(page, RESERVED, lambda kept: not kept)
    if path in WITH_A_PICTURE:
        assert picture.evaluate(HELD) == [True, False], "room for all that is in sight, till then"


def cut_on_paper(page: Page) -> list[str]:
    """Return what is cut when the page is laid out for a sheet as wide as A4."""
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size({"width": SHEET, "height": 1123})
    page.wait_for_timeout(300)  # charts and lattices measure their room again
    return page.evaluate(CUT, SHEET)
