"""Time from a changed setting to the first painted step, and to far steps, in Chromium.

    python benchmarks/waiting.py [--quick]

The text is the largest of the app's own, 514 kB. On each page the number of merges is changed, each
time to one that no run had; the clock runs from Enter to the first painted step of the new run.
Training alone is timed in this process, with the same settings. Then, in the longest run: steps
across the border of a window of frames, jumps to random steps, and a drag of the scrubber over the
whole run. There, a step counts from its own event until it is painted; steps that the pointer has
left before they arrive are not painted, and their number is printed. Server, browser and this
script share the machine, so consider its load. `--quick` takes each page's smallest run, and few
steps: it shows that the script works.
"""

import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from common import ROOT, options, p95, print_load, seconds_of
from playwright.sync_api import Page, ViewportSize, sync_playwright

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM
from pages.shared.recording.packing import WINDOW
from pages.shared.training.run_and_record import train
from pages.shared.training.source import AnySettings, CorpusSource
from tests.browser.conftest import launch_chromium, running
from tokenizers import bpe, wordpiece
from tokenizers.progress import ignore_progress
from tokenizers.text.corpus import Pipeline

SIZE = ViewportSize(width=1366, height=768)
MAX_BEYOND = 150  # ms beyond training
MAX_STEP, MAX_JUMP, MAX_DRAG = 50, 100, 50  # ms, p95
TIMES, FEW, SLOWLY = 40, 6, 1_500  # steps and jumps; ms in which the neighbors of a step arrive
EVENTS, DRAG_SECONDS = 60, 2.0
MERGES = "Maximum number of merges"

# `moves` has the time of the last event that led to a position. A step is painted when an animation
# frame, and the first task after it, has gone by. A page that waits removes its player: every frame
# looks for a new one.
PROBE = """() => {
  const probe = window.probe = { begin: 0, key: 0, moves: {}, painted: [], first: {} };
  addEventListener('keydown', ({ key, timeStamp }) => {
    if (key === 'Enter') probe.begin = timeStamp;
    probe.key = timeStamp;
  }, true);
  addEventListener('input', ({ timeStamp }) => {
    probe.moves[probe.scrubber.value] = timeStamp;
  }, true);
  const note = () => {
    const { step } = probe.player.dataset, last = probe.scrubber.max;
    if (step) requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        const now = performance.now();
        probe.painted.push([Number(step), now - (probe.moves[step] ?? probe.key)]);
        probe.first[last] ??= now - probe.begin;
      };
      channel.port2.postMessage(0);
    });
  };
  const find = () => {
    requestAnimationFrame(find);
    if (probe.player?.isConnected) return;
    const shadows = [...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot);
    probe.player = shadows.map((root) => root?.querySelector('.player')).find(Boolean);
    if (!probe.player) return;
    probe.scrubber = probe.player.querySelector('.scrubber');
    new MutationObserver(note).observe(probe.player, { attributeFilter: ['data-step'] });
    note();
  };
  find();
}"""


@dataclass(frozen=True, slots=True)
class TrainingPage:
    """A page that trains by merging, with its settings for a number of merges."""

    name: str
    settings: Callable[[int], AnySettings]
    sizes: tuple[int, ...]


PAGES = (
    TrainingPage(
        "bpe_train", lambda n: bpe.Settings("end_of_word", num_merges=n), (200, 2_000, 8_000)
    ),
    TrainingPage("wordpiece_train", lambda n: wordpiece.Settings(num_merges=n), (200, 2_000)),
)


def open_page(page: Page, url: str) -> None:
    """Open a page with its settings, and install the probe."""
    page.goto(url)
    page.locator(".player[data-step]").wait_for()
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_label(MERGES, exact=True).wait_for()
    page.evaluate(PROBE)


def change_merges(page: Page, merges: int) -> float:
    """Set the number of merges; return the ms until the first step of the run is painted."""
    box = page.get_by_label(MERGES, exact=True)
    box.fill(str(merges))
    box.press("Enter")
    page.locator(f".scrubber[max='{merges}']").wait_for(state="attached")
    page.wait_for_timeout(SLOWLY)
    return page.evaluate(f"probe.first[{merges}]")


def go_to(page: Page, step: int) -> None:
    """Move the scrubber, as a click on it would."""
    page.evaluate(
        """(step) => {
          probe.scrubber.value = step;
          probe.scrubber.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        }""",
        step,
    )


def painted(page: Page, act: Callable[[], None], step: int) -> float:
    """Return the ms from an event that leads to a step until it is painted."""
    page.evaluate("probe.painted.length = 0, probe.moves = {}")
    act()
    for _ in range(200):
        page.wait_for_timeout(20)
        for at, took in page.evaluate("probe.painted"):
            if at == step:
                return took
    raise AssertionError(f"step {step} is not painted")


def border_times(page: Page, last: int, number: int) -> Iterator[float]:
    """Yield the ms of steps into another window, at borders that nobody was near before."""
    for n in random.Random(1).sample(range(2, last // WINDOW), number // 2):
        step = n * WINDOW
        go_to(page, step - 3)
        page.wait_for_timeout(SLOWLY)
        for k in (step - 2, step - 1):
            painted(page, lambda: page.keyboard.press("ArrowRight"), k)
        yield painted(page, lambda: page.keyboard.press("ArrowRight"), step)


def jump_times(page: Page, last: int, number: int) -> Iterator[float]:
    """Yield the ms of jumps to random steps."""
    for step in random.Random(2).sample(range(last), number):
        yield painted(page, lambda step=step: go_to(page, step), step)
        page.wait_for_timeout(500)


def drag_times(page: Page) -> list[float]:
    """Return the ms of the steps painted while the scrubber is dragged to its right end."""
    page.keyboard.press("Home")
    page.wait_for_timeout(SLOWLY)
    page.evaluate("probe.painted.length = 0, probe.moves = {}")
    box = page.locator(".scrubber").bounding_box()
    assert box
    left, width, middle = box["x"] + 8, box["width"] - 16, box["y"] + box["height"] / 2
    page.mouse.move(left, middle)
    page.mouse.down()
    for n in range(1, EVENTS + 1):
        page.mouse.move(left + width * n / EVENTS, middle)
        page.wait_for_timeout(1000 * DRAG_SECONDS / EVENTS)
    page.mouse.up()
    page.wait_for_timeout(SLOWLY)
    return [took for _, took in page.evaluate("probe.painted")]


def print_times(name: str, times: list[float], most: float) -> None:
    """Print the median, the 95th percentile and the worst of times in ms."""
    times = sorted(times)
    high = p95(times)
    mark = " !" if high > most else ""
    line = f"p50 {statistics.median(times):.0f}, p95 {high:.0f}, worst {times[-1]:.0f} ms"
    print(f"{name}: {line} (p95 asked for: {most}){mark}", flush=True)


def main() -> None:
    """Measure both pages, and print the figures."""
    parser = options(__doc__)
    parser.add_argument("--quick", action="store_true", help="the smallest runs, and few steps")
    is_quick = parser.parse_args().quick
    number = FEW if is_quick else TIMES
    sample = TEXTS[LEARNED_FROM]
    pipeline = Pipeline(pre_tokenizer=str(sample.settings["pre_tokenizer"]))
    with running(ROOT / "app.py") as url, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        for kind in PAGES:
            page = browser.new_page(viewport=SIZE)
            page.set_default_timeout(60_000)
            open_page(
                page, f"{url}/{kind.name}?corpus={LEARNED_FROM}&merges=100&pieces=0&rule=score"
            )
            sizes = kind.sizes[:1] if is_quick else kind.sizes
            for size in sizes:
                waits, alone = [], []
                for merges in range(size - 1, size + 4):  # sizes that no run had
                    given = CorpusSource(sample.text or ""), pipeline, kind.settings(merges)
                    alone.append(1000 * seconds_of(train, ignore_progress, *given))
                    waits.append(change_merges(page, merges))
                waited, trained = statistics.median(waits), statistics.median(alone)
                mark = " !" if waited - trained > MAX_BEYOND else ""
                times = f"{waited:.0f} ms, {trained:.0f} of them training{mark}"
                print(f"{kind.name}, {size:,} merges: {times}", flush=True)
            last = sizes[-1] + 3
            page.evaluate("document.activeElement.blur()")
            print_times("  across a border", [*border_times(page, last, number)], MAX_STEP)
            print_times("  a jump", [*jump_times(page, last, number)], MAX_JUMP)
            dragged = drag_times(page)
            print_times(f"  dragged, {len(dragged)} of {EVENTS} painted", dragged, MAX_DRAG)
            page.close()
        browser.close()
    print_load()


if __name__ == "__main__":
    main()
