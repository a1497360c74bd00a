"""The middleware and routes of the server."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import net_util
from streamlit.config import get_option, set_option
from streamlit.web.server.starlette.starlette_websocket import create_websocket_handler

from pages import serving
from pages.shared.work import jobs
from pages.shared.work.pool import Pool
from pages.start import prerender
from pages.start.presets import FIRST_TEXT


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    pool = Pool(workers=1)
    monkeypatch.setattr(jobs, "_POOL", pool)
    yield pool
    pool.close()


def test_the_server_is_well_before_the_first_run_and_after_it_until_the_pool_is_closed(pool: Pool):
    app = Starlette(routes=serving.ROUTES, middleware=serving.MIDDLEWARE)
    client = TestClient(app)
    assert client.get("/health").status_code == 200
    assert pool.run("once", abs, -1).wait(60)
    assert client.get("/health").text == "ok"
    pool.close()
    answer = client.get("/health")
    assert answer.status_code == 503
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "camera=(self)" in answer.headers["permissions-policy"]  # codes of a class are scanned


def test_the_server_is_not_well_when_nobody_attends_to_a_worker(pool: Pool):
    assert pool.run("once", abs, -1).wait(60)
    assert pool.is_well()
    pool._threads[-1].is_alive = lambda: False  # type: ignore[method-assign]
    assert not pool.is_well()


def test_runs_end_when_the_server_does(pool: Pool):
    with TestClient(Starlette(lifespan=serving.lifespan)):
        assert pool.is_well()
    assert not pool.is_well()


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
@pytest.mark.parametrize("path", ["/page", "/text", "/download"])
def test_a_page_comes_dressed_and_whole_and_nothing_else_does(tmp_path: Path, path, encoding):
    index = tmp_path / "index.html"
    index.write_text(f"<body>{'tiles ' * 500}</body>", encoding="utf-8")
    kind = "text/plain" if path == "/text" else "text/html"
    name = "lesson.html" if path == "/download" else None  # it comes as an attachment
    app = Starlette(
        routes=[Route(path, lambda _: FileResponse(index, media_type=kind, filename=name))],
        middleware=[*serving.MIDDLEWARE, Middleware(GZipMiddleware)],
    )
    answer = TestClient(app).get(path, headers={"accept-encoding": encoding})
    assert ("content-encoding" in answer.headers) == (encoding == "gzip")
    body = index.read_bytes()
    if path == "/page":
        body = body.replace(b"</body>", serving.PAGE_ASSETS + b"</body>")
        assert not {"etag", "last-modified"} & set(answer.headers)
        assert int(answer.headers["content-length"]) <= len(body)
    assert answer.content == body
    assert b".pp-heading" in serving.PAGE_ASSETS


LOOK = Markup("<b>seen first</b>")


@pytest.mark.parametrize(
    ("address", "has_it"), [("/", True), ("/?text=low", False), ("/bpe_train", False)]
)
def test_the_bare_url_of_start_is_prerendered(monkeypatch, address, has_it):
    monkeypatch.setattr(serving.prerender, "_html", [LOOK])
    page = HTMLResponse("<body></body>")
    app = Starlette(
        routes=[Route("/{rest:path}", lambda _: page)], middleware=[*serving.MIDDLEWARE]
    )
    assert (LOOK in TestClient(app).get(address).text) == has_it


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "/sources?part=beliefs&belief=last_token&said=False",
            "/beliefs?belief=last_token&said=False",
        ),
        ("/sources?letters=Zo%C3%AB&part=beliefs", "/beliefs?letters=Zo%C3%AB"),
        ("/sources?part=beliefs", "/beliefs"),
        ("/sources?part=claims", "/sources?part=claims"),
        ("/sources?verdict=differs", "/sources?verdict=differs"),
        ("/race?part=beliefs", "/race?part=beliefs"),
    ],
)
def test_an_old_address_leads_to_where_the_page_is_now(old, new):
    page = HTMLResponse("<body></body>")
    app = Starlette(
        routes=[Route("/{rest:path}", lambda _: page)], middleware=[*serving.MIDDLEWARE]
    )
    answer = TestClient(app).get(old)
    assert (answer.status_code, answer.url.raw_path.decode()) == (200, new)


def test_the_prerendered_page_is_there_once_it_is_built(monkeypatch):
    monkeypatch.setattr(prerender, "_html", [])
    assert prerender.prerendered_html() == ""
    prerender._prepare()
    look = prerender.prerendered_html()
    assert escape(FIRST_TEXT) in look
    scripts = re.findall(r"<script>(.*?)</script>", look, re.DOTALL)
    assert scripts == [prerender.SCRIPT]
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in serving.POLICY["script-src"]
    assert "{{" not in look.replace(prerender.SCRIPT, "")


FOREVER = {"cache-control": "public, immutable, max-age=31536000"}
WHOLE = b"const tiles = 8;" * 1000


@pytest.mark.parametrize(
    ("path", "kept", "request_headers", "is_packed"),
    [
        ("/static/a.1f.js", FOREVER, {}, True),
        ("/static/a.1f.js", FOREVER, {"accept-encoding": "identity"}, False),
        ("/static/a.1f.js", FOREVER, {"range": "bytes=0-9"}, False),
        ("/static/a.1f.js", FOREVER, {"if-none-match": '"1f"'}, False),
        ("/static/a.1f.woff2", FOREVER, {}, False),
        ("/a.js", {"cache-control": "no-cache"}, {}, False),
        ("/static//a.1f.js", FOREVER, {}, False),
        ("/static/.x/a.1f.js", FOREVER, {}, False),
    ],
)
def test_an_immutable_script_is_read_once_and_sent_compressed(
    path, kept, request_headers, is_packed
):
    reads = []

    def read(request: Request) -> Response:
        reads.append(request)
        return Response(WHOLE, media_type="text/javascript", headers=kept)

    app = Starlette(routes=[Route(path, read)], middleware=serving.MIDDLEWARE)
    client = TestClient(app)
    for _ in range(3):
        answer = client.get(path, headers=request_headers)
        assert answer.content == WHOLE
        assert (answer.headers.get("content-encoding") == "gzip") == is_packed
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert len(reads) == (1 if is_packed else 3)
    if is_packed:
        assert int(answer.headers["content-length"]) < len(WHOLE) / 10
        assert answer.headers["vary"] == "accept-encoding"
        assert answer.headers["cache-control"] == FOREVER["cache-control"]


def test_a_script_is_complete_even_if_its_first_client_disconnects(tmp_path: Path):
    """A tab closed while it loads makes Starlette stop in the middle of a file."""
    path = "/static/a.1f.js"
    file = tmp_path / "a.1f.js"
    file.write_bytes(WHOLE * 100)
    app = Starlette(
        routes=[Route(path, lambda _: FileResponse(file, headers=FOREVER))],
        middleware=serving.MIDDLEWARE,
    )
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "http_version": "1.1",
    }
    headers = [(b"accept-encoding", b"gzip")]

    async def leave():
        return {"type": "http.disconnect"}

    async def send(_):
        pass

    asyncio.run(app({**scope, "headers": headers}, leave, send))
    assert TestClient(app).get(path).content == WHOLE * 100


def test_a_missing_script_is_not_cached():
    app = Starlette(middleware=serving.MIDDLEWARE)
    client = TestClient(app)
    assert [client.get("/static/a.1f.js").status_code for _ in range(2)] == [404, 404]


# --- Who may connect ------------------------------------------------------------------------------

HERE = "http://pieces.school.test:8501"


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The network lookups of Streamlit: of its own address inside and outside."""
    lookups: list[str] = []
    for name in ("get_internal_ip", "get_external_ip"):
        monkeypatch.setattr(net_util, name, lambda name=name: lookups.append(name))
    return lookups


def connects(monkeypatch: pytest.MonkeyPatch, origin: str | None) -> bool:
    """Return whether Streamlit's websocket (behind the middleware) accepts that origin."""

    async def accept(websocket: WebSocket, subprotocol: str | None) -> None:
        raise ConnectionAbortedError  # accepted: the handshake ends here

    monkeypatch.setattr(WebSocket, "accept", accept)
    handler = create_websocket_handler(Mock())
    route = WebSocketRoute("/_stcore/stream", handler)
    client = TestClient(Starlette(routes=[route], middleware=serving.MIDDLEWARE))
    headers = {"host": HERE.partition("//")[2]} | ({} if origin is None else {"origin": origin})
    with (
        pytest.raises((WebSocketDisconnect, ConnectionAbortedError)) as ended,
        client.websocket_connect("/_stcore/stream", headers=headers),
    ):
        pass
    return ended.type is ConnectionAbortedError


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "", "http://[", "file://"])
def test_a_page_of_another_site_is_rejected_without_a_network_request(
    monkeypatch, looked_up, origin
):
    assert not connects(monkeypatch, origin)
    assert looked_up == []


@pytest.mark.parametrize(
    "origin",
    [None, HERE, "http://localhost:3000", "http://127.0.0.1", "https://lms.school.test"],
)
def test_a_page_of_ours_connects_without_a_look_at_the_network(monkeypatch, looked_up, origin):
    before = get_option("server.corsAllowedOrigins")
    set_option("server.corsAllowedOrigins", ["https://lms.school.test"])
    try:
        assert connects(monkeypatch, origin)
    finally:
        set_option("server.corsAllowedOrigins", before)
    assert looked_up == []


def test_a_browser_gets_a_number_with_its_first_page_and_keeps_it():
    page = HTMLResponse("<body></body>")
    text = Response("x", media_type="text/plain")
    app = Starlette(
        routes=[Route("/", lambda _: page), Route("/text", lambda _: text)],
        middleware=serving.MIDDLEWARE,
    )
    client = TestClient(app)
    assert "set-cookie" not in client.get("/text").headers
    assert re.match(rf"{jobs.COOKIE}=\w{{32}}; ", client.get("/").headers["set-cookie"])
    assert "set-cookie" not in client.get("/").headers
    assert client.cookies[jobs.COOKIE] != TestClient(app).get("/").cookies[jobs.COOKIE]
