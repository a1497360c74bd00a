"""What does a rest at a step cost the server? Visitors without browsers, who step and rest.

    python benchmarks/resting.py                   # each page by itself, then a hall on one of them
    python benchmarks/resting.py --visitors 100 --seconds 20
    python benchmarks/resting.py --visitors 300 --copies 2      # two servers, half of the hall each
    python benchmarks/resting.py --visitors 100 --training 3    # while three train on 500 kB each

Each page: one visitor rests at one step after the other, as the player tells the server, and waits
for the answer; what is printed is the server's processor time for one rest, and the time until the
answer is there. The hall: many visitors of BPE · Train, each resting at a new step every two
seconds. Left out: what the browser does (stepping.py); it paints a step without asking anybody, and
says nothing to the server where nothing on the page depends on the step.
"""

import asyncio
import json
import random
import statistics
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack

from measuring import ROOT, options, print_load

from benchmarks.visitors import PLAYER, Visitor, text_of, used, visiting
from pages.shared.drawing.phrasing import count_of
from tests.browser.conftest import running

PAGES = (
    ("bpe_train", {"corpus": "course"}),
    ("bpe_train", {"corpus": "course", "panel": "pairs"}),
    ("wordpiece_train", {"corpus": "course"}),
    ("unigram_train", {"corpus": "course"}),
    ("bpe_encode", {"say": "unbelievable"}),
    ("wordpiece_encode", {"say": "unbelievable"}),
    ("unigram_lattice", {"say": "unbelievable"}),
)
RESTS = 60
EVERY = 2.0  # seconds between two rests of a visitor
HEAVY = 500_000  # characters of a text that somebody trains on
HALL, MOST_HALL = 300, 300.0  # visitors of two servers, and ms until the answer, p95
MOST_CPU, MOST_ANSWER = 5.0, 150.0  # ms of a rest, p50; until the answer, p95, in the hall


def has_player(visitor: Visitor) -> bool:
    """Return whether the page is done and shows a player."""
    return visitor.finished > 0 and any(PLAYER in one for one in visitor.sent)


async def rest(visitor: Visitor, step: int) -> float:
    """Rest at a step; return the seconds until the page has answered."""
    begin, done = time.monotonic(), visitor.finished
    await visitor.rest(step)
    await visitor.until(lambda one: one.finished > done)
    return time.monotonic() - begin


async def each_page(url: str) -> None:
    """Print what a rest costs on each page."""
    for page, query in PAGES:
        async with visiting(url, page, **query) as visitor:
            await visitor.until(has_player)
            for step in range(6):
                await rest(visitor, step)
            before = used()
            took = [await rest(visitor, n % 6) for n in range(RESTS)]
            server, workers = (after - at for at, after in zip(before, used(), strict=True))
        print(
            f"{page} {json.dumps(query)}: server {1000 * server / RESTS:.1f} ms a rest "
            f"(asked for: {MOST_CPU:g}), workers {1000 * workers / RESTS:.1f} ms; answered in "
            f"{_said(took)}",
            flush=True,
        )


def _said(took: Sequence[float]) -> str:
    return (
        f"p50 {1000 * statistics.median(took):.0f} ms, "
        f"p95 {1000 * statistics.quantiles(took, n=20)[-1]:.0f} ms"
    )


async def train(url: str, number: int, until: float) -> int:
    """Have the server train on one large text after the other; return how many it trained on."""
    trained = 0
    async with visiting(url, "bpe_train", corpus="own") as visitor:
        await visitor.until(has_player)
        while time.monotonic() < until:
            done = visitor.finished
            await visitor.ask(text_box=text_of(1_000_000 + 1_000 * number + trained, HEAVY))
            await visitor.until(lambda one, done=done: one.finished > done and has_player(one))
            trained += 1
    return trained


async def hall(urls: Sequence[str], visitors: int, training: int, seconds: float) -> None:
    """Print how soon a hall is answered, whose visitors are shared out among the servers."""
    async with AsyncExitStack() as stack:
        all_there = []
        for n in range(visitors):
            query = {"corpus": "own", "text": text_of(n, 420)}
            url = urls[n % len(urls)]
            visitor = await stack.enter_async_context(visiting(url, "bpe_train", **query))
            await visitor.until(has_player)
            all_there.append(visitor)

        async def sit(visitor: Visitor, until: float) -> list[float]:
            took = []
            await asyncio.sleep(random.uniform(0, EVERY))
            while time.monotonic() < until:
                took.append(await rest(visitor, random.randrange(100)))
                await asyncio.sleep(max(EVERY - took[-1], 0))
            return took

        before, own, until = used(), time.process_time(), time.monotonic() + seconds
        trainers = [
            asyncio.create_task(train(urls[n % len(urls)], n, until)) for n in range(training)
        ]
        found = await asyncio.gather(*[sit(one, until) for one in all_there])
        server, _ = (after - at for at, after in zip(before, used(), strict=True))
        own = time.process_time() - own
        trained = sum(await asyncio.gather(*trainers))
    took = [one for each in found for one in each]
    beside = f" beside {training} who train ({trained} texts of {HEAVY:,} characters)"
    print(
        f"{visitors} visitors of {count_of(len(urls), 'server')}{beside if training else ''}, "
        f"{len(took):,} rests in {seconds:g} s: answered in {_said(took)} (asked for, p95: "
        f"{MOST_ANSWER:g}; of {HALL}: {MOST_HALL:g}); servers {1000 * server / len(took):.1f} ms a "
        f"rest, the visitors themselves {1000 * own / len(took):.1f} ms"
    )


def main() -> None:
    """Measure each page, then the hall."""
    parser = options(__doc__)
    parser.add_argument("--visitors", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--copies", type=int, default=1, help="of the server, for the hall")
    parser.add_argument("--training", type=int, default=0, help="who train beside the hall")
    parser.add_argument("--only", choices=("pages", "hall"))
    arguments = parser.parse_args()
    with ExitStack() as stack:
        copies = 1 if arguments.only == "pages" else arguments.copies
        urls = [stack.enter_context(running(ROOT / "app.py")) for _ in range(copies)]
        if arguments.only != "hall":
            asyncio.run(each_page(urls[0]))
        if arguments.visitors and arguments.only != "pages":
            asyncio.run(hall(urls, arguments.visitors, arguments.training, arguments.seconds))
    print_load()


if __name__ == "__main__":
    main()
