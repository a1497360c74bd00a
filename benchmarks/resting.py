"""What does a rest at a step cost the server? Visitors without browsers, who step and rest.

    python benchmarks/resting.py                   # each page by itself, then a hall on one of them
    python benchmarks/resting.py --visitors 100 --seconds 20

Each page: one visitor rests at one step after the other, as the player tells the server, and waits
for the answer; what is printed is the server's processor time for one rest, and the time until the
answer is there. The hall: many visitors of BPE · Train, each resting at a new step every two
seconds. Left out: what the browser does (stepping.py); it paints a step without asking anybody, and
says nothing to the server where nothing on the page depends on the step.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.visitors import PLAYER, Visitor, text_of, used, visiting  # noqa: E402
from tests.browser.conftest import running  # noqa: E402

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


async def hall(url: str, visitors: int, seconds: float) -> None:
    """Print how soon a hall is answered."""
    async with AsyncExitStack() as stack:
        all_there = []
        for n in range(visitors):
            query = {"corpus": "own", "text": text_of(n, 420)}
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

        before, until = used(), time.monotonic() + seconds
        found = await asyncio.gather(*[sit(one, until) for one in all_there])
        server, _ = (after - at for at, after in zip(before, used(), strict=True))
    took = [one for each in found for one in each]
    print(
        f"{visitors} visitors, {len(took)} rests in {seconds:g} s: answered in {_said(took)} "
        f"(asked for, p95: {MOST_ANSWER:g}); server {1000 * server / len(took):.1f} ms a rest"
    )


def main() -> None:
    """Measure each page, then the hall."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--visitors", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    with running(ROOT / "app.py") as url:
        asyncio.run(each_page(url))
        if arguments.visitors:
            asyncio.run(hall(url, arguments.visitors, arguments.seconds))
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
