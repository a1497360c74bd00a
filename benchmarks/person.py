"""What a person waits for, in Chromium: a pasted text, own words, another page, a dropped file.

    python benchmarks/person.py
    python benchmarks/person.py --only paste,page --repeats 5
    python benchmarks/person.py --only paste --mbit 10

Four waits, each until the picture of what was asked for is painted: an animation frame, and the
first task after it.

- paste: a text of 1 kB to 1 MB in the box of each training page, which applies it by itself. No
  text comes twice, so that no result is cached.
- words: a new word in the box of each page that splits, from its last key.
- page: a click in the menu of a warm server, until the page's first picture.
- file: a tokenizer.json of 9, 17 and 33 MB chosen on Real tokenizers, until its first step.

The first of each kind starts workers and fills caches, and is not counted. For every wait the last
columns say where the time goes, in medians: *send* is until the browser has sent the request,
*answer* until the last answer before the picture has come (the page's run, the queue, the worker,
the frames), *paint* the rest; *train*, in this process, the training alone, which is part of
*answer*. Server, browser and this script share the machine, so consider its load; there is no
network latency, but for `--mbit`. See stepping.py for steps, waiting.py for settings and far steps.
"""

import json
import random
import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from common import ROOT, options, p95, print_load, seconds_of
from playwright.sync_api import Page, ViewportSize, sync_playwright
from slow_network import slowed

from lessons.texts import LANGUAGES, TEXTS
from pages.shared.routes import NAVIGATION
from pages.shared.training.run_and_record import train
from pages.shared.training.source import CorpusSource
from pages.shared.work.worker import tune_memory
from pages.unigram.runs import train_unigram
from tests.browser.conftest import launch_chromium, running
from tokenizers import bpe, wordpiece
from tokenizers.progress import ignore_progress
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram.settings import Settings as UnigramSettings

SIZE = ViewportSize(width=1366, height=768)
MAX_WAIT = 120_000  # ms
SETTLED = 1_500  # ms in which the page stores the text and runs once more
LENGTHS = {1_000: None, 20_000: 400, 465_000: 1_500, 1_000_000: None}  # characters: ms, p95
MAX_PAGE = 500  # ms, p95
FILES = (9, 17, 33)  # MB

# `finds(found)` is asked in every frame, with all roots of the page; the wait ends when it is true.
PROBE = """(() => {
  const probe = window.probe = { begin: 0, sent: 0, answered: 0, finds: null };
  const roots = () => [document, ...[...document.querySelectorAll('*')]
    .map(({ shadowRoot }) => shadowRoot).filter(Boolean)];
  probe.all = (selector) => roots().flatMap((root) => [...root.querySelectorAll(selector)]);
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    probe.sent ||= performance.now();
    if (!this.isHeard) this.addEventListener('message', () => {
      if (probe.finds) probe.answered = performance.now();
    });
    this.isHeard = true;
    send.call(this, data);
  };
  const { fetch } = window;
  window.fetch = async (...asked) => {
    const answer = await fetch(...asked);
    if (probe.finds) probe.answered = performance.now();
    return answer;
  };
  probe.start = (event, finds) => {
    const begin = ({ timeStamp }) => { probe.begin = timeStamp; probe.sent = 0; };
    addEventListener(event, begin, { capture: true });
    probe.begin = 0;
    probe.finds = finds;
    probe.done = new Promise((resolve) => {
      const look = () => {
        if (!probe.begin || !finds()) return requestAnimationFrame(look);
        removeEventListener(event, begin, { capture: true });
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const { begin, sent, answered } = probe;
          probe.finds = null;
          const last = Math.max(answered, sent);
          resolve([sent - begin, last - sent, performance.now() - last]);
        };
        channel.port2.postMessage(0);
      };
      requestAnimationFrame(look);
    });
  };
})()"""
# Each text has its own number of words, which the sentence of the first step says.
SAYS_ANOTHER = """() => probe.all('.player .sentence')
  .some(({ textContent }) => textContent.startsWith('Start') && textContent !== probe.before)"""
IS_STEPPED = """() => document.querySelector(".stApp[data-test-script-state='notRunning']")
  && probe.all('.player[data-step]').some((one) => !probe.old.has(one))"""
IS_NEW = """() => location.pathname.endsWith({}) && probe.all(
  ".player[data-step], [role=list][aria-label^='tokens by'], .stElementContainer[data-painted]"
).some((one) => !probe.old.has(one))"""


class Wait(NamedTuple):
    """One wait in ms: until the request is sent, answered, and painted."""

    send: float
    answer: float
    paint: float

    @property
    def total(self) -> float:
        return sum(self)


def measure(page: Page, event: str, finds: str, act: Callable[[], object]) -> Wait:
    """Act, and return the wait from the last `event` until `finds`, a function of the page."""
    page.evaluate(f"void probe.start({json.dumps(event)}, {finds})")
    act()
    wait = Wait(*page.evaluate("probe.done"))
    page.wait_for_timeout(SETTLED)
    return wait


def print_waits(
    name: str, waits: list[Wait], most: float | None, train_ms: float | None = None
) -> None:
    """Print the median, the 95th percentile and the parts of waits, the first not counted."""
    counted = sorted(wait.total for wait in waits[1:])
    high = p95(counted)
    parts = [f"{part} {statistics.median(times):.0f}" for part, times in _parts(waits[1:])]
    if train_ms is not None:
        parts.append(f"train {train_ms:.0f}")
    asked = "" if most is None else f" (asked for: {most:.0f}){' !' if high > most else ''}"
    figures = f"p50 {statistics.median(counted):5.0f}, p95 {high:5.0f} ms{asked}"
    print(f"{name:32} {figures:44} {', '.join(parts)}", flush=True)


def _parts(waits: list[Wait]) -> Iterator[tuple[str, list[float]]]:
    for part in Wait._fields:
        yield part, [getattr(wait, part) for wait in waits]


# ---- a pasted text ----


Training = Callable[[CorpusSource, Pipeline], object]
TRAINING_PAGES: Mapping[str, Training] = {
    "bpe_train": lambda source, pipeline: train(
        ignore_progress, source, pipeline, bpe.Settings("end_of_word", num_merges=100)
    ),
    "wordpiece_train": lambda source, pipeline: train(
        ignore_progress, source, pipeline, wordpiece.Settings(num_merges=100)
    ),
    "unigram_train": lambda source, pipeline: train_unigram(
        ignore_progress, source, pipeline, UnigramSettings(vocab_size=200), ""
    ),
}
"""Pages that train, with the training of a pasted text."""
ASKED = "corpus=own&merges=100&pieces=200&step=0"


def texts(length: int, count: int) -> Iterator[str]:
    """Yield texts of about `length` characters, each with its own number of words."""
    latin = " ".join(passage.text for passage in LANGUAGES if passage.script == "Latin")
    words = (latin + " " + (TEXTS["prose"].text or "")).split()
    draw = random.Random(length)
    for n in range(count):
        drawn, size = [], 0
        while size < length * (1 - n / 1000):
            drawn.append(draw.choice(words))
            size += len(drawn[-1]) + 1
        yield " ".join(drawn)


def paste_waits(page: Page, url: str, repeats: int) -> None:
    """Paste texts of all lengths on all training pages."""
    for name, training in TRAINING_PAGES.items():
        page.goto(f"{url}/{name}?{ASKED}")
        page.locator(".player .sentence").wait_for()
        for length, most in LENGTHS.items():
            waits = []
            for text in texts(length, repeats + 1):
                page.evaluate("probe.before = probe.all('.player .sentence')[0].textContent")
                page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
                page.get_by_label("Your own words").press("Control+A")
                paste = partial(page.keyboard.press, "Control+V")
                waits.append(measure(page, "input", SAYS_ANOTHER, paste))
            source = CorpusSource(text[:length])
            pipeline = Pipeline(pre_tokenizer="punctuation")
            trained = seconds_of(training, source, pipeline)
            print_waits(f"paste {length // 1000:,} kB, {name}", waits, most, 1000 * trained)


# ---- own words ----

BOXES: Mapping[str, str] = {
    "bpe_encode": "Text to encode",
    "wordpiece_encode": "Text to encode",
    "unigram_lattice": "Text to split",
    "real": "Your text",
}


def word_waits(page: Page, url: str, repeats: int) -> None:
    """Type a new word on each page that splits."""
    draw = random.Random(4)
    drawn = """() => probe.all('.player').some((one) =>
      one.textContent.replace(/[^a-z]/g, '').includes({}))"""
    for path, label in BOXES.items():
        page.goto(f"{url}/{path}")
        page.locator(".player .sentence").first.wait_for()
        waits = []
        for _ in range(repeats + 1):
            word = "".join(draw.choices("hugpnbs", k=8))
            box = page.get_by_label(label, exact=True)
            finds = drawn.format(json.dumps(word))
            waits.append(measure(page, "input", finds, partial(box.fill, word)))
        print_waits(f"words, {path}", waits, None)


# ---- another page ----


def page_waits(page: Page, url: str, repeats: int) -> None:
    """Go through pages by the menu, round after round."""
    route = {
        path: (section, row.title) for section, rows in NAVIGATION.items()
        for path, row in rows.items()
        if path in ("start", "bpe_train", "wordpiece_train", "unigram_train", "unigram_lattice",
                    "compare", "sizes", "race", "languages", "real")
    }  # fmt: skip
    found: dict[str, list[Wait]] = {path: [] for path in route}
    page.goto(url)
    page.wait_for_selector("[role=list]")
    for _ in range(repeats + 1):
        for path, (section, title) in [*route.items()][1:] + [*route.items()][:1]:
            if section:
                menu = page.get_by_test_id("stTopNav")
                menu.get_by_role("button", name=section, exact=True).click()
            link = page.get_by_role("menuitem" if section else "link", name=title, exact=True)
            link.wait_for()
            page.evaluate(
                "probe.old = new WeakSet(probe.all('.player, [role=list], .stElementContainer'))"
            )
            place = "/" if path == "start" else f"/{path}"
            found[path].append(measure(page, "click", IS_NEW.format(json.dumps(place)), link.click))
    for path, waits in found.items():
        print_waits(f"page, {path}", waits, MAX_PAGE)


# ---- a dropped file ----


def tokenizer_file(size: int) -> str:
    """Return a tokenizer.json of byte-level BPE of about `size` bytes, with made-up pieces.

    It is indented as published files are: one of 33 MB has some 400,000 pieces.
    """
    draw = random.Random(size)
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    pieces, merges, written = dict.fromkeys(letters), [], 0
    known = list(letters)
    while written < size:
        left, right = draw.choice(known), draw.choice(letters)
        if left + right in pieces or len(left) > 11:
            continue
        pieces[left + right] = None
        known.append(left + right)
        merges.append([left, right])
        written += 2 * len(left + right) + 62
    model = {
        "type": "BPE",
        "vocab": {piece: number for number, piece in enumerate(pieces)},
        "merges": merges,
    }
    pre_tokenizer = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    file = {"version": "1.0", "model": model, "pre_tokenizer": pre_tokenizer}
    return json.dumps(file, indent=2)


def file_waits(page: Page, url: str, repeats: int) -> None:
    """Choose files of made-up tokenizers; each is opened once, as its answer is kept."""
    with TemporaryDirectory() as folder:
        for megabytes in FILES:
            waits = []
            for n in range(repeats + 1):
                path = Path(folder) / f"{megabytes}-{n}.json"
                path.write_text(tokenizer_file((megabytes << 20) + n), "utf-8")
                page.goto(f"{url}/real?say=below")
                page.locator(".player .sentence").first.wait_for()
                page.get_by_role("button", name="Open another tokenizer").click()
                chooser = page.locator("input[type=file]").first
                chooser.wait_for(state="attached")
                page.evaluate("probe.old = new WeakSet(probe.all('.player'))")
                waits.append(
                    measure(page, "change", IS_STEPPED, partial(chooser.set_input_files, path))
                )
            print_waits(f"file, {megabytes} MB", waits, None)


KINDS = {"paste": paste_waits, "words": word_waits, "page": page_waits, "file": file_waits}


def main() -> None:
    """Measure what is asked for, and print the figures."""
    parser = options(__doc__)
    parser.add_argument("--only", default=",".join(KINDS), help="some of: " + ", ".join(KINDS))
    parser.add_argument("--repeats", type=int, default=9, help="how many of each are counted")
    parser.add_argument("--mbit", type=float, help="a network of so many megabits per second")
    asked = parser.parse_args()
    tune_memory()  # as in the workers
    with ExitStack() as stack:
        url = stack.enter_context(running(ROOT / "app.py"))
        if asked.mbit:
            url = stack.enter_context(slowed(url, asked.mbit))
        playwright = stack.enter_context(sync_playwright())
        browser = launch_chromium(playwright)
        for kind in asked.only.split(","):
            context = browser.new_context(viewport=SIZE, bypass_csp=True)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            page = context.new_page()
            page.set_default_timeout(MAX_WAIT)
            page.add_init_script(PROBE)
            KINDS[kind](page, url, asked.repeats)
            context.close()
        browser.close()
    print_load()


if __name__ == "__main__":
    main()
