"""Hosted: what every answer carries, whether the server is well, and two copies behind nginx.

nginx runs with the configuration that docs/hosting has, but for the ports. When one copy is killed,
every browser comes back at its step, with its text. Left out: the container and the cluster, for
which there is no engine here; what the image holds is held to be enough.
"""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.browser.conftest import ROOT, free_port, is_healthy, missing, running
from tests.browser.test_player import press

HOSTING = ROOT / "docs/hosting"
PATIENT = 90_000  # ms: two servers start here, and a browser waits before it connects again
LETTERS = "abc"
OUTER = """
daemon off;
user root;
worker_processes 1;
pid {folder}/pid;
error_log stderr;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {inner}
}}
"""


@contextmanager
def nginx(folder: Path, port: int, *copies: int) -> Iterator[str]:
    """Run nginx at a port, before copies of the app at others."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    if not Path(program).exists():
        missing("There is no nginx: apt-get install nginx-light")
    inner = (HOSTING / "nginx.conf").read_text(encoding="utf-8")
    inner = inner.replace("listen 80;", f"listen 127.0.0.1:{port};")
    for number, copy in enumerate(copies, start=1):
        inner = inner.replace(f"pieces-{number}:8501", f"127.0.0.1:{copy}")
    file = folder / "nginx.conf"
    file.write_text(OUTER.format(folder=folder, inner=inner), encoding="utf-8")
    proxy = subprocess.Popen([program, "-c", str(file), "-p", str(folder)])
    try:
        url = f"http://127.0.0.1:{port}"
        assert is_healthy(proxy, f"{url}/health")
        yield url
    finally:
        proxy.terminate()
        proxy.wait(timeout=20)


def sessions(port: int) -> int:
    """Return how many browsers a copy serves."""
    with urlopen(f"http://127.0.0.1:{port}/_stcore/metrics") as answer:
        found = re.search(r"^active_sessions (\d+)", answer.read().decode(), re.MULTILINE)
    assert found
    return int(found[1])


def cookie_of_the_idle(url: str) -> str:
    """Return the cookie of a browser that nginx sends to the copy which serves nobody yet."""
    for number in range(1000):
        asked = Request(f"{url}/_stcore/metrics", headers={"Cookie": f"pieces={number}"})
        with urlopen(asked) as answer:
            if "\nactive_sessions 0" in answer.read().decode():
                return str(number)
    raise AssertionError("one copy serves all")


def server_at(port: int) -> int:
    """Return the process of the copy that was started for a port."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        words = file.read_bytes().split(b"\0") if file.exists() else []
        if b"streamlit" in words and str(port).encode() in words:
            return int(file.parent.name)
    raise AssertionError(f"no server at port {port}")


def text_of(number: int) -> str:
    return f"{LETTERS[number]}ow lower lowest newer newest widest " * 3


def opened(page: Page, url: str, number: int) -> None:
    page.goto(f"{url}/bpe_train?corpus=own&text={quote(text_of(number))}&step={number + 1}")
    stands(page, number + 1)


def stands(page: Page, step: int) -> None:
    expect(page.locator(".player .at")).to_have_text(str(step), timeout=PATIENT)


@pytest.mark.skipif(not Path("/proc").exists(), reason="a copy is found by /proc: Linux only")
def test_everybody_comes_back_when_a_copy_is_killed(laptop, port, tmp_path, monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_COOKIE_SECRET", "the same for all copies")
    with ExitStack() as stack:
        ports = [free_port(), free_port()]
        for copy in ports:
            stack.enter_context(running(ROOT / "app.py", port=copy))
        url = stack.enter_context(nginx(tmp_path, port, *ports))
        pages = [laptop, laptop.context.new_page(), laptop.context.new_page()]
        laptop.set_default_timeout(PATIENT)
        opened(laptop, url, 0)
        (dead,) = (copy for copy in ports if not sessions(copy))
        (alive,) = set(ports) - {dead}
        # From now on all ask for the idle copy, which will be no longer there: the first one, too.
        other = {"name": "pieces", "value": cookie_of_the_idle(url), "url": url}
        laptop.context.add_cookies([other])
        for number, page in enumerate(pages[1:], start=1):
            page.set_viewport_size({"width": 1366, "height": 768})
            page.set_default_timeout(PATIENT)
            opened(page, url, number)
        assert (sessions(alive), sessions(dead)) == (1, 2), "one copy serves all"

        os.kill(server_at(dead), 9)
        for number, page in enumerate(pages):
            press(page, "ArrowRight")
            stands(page, number + 2)
        deadline = time.monotonic() + PATIENT / 1000
        while sessions(alive) < len(pages) and time.monotonic() < deadline:
            pages[0].wait_for_timeout(200)
        assert sessions(alive) >= len(pages)
        for number, page in enumerate(pages):
            rests = page.locator(".stApp[data-test-script-state='notRunning']")
            expect(rests).to_be_visible(timeout=PATIENT)
            stands(page, number + 2)
            page.reload()
            stands(page, number + 2)
            expect(page).to_have_url(re.compile(f"text={LETTERS[number]}ow"))


def test_a_script_that_somebody_wrote_into_a_page_does_not_run(laptop, serve):
    """That the pages themselves ask for nothing forbidden, see `test_every_page.py`."""
    laptop.goto(serve("app.py"))
    told = forbidden(laptop)
    laptop.evaluate(
        "document.body.appendChild(document.createElement('script')).text = 'stolen = 1'"
    )
    assert laptop.evaluate("window.stolen") is None
    assert told


def forbidden(page: Page) -> list[str]:
    """Return a list to which is added what is refused to the page from now on, as it happens."""
    told: list[str] = []
    says = "security policy"
    page.on("console", lambda one: told.append(one.text) if says in one.text.lower() else None)
    return told


def test_every_answer_carries_the_headers_and_the_server_is_well(serve):
    url = serve("app.py")
    for path in ("", "bpe_train", "health", "_stcore/health", "nowhere/at/all.js"):
        with urlopen(f"{url}/{path}") as answer:
            assert "object-src 'none'" in answer.headers["content-security-policy"], path
            assert answer.headers["x-content-type-options"] == "nosniff"
    with urlopen(f"{url}/health") as answer:
        assert answer.read() == b"ok"


def test_messages_are_compressed_and_one_that_unpacks_to_too_much_ends_the_connection(serve):
    address = serve("app.py").replace("http", "ws", 1) + "/_stcore/stream"
    with connect(address, subprotocols=[Subprotocol("streamlit")]) as socket:
        assert socket.response
        assert "permessage-deflate" in socket.response.headers["Sec-WebSocket-Extensions"]
        socket.send(bytes(65 << 20))
        with pytest.raises(ConnectionClosedError) as closed:
            list(socket)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1009, "too large"


def test_a_file_on_a_disk_may_frame_the_program(laptop, serve, tmp_path):
    file = tmp_path / "mine.html"
    file.write_text(f"<iframe src='{serve('app.py')}/bpe_train?embed=1'></iframe>")
    laptop.goto(file.as_uri())
    framed = laptop.frame_locator("iframe")
    expect(framed.locator(".player .at")).to_have_text("0", timeout=PATIENT)


def test_who_may_frame_the_program_is_a_setting(monkeypatch):
    monkeypatch.setenv("PIECES_FRAMED_BY", "https://school.example")
    with running(ROOT / "app.py") as url, urlopen(f"{url}/health") as answer:
        assert "frame-ancestors https://school.example" in answer.headers["content-security-policy"]


def test_the_image_holds_all_that_the_program_needs(tmp_path):
    """The files that the Dockerfile copies are put into a folder, and the program runs there."""
    rows = (HOSTING / "Dockerfile").read_text(encoding="utf-8").splitlines()
    allowed = (HOSTING / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for name in [row.split()[1] for row in rows if row.startswith("COPY")]:
        assert f"!{name}" in allowed
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    with running(tmp_path / "app.py", folder=tmp_path) as url, urlopen(f"{url}/health") as answer:
        assert answer.status == 200
