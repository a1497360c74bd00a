"""What the server does besides showing pages: headers for every answer, its health, its end.

For whoever hosts the program; docs/hosting has the files for it. Left out: what Streamlit itself
serves, and who may reach it (a proxy's task).
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
from urllib.parse import urlsplit

import streamlit
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages import streamlit_patches
from pages.shared.drawing import terms
from pages.shared.drawing.markup import each, html
from pages.shared.routes import START
from pages.shared.work import jobs
from pages.start import first_look

FRAMED_BY = os.environ.get("PIECES_FRAMED_BY", "")
"""Whose pages may show this program in a frame, as in CSP's frame-ancestors: by default anybody's.

Nobody logs in here, so that a frame of a stranger gains nothing. Anybody's is said by saying
nothing, for `*` leaves out a file on a teacher's own disk.
"""
BASE = str(streamlit.get_option("server.baseUrlPath") or "").strip("/")


_SHARED = Path(__file__).parent / "shared"
HISTORY_SCRIPT = f"\n{(_SHARED / 'history.js').read_text(encoding='utf-8')}"


def _inline_script_hashes() -> list[str]:
    """Return what allows the scripts of Streamlit's own page and those added to it, no other."""
    page = Path(streamlit.__file__).with_name("static") / "index.html"
    found = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    ours = (HISTORY_SCRIPT, first_look.SCRIPT)
    digests = [hashlib.sha256(script.encode()).digest() for script in (*found, *ours)]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


POLICY = {
    "default-src": "'self'",
    # Blobs are our own components; WebAssembly draws the graphs.
    "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *_inline_script_hashes()]),
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    **({"frame-ancestors": FRAMED_BY} if FRAMED_BY else {}),
}
"""What a browser lets the pages do: nothing is fetched from, or sent to, any other host."""
HEADERS = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "referrer-policy": "same-origin",  # an address may hold a text
    "x-content-type-options": "nosniff",
    # The camera is for the codes of a class, once a teacher asks for it: see classroom/scanning.js.
    "permissions-policy": "camera=(self), geolocation=(), microphone=()",
}

_SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"
_PRELOADED = ("BidiComponent", "Html", "TextArea", "ButtonGroup")
"""The scripts of what nearly every page begins with: Streamlit asks for them when it shows it."""


def _with_imports(names: Iterable[str]) -> list[str]:
    """Return the files of Streamlit's scripts of these names, and all that they import."""
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
    """Return links that have a browser fetch those scripts while it waits for the page to run."""
    known = set(_with_imports(["index"]))
    link = '<link rel="modulepreload" fetchpriority="low" href="./static/js/{}">'
    return each(link, [name for name in _with_imports(_PRELOADED) if name not in known])


PAGE_ASSETS = html(
    "<style>{}</style>{}{}<script>{}</script>",
    Markup((_SHARED / "page.css").read_text(encoding="utf-8")),
    terms.STYLE,
    _preload_links(),
    Markup(HISTORY_SCRIPT),
).encode()


LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "0.0.0.0"})


class AllowedOrigins:
    """Refuses a websocket to a page of another site, before Streamlit looks at its origin.

    Streamlit would compare the origin with this machine's own address on the internet. It asks
    another server for that, and nobody else is served until the answer is there. What is allowed
    here is what Streamlit allows without asking: the address that the browser has asked for, this
    machine's local names, and those of its options `browser.serverAddress` and
    `server.corsAllowedOrigins`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a connection on, or refuse it."""
        if scope["type"] == "websocket":
            headers = MutableHeaders(scope=scope)
            origin, host = headers.get("origin"), headers.get("host")
            if origin is not None and origin.partition("://")[2] != host:
                if not _is_allowed(origin):
                    message = "Refused a websocket: its Origin is %r, its Host %r."
                    getLogger(__name__).warning(message, origin, host)
                    await WebSocketClose(code=1008)(scope, receive, send)
                    return
                del headers["origin"]  # Streamlit asks the network before it reads its options
        await self._app(scope, receive, send)


def _is_allowed(origin: str) -> bool:
    option = streamlit.get_option
    named = (option("browser.serverAddress"), *option("server.corsAllowedOrigins"))
    names = {_name_in(str(one)) for one in named} - {None} | LOCAL_NAMES
    return not option("server.enableCORS") or _name_in(origin) in names


def _name_in(url: str) -> str | None:
    """Return the host's name in an address, with or without a scheme; None if it has none."""
    try:
        return urlsplit(url if "://" in url else f"//{url}").hostname
    except ValueError:  # such as an IPv6 address without its bracket
        return None


class BrowserCookie:
    """Gives each browser a random number, by which its tabs share one turn in the queue of runs.

    A proxy may have given it one already: see docs/hosting/nginx.conf. In a frame of another site
    the browser may refuse it; each tab then has its own turn.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and with a page a cookie to a browser that has none."""
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
    """Adds the headers to whatever the application answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, headed)


class InjectPageAssets:
    """Puts our styles and history.js into Streamlit's own page, and into Start its first look.

    Shown by a page when it runs, they would come a second after the first paint, and move all of
    it. They stand at the end of the body, so that they hold against Streamlit's own.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        look = first_look.prerendered_html() if _is_start(scope) else Markup()
        begun: list[Message] = []  # how an answer that is a page begins
        page = bytearray()

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                begun.append(message)  # its length is not known yet
            elif not begun:
                await send(message)
            else:
                page.extend(message.get("body", b""))
                if not message.get("more_body"):
                    for part in _injected(begun[0], bytes(page), look):
                        await send(part)

        await self._app(scope, receive, dressed)


class GzipStaticCache:
    """Sends Streamlit's own scripts and styles compressed, from memory once they were asked for.

    A first page asks for a hundred of them; Streamlit reads each from the disk every time, and
    compresses none. What is kept is only what may never change: their names hold their digests.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, tuple[Message, Message]] = {}  # path -> the answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from memory, or pass a request on and keep its answer."""
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
    """Have a file read to its end, though who asked for it be gone: it is kept for all others."""
    return await asyncio.Future[Message]()  # never


def _accepts_gzip(scope: Scope) -> bool:
    """Return whether a request is for a whole script or style, by who can read it compressed."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    path, headers = scope["path"], Headers(raw=scope["headers"])
    return (
        path.endswith((".js", ".css"))
        and not any(detour in path for detour in ("//", "/.", "\\"))  # of them there is no end
        and "gzip" in headers.get("accept-encoding", "")
        and not {"range", "if-none-match", "if-modified-since"} & set(headers)
    )


def _is_immutable(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_plain = "content-encoding" not in headers
    return start["status"] == 200 and is_plain and "immutable" in headers.get("cache-control", "")


def _gzipped(answer: list[Message]) -> tuple[Message, Message]:
    """Return an answer with its body compressed, as one message."""
    start, *rest = answer
    body = gzip.compress(b"".join(part.get("body", b"") for part in rest), mtime=0)
    headers = MutableHeaders(raw=list(start["headers"]))
    headers.update({"content-encoding": "gzip", "content-length": str(len(body))})
    headers.add_vary_header("accept-encoding")
    del headers["accept-ranges"]
    return {**start, "headers": headers.raw}, {"type": "http.response.body", "body": body}


def _is_page(start: Message) -> bool:
    """Return whether an answer is Streamlit's page, and not a file in HTML that was asked for."""
    headers = Headers(raw=start["headers"])
    is_html = headers.get("content-type", "").startswith("text/html")
    return start["status"] == 200 and is_html and "content-disposition" not in headers


def _is_start(scope: Scope) -> bool:
    """Return whether somebody comes to Start by its plain address, which asks for nothing."""
    return scope["path"].strip("/") == BASE and not scope["query_string"]


def _injected(start: Message, page: bytes, look: Markup) -> tuple[Message, Message]:
    """Return a page with the styles in it; it may be compressed."""
    headers = MutableHeaders(raw=start["headers"])
    whole = _injected_body(page, headers.get("content-encoding") == "gzip", look)
    headers["content-length"] = str(len(whole))
    for name in ("etag", "last-modified"):  # those of Streamlit's file say nothing of our styles
        del headers[name]
    return {**start, "headers": headers.raw}, {"type": "http.response.body", "body": whole}


@lru_cache(maxsize=8)
def _injected_body(page: bytes, is_gzipped: bool, look: Markup) -> bytes:
    whole = gzip.decompress(page) if is_gzipped else page
    whole = whole.replace(b"</body>", look.encode() + PAGE_ASSETS + b"</body>")
    return gzip.compress(whole, mtime=0) if is_gzipped else whole


def health(_: Request) -> PlainTextResponse:
    """Answer whether runs are done: Streamlit's own health says only that pages are shown."""
    well = jobs.is_well()
    return PlainTextResponse("ok" if well else "no runs are done", 200 if well else 503)


def redirect_to_start(request: Request) -> RedirectResponse:
    """Lead to Start by its name, too: Streamlit knows its first page under no name."""
    query = request.url.query  # relative: whatever path the app lives under, it stays there
    return RedirectResponse(f"./?{query}" if query else "./")


@asynccontextmanager
async def lifespan(_: Any) -> AsyncGenerator[None]:
    """While the server lives; at its end every run ends, with a sentence to who waits for it."""
    streamlit_patches.apply()
    yield
    jobs.close()


MIDDLEWARE = [
    Middleware(AllowedOrigins),
    Middleware(BrowserCookie),
    Middleware(SecurityHeaders),
    Middleware(InjectPageAssets),
    Middleware(GzipStaticCache),
]
ROUTES = [Route("/health", health), Route(f"/{BASE}/{START}".replace("//", "/"), redirect_to_start)]
