"""Fairness and memory with many simultaneous visitors, simulated by websocket clients.

    python benchmarks/visitors.py                     # all of it, some five minutes
    python benchmarks/visitors.py --only class        # or: greedy, memory, sessions

Each visitor is a connection that speaks Streamlit's protocol: opens a page, changes controls, and
reruns a page periodically if it asks for that. Four measurements:

- class: 60 visitors open Start within a second, each with a different text of 420 characters; then
  60 let Start train on it, and 60 open BPE · Train. How long until each page is complete, and how
  many fail?
- greedy: one visitor with a million characters changes the number of merges 36 times in 12 seconds.
  How long does another one wait for a small run in the meantime?
- memory: 20 visitors paste 20 MB each and leave. How much memory does the server keep?
- sessions: 10,000 visitors come and leave, one after another. Does the server's memory grow?

For the browser see stepping.py and pasting.py. Server and visitors share the machine, so consider
its load and the processor times: on an idle machine with two cores, a class waits at least for the
server's time, and for half of the total.
"""

import asyncio
import json
import os
import random
import statistics
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import websockets
from common import ROOT, child_processes, cpu_seconds, options, print_load
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLs, FileURLsRequest, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from lessons.texts import LANGUAGES
from tests.browser.conftest import running

CLASS, SPREAD = 60, 1.0  # visitors, and the seconds within which they come
LENGTH = 420  # characters of each one's text
MAX_SERVED, MAX_SMALL = 4.0, 2.0  # seconds, p95 of the class; of the small run
CHANGES, CHANGING = 36, 12.0  # of settings, in so many seconds
HEAVY = 1_000_000  # characters
RICH, PASTED = 20, 20_000_000  # visitors, and bytes of each one's text
SESSIONS, AT_ONCE = 10_000, 8  # visitors who come and go
WARMING = 300  # of them before the first rerun
DISCONNECT_WAIT = 15.0  # seconds until the server has noticed that the last ones are gone
PATIENCE = 120.0  # seconds
FIGURES = b"This text has "  # what stands below the models' rows on Start
ROWS = b"tokens by "  # and in the rows of the tokenizers trained there, of which there are five
TRAINING = {"from": "own"}  # has Start train
PLAYER = b"piece_by_piece_player"

WORDS = " ".join(one.text for one in LANGUAGES if one.script == "Latin").split()


def text_of(number: int, length: int) -> str:
    """Return a text that is unique to the visitor."""
    draw = random.Random(number)
    first = "".join(draw.choices("bdfgklmnprst", k=6))
    return f"{first} {' '.join(draw.choices(WORDS, k=length // 4))}"[:length]


class Visitor:
    """One connection: the messages of its page's latest run, and the errors shown."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self._socket = socket
        self.query = self.page = self.hash = self.session = ""
        self.sent: list[bytes] = []
        self.errors: list[str] = []
        self.ids: dict[str, str] = {}  # key of a control -> its widget id
        self._uploads: list[FileURLs] = []
        self._listener: tuple[str, str] | None = None
        self._player = ("", "", 0)  # its id, its fragment, its latest revision
        self.finished = 0
        self._received = asyncio.Event()
        self._reruns: dict[str, asyncio.Task[None]] = {}

    async def rerun(self, fragment: str = "", **values: str | float) -> None:
        """Rerun the page with these widget values, or only a fragment of it."""
        state = ClientState(query_string=self.query, page_script_hash=self.hash)
        if fragment:
            state.fragment_id, state.is_auto_rerun = fragment, True
        elif not self.hash:
            state.page_name = self.page
        for key, value in values.items():
            widget = state.widget_states.widgets.add(id=self.ids[key])
            if isinstance(value, str):
                widget.string_value = value
            else:
                widget.double_value = value
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def sync_step(self, step: int) -> None:
        """Send the player's step to the server, as the browser does on a pause."""
        key, fragment, number = self._player
        if self._listener:  # only the fragment that depends on the step is rerun
            key, fragment = self._listener
        state = ClientState(query_string=self.query, page_script_hash=self.hash)
        state.fragment_id = fragment
        widget = state.widget_states.widgets.add(id=key)
        widget.json_value = json.dumps({"step": [step, number]})
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def upload(self, url: str, key: str, name: str, data: bytes) -> None:
        """Upload a file into the uploader `key` of the app at `url`, and rerun the page."""
        self._uploads.clear()
        request = FileURLsRequest(request_id=name, file_names=[name], session_id=self.session)
        await self._socket.send(BackMsg(file_urls_request=request).SerializeToString())
        await self.wait_until(lambda one: bool(one._uploads))
        [urls] = self._uploads
        await asyncio.to_thread(_put, url, urls.upload_url, name, data)
        state = ClientState(query_string=self.query, page_script_hash=self.hash)
        widget = state.widget_states.widgets.add(id=self.ids[key])
        widget.file_uploader_state_value.uploaded_file_info.append(
            UploadedFileInfo(name=name, size=len(data), file_id=urls.file_id, file_urls=urls)
        )
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def wait_until(self, is_there: "Callable[[Visitor], bool]") -> float:
        """Wait for a condition, and return the seconds."""
        begin = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            while not is_there(self):
                self._received.clear()
                await self._received.wait()
        return time.monotonic() - begin

    async def listen(self) -> None:
        """Process the server's messages until the connection closes."""
        with suppress(websockets.ConnectionClosed):
            async for raw in self._socket:
                self._handle(bytes(raw))  # type: ignore[arg-type]
                self._received.set()

    def _handle(self, raw: bytes) -> None:
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        if kind == "file_urls_response":
            self._uploads += message.file_urls_response.file_urls
        elif kind == "new_session":
            self.session = message.new_session.initialize.session_id
            if not message.metadata.run.fragment_ids:
                self.sent.clear()
                self.stop_reruns()
        elif kind == "navigation":
            self.hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            again = message.auto_rerun
            rerun = self._rerun_periodically(again.fragment_id, again.interval)
            self._reruns[again.fragment_id] = asyncio.create_task(rerun)
        elif kind == "script_finished":
            self.finished += 1
        elif kind == "delta":
            self.sent.append(raw)
            self._note(message)

    def _note(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "bidi_component" and element.bidi_component.component_name.endswith(
            "step_listener"
        ):
            self._listener = (element.bidi_component.id, message.delta.fragment_id)
        if kind == "bidi_component" and element.bidi_component.component_name.endswith("player"):
            name, sent = element.bidi_component.id, element.bidi_component.bytes
            header = json.loads(sent[4 : 4 + int.from_bytes(sent[:4], "little")])
            self._player = (name, message.delta.fragment_id, header["step"][0])
        if kind in ("number_input", "text_area", "file_uploader"):
            name = getattr(element, kind).id
            self.ids[name.rpartition("-")[2]] = name
        elif kind == "alert":
            self.errors.append(element.alert.body)
        elif kind == "exception":
            self.errors.append(element.exception.message)

    async def _rerun_periodically(self, fragment: str, interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            await self.rerun(fragment)

    @property
    def is_waiting(self) -> bool:
        """Return whether the page waits for a worker: it reruns a fragment until then."""
        return bool(self._reruns)

    def stop_reruns(self) -> None:
        """Cancel all periodic reruns of fragments."""
        for rerun in self._reruns.values():
            rerun.cancel()
        self._reruns.clear()


def _put(url: str, path: str, name: str, data: bytes) -> None:
    """Send a file to its upload URL, with the token that protects the form."""
    with urlopen(f"{url}/_stcore/health") as answer:
        cookies = "; ".join(one.partition(";")[0] for one in answer.headers.get_all("set-cookie"))
    token = cookies.partition("_streamlit_xsrf=")[2].partition(";")[0]
    form = f'--end\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n\r\n'
    request = Request(
        f"{url}{path}", form.encode() + data + b"\r\n--end--\r\n", method="PUT", headers={
            "Content-Type": "multipart/form-data; boundary=end",
            "Cookie": cookies, "X-Xsrftoken": token,
        },
    )  # fmt: skip
    urlopen(request).close()


@asynccontextmanager
async def visiting(url: str, page: str, **query: str) -> AsyncIterator[Visitor]:
    """Open a page; the connection closes with the block."""
    address = f"{url.replace('http', 'ws', 1)}/_stcore/stream"
    async with websockets.connect(
        address,
        subprotocols=[websockets.Subprotocol("streamlit")],
        max_size=None,
        open_timeout=PATIENCE,
    ) as socket:
        visitor = Visitor(socket)
        visitor.page, visitor.query = page, urlencode(query)
        listening = asyncio.create_task(visitor.listen())
        await visitor.rerun()
        try:
            yield visitor
        finally:
            visitor.stop_reruns()
            listening.cancel()


def has_figures(visitor: Visitor) -> bool:
    """Return whether Start shows the text split by the published tokenizers."""
    return any(FIGURES in one for one in visitor.sent)


def has_rows(visitor: Visitor) -> bool:
    """Return whether Start shows all five trained tokenizers."""
    return sum(ROWS in one for one in visitor.sent) == 5


def has_player(visitor: Visitor) -> bool:
    """Return whether BPE · Train shows its recording."""
    return any(PLAYER in one for one in visitor.sent)


async def join(
    url: str, number: int, page: str, query: dict[str, str], is_there: Callable[[Visitor], bool]
) -> tuple:
    """Open a page as one of the class; return the seconds until complete, and the errors."""
    await asyncio.sleep(SPREAD * (number % CLASS) / CLASS)
    begin = time.monotonic()
    async with visiting(url, page, text=text_of(number, LENGTH), **query) as visitor:
        with suppress(TimeoutError):
            await visitor.wait_until(lambda visitor: is_there(visitor) or bool(visitor.errors))
            return time.monotonic() - begin, visitor.errors
        return PATIENCE, ["not served"]


async def whole_class(url: str) -> None:
    """Print the response times of a class on each page."""
    pages = (
        ("", "Start", {}, has_figures),
        ("", "Start that trains", TRAINING, has_rows),
        ("bpe_train", "BPE · Train", {"corpus": "own"}, has_player),
    )
    for n, (page, name, query, is_there) in enumerate(pages):
        for warm in range(4):  # the worker processes start
            await join(url, -4 * n - warm - 1, page, query, is_there)
        before = cpu_used()
        numbers = range(1 + n * CLASS, 1 + (n + 1) * CLASS)
        found = await asyncio.gather(*[join(url, one, page, query, is_there) for one in numbers])
        server, workers = (after - at for at, after in zip(before, cpu_used(), strict=True))
        refused = [errors for _, errors in found if errors]
        times = sorted(seconds for seconds, errors in found if not errors)
        high = times[max(-(-95 * len(times) // 100) - 1, 0)]
        print(
            f"{CLASS} visitors of {name} within {SPREAD:g} s: {len(refused)} refused, "
            f"p50 {statistics.median(times):.1f} s, p95 {high:.1f} s (asked for: {MAX_SERVED:g}), "
            f"worst {times[-1]:.1f} s; processor time: server {server:.1f} s, "
            f"workers {workers:.1f} s",
            *refused[:1],
            flush=True,
        )


async def greedy(url: str) -> None:
    """Print the time of a small run while another visitor keeps changing settings."""
    async with (
        visiting(url, "bpe_train", corpus="own") as rich,
        visiting(url, "", **TRAINING) as small,
    ):
        await rich.wait_until(has_player)
        await small.wait_until(has_rows)
        await rich.rerun(text_box=text_of(0, HEAVY))
        await asyncio.sleep(1.0)
        took = []
        for n in range(CHANGES):
            await rich.rerun(merges=2000.0 - 10 * n)
            await asyncio.sleep(CHANGING / CHANGES)
            if n % 9 == 8:
                begin, done = time.monotonic(), small.finished
                small.sent.clear()
                await small.rerun(text_box=text_of(1000 + n, 17))
                await small.wait_until(lambda one, done=done: one.finished > done and has_rows(one))
                took.append(time.monotonic() - begin)
        last = await rich.wait_until(has_player)
    listed = ", ".join(f"{seconds:.2f}" for seconds in took)
    print(
        f"small runs beside {CHANGES} changes of settings of {HEAVY:,} characters: {listed} s ",
        end="",
    )
    print(f"(asked for: {MAX_SMALL:g}); the last change was there {last:.0f} s later", flush=True)


def memory_used() -> tuple[float, float]:
    """Return the memory of the servers and of their workers, in MB."""
    return _of_all(resident)


def cpu_used() -> tuple[float, float]:
    """Return the processor time of the servers and of their workers, in seconds."""
    return _of_all(cpu_seconds)


def _of_all(measure: Callable[[int], float]) -> tuple[float, float]:
    servers = child_processes(os.getpid())
    return sum(map(measure, servers)), sum(
        measure(one) for each in servers for one in child_processes(each)
    )


def resident(process: int) -> float:
    """Return the resident memory of a process, in MB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 1e6


async def memory(url: str, wait: float) -> None:
    """Print the server's memory with visitors who paste large texts, and after they leave."""
    async with visiting(url, "bpe_train", corpus="own") as first:
        await first.wait_until(has_player)
    before = memory_used()

    async def paste(number: int) -> None:
        async with visiting(url, "bpe_train", corpus="own") as visitor:
            await visitor.wait_until(has_player)
            done = visitor.finished
            await visitor.rerun(text_box=text_of(number, PASTED))
            await visitor.wait_until(lambda one: one.finished > done and has_player(one))

    for number in range(RICH):
        await paste(number)
    there = memory_used()
    await asyncio.sleep(wait)
    after = memory_used()
    for name, (server, workers) in (
        ("before", before),
        (f"after {RICH} visitors with {PASTED / 1e6:g} MB each", there),
        (f"{wait:g} s later", after),
    ):
        print(f"{name}: server {server:,.0f} MB, workers {workers:,.0f} MB", flush=True)


async def sessions(url: str) -> None:
    """Print the server's memory after thousands of visitors who came and left."""
    room = asyncio.Semaphore(AT_ONCE)

    async def come_and_go(number: int) -> None:
        page, is_there = (
            ("", has_figures),
            ("bpe_train", has_player),
            ("unigram_lattice", has_player),
        )[number % 3]
        async with room, visiting(url, page) as visitor:
            await visitor.wait_until(is_there)

    for first in range(0, SESSIONS + 1, SESSIONS // 5):
        if first:
            await asyncio.gather(*map(come_and_go, range(first - SESSIONS // 5, first)))
        else:
            await asyncio.gather(*map(come_and_go, range(WARMING)))
        await asyncio.sleep(DISCONNECT_WAIT)
        server, workers = memory_used()
        [process] = child_processes(os.getpid())
        threads = len(list(Path(f"/proc/{process}/task").iterdir()))
        print(
            f"after {first or WARMING:,} sessions: server {server:,.0f} MB in {threads} threads, "
            f"workers {workers:,.0f} MB in {len(child_processes(process))} processes",
            flush=True,
        )


def main() -> None:
    """Run the four measurements, each on a new server."""
    parser = options(__doc__)
    parser.add_argument("--only", choices=("class", "greedy", "memory", "sessions"))
    parser.add_argument("--wait", type=float, default=75.0, help="seconds, after all have gone")
    arguments = parser.parse_args()
    questions = {
        "class": whole_class,
        "greedy": greedy,
        "memory": lambda url: memory(url, arguments.wait),
        "sessions": sessions,
    }
    for name, question in questions.items():
        if arguments.only in (None, name):
            with running(ROOT / "app.py") as url:
                asyncio.run(question(url))
    print_load()


if __name__ == "__main__":
    main()
