"""Count clicks that are lost directly after typing, on nine pages in Chromium.

    python benchmarks/clicks.py
    python benchmarks/clicks.py --pages start,real --kinds link,back --delays 0,100

A text is typed into the box of a page. A delay after the last key, another control is used: a link
to another page, by mouse and by keyboard; one of the page's chips or buttons; Back. The script
counts clicks without effect, and texts that the next page, or the page itself, has lost. For Back,
it goes forward; once a typed text has been applied, it is the newest entry, and that isn't tried.
Server, browser and this script share the machine, so consider its load.
"""

import time
from collections.abc import Callable
from itertools import product
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from common import ROOT, options, print_load
from playwright.sync_api import Error, Page, sync_playwright

from tests.browser.conftest import LAUNCH_FOR_TESTS, launch_chromium, running, until

DELAYS = (0, 50, 100, 200, 300, 350, 390, 400)
KINDS = ("link", "chip", "button", "key", "back")
HEIGHT = 5000  # tall enough that nothing has to scroll
LOADED = 60_000  # milliseconds
PATIENCE = 8.0  # seconds until a click counts as lost
IS_IDLE = (
    "document.querySelector('.pp-heading') && "
    "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
)


class PageTargets(NamedTuple):
    """Selectors on a page: its box, a chip and its URL parameter, a button and what that opens.

    A page may have no chip.
    """

    box: str
    chip: str
    asks: str
    button: str
    opened: str


_PANEL = ".st-key-panel button >> nth=1"
_EXPORT = ".st-key-export button >> nth=0"
_MENU = "[data-testid=stPopoverBody]"
_CHANGE = "role=button[name='Training text']"
_SAY = ".st-key-say textarea"
_TEXT = ".stMain .st-key-text_box textarea"
TARGETS = {
    "start": PageTargets(
        _TEXT,
        ".st-key-ready_text button >> nth=4",
        "text",
        ".st-key-train_own summary",
        ".st-key-train_own details[open]",
    ),
    "essay": PageTargets(_TEXT, "a:has-text('Open BPE') >> nth=0", "text", _EXPORT, _MENU),
    "pipeline": PageTargets(_TEXT, ".st-key-stages_on button >> nth=1", "off", _EXPORT, _MENU),
    "real": PageTargets(_SAY, _PANEL, "panel", _EXPORT, _MENU),
    "compare": PageTargets(_TEXT, ".st-key-ids label", "ids", _EXPORT, _MENU),
    "sizes": PageTargets(_TEXT, "", "", _EXPORT, _MENU),
    "bpe_encode": PageTargets(_SAY, _PANEL, "panel", _CHANGE, _MENU),
    "wordpiece_encode": PageTargets(_SAY, _PANEL, "panel", _CHANGE, _MENU),
    "unigram_lattice": PageTargets(_SAY, _PANEL, "panel", _EXPORT, _MENU),
}


def within(page: Page, condition: Callable[[], bool]) -> bool:
    """Return whether a condition becomes true before the timeout."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if condition():
                return True
        except Error:  # the element is being redrawn
            pass
        page.wait_for_timeout(50)
    return False


def where(page: Page) -> str:
    """Return the name of the page in the address."""
    return urlsplit(page.url).path.strip("/") or "start"


def query_of(page: Page) -> dict[str, list[str]]:
    """Return the query parameters of the address."""
    return parse_qs(urlsplit(page.url).query)


def holds(page: Page, name: str, text: str) -> bool:
    """Return whether the box of this page gets the text before the timeout."""
    box = page.locator(TARGETS[name].box).first
    return within(page, lambda: where(page) == name and box.input_value(timeout=500) == text)


def attempt(page: Page, url: str, name: str, kind: str, delay: int) -> tuple[bool, bool] | None:
    """Type and click; return whether the click had an effect, and whether the text survived.

    Return None if there was no entry to go forward to, or if the page has no chip.
    """
    targets, text = TARGETS[name], f"tide {name} {kind} {delay}"
    if kind == "chip" and not targets.chip:
        return None
    other = "essay" if name == "start" else "start"
    title = {"essay": "The whole story", "start": "Start"}[other]
    link = page.get_by_role("link", name=title, exact=True).first
    page.goto(f"{url}/{'' if name == 'start' else name}")
    until(page, IS_IDLE)
    page.locator(targets.box).wait_for()
    if kind == "back":  # to a page of the same visit
        link.click()
        assert within(page, lambda: where(page) == other)
        until(page, IS_IDLE)
        page.go_back()
        assert within(page, lambda: where(page) == name)
        page.locator(targets.box).wait_for()
        until(page, IS_IDLE)
    page.wait_for_timeout(400)
    spot = {"link": link, "chip": page.locator(targets.chip).first}.get(
        kind, page.locator(targets.button).first
    )
    spot.hover()
    page.locator(targets.box).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(text, delay=5)
    page.wait_for_timeout(delay)
    if kind == "back":
        if not page.evaluate("navigation.canGoForward"):
            return None
        try:
            page.go_forward()
        except Error:  # the text was applied in this very moment
            return None
    elif kind == "key":
        link.focus()
        page.keyboard.press("Enter")
    else:
        page.mouse.down()
        page.mouse.up()
    if kind in ("link", "key", "back"):
        is_there = within(page, lambda: where(page) == other)
        until(page, IS_IDLE)
        page.wait_for_timeout(300)
        return is_there and where(page) == other, holds(page, other, text)
    if kind == "button":
        is_open = within(page, page.locator(targets.opened).first.is_visible)
        return is_open, holds(page, name, text)
    if name == "start":  # the text of the chip replaces the typed one
        return within(page, lambda: "tide" not in page.locator(targets.box).input_value()), True
    if name == "essay":  # its chip is a link that passes the text on
        is_there = within(page, lambda: where(page) != name)
        return is_there, within(
            page, lambda: any(text in values for values in query_of(page).values())
        )
    return within(page, lambda: targets.asks in query_of(page)), holds(page, name, text)


def main() -> None:
    """Try all combinations, and print the losses."""
    parser = options(__doc__)
    parser.add_argument("--pages", default=",".join(TARGETS), help="names in the address")
    parser.add_argument("--kinds", default=",".join(KINDS), help="what is used after the last key")
    parser.add_argument("--delays", default=",".join(map(str, DELAYS)), help="in milliseconds")
    given = parser.parse_args()
    kinds, delays = given.kinds.split(","), [int(delay) for delay in given.delays.split(",")]
    tries, clicks, texts = 0, 0, 0
    with running(ROOT / "app.py") as url, sync_playwright() as playwright:
        browser = launch_chromium(playwright, LAUNCH_FOR_TESTS)
        context = browser.new_context(viewport={"width": 1366, "height": HEIGHT})
        context.new_page()  # the process of the tabs would end with the last one
        for name in given.pages.split(","):
            for kind, delay in product(kinds, delays):
                page = context.new_page()
                page.set_default_timeout(LOADED)
                found = attempt(page, url, name, kind, delay)
                page.close()
                if found is None:
                    continue
                has_clicked, has_text = found
                tries, clicks, texts = tries + 1, clicks + has_clicked, texts + has_text
                if not (has_clicked and has_text):
                    what = "click" if not has_clicked else "text"
                    print(f"{name}, {kind}, {delay} ms: {what} lost", flush=True)
            print(f"to {name}: {tries} tries", flush=True)
        browser.close()
    print(f"{tries} tries; lost: {tries - clicks} clicks, {tries - texts} texts")
    print_load()


if __name__ == "__main__":
    main()
