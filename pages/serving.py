"""The server's middleware and routes, which handle headers, static files, health and shutdown.

docs/hosting has configuration files for hosting; access control is left to a proxy.
"""

import asyncio
import base64
import gzip
import hashlib
import os
import re
import secrets
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from functools import lru_cache
from logging import getLogger
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages import streamlit_patches
from pages.room.routes import RoomServer, new_store, room_routes
from pages.shared.drawing.markup import each, html
from pages.shared.drawing.styles import CONTENT_CSS
from pages.shared.recording import registry
from pages.shared.routes import START
from pages.shared.work import jobs
from pages.start import prerender

FRAMED_BY = os.environ.get("PIECES_FRAMED_BY", "")
"""The sites that may embed the app in a frame, as in CSP's frame-ancestors; by default any.

There is no login that a framing site could abuse. The default sets no frame-ancestors at all,
because `*` would exclude a file on a teacher's disk.
"""
_BASE = str(streamlit.get_option("server.baseUrlPath") or "").strip("/")
ROOT = f"/{_BASE}/" if _BASE else "/"
"""The path of the app on its server."""
_SHARED = Path(__file__).parent / "shared"
HISTORY_SCRIPT = f"\n{(_SHARED / 'history.js').read_text(encoding='utf-8')}"


def _inline_script_hashes() -> list[str]:
    """Return CSP hashes of the inline scripts in Streamlit's page and of the app's own scripts."""
    page = Path(streamlit.__file__).with_name("static") / "index.html"
    found = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    ours = (HISTORY_SCRIPT, prerender.SCRIPT)
    digests = [hashlib.sha256(script.encode()).digest() for script in (*found, *ours)]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


POLICY = {
    "default-src": "'self'",
    # The app's components are blobs; Graphviz runs as WebAssembly.
    "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *_inline_script_hashes()]),
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    **({"frame-ancestors": FRAMED_BY} if FRAMED_BY else {}),
}
"""The content security policy: nothing is fetched from, or sent to, another host."""
HEADERS = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "referrer-policy": "same-origin",  # a URL may hold a text
    "x-content-type-options": "nosniff",
    # The camera scans the answer codes of a class, at a teacher's request: classroom/scanning.js.
    "permissions-policy": "camera=(self), geolocation=(), microphone=()",
}

WINDOW_HEADERS = {"content-type": "application/octet-stream", "cache-control": "no-store"}

_SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"
_PRELOADED = ("BidiComponent", "Html", "TextArea", "ButtonGroup")
"""Scripts of elements on nearly every page, which Streamlit would load only when it shows them."""


def _with_imports(names: Iterable[str]) -> list[str]:
    """Return the file names of Streamlit's scripts `names` and of all scripts they import."""
    found: list[str] = []
    due = [file.name for name in names for file in _SCRIPTS.glob(f"{name}.*.js")]
    while due:
        name = due.pop()
        if name not in found and (_SCRIPTS / name).exists():
            found.append(name)
            text = (_SCRIPTS / name).read_text(encoding="utf-8")
            due += re.findall(r'(?:from|import)\s*"\./([\w.-]+\.js)"', text)
    return found


def _preload_links() -> Markup:
    """Return links by which the browser preloads the `_PRELOADED` scripts while the page runs."""
    known = set(_with_imports(["index"]))
    link = '<link rel="modulepreload" fetchpriority="low" href="./static/js/{}">'
    return each(link, [name for name in _with_imports(_PRELOADED) if name not in known])


PAGE_ASSETS = html(
    "<style>{}</style>{}<script>{}</script>",
    Markup(CONTENT_CSS + (_SHARED / "page.css").read_text(encoding="utf-8")),
    _preload_links(),
    Markup(HISTORY_SCRIPT),
).encode()


LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "0.0.0.0"})


class AllowedOrigins:
    """Reject websockets from pages of other sites, before Streamlit checks the origin.

    Streamlit would compare the origin with the machine's public IP address. It requests this
    address from another server, and all users have to wait for the response. This class allows
    what Streamlit allows without that request: the requested host, the machine's local names, and
    the hosts in the options `browser.serverAddress` and `server.corsAllowedOrigins`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a connection on, or reject it."""
        if scope["type"] == "websocket":
            headers = MutableHeaders(scope=scope)
            origin, host = headers.get("origin"), headers.get("host")
            if origin is not None and origin.partition("://")[2] != host:
                if not _is_allowed(origin):
                    message = "Refused a websocket: its Origin is %r, its Host %r."
                    getLogger(__name__).warning(message, origin, host)
                    await WebSocketClose(code=1008)(scope, receive, send)
                    return
                del headers[
                    "origin"
                ]  # Streamlit would look up its public IP address before it reads the options
        await self._app(scope, receive, send)


def _is_allowed(origin: str) -> bool:
    option = streamlit.get_option
    named = (option("browser.serverAddress"), *option("server.corsAllowedOrigins"))
    names = {_name_in(str(one)) for one in named} - {None} | LOCAL_NAMES
    return not option("server.enableCORS") or _name_in(origin) in names


def _name_in(url: str) -> str | None:
    """Return the host name of a URL with or without a scheme; None if it has none."""
    try:
        return urlsplit(url if "://" in url else f"//{url}").hostname
    except ValueError:  # such as an IPv6 address without its bracket
        return None


class BrowserCookie:
    """Give each browser a random id, by which the browser's tabs share one lane in the job queue.

    A proxy may have set this cookie already: see docs/hosting/nginx.conf. In another site's frame
    the browser may reject the cookie; each tab then has its own lane.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; set the cookie with a page if the browser has none."""
        if scope["type"] != "http" or jobs.COOKIE in HTTPConnection(scope).cookies:
            await self._app(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                cookie = f"{jobs.COOKIE}={secrets.token_hex(16)}; Path=/; HttpOnly; SameSite=Lax"
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, with_cookie)


class SecurityHeaders:
    """Add the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and send its response with the headers added."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers)


class InjectPageAssets:
    """Insert the app's styles and history.js into Streamlit's page; prerender the start page.

    If a page run sent them, they would arrive a second after the first paint and shift the layout.
    They are at the end of the body in order to override Streamlit's own styles.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; if the response is Streamlit's page, insert the assets into it."""
        if scope["type"] != "http" or scope["method"] != "GET" or _is_of_phone(scope):
            await self._app(scope, receive, send)
            return
        look = prerender.prerendered_html() if _is_start(scope) else Markup()
        begun: list[Message] = []  # the start of a response that is a page
        page = bytearray()

        async def injected(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                begun.append(message)  # the content length is not known yet
            elif not begun:
                await send(message)
            else:
                page.extend(message.get("body", b""))
                if not message.get("more_body"):
                    for part in _injected(begun[0], bytes(page), look):
                        await send(part)

        await self._app(scope, receive, injected)


class GzipStaticCache:
    """Serve Streamlit's scripts and styles gzipped, from memory after the first request.

    A first visit loads a hundred of these files, and Streamlit would read each from disk and send
    it uncompressed. Only immutable files, whose names contain a digest, are cached.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, tuple[Message, Message]] = {}  # path -> response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond from memory, or pass the request on and cache the response."""
        if not _accepts_gzip(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self._kept:
            answer: list[Message] = []

            async def keep(message: Message) -> None:
                answer.append(message)

            await self._app(scope, _never_disconnect, keep)
            if not _is_immutable(answer[0]):
                for message in answer:
                    await send(message)
                return
            self._kept[path] = await run_in_threadpool(_gzipped, answer)
        for message in self._kept[path]:
            await send(dict(message))


async def _never_disconnect() -> Message:
    """Never report that the client disconnected, so that the whole file is read and cached."""
    return await asyncio.Future[Message]()  # never


def _accepts_gzip(scope: Scope) -> bool:
    """Return whether a request is for a whole script or style, from a client that accepts gzip."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    path, headers = scope["path"], Headers(raw=scope["headers"])
    return (
        path.endswith((".js", ".css"))
        and not any(
            detour in path for detour in ("//", "/.", "\\")
        )  # unlimited spellings of a path
        and "gzip" in headers.get("accept-encoding", "")
        and not {"range", "if-none-match", "if-modified-since"} & set(headers)
    )


def _is_immutable(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_plain = "content-encoding" not in headers
    return start["status"] == 200 and is_plain and "immutable" in headers.get("cache-control", "")


def _gzipped(answer: list[Message]) -> tuple[Message, Message]:
    """Return the response `answer` with its body gzipped and in one message."""
    start, *rest = answer
    body = gzip.compress(b"".join(part.get("body", b"") for part in rest), mtime=0)
    headers = MutableHeaders(raw=list(start["headers"]))
    headers.update({"content-encoding": "gzip", "content-length": str(len(body))})
    headers.add_vary_header("accept-encoding")
    del headers["accept-ranges"]
    return {**start, "headers": headers.raw}, {"type": "http.response.body", "body": body}


def _is_page(start: Message) -> bool:
    """Return whether a response that begins with `start` is Streamlit's page, not a download."""
    headers = Headers(raw=start["headers"])
    is_html = headers.get("content-type", "").startswith("text/html")
    return start["status"] == 200 and is_html and "content-disposition" not in headers


def _is_start(scope: Scope) -> bool:
    """Return whether a request is for the start page, by its URL without any parameters."""
    return f"{scope['path'].rstrip('/')}/" == ROOT and not scope["query_string"]


def _is_of_phone(scope: Scope) -> bool:
    """Return whether a request is for the page of a room on a phone, which is not Streamlit's."""
    return f"{scope['path']}/".startswith(f"{ROOT}room/")


def _injected(start: Message, page: bytes, look: Markup) -> tuple[Message, Message]:
    """Return the response for `page`, which may be compressed, with the app's assets inserted."""
    headers = MutableHeaders(raw=start["headers"])
    whole = _injected_body(page, headers.get("content-encoding") == "gzip", look)
    headers["content-length"] = str(len(whole))
    for name in ("etag", "last-modified"):  # they describe Streamlit's file without our styles
        del headers[name]
    return {**start, "headers": headers.raw}, {"type": "http.response.body", "body": whole}


@lru_cache(maxsize=8)
def _injected_body(page: bytes, is_gzipped: bool, look: Markup) -> bytes:
    whole = gzip.decompress(page) if is_gzipped else page
    whole = whole.replace(b"</body>", look.encode() + PAGE_ASSETS + b"</body>")
    return gzip.compress(whole, mtime=0) if is_gzipped else whole


class RedirectOldUrls:
    """Redirect from where a page was in an earlier version; old links are printed and shared."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or redirect it."""
        if scope["type"] == "http" and scope["path"].rstrip("/") == f"{ROOT}sources":
            query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            if query.pop("part", "") == "beliefs":
                rest = f"?{urlencode(query)}" if query else ""
                await RedirectResponse(f"./beliefs{rest}")(scope, receive, send)
                return
        await self._app(scope, receive, send)


def health(_: Request) -> PlainTextResponse:
    """Report whether the job pool works; Streamlit's own health check covers only the pages."""
    well = jobs.is_well()
    return PlainTextResponse("ok" if well else "no runs are done", 200 if well else 503)


_MAKING = asyncio.Semaphore(2)  # more at once would only fight for the processor


async def frames(request: Request) -> Response:
    """Send a window of a recording's frames; the player fetches it when its steps come near."""
    async with _MAKING:
        made = await run_in_threadpool(
            registry.find_window, request.path_params["key"], request.path_params["window"]
        )
    if made is None:  # the player has Python send it
        return Response(status_code=404)
    return Response(made, headers=WINDOW_HEADERS)


def redirect_to_start(request: Request) -> RedirectResponse:
    """Redirect from Start's name to the root, as Streamlit has no route for its default page."""
    query = request.url.query  # relative: works under any base path
    return RedirectResponse(f"./?{query}" if query else "./")


@asynccontextmanager
async def lifespan(_: Any) -> AsyncGenerator[None]:
    """Apply Streamlit's patches at startup; at shutdown, end every job and leave the rooms."""
    streamlit_patches.apply()
    yield
    await ROOMS.close()
    jobs.close()


ROOMS = RoomServer(new_store())
"""The rooms of this server in which classes vote."""
MIDDLEWARE = [
    Middleware(AllowedOrigins),
    Middleware(BrowserCookie),
    Middleware(SecurityHeaders),
    Middleware(RedirectOldUrls),
    Middleware(InjectPageAssets),
    Middleware(GzipStaticCache),
]
ROUTES = [
    Route("/health", health),
    Route(f"{ROOT}{START}", redirect_to_start),
    Route(f"{ROOT}frames/{{key}}/{{window:int}}", frames),
    *room_routes(ROOT, ROOMS),
]
