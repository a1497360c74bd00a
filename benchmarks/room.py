"""A class of 60 phones in a room, five of them real browsers; then over two copies, one killed.

    python benchmarks/room.py                # both, some two minutes
    python benchmarks/room.py --only one     # or: two

Phones join at once, vote within five seconds, and follow the teacher over ten steps, while three
other visitors rest at steps of BPE · Train. With two copies, behind nginx and with a Redis, the
copy that the teacher is not at is killed amid the vote. Phones and servers share the machine, so
consider its load: how long a rest takes is measured before the phones come, too.
"""

import asyncio
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import websockets
from common import ROOT, options, print_load
from playwright.async_api import Browser, Page, async_playwright
from visitors import has_player, visiting

from tests.browser.conftest import LAUNCH, free_port, launch_chromium, running
from tests.browser.test_hosting import nginx, server_at
from tests.pages.room.conftest import question, redis_server

PHONES, BROWSERS, OTHERS = 60, 5, 3
VOTING, STEPS = 5.0, 10  # seconds, and steps that the teacher goes on
MAX_JOIN, MAX_VOTE, MAX_STEP, MAX_REST, MAX_BACK = 10.0, 1.0, 1.0, 0.150, 10.0  # seconds
PATIENCE = 60.0


class Phone:
    """A phone without a browser. As phone.js does, it comes back and repeats its vote."""

    def __init__(self, url: str, code: str, number: int) -> None:
        self._address = f"{url}/rooms/{code}".replace("http", "ws", 1)
        self._cookie = {"Cookie": f"pieces=phone{number}"}
        self._token: str | None = None
        self._vote: dict[str, Any] | None = None
        self._socket: websockets.ClientConnection | None = None
        self.state: dict[str, Any] = {}
        self.labels: dict[str, float] = {}  # when each step came
        self.backs: list[float] = []  # seconds without a connection
        self.errors: list[str] = []

    async def run(self) -> None:
        """Be in the room until cancelled."""
        lost = None
        while True:
            with suppress(OSError, websockets.WebSocketException):
                more = {"additional_headers": self._cookie, "open_timeout": 5}
                async with websockets.connect(self._address, **more) as socket:
                    self._socket = socket
                    hello = {"type": "hello", "role": "phone", "phone": self._token}
                    await socket.send(json.dumps(hello))
                    async for text in socket:
                        message = json.loads(text)
                        if message["type"] == "state" and lost:
                            self.backs.append(time.monotonic() - lost)
                            lost = None
                        await self._receive(message)
            lost = lost or time.monotonic()
            self._socket = None
            await asyncio.sleep(0.5)

    async def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "welcome":
            self._token = message["phone"]
        elif message["type"] == "error":
            self.errors.append(message["text"])
        elif message["type"] == "state":
            self.state = message["state"]
            self.labels.setdefault(self.state["label"], time.monotonic())
            await self._send()

    async def vote(self, answer: int) -> None:
        """Vote on the question that is on."""
        self._vote = {"type": "vote", "asked": self.state["asked"], "round": self.state["round"]}
        self._vote |= {"answer": answer, "sureness": 2}
        await self._send()

    async def _send(self) -> None:
        is_due = self._vote and self.state["mine"] and not self.state["mine"][-1]
        if is_due and self._socket and self._vote["asked"] == self.state["asked"]:
            with suppress(websockets.ConnectionClosed):
                await self._socket.send(json.dumps(self._vote))


class Teacher:
    """The teacher's screen, which notes when its counts changed."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self._socket = socket
        self.state: dict[str, Any] = {}
        self.counts: list[tuple[float, int]] = []

    async def say(self, kind: str, **more: Any) -> None:
        await self._socket.send(json.dumps({"type": kind, **more}))

    async def listen(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            if message["type"] == "state":
                self.state = message["state"]
                self.counts.append((time.monotonic(), self.state["answered"]))


@asynccontextmanager
async def teaching(url: str, room: dict[str, str]) -> AsyncIterator[Teacher]:
    """Be the teacher of a room."""
    address = f"{url}/rooms/{room['code']}".replace("http", "ws", 1)
    async with websockets.connect(address, max_size=None) as socket:
        teacher = Teacher(socket)
        await teacher.say("hello", role="teacher", secret=room["secret"])
        listening = asyncio.create_task(teacher.listen())
        try:
            yield teacher
        finally:
            listening.cancel()


async def until(is_there: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_there():
            await asyncio.sleep(0.01)


def p95(values: list[float]) -> float:
    return sorted(values)[max(-(-95 * len(values) // 100) - 1, 0)] if values else float("nan")


async def rests(url: str, took: list[float]) -> None:
    """Rest at one step after another of BPE · Train, as another visitor."""
    async with visiting(url, "bpe_train") as visitor:
        await visitor.wait_until(has_player)
        step = 0
        while True:
            await asyncio.sleep(0.5 + random.random())
            step, done, begin = step % 8 + 1, visitor.finished, time.monotonic()
            await visitor.sync_step(step)
            await visitor.wait_until(lambda one, done=done: one.finished > done)
            took.append(time.monotonic() - begin)


async def open_pages(browser: Browser, link: str) -> list[Page]:
    """Open a room in real browsers, each a visitor of its own."""
    contexts = [await browser.new_context() for _ in range(BROWSERS)]
    pages = [await context.new_page() for context in contexts]
    await asyncio.gather(*(page.goto(link) for page in pages))
    return pages


async def choose(page: Page, answer: int) -> None:
    await page.locator(".options label").nth(answer).click(timeout=1000 * PATIENCE)
    await page.get_by_role("button", name="Answer", exact=True).click(timeout=1000 * PATIENCE)


def table(name: str, rows: list[tuple[str, str, str]]) -> None:
    print(f"\n{name}")
    for what, value, asked in rows:
        print(f"  {what:<44}{value:>16}   (asked for: {asked})")


async def class_in_a_room(name: str, url: str, direct: str, doomed: int | None) -> None:
    """Print how a class votes at `url`.

    The teacher and the other visitors are at the copy `direct`; the process `doomed` is killed.
    """
    headers = {"content-type": "application/json"}
    room = json.load(await asyncio.to_thread(urlopen, Request(f"{url}/rooms", b"{}", headers)))
    took: list[float] = []
    phones = [Phone(url, room["code"], n) for n in range(PHONES - BROWSERS)]
    async with async_playwright() as playwright, teaching(direct, room) as teacher:
        browser = await launch_chromium(playwright, LAUNCH)
        others = [asyncio.create_task(rests(direct, took)) for _ in range(OTHERS)]
        await until(lambda: len(took) >= 8 * OTHERS)
        before = p95(took)
        took.clear()

        began = time.monotonic()
        tasks = [asyncio.create_task(phone.run()) for phone in phones]
        pages = await open_pages(browser, f"{url}/room/{room['code']}")
        await until(lambda: teacher.state.get("here") == PHONES)
        joined = time.monotonic() - began

        await teacher.say("ask", question=question(), label="step 0")
        await until(lambda: all("step 0" in phone.labels for phone in phones))
        sent: list[float] = []

        async def vote_soon(vote: Callable[[], Any]) -> None:
            await asyncio.sleep(VOTING * random.random())
            sent.append(time.monotonic())
            await vote()

        votes = [lambda phone=phone, n=n: phone.vote(n % 3) for n, phone in enumerate(phones)]
        votes += [lambda page=page: choose(page, 1) for page in pages]
        voting = [asyncio.create_task(vote_soon(vote)) for vote in votes]
        if doomed:
            await asyncio.sleep(VOTING / 2)
            os.kill(doomed, signal.SIGKILL)
        await asyncio.gather(*voting)
        with suppress(TimeoutError):
            await until(lambda: teacher.state["answered"] >= PHONES)
        counted = sum(sum(row["sure"]) for row in teacher.state["tallies"][0])
        arrived = [
            next((when for when, count in teacher.counts if count > n), float("inf")) - begin
            for n, begin in enumerate(sorted(sent))
        ]

        came: list[float] = []
        for step in range(1, STEPS + 1):
            label, begin = f"step {step}", time.monotonic()
            await teacher.say("ask", question=question(label), label=label)
            steps = [page.locator(".step", has_text=label).wait_for() for page in pages]
            shown = [asyncio.create_task(_timed(one)) for one in steps]
            await until(lambda label=label: all(label in phone.labels for phone in phones))
            came += [phone.labels[label] - begin for phone in phones]
            came += await asyncio.gather(*shown)
        for task in (*tasks, *others):
            task.cancel()
        await browser.close()

    backs = [seconds for phone in phones for seconds in phone.backs]
    rows = [
        (f"{PHONES} phones joined", f"{joined:.1f} s", f"{MAX_JOIN:g} s"),
        ("lost or double votes", f"{abs(PHONES - counted)}", "0"),
        ("vote to the teacher's screen, p95", f"{p95(arrived):.2f} s", f"{MAX_VOTE:g} s"),
        ("teacher's step to the phones, p95", f"{p95(came):.2f} s", f"{MAX_STEP:g} s"),
        (f"rest of another visitor, p95 of {len(took)}", f"{1000 * p95(took):.0f} ms",
         f"{1000 * MAX_REST:g} ms"),
        ("the same before the phones came", f"{1000 * before:.0f} ms", "as above"),
    ]  # fmt: skip
    if doomed:
        worst = f"{max(backs, default=0):.1f} s"
        rows.append(
            (f"{len(backs)} phones of the killed copy back, last", worst, f"{MAX_BACK:g} s")
        )
    table(name, rows)


async def _timed(waiting: Any) -> float:
    begin = time.monotonic()
    await waiting
    return time.monotonic() - begin


def one_copy() -> None:
    with running(ROOT / "app.py") as url:
        asyncio.run(class_in_a_room("one copy, rooms in memory", url, url, None))


def two_copies() -> None:
    folder = Path(tempfile.mkdtemp())
    with ExitStack() as stack:
        _, os.environ["PIECES_ROOMS"] = stack.enter_context(redis_server(folder))
        os.environ["STREAMLIT_SERVER_COOKIE_SECRET"] = "the same for all copies"
        ports = [free_port(), free_port()]
        copies = [stack.enter_context(running(ROOT / "app.py", port=port)) for port in ports]
        url = stack.enter_context(nginx(folder, free_port(), *ports))
        name = "two copies behind nginx with Redis, one killed amid the vote"
        asyncio.run(class_in_a_room(name, url, copies[0], server_at(ports[1])))


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--only", choices=("one", "two"))
    arguments = parser.parse_args()
    for name, measure in {"one": one_copy, "two": two_copies}.items():
        if arguments.only in (None, name):
            measure()
    print_load()


if __name__ == "__main__":
    main()
