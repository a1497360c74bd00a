"""Response time of pages to steps of the player, in Chromium: BPE and lattices.

    python benchmarks/stepping.py

A run of 2,000 merges on BPE · Train with player, chart, tree and one lower panel at a time, in a
window tall enough to show everything. Then the rounds of Unigram · Train, and lattices of 60 and of
240 characters, on their page and, with many more pieces, alone; last the run of 2,000 merges as an
exported file, from disk. A measurement ends when the new picture is painted: an animation frame,
and the first task after it. Server, browser and this script share the machine, so consider its
load. See training.py for training, visitors.py for many visitors.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from common import ROOT, child_processes, cpu_seconds, options, p95, print_load
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from lessons.texts import TEXTS
from pages.bpe.training_frames import record_bpe_training
from pages.shared.export.document.blocks import Document, PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from tests.browser.conftest import launch_chromium, running
from tokenizers import bpe
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

STEPS = 2_000
RUN = f"bpe_train?corpus=languages&merges={STEPS}"
PANELS = ("The count, word by word", "All pairs", "Vocabulary")
LAPTOP = ViewportSize(width=1366, height=768)
TALL = ViewportSize(width=1366, height=1800)  # all is visible: otherwise the step is not synced

ALONE = ROOT / "tests/browser/player_app.py"
LATTICES = (
    ("Unigram · Train", ROOT / "app.py", "unigram_train?corpus=course"),
    ("60 characters, Unigram · Lattice", ROOT / "app.py", f"unigram_lattice?say={'hello' * 12}"),
    ("60 characters, 233 arcs, the player alone", ALONE, "?recording=sixty"),
    ("240 characters, Unigram · Lattice", ROOT / "app.py", f"unigram_lattice?say={'hello' * 48}"),
    ("240 characters, 1,562 arcs, the player alone", ALONE, "?recording=huge"),
)

MAX_PAINT_TIME, MAX_SETTLE_TIME = 50, 600  # ms, p95, from the last key press
MIN_PAINTED = 20  # steps a second, while a key is held or the scrubber dragged
HELD, HELD_SECONDS = 60, 2.0  # events, and how long they take
QUIET = 0.7  # seconds without a change after which nothing more is expected
MAX_SETTLE_WAIT = 8.0  # seconds

# `painted` are the times of the player's steps; `pressed` is the time of the last key or scrubber
# move, `changed` that of the last change below it. The player's nodes are in a shadow tree, which
# the page's observer does not see. Tables are drawn on a canvas, so its calls are intercepted.
PROBE = """() => {
  const probe = window.probe = { pressed: 0, painted: [], changed: 0 };
  const whenPainted = (act) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = act;
    channel.port2.postMessage(0);
  });
  for (const kind of ['keydown', 'input']) {
    addEventListener(kind, (event) => { probe.pressed = event.timeStamp; }, true);
  }

  const shadows = [...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot);
  const player = probe.player = [document, ...shadows]
    .map((root) => root?.querySelector('.player')).find(Boolean);
  new MutationObserver(() => {
    const { pressed } = probe;
    whenPainted(() => probe.painted.push(performance.now() - pressed));
  }).observe(player, { attributeFilter: ['data-step'] });

  const changed = () => whenPainted(() => { probe.changed = performance.now(); });
  const page = document.querySelector('[data-testid=stMainBlockContainer]') ?? document.body;
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver((changes) => {
    // What is inside a canvas is for screen readers, and follows when there is time.
    const places = changes.map(({ target }) => target.closest ? target : target.parentElement);
    if (!places.every((place) => place?.closest('canvas'))) changed();
  }).observe(page, all);
  const canvas = CanvasRenderingContext2D.prototype;
  const { fillText } = canvas;
  canvas.fillText = function (...text) {
    changed();
    return fillText.apply(this, text);
  };
}"""

# Whether everything below the player shows the player's step.
AGREES = """() => {
  const { player } = probe;
  const step = Number(player.dataset.step).toLocaleString('en-US');
  const chart = document.querySelector('.st-key-growth [data-testid=stBidiComponentIsolated]');
  const finding = chart.shadowRoot.querySelector('.finding').textContent;
  const rule = 100 * chart.shadowRoot.querySelector('.component').style.getPropertyValue('--at');
  const scrubber = player.querySelector('.scrubber');
  const made = player.querySelector('.sentence .new').textContent;
  const trees = [...document.querySelectorAll('.stGraphVizChart')];
  const roots = trees.map((tree) => tree.querySelector('.node text')?.textContent);
  const texts = [...document.querySelectorAll('[data-testid=stCaptionContainer], .pp-caption')];
  return finding.startsWith(`After ${step} of `)
    && Math.abs(rule - 100 * scrubber.value / scrubber.max) < 0.01
    && roots.length === 1 && roots[0] === made
    && texts.some((text) => new RegExp(`step ${step}\\\\b`).test(text.textContent));
}"""


@dataclass(frozen=True, slots=True)
class StepTimings:
    """The results of one page: sorted times in ms, rates in steps per second."""

    presses: list[float]
    pauses: list[float]
    held: float
    dragged: float
    cpu: float

    def row(self) -> Iterator[str]:
        """Yield the cells of the table; those that miss a limit are marked."""
        for times, most in ((self.presses, MAX_PAINT_TIME), (self.pauses, MAX_SETTLE_TIME)):
            yield timing(times, most)
        for rate in (self.held, self.dragged):
            yield f"{rate:.0f}{' !' if rate < MIN_PAINTED else ''}"
        yield f"{self.cpu:.0f}"


def timing(times: list[float], most: float) -> str:
    """Return the cell of sorted times: median, 95th percentile, worst, a mark above `most`."""
    high = p95(times)
    mark = " !" if high > most else ""
    return f"{statistics.median(times):.0f} / {high:.0f} / {times[-1]:.0f}{mark}"


def open_page(page: Page, url: str, panel: str, step: int) -> None:
    """Show the run at a step, with a panel; wait until complete, and install the probe."""
    page.goto(f"{url}/{RUN}&step={step}&panel={quote(panel)}")
    for part in (".player[data-step]", ".st-key-growth .step", ".stGraphVizChart .node"):
        page.wait_for_selector(part, state="attached")
    page.evaluate(PROBE)
    settle(page)


def settle(page: Page) -> float:
    """Wait until nothing changes; return the ms from the last key to the last change.

    Raises AssertionError if a part then shows another step than the player.
    """
    deadline = time.monotonic() + MAX_SETTLE_WAIT
    still = "performance.now() - Math.max(probe.changed, probe.pressed)"
    while page.evaluate(still) < 1000 * QUIET and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert page.evaluate(AGREES), f"some part does not show step {step_of(page)}"
    return page.evaluate("probe.changed - probe.pressed")


def step_of(page: Page) -> int:
    """Return the step that the player shows."""
    return int(page.evaluate("probe.player.dataset.step"))


def time_presses(page: Page, count: int) -> list[float]:
    """Return the ms from key press to painted step of single presses, sorted."""
    page.evaluate("probe.painted.length = 0")
    for _ in range(count):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)
    return sorted(page.evaluate("probe.painted"))


def time_settling(page: Page, count: int) -> list[float]:
    """Return the ms from the last of three presses until everything shows its step, sorted."""
    times = []
    for _ in range(count):
        for _ in range(3):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(80)
        times.append(settle(page))
    return sorted(times)


def paced(page: Page) -> Iterator[int]:
    """Yield 1 to HELD, evenly over HELD_SECONDS."""
    begin = time.monotonic()
    for n in range(1, HELD + 1):
        yield n
        rest = begin + n * HELD_SECONDS / HELD - time.monotonic()
        page.wait_for_timeout(max(0, 1000 * rest))


def rate_of(page: Page, act: Callable[[int], None]) -> float:
    """Return the painted steps per second, by the page's clock, while acting HELD times."""
    begin = page.evaluate("(probe.painted.length = 0, performance.now())")
    for n in paced(page):
        act(n)
    painted, now = page.evaluate("[probe.painted.length, performance.now()]")
    return 1000 * painted / (now - begin)


def hold_key(page: Page) -> float:
    """Return the painted steps per second with a held key; no event may be lost."""
    goal = step_of(page) + HELD
    rate = rate_of(page, lambda _: page.keyboard.down("ArrowRight"))
    page.keyboard.up("ArrowRight")
    settle(page)
    assert step_of(page) == goal, f"held to step {step_of(page)}, not {goal}"
    return rate


def drag(page: Page) -> float:
    """Return the painted steps per second while the scrubber is dragged to its right end."""
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(".scrubber").bounding_box()
    assert box
    left, width, middle = box["x"] + 8, box["width"] - 16, box["y"] + box["height"] / 2
    page.mouse.move(left, middle)
    page.mouse.down()
    rate = rate_of(page, lambda n: page.mouse.move(left + width * n / HELD, middle))
    page.mouse.up()
    settle(page)
    assert step_of(page) == STEPS, f"dragged to step {step_of(page)}, not {STEPS}"
    return rate


def measure(page: Page, server: int, presses: int, pauses: int) -> StepTimings:
    """Measure all kinds of steps on the page."""
    painted = time_presses(page, presses)
    settle(page)
    before = cpu_seconds(server)
    settled = time_settling(page, pauses)
    cpu = 1000 * (cpu_seconds(server) - before) / pauses
    return StepTimings(painted, settled, hold_key(page), drag(page), cpu)


def time_lattice(page: Page, url: str, presses: int) -> tuple[str, str]:
    """Return the step times of a lattice: single presses, and steps per second when held."""
    page.goto(url)
    page.wait_for_selector(".player[data-step]")
    page.evaluate(PROBE)
    page.wait_for_timeout(2000)
    times = time_presses(page, presses)
    page.keyboard.press("Home")
    page.wait_for_timeout(2000)
    rate = rate_of(page, lambda _: page.keyboard.down("ArrowRight"))
    page.keyboard.up("ArrowRight")
    return timing(times, MAX_PAINT_TIME), f"{rate:.0f}"


HEAD = (
    "",
    "key → painted, ms",
    "rest → settled, ms",
    "held, steps/s",
    "dragged, steps/s",
    "server CPU, ms",
)
LIMITS = (
    "asked for (p50 / p95 / worst)",
    f"p95 {MAX_PAINT_TIME}",
    f"p95 {MAX_SETTLE_TIME}",
    f"{MIN_PAINTED}",
    f"{MIN_PAINTED}",
    "",
)


def print_row(*cells: str) -> None:
    """Print a row of the table."""
    print(f"{cells[0]:44}" + "".join(f"{cell:>21}" for cell in cells[1:]), flush=True)


def main() -> None:
    """Measure the training page and the lattices, and print a table of each."""
    parser = options(__doc__)
    parser.add_argument("--presses", type=int, default=60, help="how many single key presses")
    parser.add_argument("--rests", type=int, default=20, help="how often the page comes to rest")
    parser.add_argument("--panel", choices=PANELS, action="append", help="these panels alone")
    parser.add_argument("--lattices", action="store_true", help="the lattices and the file alone")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        if not arguments.lattices:
            print_training(browser, arguments)
        print_lattices(browser, arguments.presses)
        print_file(browser, arguments.presses)
    print_load()


def print_training(browser: Browser, arguments: argparse.Namespace) -> None:
    """Measure BPE · Train with every panel."""
    print_row(*HEAD)
    print_row(*LIMITS)
    with running(ROOT / "app.py") as url:
        server = child_processes(os.getpid())[-1]
        for panel in arguments.panel or PANELS:
            page = browser.new_page(viewport=TALL)
            open_page(page, url, panel, STEPS // 2)
            figures = measure(page, server, arguments.presses, arguments.pauses)
            page.close()
            print_row(panel, *figures.row())


def print_file(browser: Browser, presses: int) -> None:
    """Measure the run as one HTML file, opened from disk."""
    corpus = Corpus.from_text(TEXTS["languages"].text or "")
    trace = Trace.record(corpus, bpe.Settings(base="end_of_word", num_merges=STEPS))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "run.html"
        file.write_text(
            build_document_html(Document("BPE", blocks=(PlayerBlock(record_bpe_training(trace)),))),
            encoding="utf-8",
        )
        page = browser.new_page(viewport=LAPTOP)
        print_row(f"{len(trace):,} merges, the file", *time_lattice(page, file.as_uri(), presses))
        page.close()


def print_lattices(browser: Browser, presses: int) -> None:
    """Measure the lattices, in the window of a laptop."""
    print_row("", HEAD[1], HEAD[3])
    for name, app, path in LATTICES:
        page = browser.new_page(viewport=LAPTOP)
        with running(app) as url:
            print_row(name, *time_lattice(page, f"{url}/{path}", presses))
        page.close()


if __name__ == "__main__":
    main()
