"""The connections of this server, by room, and the states that they are sent.

A room is read anew after each change, at most `PUSHES_PER_SECOND` times a second, and its whole
state goes to every screen that it is new to. That is all that a late comer or a phone that slept
needs.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from logging import getLogger
from typing import Any, Literal

import orjson

from pages.room.limits import STORE_GONE
from pages.room.room import Snapshot, shared_state, teacher_state, votes_of
from pages.room.store import RoomStore, StoreGoneError

PUSHES_PER_SECOND = 5
RETRY_SECONDS = 0.5
STILL_SECONDS = 4.0
STILL = '{"type":"still"}'
"""Sent to a screen that got nothing for `STILL_SECONDS`: longer silence means a dead network."""
NO_ROOM_CODE = 4404
"""The code with which a websocket closes when its room is not there, or over."""

Role = Literal["teacher", "phone"]
Send = Callable[[str], Awaitable[None]]


@dataclass(eq=False, slots=True)
class Connection:
    """A screen in a room. Only the latest state waits to be sent, however slow the network is."""

    role: Role
    phone: str = ""
    _next: dict[str, str] = field(default_factory=dict)  # by kind: "state", "error", "pause"
    _sent: str = ""
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _is_over: bool = False

    def show(self, state: str) -> None:
        """Send a state, unless it is what the screen shows already."""
        if state != self._sent or "pause" in self._next:
            self._next["state"] = state
            self._wake.set()

    def send_error(self, sentence: str) -> None:
        """Send why the last message of the screen was refused."""
        self._next["error"] = json_of({"type": "error", "text": sentence})
        self._wake.set()

    def pause(self, sentence: str) -> None:
        """Send a sentence that holds until the next state, which is sent in any case."""
        self._next.pop("state", None)
        self._next["pause"] = json_of({"type": "pause", "text": sentence})
        self._sent = ""
        self._wake.set()

    def end(self) -> None:
        """Let `run` return, after what waits has been sent."""
        self._is_over = True
        self._wake.set()

    async def run(self, send: Send) -> None:
        """Send messages as they come until the room is over."""
        while True:
            try:
                await asyncio.wait_for(self._wake.wait(), STILL_SECONDS)
            except TimeoutError:
                await send(STILL)
            self._wake.clear()
            while self._next:
                kind = next(iter(self._next))
                text = self._next.pop(kind)
                if kind == "state":
                    self._sent = text
                await send(text)
            if self._is_over:
                return


@dataclass(eq=False, slots=True)
class _LiveRoom:
    """A room with screens at this server."""

    connections: set[Connection] = field(default_factory=set)
    phones: Counter[str] = field(default_factory=Counter)  # a phone may have several tabs
    is_changed: asyncio.Event = field(default_factory=asyncio.Event)
    pushing: asyncio.Task[None] | None = None


class RoomHub:
    """The rooms that have screens at this server."""

    def __init__(self, store: RoomStore) -> None:
        self.store = store
        self._rooms: dict[str, _LiveRoom] = {}
        store.listen(self.refresh)

    def count(self, code: str, role: Role) -> int:
        """Return how many screens of a role a room has at this server."""
        room = self._rooms.get(code)
        return sum(one.role == role for one in room.connections) if room else 0

    def add(self, code: str, connection: Connection) -> None:
        """Add a screen to a room, and send it the state."""
        room = self._rooms.setdefault(code, _LiveRoom())
        room.connections.add(connection)
        if connection.phone:
            room.phones[connection.phone] += 1
        if room.pushing is None:
            room.pushing = asyncio.create_task(self._push(code, room))
        self.refresh(code)

    async def remove(self, code: str, connection: Connection) -> None:
        """Remove a screen from a room; a phone leaves with its last screen."""
        room = self._rooms[code]
        room.connections.discard(connection)
        if connection.phone:
            room.phones[connection.phone] -= 1
            if not room.phones[connection.phone]:
                del room.phones[connection.phone]
                with contextlib.suppress(StoreGoneError):
                    await self.store.leave(code, connection.phone)
        if not room.connections and self._rooms.get(code) is room:
            del self._rooms[code]
            if room.pushing:
                room.pushing.cancel()
            self.store.forget(code)
        self.refresh(code)

    def refresh(self, code: str) -> None:
        """Send the state of a room, which may have changed, to its screens."""
        if room := self._rooms.get(code):
            room.is_changed.set()

    async def close(self) -> None:
        """Stop sending."""
        for room in self._rooms.values():
            if room.pushing:
                room.pushing.cancel()
        self._rooms.clear()
        await self.store.close()

    async def _push(self, code: str, room: _LiveRoom) -> None:
        """Show every change of a room, the last one in any case, until it is over."""
        while True:
            await room.is_changed.wait()
            room.is_changed.clear()
            try:
                snapshot = await self.store.read(code)
            except StoreGoneError:
                for connection in room.connections:
                    connection.pause(STORE_GONE)
                room.is_changed.set()
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except Exception:  # this room's screens wait for the next change; others go on
                getLogger(__name__).exception("A room could not be shown.")
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if snapshot is None:
                for connection in room.connections:
                    connection.end()
                return
            _show(snapshot, room.connections)
            await asyncio.sleep(1 / PUSHES_PER_SECOND)


def _show(snapshot: Snapshot, connections: set[Connection]) -> None:
    """Show a room to its screens: all that phones have in common is written once."""
    teachers = json_of({"type": "state", "state": teacher_state(snapshot)})
    shared = json_of(shared_state(snapshot))[:-1]
    for connection in connections:
        if connection.role == "teacher":
            connection.show(teachers)
        else:
            mine = json_of(votes_of(snapshot, connection.phone))
            connection.show(f'{{"type":"state","state":{shared},"mine":{mine}}}}}')


def json_of(value: Any) -> str:
    """Return a value as JSON."""
    return orjson.dumps(value).decode()
