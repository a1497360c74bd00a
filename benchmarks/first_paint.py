"""Time to first paint of pages of a warm server, in headless Chromium.

    python benchmarks/first_paint.py
    python benchmarks/first_paint.py --runs 9

Each page is opened several times, always with an empty cache. Printed are the best and the median
run: the time until the first paint, until the prerendered page has its rows, and until the app's
picture has its tiles; the sum of Chromium's layout shifts at 1366 by 768; the bytes and requests.
With --shifts, the shifts of the last run. There is no network latency.
"""

import statistics
import time
from typing import Any

from common import ROOT, options, print_load
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import launch_chromium, running

PAGES = ("", "bpe_train", "unigram_lattice")
TILES = ".tile, .cell button"
TIMES = ("paint", "rows", "tiles")
LOADED = 4.0  # seconds until nothing moves any more
MAX_SHIFT = 0.05
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    const nodes = one.sources.map(({ node }) => node?.parentElement?.className ?? node?.className);
    window.shifts.push([one.value, Math.round(one.startTime), nodes.join(" | ")]);
  }
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver((_, watch) => {
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-painted"] });
new MutationObserver((_, watch) => {
  watch.disconnect();
  window.rows = performance.now();
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-drawn"] });
"""


def measure_page(browser: Browser, address: str) -> dict[str, Any]:
    """Open a page with an empty cache; return the measurements."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit")
    page.locator(TILES).first.wait_for()
    time.sleep(LOADED)
    paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    found = {
        "paint": page.evaluate(paint),
        "rows": page.evaluate("window.rows ?? 0"),
        "tiles": page.evaluate("window.painted"),
        "shifts": page.evaluate("window.shifts"),
        "bytes": sum(sizes),
        "requests": len(sizes),
    }
    context.close()
    return found


def summary_of(page: str, runs: list[dict[str, Any]]) -> str:
    """Return the best and the median of the runs as a line."""
    best = {name: min(one[name] for one in runs) for name in (*TIMES, "bytes")}
    usual = {name: statistics.median(one[name] for one in runs) for name in TIMES}
    shift = min(sum(value for value, _, _ in one["shifts"]) for one in runs)
    times = [
        f"{name} {best[name]:.0f} ms (median {usual[name]:.0f})" for name in TIMES if best[name]
    ]
    return (
        f"{page or 'start'}: {', '.join(times)}, "
        f"shift {shift:.3f} (asked for: {MAX_SHIFT:g}), {best['bytes'] / 1e6:.2f} MB in "
        f"{min(one['requests'] for one in runs)} requests"
    )


def main() -> None:
    """Measure each page."""
    parser = options(__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--shifts", action="store_true")
    arguments = parser.parse_args()
    with running(ROOT / "app.py") as url, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        for page in PAGES:
            measure_page(browser, f"{url}/{page}")  # warms the server
            runs = [measure_page(browser, f"{url}/{page}") for _ in range(arguments.runs)]
            print(summary_of(page, runs), flush=True)
            for value, at, what in runs[-1]["shifts"] if arguments.shifts else ():
                print(f"  {value:.4f} at {at} ms: {what[:160]}")
        browser.close()
    print_load()


if __name__ == "__main__":
    main()
