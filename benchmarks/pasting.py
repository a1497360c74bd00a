"""How soon is a pasted text learned from and cut up? 20 kB into Start's box, in Chromium.

    python benchmarks/pasting.py

Every paste is another text of 20,000 characters: words of the page of prose and of the passages in
Latin letters, drawn anew, so that nothing has been trained before. The clock starts with
Ctrl+Enter, by which the box hands over its text (leaving the box does the same), and stops when all
five rows of the new text are painted: an animation frame, and the first task after it. The first
pastes, which start the worker processes, are not counted. Server, browser and this script share the
machine, so look at its load beside the figures.
"""

import random
import statistics

from measuring import ROOT, options, print_load
from playwright.sync_api import Page, sync_playwright

from lessons.texts import LANGUAGES, TEXTS
from tests.browser.conftest import launch_chromium, running

LENGTH = 20_000  # characters
WARM = 2  # pastes that are not counted
MOST = 1000  # ms, p95
LONGEST_WAIT = 20_000  # ms

# The moment of Ctrl+Enter is that of its event. A row is new when its first word is that of the new
# text: every text begins with a word of its own.
WATCH = """(first) => {
  window.painted = new Promise((resolve) => {
    let begin = 0;
    addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.ctrlKey) begin = event.timeStamp;
    }, { capture: true });
    const page = document.querySelector('[data-testid=stMainBlockContainer]');
    const look = new MutationObserver(() => {
      const rows = [...document.querySelectorAll("[role=list][aria-label^='tokens by']")];
      const letters = rows.map((row) => row.textContent.replaceAll(/##|▁|<\\/w>/g, ''));
      if (rows.length !== 5 || !letters.every((text) => text.startsWith(first))) return;
      look.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - begin);
        channel.port2.postMessage(0);
      });
    });
    look.observe(page, { subtree: true, childList: true, characterData: true });
  });
}"""


def texts(count: int) -> list[tuple[str, str]]:
    """Return texts of `LENGTH` characters, each with the word that it begins with."""
    latin = " ".join(passage.text for passage in LANGUAGES if passage.script == "Latin")
    words = (latin + " " + (TEXTS["prose"].text or "")).split()
    draw = random.Random(20)
    made = []
    for n in range(count):
        first = "".join(draw.choices("bdfgklmnprst", k=6))
        body = " ".join(draw.choices(words, k=LENGTH // 4))
        made.append((first, f"{first} {n} {body}"[:LENGTH]))
    return made


def paste(page: Page, first: str, text: str) -> float:
    """Put a text in the box; return the ms from Ctrl+Enter to five painted rows."""
    box = page.get_by_label("Your text")
    box.fill(text)
    page.evaluate(WATCH, first)
    box.press("Control+Enter")
    took = page.evaluate("window.painted")
    page.wait_for_timeout(1200)  # the browser still stores the text, and the page runs once more
    return took


def main() -> None:
    """Paste, and print the figures."""
    parser = options(__doc__)
    parser.add_argument("--pastes", type=int, default=25, help="how many are counted")
    count = parser.parse_args().pastes
    with running(ROOT / "app.py") as url, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.set_default_timeout(LONGEST_WAIT)
        page.goto(f"{url}/?from=own")
        page.wait_for_selector("[role=list]")
        times = [paste(page, *text) for text in texts(count + WARM)][WARM:]
        browser.close()
    times.sort()
    high = times[max(-(-95 * len(times) // 100) - 1, 0)]
    print(f"{len(times)} pastes of {LENGTH:,} characters, Ctrl+Enter to five painted rows, in ms:")
    print(f"p50 {statistics.median(times):.0f}, p95 {high:.0f} (asked for: {MOST}), ", end="")
    print(f"least {times[0]:.0f}, most {times[-1]:.0f}")
    print_load()


if __name__ == "__main__":
    main()
