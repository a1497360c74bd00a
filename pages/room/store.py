"""Where rooms are kept: in the memory of this server, or in a Redis that several copies share."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from pages.room.limits import (
    IDLE_SECONDS,
    MAX_PHONES,
    MAX_ROOMS,
    SERVER_FULL,
    UNUSED_SECONDS,
)
from pages.room.room import Room, Snapshot, Vote, VoteOutcome
from tokenizers.errors import UserError


class StoreGoneError(Exception):
    """The store does not answer now; what it keeps is not lost."""


class RoomStore(Protocol):
    """What rooms need of a store. Each function may raise StoreGoneError.

    A function that names a room which is not there returns None.
    """

    def listen(self, refresh: Callable[[str], None]) -> None:
        """Call `refresh` with the code of a room that may have changed elsewhere."""
        ...

    async def open(self, room: Room) -> bool:
        """Keep a new room; return whether its code was free. Raises UserError if all are in use."""
        ...

    async def find(self, code: str) -> Room | None:
        """Return a room."""
        ...

    async def read(self, code: str) -> Snapshot | None:
        """Return a room with the votes on its current question."""
        ...

    async def change(self, code: str, change: Callable[[Room], Room]) -> Room | None:
        """Change a room as if nobody else did at the same time."""
        ...

    async def vote(
        self, code: str, ballot: int, round: int, phone: str, vote: Vote
    ) -> VoteOutcome | None:
        """Count a vote if the round takes votes and the phone has none in it."""
        ...

    async def enter(self, code: str, phone: str) -> bool | None:
        """Count a phone as being here; return whether there was room for it."""
        ...

    async def leave(self, code: str, phone: str) -> None:
        """Count a phone as being here no longer."""
        ...

    async def end(self, code: str) -> None:
        """Forget a room with all that is in it."""
        ...

    def forget(self, code: str) -> None:
        """Forget what is remembered of a room that has no screen at this copy any more."""
        ...

    async def close(self) -> None:
        """End what the store runs by itself."""
        ...


@dataclass(slots=True)
class _Kept:
    room: Room
    ends: float
    votes: dict[tuple[int, int], dict[str, Vote]] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)


class MemoryStore:
    """Rooms in the memory of this server; they end with it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rooms: dict[str, _Kept] = {}

    def listen(self, refresh: Callable[[str], None]) -> None:
        pass  # the caller of a change refreshes the room

    def forget(self, code: str) -> None:
        pass

    async def open(self, room: Room) -> bool:
        for code in list(self._rooms):
            self._find(code)
        if room.code in self._rooms:
            return False
        if len(self._rooms) >= MAX_ROOMS:
            raise UserError(SERVER_FULL)
        self._rooms[room.code] = _Kept(room, self._clock() + UNUSED_SECONDS)
        return True

    async def find(self, code: str) -> Room | None:
        kept = self._find(code)
        return kept and kept.room

    async def read(self, code: str) -> Snapshot | None:
        kept = self._find(code)
        if kept is None:
            return None
        votes = {
            round: dict(found)
            for (number, round), found in kept.votes.items()
            if number == kept.room.current
        }
        return Snapshot(kept.room, votes, len(kept.here))

    async def change(self, code: str, change: Callable[[Room], Room]) -> Room | None:
        kept = self._find(code)
        if kept is None:
            return None
        kept.room = change(kept.room)
        numbers = {ballot.number for ballot in kept.room.ballots}
        kept.votes = {key: votes for key, votes in kept.votes.items() if key[0] in numbers}
        self._use(kept)
        return kept.room

    async def vote(
        self, code: str, ballot: int, round: int, phone: str, vote: Vote
    ) -> VoteOutcome | None:
        kept = self._find(code)
        if kept is None:
            return None
        if kept.room.open_round != (ballot, round):
            return "closed"
        votes = kept.votes.setdefault((ballot, round), {})
        if phone in votes:
            return "counted" if votes[phone] == vote else "again"
        if len(votes) >= MAX_PHONES:
            return "full"
        votes[phone] = vote
        self._use(kept)
        return "counted"

    async def enter(self, code: str, phone: str) -> bool | None:
        kept = self._find(code)
        if kept is None:
            return None
        if len(kept.here | {phone}) > MAX_PHONES:
            return False
        kept.here.add(phone)
        return True

    async def leave(self, code: str, phone: str) -> None:
        if kept := self._find(code):
            kept.here.discard(phone)

    async def end(self, code: str) -> None:
        self._rooms.pop(code, None)

    async def close(self) -> None:
        pass

    def _find(self, code: str) -> _Kept | None:
        kept = self._rooms.get(code)
        if kept and kept.ends <= self._clock():
            del self._rooms[code]
            return None
        return kept

    def _use(self, kept: _Kept) -> None:
        kept.ends = self._clock() + IDLE_SECONDS
