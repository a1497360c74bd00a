"""The server's cost of syncing a player's step, with simulated visitors instead of browsers.

    python benchmarks/step_sync.py                 # each page alone, then a crowd on one of them
    python benchmarks/step_sync.py --visitors 100 --seconds 20
    python benchmarks/step_sync.py --visitors 300 --copies 2   # two servers, half of them each
    python benchmarks/step_sync.py --visitors 100 --training 3  # while three train on 500 kB
    python benchmarks/step_sync.py --only crowd --hostile 3  # while three open files made to grow

Each page: one visitor syncs one step after another, as the player does when the user pauses, and
waits for the answer; printed are the server's processor time per sync, and the time until the
answer. The crowd: many visitors of BPE · Train, each syncing a new step every two seconds. For the
browser see stepping.py: it paints steps without the server, and only syncs if something on the page
depends on the step.
"""

import asyncio
import json
import random
import statistics
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack

from common import ROOT, options, print_load

from benchmarks.visitors import PLAYER, Visitor, cpu_used, memory_used, text_of, visiting
from pages.shared.drawing.phrasing import count_of
from tests.browser.conftest import running
from tests.core.formats.growing_files import growing

PAGES = (
    ("bpe_train", {"corpus": "course"}),
    ("bpe_train", {"corpus": "course", "panel": "pairs"}),
    ("wordpiece_train", {"corpus": "course"}),
    ("unigram_train", {"corpus": "course"}),
    ("bpe_encode", {"say": "unbelievable"}),
    ("wordpiece_encode", {"say": "unbelievable"}),
    ("unigram_lattice", {"say": "unbelievable"}),
)
NUM_SYNCS = 60
EVERY = 2.0  # seconds between two syncs of a visitor
HEAVY = 500_000  # characters of a large training text
CROWD, MAX_CROWD_ANSWER = 300, 300.0  # visitors of two servers; ms until the answer, p95
MAX_CPU, MAX_ANSWER = 5.0, 150.0  # ms per sync, p50; until the answer, p95, in the crowd


def has_player(visitor: Visitor) -> bool:
    """Return whether the page has finished and shows a player."""
    return visitor.finished > 0 and any(PLAYER in one for one in visitor.sent)


async def sync_step(visitor: Visitor, step: int) -> float:
    """Sync a step; return the seconds until the page has answered."""
    begin, done = time.monotonic(), visitor.finished
    await visitor.sync_step(step)
    await visitor.wait_until(lambda one: one.finished > done)
    return time.monotonic() - begin


async def each_page(url: str) -> None:
    """Print the cost of a sync on each page."""
    for page, query in PAGES:
        async with visiting(url, page, **query) as visitor:
            await visitor.wait_until(has_player)
            for step in range(6):
                await sync_step(visitor, step)
            before = cpu_used()
            took = [await sync_step(visitor, n % 6) for n in range(NUM_SYNCS)]
            server, workers = (after - at for at, after in zip(before, cpu_used(), strict=True))
        print(
            f"{page} {json.dumps(query)}: server {1000 * server / NUM_SYNCS:.1f} ms a sync "
            f"(asked for: {MAX_CPU:g}), workers {1000 * workers / NUM_SYNCS:.1f} ms; answered in "
            f"{_timing_text(took)}",
            flush=True,
        )


def _timing_text(took: Sequence[float]) -> str:
    return (
        f"p50 {1000 * statistics.median(took):.0f} ms, "
        f"p95 {1000 * statistics.quantiles(took, n=20)[-1]:.0f} ms"
    )


async def train(url: str, number: int, until: float) -> int:
    """Keep the server training on large texts; return how many it has trained on."""
    trained = 0
    async with visiting(url, "bpe_train", corpus="own") as visitor:
        await visitor.wait_until(has_player)
        while time.monotonic() < until:
            done = visitor.finished
            await visitor.rerun(text_box=text_of(1_000_000 + 1_000 * number + trained, HEAVY))
            await visitor.wait_until(lambda one, done=done: one.finished > done and has_player(one))
            trained += 1
    return trained


async def attack(url: str, number: int, until: float) -> int:
    """Keep opening files that ask for much on Real tokenizers; return how many were opened."""
    rng, opened = random.Random(number), 0
    async with visiting(url, "real", say="low lower lowest") as visitor:
        await visitor.wait_until(lambda one: one.finished > 0)
        while time.monotonic() < until:
            done = visitor.finished
            [(name, data)] = growing(rng).items()
            await visitor.upload(url, "tokenizer_files", name, data)
            # A file that is still being read ends the page early, with periodic reruns.
            await visitor.wait_until(
                lambda one, done=done: one.finished > done and not one.is_waiting
            )
            opened += 1
    return opened


async def crowd(
    urls: Sequence[str], visitors: int, training: int, hostile: int, seconds: float
) -> None:
    """Print the response times of many visitors, distributed over the servers."""
    async with AsyncExitStack() as stack:
        all_there = []
        for n in range(visitors):
            query = {"corpus": "own", "text": text_of(n, 420)}
            url = urls[n % len(urls)]
            visitor = await stack.enter_async_context(visiting(url, "bpe_train", **query))
            await visitor.wait_until(has_player)
            all_there.append(visitor)

        async def sit(visitor: Visitor, until: float) -> list[float]:
            took = []
            await asyncio.sleep(random.uniform(0, EVERY))
            while time.monotonic() < until:
                took.append(await sync_step(visitor, random.randrange(100)))
                await asyncio.sleep(max(EVERY - took[-1], 0))
            return took

        memory_before = memory_used()
        before, client_cpu, until = cpu_used(), time.process_time(), time.monotonic() + seconds
        trainers = [
            asyncio.create_task(train(urls[n % len(urls)], n, until)) for n in range(training)
        ]
        attackers = [
            asyncio.create_task(attack(urls[n % len(urls)], n, until)) for n in range(hostile)
        ]
        found = await asyncio.gather(*[sit(one, until) for one in all_there])
        memory_after = memory_used()
        server, _ = (after - at for at, after in zip(before, cpu_used(), strict=True))
        client_cpu = time.process_time() - client_cpu
        trained = sum(await asyncio.gather(*trainers))
        opened = sum(await asyncio.gather(*attackers))
    took = [one for each in found for one in each]
    load_note = ""
    if training:
        load_note = f" beside {training} who train ({trained} texts of {HEAVY:,} characters)"
    if hostile:
        load_note += f" beside {hostile} who opened {opened} hostile files (memory of the servers: "
        load_note += f"{memory_before[0]:,.0f} MB before, {memory_after[0]:,.0f} MB after)"
    print(
        f"{visitors} visitors of {count_of(len(urls), 'server')}{load_note}, "
        f"{len(took):,} syncs in {seconds:g} s: answered in {_timing_text(took)} (asked for, p95: "
        f"{MAX_ANSWER:g}; of {CROWD}: {MAX_CROWD_ANSWER:g}); servers "
        f"{1000 * server / len(took):.1f} ms a sync, the visitors themselves "
        f"{1000 * client_cpu / len(took):.1f} ms"
    )


def main() -> None:
    """Measure each page, then the crowd."""
    parser = options(__doc__)
    parser.add_argument("--visitors", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--copies", type=int, default=1, help="of the server, for the crowd")
    parser.add_argument(
        "--training", type=int, default=0, help="visitors who train at the same time"
    )
    parser.add_argument(
        "--hostile", type=int, default=0, help="visitors who open hostile files at the same time"
    )
    parser.add_argument("--only", choices=("pages", "crowd"))
    arguments = parser.parse_args()
    with ExitStack() as stack:
        copies = 1 if arguments.only == "pages" else arguments.copies
        urls = [stack.enter_context(running(ROOT / "app.py")) for _ in range(copies)]
        if arguments.only != "crowd":
            asyncio.run(each_page(urls[0]))
        if arguments.visitors and arguments.only != "pages":
            beside = arguments.training, arguments.hostile
            asyncio.run(crowd(urls, arguments.visitors, *beside, arguments.seconds))
    print_load()


if __name__ == "__main__":
    main()
