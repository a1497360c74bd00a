"""What browser tests share: Chromium, a Streamlit server for an app, pages of three sizes.

Without Chromium the tests are skipped with a sentence, or fail when REQUIRE_BROWSER=1.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from filelock import FileLock

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ROOT = Path(__file__).parents[2]
LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The tabs of a context share a process, and what it has compiled: see `tabs`.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
]
LAUNCH_FOR_TESTS = [
    *LAUNCH,
    # A tab lives for two seconds: what is compiled with more effort pays for itself later, and
    # what is compiled at all, the next one needs.
    "--js-flags=--no-opt --no-maglev --no-flush-bytecode",
    # What is compiled ahead, beside a page, another tab has compiled: a tenth of the work.
    # In place of Playwright's list, of which PaintHolding is what a picture of a page needs.
    "--disable-features=ScriptStreaming,PaintHolding",
    # Letters as wide as on a screen of today: the headless shell would fit them to pixels.
    "--font-render-hinting=none",
]
PATIENCE = 30_000  # milliseconds; on a busy machine the usual five seconds are not enough
PATIENCE_FOR_WORK = 8 * PATIENCE  # till a page has computed what takes seconds on an idle machine
Serve = Callable[[str], str]


def missing(what: str) -> NoReturn:
    """Skip, or fail where a browser is required."""
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(what)
    pytest.skip(what)


def launch_chromium(playwright, args: Sequence[str] = LAUNCH):
    """Start a Chromium: $CHROMIUM, else the headless shell, a sixth less work than the whole one.

    Raises FileNotFoundError, with what to do about it.
    """
    names = (os.environ.get("CHROMIUM", ""), "chromium-headless-shell", "chromium")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise FileNotFoundError(
            "There is no Chromium: apt-get install chromium, or set CHROMIUM to its path"
        )
    return playwright.chromium.launch(executable_path=path, args=list(args))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(
    app: Path, port: int = 0, base: str = "", folder: Path = ROOT
) -> tuple[subprocess.Popen[bytes], str]:
    """Serve an app, on a free port: the server and its URL; raise with its output if it fails.

    With `base`, it lives under that path. It is started in `folder`, whose modules it takes.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.address", "127.0.0.1"]
    command += ["--browser.gatherUsageStats", "false", "--server.fileWatcherType", "none"]
    command += ["--server.baseUrlPath", base] if base else []
    url = f"http://127.0.0.1:{port}/{base}".rstrip("/")
    with TemporaryFile() as log:  # not a pipe: a full one would stop the server
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        if not is_healthy(server, f"{url}/_stcore/health"):
            server.kill()
            log.seek(0)
            raise RuntimeError(f"the app did not start:\n{log.read().decode()}")
    return server, url


@contextmanager
def running(app: Path, port: int = 0, base: str = "", folder: Path = ROOT) -> Iterator[str]:
    """Serve an app while the block lasts, as `start` does: its URL."""
    server, url = start(app, port, base, folder)
    try:
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


@contextmanager
def in_common(app: str, folder: Path) -> Iterator[str]:
    """Serve an app to all processes of a run: who asks first starts it, who leaves last ends it."""
    file = folder / f"{Path(app).name}.json"
    lock = FileLock(f"{file}.lock")
    with lock:
        if file.exists():
            known = json.loads(file.read_text())
        else:
            server, url = start(ROOT / app)
            known = {"url": url, "process": server.pid, "users": 0}
        file.write_text(json.dumps({**known, "users": known["users"] + 1}))
    try:
        yield known["url"]
    finally:
        with lock:
            known = json.loads(file.read_text())
            if known["users"] > 1:
                file.write_text(json.dumps({**known, "users": known["users"] - 1}))
            else:
                file.unlink()
                os.kill(known["process"], signal.SIGTERM)


def is_healthy(server: subprocess.Popen[bytes], url: str, seconds: float = 60) -> bool:
    """Poll until the server answers, or until it stops or takes too long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urlopen(url, timeout=2) as answer:
                if answer.status == 200:
                    return True
        except (URLError, OSError):
            time.sleep(0.1)
    return False


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Start apps on demand, each once: `serve("app.py")` is its URL."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # one process of several, whose folders lie in one
        folder = folder.parent
    with ExitStack() as servers:
        yield cache(lambda app: servers.enter_context(in_common(app, folder)))


@pytest.fixture(scope="session")
def port() -> int:
    """Where new servers are started, one after another: a tab knows what it has compiled there."""
    return free_port()


@pytest.fixture
def new_server(port: int):
    """Start an app anew, where the one before it was: `with new_server("app.py") as url`."""
    return lambda app, **more: running(ROOT / app, port=port, **more)


@pytest.fixture(scope="session")
def browser():
    """One headless Chromium for all tests."""
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        missing("Playwright is not installed: pip install -r requirements-dev.txt")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            chromium = launch_chromium(playwright, LAUNCH_FOR_TESTS)
        except FileNotFoundError as error:
            missing(str(error))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def tabs(browser):
    """The context of most tests: a tab finds all fetched and compiled, and opens in half the time.

    One tab stays open, as the process would end with the last. A test that counts what is fetched
    makes a context of its own, and so does one that needs two visitors.
    """
    context = browser.new_context()
    context.new_page()
    yield context
    context.close()


def page_of(tabs, width: int, height: int) -> Iterator:
    """Open a tab; forget afterwards all that was opened, stored and allowed."""
    page = tabs.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.set_default_timeout(PATIENCE)
    yield page
    kept, *opened = tabs.pages
    for one in opened:
        one.close()
    everything = {"origin": "*", "storageTypes": "cookies,local_storage,indexeddb"}
    tabs.new_cdp_session(kept).send("Storage.clearDataForOrigin", everything)
    tabs.clear_permissions()


@pytest.fixture
def laptop(tabs):
    """A page of 1366 by 768."""
    yield from page_of(tabs, 1366, 768)


@pytest.fixture
def projector(tabs):
    """A page of 1920 by 1080."""
    yield from page_of(tabs, 1920, 1080)


@pytest.fixture
def phone(tabs):
    """A page of 390 by 844."""
    yield from page_of(tabs, 390, 844)


def look_below(page) -> None:
    """Scroll till the player is just above, and what is drawn for its step comes into sight."""
    page.locator(".st-key-step_fragment").evaluate(
        "(node) => document.querySelector('[data-testid=stMain]')"
        ".scrollBy(0, node.getBoundingClientRect().top - innerHeight + 160)"
    )


def fits_the_window(page, stage: str = ".player .bar", parts: str = ".player .part") -> None:
    """Check that the stage begins high up, and that all of its visible parts are in sight."""
    bottoms = [
        box["y"] + box["height"]
        for box in (one.bounding_box() for one in page.locator(parts).all())
        if box
    ]
    assert page.locator(stage).first.bounding_box()["y"] <= 190
    assert max(bottoms) <= page.viewport_size["height"]


def until(
    where: "Page | Locator",
    what: str,
    is_right: Callable[[Any], object] = bool,
    *,
    argument: object = None,
    of: object = "",
    seconds: float = 30,
) -> None:
    """Wait until what a script says of a page or an element is right; by default, until it is true.

    A picture is often laid out a frame after the one that first shows it. Playwright's own waiting
    would evaluate a string in the page again and again, which the policy of the pages forbids.
    `of` is put into the message, as the step of a loop. Raises AssertionError after `seconds`.
    """
    end = time.monotonic() + seconds
    while not is_right(value := where.evaluate(what, argument)):
        assert time.monotonic() < end, f"not within {seconds:g} s: {what} {of}: {value!r}"
        time.sleep(0.05)
