"""Is a click lost that follows the last key at once? Nine pages, in Chromium.

    python benchmarks/clicks.py
    python benchmarks/clicks.py --pages start,real --kinds link,back --delays 0,100

A text is typed into the box of a page; so many milliseconds after the last key, something else is
used: a link to another page, one of the page's own chips, a fold or menu by the keyboard, the
browser's Back. Counted are the clicks after which nothing happened, and the texts that the next
page, or the page itself, doesn't know. The button goes up in the moment in which it goes down, or
80 ms later. Server, browser and this script share the machine.
"""

import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from measuring import ROOT, options, print_load
from playwright.sync_api import BrowserContext, Error, Locator, Page, sync_playwright

from tests.browser.conftest import LAUNCH_FOR_TESTS, find_chromium, running, until

DELAYS = (0, 50, 100, 200, 300, 350, 390, 400)
HOLDS = (0, 80)
KINDS = ("link", "chip", "button", "key", "back")
PATIENCE = 8.0  # seconds until a click counts as lost
RESTS = (
    "document.querySelector('.pp-heading') && "
    "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
)


class Tried(NamedTuple):
    """A page: its box, a chip with what the address then asks for, a button that opens something."""

    box: str
    chip: str
    asks: str
    button: str
    opened: str


_PANEL = ".st-key-panel button >> nth=1"
_TAKE = ".st-key-take button >> nth=0"
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


def holds(page: Page, name: str, text: str) -> bool:
    """Whether the box of a page holds a text, in the browser and as the server has sent it."""
    box = page.locator(TRIED[name].box).first
    r= within(page, lambda: where(page) == name and box.input_value(timeout=500) == text)
    if not r:
        print("   ", page.url, box.input_value(timeout=500) if box.count() else None, page.locator("[data-testid=stApp]").get_attribute("data-test-script-state"))
    return r


def press(page: Page, spot: Locator, hold: int) -> None:
    """Press where the mouse was brought before the text was typed."""
    page.mouse.down()
    if hold:
        page.wait_for_timeout(hold)
    page.mouse.up()


def attempt(page: Page, url: str, name: str, kind: str, delay: int, hold: int) -> tuple[bool, bool]:
    """Type and click; return whether the click has done something, and whether the text is there."""
    tried, text = TRIED[name], f"tide {name} {kind} {delay} {hold}"
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
    spot.scroll_into_view_if_needed()
    spot.hover()
    page.locator(tried.box).focus()
    spot.scroll_into_view_if_needed()
    spot.hover()
    page.keyboard.press("Control+A")
    page.keyboard.type(text, delay=5)
    page.wait_for_timeout(delay)
    if kind == "back":
        page.go_forward()
    elif kind == "key":
        link.focus()
        page.keyboard.press("Enter")
    else:
        press(page, spot, hold)
    if kind in ("link", "key", "back"):
        is_there = within(page, lambda: where(page) == other)
        until(page, RESTS)
        page.wait_for_timeout(300)
        return is_there and where(page) == other, holds(page, other, text)
    if kind == "button":
        done = within(page, lambda: page.locator(tried.opened).first.is_visible())
        return done, holds(page, name, text)
    if name == "start":
        done = within(page, lambda: "tide" not in page.locator(tried.box).input_value())
        return done, True  # the text of the chip takes the place of the one that was typed
    if name == "essay":
        done = within(page, lambda: where(page) == "bpe_encode" or where(page) == "bpe_train")
        return done, within(page, lambda: text in "".join(map(str, parse_qs(urlsplit(page.url).query).values())))
    done = within(page, lambda: tried.asks in parse_qs(urlsplit(page.url).query))
    return done, holds(page, name, text)


def tab(context: BrowserContext) -> Page:
    page = context.new_page()
    page.set_viewport_size({"width": 1366, "height": 2400})
    page.set_default_timeout(20_000)
    return page


def main() -> None:
    """Try all, and print what was lost."""
    parser = options(__doc__)
    parser.add_argument("--pages", default=",".join(TRIED))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--delays", default=",".join(map(str, DELAYS)))
    parser.add_argument("--holds", default="0")
    parser.add_argument("--app", default=str(ROOT))
    given = parser.parse_args()
    lost: Counter[str] = Counter()
    count = 0
    from pathlib import Path
    with running(Path(given.app) / "app.py", folder=Path(given.app)) as url, sync_playwright() as playwright:
        path = find_chromium("chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=LAUNCH_FOR_TESTS)
        context = browser.new_context()
        context.new_page()
        for name in given.pages.split(","):
            for kind in given.kinds.split(","):
                for delay in map(int, given.delays.split(",")):
                    for hold in map(int, given.holds.split(",")):
                        page = tab(context)
                        try:
                            click, text = attempt(page, url, name, kind, delay, hold)
                            count += 1
                        except Exception as e:
                            print(name, kind, delay, hold, "not tried", str(e)[:150].replace("\n"," "), flush=True)
                            page.close(); continue
                        page.close()
                        if not (click and text):
                            what = [*["click"] * (not click), *["text"] * (not text)]
                            lost.update(what)
                            print(name, kind, delay, hold, "lost:", *what, flush=True)
        browser.close()
    print(f"{count} tries; lost: {lost['click']} clicks, {lost['text']} texts")
    print_load()


if __name__ == "__main__":
    main()
