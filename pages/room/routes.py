"""The routes of the rooms: open one, its page on a phone, and the websocket of its screens.

A teacher's screen opens a room with `POST rooms` and keeps the secret; it and the phones then speak
over the websocket `rooms/<code>`. docs/architecture.md has the messages.
"""

import asyncio
import hashlib
import os
import re
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from pages.room import limits, messages
from pages.room import room as rooms
from pages.room.hub import NO_ROOM_CODE, Connection, Role, RoomHub, json_of
from pages.room.limits import Allowance
from pages.room.messages import Message
from pages.room.room import Room
from pages.room.store import MemoryStore, RoomStore, StoreGoneError
from pages.shared.drawing.display_text import palette_css
from pages.shared.export.menu.links import reach
from tokenizers.errors import UserError

REDIS_URL = os.environ.get("PIECES_ROOMS", "")
"""Where several copies of the app keep their rooms together; without it, each has its own."""
REFUSED_CODE = 4429
"""The code with which a websocket closes that is refused for now: its page tries again later."""
FAILED_CODE = 4400
"""The code with which a websocket closes that should not be tried again as it is."""

_HERE = Path(__file__).parent
_PHONE_TOKEN = re.compile(r"[0-9a-f]{32}")
_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
_BRIEFLY = {"cache-control": "no-cache"}


class Refused(Exception):
    """Close a websocket with a code and a sentence."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


class RoomServer:
    """The rooms of this server, and what each visitor may still do."""

    def __init__(self, store: RoomStore) -> None:
        self.hub, self.store = RoomHub(store), store
        self._openings = Allowance(limits.MAX_OPENED, limits.MAX_OPENED / 3600)
        self._guesses = Allowance(burst=30, per_second=0.5)

    # --- Opening a room ---------------------------------------------------------------------------

    async def open(self, request: Request) -> Response:
        """Open a room, and answer with its code and its secret, or with a sentence."""
        # Another site's page could send a form.
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _error_response(limits.NOT_UNDERSTOOD, 415)
        try:
            message = messages.read_message(await _body_of(request), limits.MAX_PHONE_CHARS)
            if not self._openings.spend(_visitor(request)):
                return _error_response(limits.TOO_MANY_OPENED, 429)
            code, secret = await self._open(messages.read_title(message))
        except UserError as error:
            return _error_response(str(error), 503 if str(error) == limits.SERVER_FULL else 400)
        except StoreGoneError:
            return _error_response(limits.STORE_GONE, 503)
        who = reach(str(request.url), streamlit.get_option("server.address") or "")
        is_local = bool(who.note) and not who.host
        answer = {"code": code, "secret": secret, "isLocal": is_local, "note": who.note}
        answer["addresses"] = [who.host] if who.host else []
        return JSONResponse(answer, 201, headers={"cache-control": "no-store"})

    async def _open(self, title: str) -> tuple[str, str]:
        while True:  # until a code is free: one in some millions is not
            room, secret = rooms.new_room(title)
            if await self.store.open(room):
                return room.code, secret

    async def close(self) -> None:
        """Close all connections. Rooms that are kept elsewhere go on at another copy."""
        await self.hub.close()

    # --- The websocket ----------------------------------------------------------------------------

    async def connect(self, websocket: WebSocket) -> None:
        """Serve a screen of a room until it leaves or the room is over."""
        await websocket.accept()
        try:
            await self._serve(websocket, rooms.read_code(websocket.path_params["code"]))
        except Refused as refused:
            await _close(websocket, refused.code, refused.sentence)
        except UserError as error:
            await _close(websocket, FAILED_CODE, str(error))
        except StoreGoneError:
            await _close(websocket, REFUSED_CODE, limits.STORE_GONE)
        except WebSocketDisconnect:
            pass

    async def _serve(self, websocket: WebSocket, code: str) -> None:
        connection = await self._admit(websocket, code)
        self.hub.add(code, connection)
        sending = asyncio.create_task(_send(websocket, connection))
        try:
            await self._listen(websocket, code, connection)
        finally:
            sending.cancel()
            await self.hub.remove(code, connection)

    async def _admit(self, websocket: WebSocket, code: str) -> Connection:
        """Read the hello message of a screen, and admit it. Raises Refused."""
        try:
            text = await asyncio.wait_for(websocket.receive_text(), limits.HELLO_SECONDS)
        except TimeoutError:
            raise Refused(FAILED_CODE, limits.NOT_SAID_HELLO) from None
        hello = messages.read_message(text, limits.MAX_PHONE_CHARS)
        if hello.get("type") != "hello" or hello.get("role") not in ("teacher", "phone"):
            raise Refused(FAILED_CODE, limits.NOT_SAID_HELLO)
        room = await self.store.find(code)
        role: Role = hello["role"]
        if role == "teacher":
            self._check_secret(room, hello, _visitor(websocket), code)
            await websocket.send_text(json_of({"type": "welcome"}))
            return Connection("teacher")
        self._check_guess(room, _visitor(websocket))
        phone = hello.get("phone")
        if not isinstance(phone, str) or not _PHONE_TOKEN.fullmatch(phone):
            phone = secrets.token_hex(16)
        if not await self.store.enter(code, phone):
            raise Refused(REFUSED_CODE, limits.ROOM_FULL)
        await websocket.send_text(json_of({"type": "welcome", "phone": phone}))
        return Connection("phone", phone)

    def _check_guess(self, room: Room | None, visitor: str) -> None:
        """Raise if a code is wrong, or if too many codes of a visitor were."""
        if not self._guesses.is_left(visitor):
            raise Refused(REFUSED_CODE, limits.TOO_MANY_GUESSES)
        if room is None:
            self._guesses.spend(visitor)
            raise Refused(NO_ROOM_CODE, limits.NO_SUCH_ROOM)

    def _check_secret(self, room: Room | None, hello: Message, visitor: str, code: str) -> None:
        """Raise unless a hello has the secret of a room."""
        secret = hello.get("secret")
        if room is None or not isinstance(secret, str) or not rooms.is_secret_of(room, secret):
            self._check_guess(room, visitor)
            self._guesses.spend(visitor)
            raise Refused(FAILED_CODE, limits.NOT_YOURS)
        if self.hub.count(code, "teacher") >= limits.MAX_TEACHERS:
            raise Refused(FAILED_CODE, limits.TOO_MANY_WINDOWS)

    async def _listen(self, websocket: WebSocket, code: str, connection: Connection) -> None:
        """Handle the messages of a screen until it leaves; a refused one is answered with why."""
        is_teacher = connection.role == "teacher"
        pace = Allowance(200, 20) if is_teacher else Allowance(20, 2)
        longest = limits.MAX_TEACHER_CHARS if is_teacher else limits.MAX_PHONE_CHARS
        while True:
            text = await websocket.receive_text()
            if not pace.spend():
                raise Refused(REFUSED_CODE, limits.TOO_FAST)
            try:
                message = messages.read_message(text, longest)
                if is_teacher:
                    await self._move(code, message)
                else:
                    await self._vote(code, connection, message)
            except UserError as error:
                connection.send_error(str(error))
            except StoreGoneError:
                connection.pause(limits.STORE_GONE)
            self.hub.refresh(code)

    async def _move(self, code: str, message: Message) -> None:
        """Handle a message of the teacher's screen."""
        kind = message.get("type")
        label = messages.read_text(message.get("label"), limits.MAX_TYPED_CHARS)
        if kind == "end":
            await self.store.end(code)
        elif kind == "ask" and message.get("question") is None:
            await self.store.change(code, lambda room: rooms.wait(room, label))
        elif kind == "ask":
            question = messages.read_question(message["question"])
            await self.store.change(code, lambda room: rooms.ask(room, question, label))
        elif kind == "show":
            is_shown = message.get("isShown") is True
            await self.store.change(code, lambda room: rooms.show(room, is_shown))
        elif kind == "again":
            await self.store.change(code, rooms.vote_again)
        elif kind == "reveal":
            await self.store.change(code, lambda room: _revealed(room, message))
        else:
            raise UserError(limits.NOT_YOURS if kind == "vote" else limits.NOT_UNDERSTOOD)

    async def _vote(self, code: str, connection: Connection, message: Message) -> None:
        """Count a phone's vote, or raise UserError with why it does not count."""
        if message.get("type") != "vote":
            raise UserError(limits.NOT_YOURS)
        room = await self.store.find(code)
        ballot = room and room.ballot
        if ballot is None or message.get("asked") != ballot.number:
            raise UserError(limits.VOTE_CLOSED)
        vote = messages.read_ballot_vote(message, ballot.content)
        round = message.get("round")
        if not isinstance(round, int):
            raise UserError(limits.NOT_UNDERSTOOD)
        outcome = await self.store.vote(code, ballot.number, round, connection.phone, vote)
        if outcome and outcome != "counted":
            raise UserError(rooms.OUTCOMES[outcome])


def _revealed(room: Room, message: Message) -> Room:
    ballot = room.ballot
    if ballot is None:
        return room
    return rooms.reveal(room, messages.read_right(message.get("right"), ballot.content))


async def _body_of(request: Request) -> str:
    """Return a request's body; raise UserError once it is too long."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > limits.MAX_PHONE_CHARS:
            raise UserError(limits.TOO_LONG)
    return body.decode("utf-8", "replace")


async def _send(websocket: WebSocket, connection: Connection) -> None:
    """Send what a screen is shown; close when the room is over, which ends the listening, too."""
    with suppress(RuntimeError, WebSocketDisconnect):  # the browser has left
        await connection.run(websocket.send_text)
        await _close(websocket, NO_ROOM_CODE, limits.OVER)


async def _close(websocket: WebSocket, code: int, sentence: str) -> None:
    """Send a sentence and close, unless the browser has left already."""
    with suppress(RuntimeError, WebSocketDisconnect):
        if websocket.client_state is WebSocketState.CONNECTED:
            await websocket.send_text(json_of({"type": "error", "text": sentence}))
            await websocket.close(code)


def _error_response(sentence: str, status: int) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)


def _visitor(connection: Request | WebSocket) -> str:
    return connection.client.host if connection.client else ""


# --- The phone's page -----------------------------------------------------------------------------

_SCRIPTS = (
    "shared/dom.js", "shared/storage.js",
    "lesson/browser/sureness.js", "lesson/browser/question_form.js",
    "shared/player/classroom/answer_code.js", "shared/player/classroom/votes.js", "room/phone.js",
)  # fmt: skip


@cache
def phone_files() -> dict[str, tuple[str, str]]:
    """Return the files of the phone's page: text and media type by name."""
    read = {name: (_HERE.parent / name).read_text("utf-8") for name in _SCRIPTS}
    script = "\n".join(read.values())
    style = f":root {{{palette_css()}}}\n{(_HERE / 'phone.css').read_text('utf-8')}"
    page = (_HERE / "phone.html").read_text("utf-8")
    for name, text in (("phone.css", style), ("phone.js", script)):
        version = hashlib.sha256(text.encode()).hexdigest()[:12]
        page = page.replace(f"./{name}", f"./{name}?{version}")
    return {
        "": (page, "text/html"),
        "phone.css": (style, "text/css"),
        "phone.js": (script, "text/javascript"),
    }


def phone_page(_: Request) -> Response:
    """Send the page of a phone, which asks for a code if its address has none."""
    page, kind = phone_files()[""]
    return Response(page, media_type=kind, headers=_BRIEFLY)


def phone_file(request: Request) -> Response:
    """Send a script or style of the phone's page."""
    text, kind = phone_files()[request.url.path.rpartition("/")[2]]
    return Response(text, media_type=kind, headers=_FOREVER if request.url.query else _BRIEFLY)


def redirect_to_page(_: Request) -> RedirectResponse:
    """Redirect to where relative links lead to the page's files, under any base path."""
    return RedirectResponse("./room/")


def new_store(url: str = REDIS_URL) -> RoomStore:
    """Return the store that an address names; without one, this server's memory.

    Raises UserError if it needs a package that is not installed.
    """
    if not url:
        return MemoryStore()
    try:
        from pages.room.redis_store import RedisStore
    except ImportError:
        raise UserError(limits.NO_REDIS) from None
    return RedisStore(url)


def room_routes(root: str, server: RoomServer) -> list[BaseRoute]:
    """Return the routes of rooms, under the path of the app."""
    return [
        Route(f"{root}rooms", server.open, methods=["POST"]),
        WebSocketRoute(f"{root}rooms/{{code}}", server.connect),
        Route(f"{root}room", redirect_to_page),
        Route(f"{root}room/phone.js", phone_file),
        Route(f"{root}room/phone.css", phone_file),
        Route(f"{root}room/", phone_page),
        Route(f"{root}room/{{code}}", phone_page),
    ]
