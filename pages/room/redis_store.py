"""Rooms in a Redis that several copies of the app share.

What must not come between two votes runs as one script inside Redis. A copy that has screens in a
room remembers what it read last, so that a Redis that was started anew, and has forgotten
everything, is given its rooms back.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from logging import getLogger
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from pages.room.limits import (
    IDLE_SECONDS,
    MAX_PHONES,
    MAX_ROOMS,
    SERVER_FULL,
    UNUSED_SECONDS,
)
from pages.room.room import ROUNDS, Room, Snapshot, Vote, VoteOutcome, read_vote, vote_json
from pages.room.store import StoreGoneError
from tokenizers.errors import UserError

ANSWER_SECONDS = 2.0  # within which Redis has to answer
MAX_CONNECTIONS = 20  # of a copy; who needs one more waits
RETRY_SECONDS = 0.5
STAY_SECONDS = 5.0  # between two reports of a copy on which phones are here
GONE_SECONDS = 15.0  # after the last report on a phone, when it counts as gone
_ROOMS = "pieces:rooms"  # code -> when it ends
_CHANNEL = "pieces:changes"  # codes of rooms that have changed

_USE = """
local now = tonumber(redis.call('TIME')[1])
local function use(room, code, seconds)
  redis.call('EXPIRE', room, seconds)
  redis.call('ZADD', 'pieces:rooms', now + seconds, code)
  redis.call('PUBLISH', 'pieces:changes', code)
end
local function put(room, text, open, current, revision)
  redis.call('HSET', room, 'room', text, 'open', open, 'current', current, 'revision', revision)
end
"""
_OPEN = """
redis.call('ZREMRANGEBYSCORE', 'pieces:rooms', '-inf', now)
if redis.call('EXISTS', KEYS[1]) == 1 then return 'taken' end
if redis.call('ZCARD', 'pieces:rooms') >= tonumber(ARGV[7]) then return 'full' end
put(KEYS[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
use(KEYS[1], ARGV[1], ARGV[6])
return 'opened'
"""
_RESTORE = """
local kept = redis.call('HGET', KEYS[1], 'revision')
if not kept or tonumber(kept) < tonumber(ARGV[5]) then
  put(KEYS[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
end
use(KEYS[1], ARGV[1], ARGV[6])
return 'restored'
"""
_CHANGE = """
local kept = redis.call('HGET', KEYS[1], 'revision')
if kept ~= ARGV[7] then return 'again' end -- another window was faster, or the room has ended
put(KEYS[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[6]) end
use(KEYS[1], ARGV[1], ARGV[6])
return 'changed'
"""
_VOTE = """
local open = redis.call('HGET', KEYS[1], 'open')
if not open then return 'unknown' end
if open ~= ARGV[2] then return 'closed' end
local before = redis.call('HGET', KEYS[2], ARGV[3])
if before == ARGV[4] then return 'counted' end
if before then return 'again' end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[6]) then return 'full' end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[5])
use(KEYS[1], ARGV[1], ARGV[5])
return 'counted'
"""
_READ = """
local room = redis.call('HGET', KEYS[1], 'room')
if not room then return false end
local votes = 'pieces:votes:' .. ARGV[1] .. ':' .. redis.call('HGET', KEYS[1], 'current') .. '.'
local here = redis.call('ZCOUNT', KEYS[2], now - tonumber(ARGV[2]), '+inf')
return {room, here, redis.call('HGETALL', votes .. 1), redis.call('HGETALL', votes .. 2)}
"""
_ENTER = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 'unknown' end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[3]))
local is_here = redis.call('ZSCORE', KEYS[2], ARGV[2])
if not is_here and redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[5]) then return 'full' end
redis.call('ZADD', KEYS[2], now, ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[4])
if not is_here then redis.call('PUBLISH', 'pieces:changes', ARGV[1]) end
return 'entered'
"""


@dataclass(slots=True)
class _Remembered:
    """What this copy read last of a room that it has screens in."""

    room: Room
    votes: dict[tuple[int, int], dict[str, Vote]] = field(default_factory=dict)


class RedisStore:
    """Rooms in a Redis at `url`. `refresh` is called with the code of a room that has changed."""

    def __init__(self, url: str) -> None:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=MAX_CONNECTIONS,
            timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 1),  # a connection may be left over from before a restart
            decode_responses=True,
        )
        self._redis: Any = Redis.from_pool(pool)
        scripts = {"open": _OPEN, "restore": _RESTORE, "vote": _VOTE, "read": _READ}
        scripts |= {"enter": _ENTER, "change": _CHANGE}
        self._scripts = {
            name: self._redis.register_script(_USE + body) for name, body in scripts.items()
        }
        self._here: dict[str, set[str]] = {}  # phones at this copy, by room
        self._remembered: dict[str, _Remembered] = {}
        self._server = ""  # the id of the running Redis, which is another after a restart
        self._is_gone = self._is_closed = False
        self._watching: asyncio.Task[None] | None = None
        self._refresh: Callable[[str], None] = lambda code: None

    def listen(self, refresh: Callable[[str], None]) -> None:
        self._refresh = refresh

    async def open(self, room: Room) -> bool:
        outcome = await self._run(
            "open", [_room(room.code)], [*_put(room, UNUSED_SECONDS), MAX_ROOMS]
        )
        if outcome == "full":
            raise UserError(SERVER_FULL)
        return outcome == "opened"

    async def find(self, code: str) -> Room | None:
        with self._asking():
            text = await self._redis.hget(_room(code), "room")
        if text is None:
            return await self._check_missing()
        return Room.from_json(text)

    async def read(self, code: str) -> Snapshot | None:
        answer = await self._run("read", [_room(code), _phones(code)], [code, int(GONE_SECONDS)])
        if answer is None:
            await self._check_missing()
            self._remembered.pop(code, None)
            return None
        text, here, *found = answer
        room = Room.from_json(text)
        votes = {
            round: {phone: read_vote(vote) for phone, vote in zip(of[::2], of[1::2], strict=True)}
            for round, of in zip(ROUNDS, found, strict=True)
        }
        self._remember(room, votes)
        return Snapshot(room, votes, here)

    async def change(self, code: str, change: Callable[[Room], Room]) -> Room | None:
        with self._asking():
            changed = await self._change(code, change)
        return changed or await self._check_missing()

    async def _change(self, code: str, change: Callable[[Room], Room]) -> Room | None:
        while True:
            text = await self._redis.hget(_room(code), "room")
            if text is None:
                return None
            before = Room.from_json(text)
            room = change(before)
            names = [_room(code), *_all_votes(room)]
            values = [*_put(room, IDLE_SECONDS), before.revision]
            if await self._scripts["change"](keys=names, args=values) == "changed":
                return room

    async def vote(
        self, code: str, ballot: int, round: int, phone: str, vote: Vote
    ) -> VoteOutcome | None:
        keys = [_room(code), _votes(code, ballot, round)]
        vote_text = vote_json(vote).decode()
        more = [f"{ballot}.{round}", phone, vote_text, IDLE_SECONDS, MAX_PHONES]
        outcome = await self._run("vote", keys, [code, *more])
        return await self._check_missing() if outcome == "unknown" else outcome

    async def enter(self, code: str, phone: str) -> bool | None:
        more = [phone, int(GONE_SECONDS), IDLE_SECONDS, MAX_PHONES]
        outcome = await self._run("enter", [_room(code), _phones(code)], [code, *more])
        if outcome == "entered":
            self._here.setdefault(code, set()).add(phone)
        return await self._check_missing() if outcome == "unknown" else outcome == "entered"

    async def leave(self, code: str, phone: str) -> None:
        phones = self._here.get(code, set())
        phones.discard(phone)
        if not phones:
            self._here.pop(code, None)
        with self._asking():
            await self._redis.zrem(_phones(code), phone)
            await self._redis.publish(_CHANNEL, code)

    async def end(self, code: str) -> None:
        room = await self.find(code)
        if room is None:
            return
        with self._asking():
            async with self._redis.pipeline() as pipe:
                pipe.delete(_room(code), _phones(code), *_all_votes(room))
                pipe.zrem(_ROOMS, code)
                pipe.publish(_CHANNEL, code)
                await pipe.execute()
        self.forget(code)

    def forget(self, code: str) -> None:
        self._remembered.pop(code, None)

    async def close(self) -> None:
        self._is_closed = True
        if self._watching:
            self._watching.cancel()  # which a connection may take for a time that ran out
            await asyncio.wait([self._watching], timeout=2 * ANSWER_SECONDS)
        await self._redis.aclose()

    # --- Asking Redis -----------------------------------------------------------------------------

    async def _run(self, script: str, keys: list[str], values: list[Any]) -> Any:
        with self._asking():
            return await self._scripts[script](keys=keys, args=values)

    async def _now(self) -> int:
        seconds, _ = await self._redis.time()
        return int(seconds)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Raise StoreGoneError if Redis does not answer; ask it no more until it is back."""
        if self._watching is None and not self._is_closed:
            self._watching = asyncio.create_task(self._watch())
        if self._is_gone:
            raise StoreGoneError
        try:
            yield
        except (RedisError, OSError, TimeoutError) as error:
            self._is_gone = True
            raise StoreGoneError from error

    async def _check_missing(self) -> None:
        """Raise StoreGoneError if a room is missing because Redis was started anew just now."""
        with self._asking():
            server = await self._running_server()
        if self._server not in ("", server):
            self._is_gone = True
            raise StoreGoneError

    async def _running_server(self) -> str:
        return (await self._redis.info("server"))["run_id"]

    # --- Watching Redis ---------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Report the changes of all copies, until the store is closed."""
        while not self._is_closed:
            try:
                await self._follow()
            except (RedisError, OSError, TimeoutError) as error:
                if not self._is_gone:
                    getLogger(__name__).warning("Redis does not answer: %s", error)
                self._is_gone = True
                self._refresh_all()
                await asyncio.sleep(RETRY_SECONDS)

    async def _follow(self) -> None:
        """Report changes while Redis answers."""
        async with self._redis.pubsub() as changes:
            await changes.subscribe(_CHANNEL)
            await self._come_back()
            loop = asyncio.get_running_loop()
            stayed = loop.time()
            while not self._is_closed:
                message = await changes.get_message(ignore_subscribe_messages=True, timeout=1.0)
                if message:
                    self._refresh(message["data"])
                else:
                    await self._redis.ping()
                if self._is_gone:
                    await self._come_back()
                if loop.time() - stayed > STAY_SECONDS:
                    await self._stay()
                    stayed = loop.time()

    async def _come_back(self) -> None:
        """Give a Redis its rooms that was started anew, and go on."""
        server = await self._running_server()
        if self._server not in ("", server):
            for remembered in list(self._remembered.values()):
                await self._restore(remembered)
        self._server = server
        await self._stay()
        self._is_gone = False
        self._refresh_all()

    async def _restore(self, remembered: _Remembered) -> None:
        room = remembered.room
        values = _put(room, IDLE_SECONDS)
        await self._scripts["restore"](keys=[_room(room.code)], args=values)
        async with self._redis.pipeline() as pipe:
            for (number, round), votes in remembered.votes.items():
                name = _votes(room.code, number, round)
                for phone, vote in votes.items():
                    pipe.hsetnx(name, phone, vote_json(vote).decode())
                pipe.expire(name, IDLE_SECONDS)
            await pipe.execute()

    async def _stay(self) -> None:
        """Say which phones are here."""
        now = await self._now()
        async with self._redis.pipeline() as pipe:
            for code, phones in self._here.items():
                pipe.zadd(_phones(code), dict.fromkeys(phones, now))
                pipe.expire(_phones(code), IDLE_SECONDS)
            await pipe.execute()

    def _refresh_all(self) -> None:
        for code in {*self._here, *self._remembered}:
            self._refresh(code)

    def _remember(self, room: Room, votes: dict[int, dict[str, Vote]]) -> None:
        remembered = self._remembered.setdefault(room.code, _Remembered(room))
        remembered.room = room
        if room.current is not None:
            remembered.votes |= {(room.current, round): some for round, some in votes.items()}
        numbers = {ballot.number for ballot in room.ballots}
        remembered.votes = {key: of for key, of in remembered.votes.items() if key[0] in numbers}


def _put(room: Room, seconds: int) -> list[str | int]:
    """Return the arguments of the scripts for a room to keep for so many seconds."""
    number, round = room.open_round or ("", "")
    current = "" if room.current is None else room.current
    text = room.to_json().decode()
    return [room.code, text, f"{number}.{round}", current, room.revision, seconds]


def _room(code: str) -> str:
    return f"pieces:room:{code}"


def _phones(code: str) -> str:
    return f"pieces:here:{code}"


def _votes(code: str, ballot: int, round: int) -> str:
    return f"pieces:votes:{code}:{ballot}.{round}"


def _all_votes(room: Room) -> list[str]:
    return [_votes(room.code, one.number, round) for one in room.ballots for round in ROUNDS]
