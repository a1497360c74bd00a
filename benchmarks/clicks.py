"""Is a click lost that follows the last key at once? Nine pages, in Chromium.

    python benchmarks/clicks.py
    python benchmarks/clicks.py --pages start,real --kinds link,back --delays 0,100

A text is typed into the box of a page; so many milliseconds after the last key, something else is
used: a link to another page, by mouse and by keyboard; one of the page's chips or buttons; Back.
Counted are the clicks after which nothing happened, and the texts that the next page, or the page
itself, doesn't know. Server, browser and this script share the machine, so look at its load.
"""

import time
from collections.abc import Callable
from itertools import product
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from measuring import ROOT, options, print_load
from playwright.sync_api import Error, Page, sync_playwright

from tests.browser.conftest import LAUNCH_FOR_TESTS, launch_chromium, running, until

DELAYS = (0, 50, 100, 200, 300, 350, 390, 400)
KINDS = ("link", "chip", "button", "key", "back")
HEIGHT = 5000  # the box and all that is clicked are in sight at once: nothing scrolls meanwhile
LOADED = 60_000  # milliseconds
PATIENCE = 8.0  # seconds until a click counts as lost
RESTS = (
    "document.querySelector('.pp-heading') && "
    "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
)


class Tried(NamedTuple):
    """A page: its box, a chip, what the address then asks for, a button, and what that opens."""

    box: str
    chip: str
    asks: str
    button: str
    opened: str


_PANEL = ".st-key-panel button >> nth=1"
_TAKE = ".st-key-export button >> nth=0"
_MENU = "[data-testid=stPopoverBody]"
_CHANGE = "role=button[name='Change the training text']"
_SAY = ".st-key-say textarea"
_TEXT = ".stMain .st-key-text_box textarea"
TRIED = {
    "start": Tried(
        _TEXT,
        ".st-key-ready_text button >> nth=4",
        "text",
        ".st-key-train_own summary",
        ".st-key-train_own details[open]",
    ),
    "essay": Tried(_TEXT, "a:has-text('Open BPE') >> nth=0", "text", _TAKE, _MENU),
    "pipeline": Tried(_TEXT, ".st-key-off button >> nth=1", "off", _TAKE, _MENU),
    "real": Tried(_SAY, _PANEL, "panel", _TAKE, _MENU),
    "compare": Tried(_TEXT, ".st-key-ids label", "ids", _TAKE, _MENU),
    "sizes": Tried(_TEXT, ".st-key-resized button >> nth=6", "resized", _TAKE, _MENU),
    "bpe_encode": Tried(_SAY, _PANEL, "panel", _CHANGE, _MENU),
    "wordpiece_encode": Tried(_SAY, _PANEL, "panel", _CHANGE, _MENU),
    "unigram_lattice": Tried(_SAY, _PANEL, "panel", _TAKE, _MENU),
}


def within(page: Page, is_so: Callable[[], bool]) -> bool:
    """Whether something comes true before patience ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if is_so():
                return True
        except Error:  # what is looked for is being drawn
            pass
        page.wait_for_timeout(50)
    return False


def where(page: Page) -> str:
    """Return the name of the page in the address."""
    return urlsplit(page.url).path.strip("/") or "start"


def asked(page: Page) -> dict[str, list[str]]:
    """Return what the address asks for."""
    return parse_qs(urlsplit(page.url).query)


def holds(page: Page, name: str, text: str) -> bool:
    """Whether the box of this page comes to hold the text."""
    box = page.locator(TRIED[name].box).first
    return within(page, lambda: where(page) == name and box.input_value(timeout=500) == text)


def attempt(page: Page, url: str, name: str, kind: str, delay: int) -> tuple[bool, bool]:
    """Type and click; return whether that did something, and whether the text is there then."""
    tried, text = TRIED[name], f"tide {name} {kind} {delay}"
    other = "essay" if name == "start" else "start"
    title = {"essay": "The whole story", "start": "Start"}[other]
    link = page.get_by_role("link", name=title, exact=True).first
    page.goto(f"{url}/{'' if name == 'start' else name}")
    until(page, RESTS)
    page.locator(tried.box).wait_for()
    if kind == "back":  # to a page of the same visit
        link.click()
        assert within(page, lambda: where(page) == other)
        until(page, RESTS)
        page.go_back()
        assert within(page, lambda: where(page) == name)
        page.locator(tried.box).wait_for()
        until(page, RESTS)
    page.wait_for_timeout(400)
    spot = {"link": link, "chip": page.locator(tried.chip).first}.get(
        kind, page.locator(tried.button).first
    )
    spot.hover()
    page.locator(tried.box).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(text, delay=5)
    page.wait_for_timeout(delay)
    if kind == "back":
        page.go_forward()
    elif kind == "key":
        link.focus()
        page.keyboard.press("Enter")
    else:
        page.mouse.down()
        page.mouse.up()
    if kind in ("link", "key", "back"):
        is_there = within(page, lambda: where(page) == other)
        until(page, RESTS)
        page.wait_for_timeout(300)
        return is_there and where(page) == other, holds(page, other, text)
    if kind == "button":
        is_open = within(page, page.locator(tried.opened).first.is_visible)
        return is_open, holds(page, name, text)
    if name == "start":  # the text of the chip takes the place of the one that was typed
        return within(page, lambda: "tide" not in page.locator(tried.box).input_value()), True
    if name == "essay":  # its chip is a link that takes the text along
        is_there = within(page, lambda: where(page) != name)
        return is_there, within(
            page, lambda: any(text in values for values in asked(page).values())
        )
    return within(page, lambda: tried.asks in asked(page)), holds(page, name, text)


def main() -> None:
    """Try all, and print what was lost."""
    parser = options(__doc__)
    parser.add_argument("--pages", default=",".join(TRIED), help="names in the address")
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
                has_clicked, has_text = attempt(page, url, name, kind, delay)
                page.close()
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
