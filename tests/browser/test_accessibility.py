"""Pages in Chromium, light and dark: axe finds nothing serious, and text can be read.

axe-core comes with the package axe-playwright-python, so that nothing is fetched. What is held here
is what a machine can see; that a page makes sense by ear, it cannot. Every page is looked at in
`test_every_page.py`.
"""

import re
from typing import Any

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
pytest.importorskip("axe_playwright_python", reason="pip install axe-playwright-python")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import until
from tests.browser.test_player import press

SERIOUS = ("serious", "critical")
ALSO = ("heading-order", "empty-table-header")  # of less weight, for axe
SETTLED = 1_000  # ms after the page says that it is ready: charts and tables come late


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


@pytest.fixture
def page(laptop: Page) -> Page:
    """A laptop that asks for less motion: what still moves has no colours to measure."""
    laptop.emulate_media(color_scheme="light", reduced_motion="reduce")
    return laptop


def darkened(page: Page) -> Page:
    """Have the system turn dark, and the page follow it."""
    page.emulate_media(color_scheme="dark")
    until(
        page,
        "getComputedStyle(document.querySelector('.stApp')).backgroundColor === 'rgb(21, 22, 26)'",
    )
    page.wait_for_timeout(300)  # charts are drawn anew
    return page


def opened(page: Page, address: str) -> Page:
    """Open a page and wait until it has said everything."""
    page.goto(address)
    expect(page.locator(".stApp[data-test-script-state='notRunning']")).to_be_visible()
    expect(page.locator("h1").first).to_be_visible()
    expect(page.get_by_test_id("stSpinner")).to_have_count(0)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)  # where an input or chart will stand
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()  # it slides away
    for player in page.locator(".player").all():
        expect(player.locator(".sentence")).not_to_be_empty()
    page.wait_for_timeout(SETTLED)
    return page


def violations(page: Page, *rules: str, where: str = "") -> list[str]:
    """What axe finds serious, of these rules or of all: the rule, the element, what is wrong.

    With `where`, only what is inside of that element in the player's own tree.
    """
    inside: Any = {"fromShadowDom": ["[data-testid=stBidiComponentIsolated]", where]}
    context = {"include": inside} if where else None
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    return [
        f"{found['id']} at {node['target']}: {node['failureSummary'].splitlines()[1].strip()}"
        for found in Axe().run(page, context, options).response["violations"]
        if found["impact"] in SERIOUS or found["id"] in ALSO
        for node in found["nodes"]
    ]


STAGES = (
    "bpe_train?corpus=b2&step=3",
    "bpe_encode?step=2",
    "wordpiece_encode?step=3",
    "unigram_train?corpus=course&step=5",
    "unigram_lattice?say=hellxo&step=4",
)


def contrasts(page: Page) -> list[str]:
    rules = ("color-contrast", "color-contrast-enhanced")
    return violations(page, *rules, where=".player.presenting")


def has_the_highest_contrast(page: Page, address: str) -> None:
    """7 to 1, before the answer is shown and after, light and dark."""
    opened(page, f"{address}&present=1")
    expect(page.locator(".player.presenting .sentence")).not_to_be_empty()
    found = contrasts(page)
    if page.locator(".options li").count():
        press(page, "ArrowRight")
        expect(page.locator(".options li")).to_have_count(0)
        found += contrasts(page)
    assert found + contrasts(darkened(page)) == []


@pytest.mark.parametrize("path", STAGES)
def test_presenter_view_has_the_highest_contrast(page, url, path):
    has_the_highest_contrast(page, f"{url}/{path}")


def forced_colours_show_what_is_chosen(page: Page) -> None:
    """Streamlit says it by a tint, which forced colours take away."""
    page.emulate_media(color_scheme="light", forced_colors="active")
    outlined = """[...document.querySelectorAll(".stButtonGroup button")]
        .filter((button) => getComputedStyle(button).outlineStyle === "solid")
        .map((button) => button.textContent)"""
    # The groups come late: the examples, and the panels.
    until(page, f"String({outlined}) === 'sun, flower, flow,By likelihood'")
    page.get_by_role("radio", name="By likelihood").focus()
    press(page, "ArrowLeft")  # chooses, as among any radio buttons
    chosen = page.locator(".st-key-panel .stButtonGroup [aria-checked=true]")
    expect(chosen).not_to_have_text("By likelihood")
    expect(chosen).to_be_focused()


def test_presenter_view_has_the_highest_contrast_and_forced_colours_show_a_choice(page, url):
    has_the_highest_contrast(page, f"{url}/wordpiece_train?step=3&panel=By+likelihood")
    press(page, "Escape")
    expect(page.locator(".player")).not_to_have_class(re.compile("presenting"))
    forced_colours_show_what_is_chosen(page)
