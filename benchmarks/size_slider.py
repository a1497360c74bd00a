"""Response time of the vocabulary-size slider, moved through all sizes in Chromium.

    python benchmarks/size_slider.py

A text of about 1,000 characters with four tokenizers trained on nineteen languages, then 20,000
pasted characters, of which the maximum is drawn. Four ways to move: single arrow keys, PageUp and
PageDown, a held arrow key, and dragging the slider from end to end and back, which splits most
words again at every move. A measurement ends when the new picture is painted: an animation frame,
and the first task after it. Server, browser and this script share the machine, so consider its
load. Training is not measured.
"""

import sys
from urllib.parse import quote

from common import ROOT, options, p95, print_load
from playwright.sync_api import Page, sync_playwright

from benchmarks.stepping import HELD, HELD_SECONDS, paced, timing
from lessons.texts import TEXTS
from tests.browser.conftest import launch_chromium, running

KINDS = "bpe,bytes,wordpiece,unigram"
MAX_PAINT_TIME = 50  # ms, p95

PROSE, LANGUAGES = TEXTS["prose"].text or "", TEXTS["languages"].text or ""
LONG = f"{PROSE}\n\n{LANGUAGES}\n\n{PROSE}"[:20_000]

PROBE = """() => {
  const probe = window.probe = { pressed: 0, painted: [] };
  for (const kind of ['keydown', 'input']) {
    addEventListener(kind, (event) => { probe.pressed = event.timeStamp; }, true);
  }
  const shadow = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map((host) => host.shadowRoot).find((root) => root?.querySelector('.sizes'));
  probe.sizes = shadow.querySelector('.sizes');
  new MutationObserver(() => {
    const { pressed } = probe;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => probe.painted.push(performance.now() - pressed);
      channel.port2.postMessage(0);
    });
  }).observe(probe.sizes, { attributeFilter: ['data-size'] });
}"""
COUNTS = """() => [probe.sizes.querySelectorAll('.word').length,
  probe.sizes.querySelectorAll('.word .tile').length]"""


def open_page(page: Page, url: str, text: str) -> None:
    """Show a text, typed if it is too long for the address, and install the probe."""
    learned = "own" if len(text) > 1_500 else "languages"
    query = f"?resized={KINDS}&learned={learned}"
    page.goto(f"{url}/sizes{query}" + (f"&text={quote(text)}" if learned != "own" else ""))
    page.wait_for_selector(".sizes[data-size]", timeout=60_000)
    if learned == "own":
        box = page.get_by_label("Your text")
        box.fill(text)
        box.press("Control+Enter")
        page.wait_for_selector(".sizes .more", state="attached", timeout=60_000)
    page.wait_for_timeout(2_000)
    page.evaluate(PROBE)


def times(page: Page) -> list[float]:
    """Return the sorted times since the last call."""
    page.wait_for_timeout(300)
    return sorted(page.evaluate("probe.painted.splice(0)"))


def press(page: Page, keys: list[str], pause: float) -> list[float]:
    """Press keys on the slider, one at a time."""
    slider = page.locator(".slider")
    slider.focus()
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(pause)
    return times(page)


def drag(page: Page) -> list[float]:
    """Drag the slider from its middle to the left end, to the right end and back."""
    box = page.locator(".slider").bounding_box()
    assert box
    left, width, middle = box["x"] + 10, box["width"] - 20, box["y"] + box["height"] / 2
    page.mouse.move(left + width / 2, middle)
    page.mouse.down()
    for n in paced(page):
        share = abs((n / HELD * 2 + 0.5) % 2 - 1)
        page.mouse.move(left + width * share, middle)
    page.mouse.up()
    return times(page)


def measure(page: Page) -> dict[str, list[float]]:
    """Move through the sizes in all four ways."""
    press(page, ["Home"], 500)
    single = press(page, ["ArrowRight"] * HELD, 120)
    leaps = press(page, (["PageUp"] * 10 + ["PageDown"] * 10) * (HELD // 20), 120)
    press(page, ["Home"], 500)
    held = press(page, ["ArrowRight"] * HELD, 1000 * HELD_SECONDS / HELD)
    return {
        "single keys": single,
        "a tenth of the way": leaps,
        "held key": held,
        "drag": drag(page),
    }


def main() -> None:
    """Measure both texts and print a table."""
    parser = options(__doc__)
    parser.add_argument("--long", action="store_true", help="the long text alone")
    arguments = parser.parse_args()
    texts = {"20,000 characters": LONG}
    if not arguments.long:
        texts = {"1,100 characters": PROSE[:1_100]} | texts
    is_slow = False
    with sync_playwright() as playwright, running(ROOT / "app.py") as url:
        browser = launch_chromium(playwright)
        for name, text in texts.items():
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            open_page(page, url, text)
            sizes = page.locator(".bar .high").inner_text()
            words, tiles = page.evaluate(COUNTS)
            print(f"{name}: up to size {sizes}; {words:,} words, {tiles:,} tiles drawn at first")
            for way, found in measure(page).items():
                is_slow |= p95(found) > MAX_PAINT_TIME
                cell = timing(found, MAX_PAINT_TIME)
                print(f"  {way:20} {len(found):4} painted  {cell:>24} ms", flush=True)
            page.close()
    print(f"asked for: p50 / p95 / worst, p95 at most {MAX_PAINT_TIME} ms", end="; ")
    print_load()
    sys.exit(is_slow)


if __name__ == "__main__":
    main()
