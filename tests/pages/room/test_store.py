"""Laws of rooms: one phone has one vote per round, and both stores keep the same."""

import asyncio
import contextlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from pages.room import limits, messages, store
from pages.room import room as rooms
from pages.room.redis_store import RedisStore
from pages.room.room import Room, Snapshot, Vote, new_room
from pages.room.store import MemoryStore, RoomStore, StoreGoneError
from tests.pages.room.conftest import question, redis_server
from tokenizers.errors import UserError

PHONES = "ann", "ben", "cem"
QUESTIONS = [messages.read_question(question(key)) for key in ("one", "two", "three")]
CHANGES: dict[str, Callable[[Room], Room]] = {
    **{f"ask {n}": lambda room, n=n: rooms.ask(room, QUESTIONS[n], f"step {n}") for n in range(3)},
    "wait": lambda room: rooms.wait(room, "the end"),
    "show": lambda room: rooms.show(room, True),
    "hide": lambda room: rooms.show(room, False),
    "again": rooms.vote_again,
    "reveal": lambda room: rooms.reveal(room, [1]),
}
VOTES = st.tuples(
    st.sampled_from(PHONES),
    st.integers(0, 3),  # of a ballot, perhaps of one that is not there
    st.sampled_from(rooms.ROUNDS),
    st.builds(Vote, st.integers(0, 2), st.integers(0, 2)),
)
MOVES = st.one_of(
    st.sampled_from(sorted(CHANGES)),
    VOTES,
    st.tuples(st.sampled_from(("enter", "leave")), st.sampled_from(PHONES)),
    st.just("end"),
)


async def move(kept: RoomStore, code: str, what: Any) -> Any:
    """Do one thing that a person does in a room; what came of it."""
    match what:
        case "end":
            return await kept.end(code)
        case str():
            return await kept.change(code, CHANGES[what])
        case ("enter", phone):
            return await kept.enter(code, phone)
        case ("leave", phone):
            return await kept.leave(code, phone)
        case (phone, ballot, round, vote):
            return await kept.vote(code, ballot, round, phone, vote)


def seen(snapshot: Snapshot | None) -> object:
    if snapshot is None:
        return None
    votes = {round: dict(some) for round, some in snapshot.votes.items() if some}
    return snapshot.room, votes, snapshot.here


def kept_at(url: str) -> RedisStore:
    with Redis.from_url(url) as client:
        client.flushall()
    return RedisStore(url)


@given(moves=st.lists(MOVES, max_size=25))
def test_both_stores_keep_the_same_after_every_move(redis_url: str, moves: list[Any]):
    async def play() -> None:
        stores = MemoryStore(), kept_at(redis_url)
        room, _ = new_room("BPE")
        assert [await kept.open(room) for kept in stores] == [True, True]
        for what in moves:
            one, other = [await move(kept, room.code, what) for kept in stores]
            assert one == other, what
            one, other = [seen(await kept.read(room.code)) for kept in stores]
            assert one == other, what
        for kept in stores:
            await kept.close()

    asyncio.run(play())


OFTEN = st.tuples(
    st.sampled_from(PHONES[:2]),
    st.just(0),
    st.sampled_from(rooms.ROUNDS),
    st.builds(Vote, st.integers(0, 1)),
)
"""Votes of few phones on one question, so that many meet."""


@given(moves=st.lists(st.one_of(OFTEN, st.sampled_from(sorted(CHANGES)), VOTES), max_size=40))
def test_the_first_vote_of_a_phone_in_an_open_round_is_the_one_that_counts(moves: list[Any]):
    async def play() -> None:
        kept = MemoryStore()
        room, _ = new_room("")
        await kept.open(room)
        first: dict[tuple[int, int, str], Vote] = {}
        for what in ("ask 0", *moves):
            before = await kept.find(room.code)
            outcome = await move(kept, room.code, what)
            if not isinstance(what, str):
                phone, ballot, round, vote = what
                is_open = before is not None and before.open_round == (ballot, round)
                if is_open:
                    first.setdefault((ballot, round, phone), vote)
                counts = is_open and first[ballot, round, phone] == vote
                assert (outcome == "counted") == counts
        snapshot = await kept.read(room.code)
        assert snapshot
        found = {
            (snapshot.room.current, round, phone): vote
            for round, votes in snapshot.votes.items()
            for phone, vote in votes.items()
        }
        assert found == {key: of for key, of in first.items() if key[0] == snapshot.room.current}

    asyncio.run(play())


def test_the_votes_of_many_at_once_are_all_counted_once(redis_url: str):
    """Each phone sends its vote three times, at two copies, while the teacher shows and hides."""

    async def play() -> None:
        one, other = kept_at(redis_url), RedisStore(redis_url)
        room, _ = new_room("")
        await one.open(room)
        await one.change(room.code, CHANGES["ask 0"])
        phones = [f"phone {n}" for n in range(100)]
        votes = [
            copy.vote(room.code, 0, 1, phone, Vote(n % 3, 2))
            for copy in (one, other, one)
            for n, phone in enumerate(phones)
        ]
        shows = [
            copy.change(room.code, CHANGES[f]) for copy in (one, other) for f in ("show", "hide")
        ]
        outcomes = await asyncio.gather(*votes, *shows)
        assert {outcome for outcome in outcomes if isinstance(outcome, str)} == {"counted"}
        snapshot = await other.read(room.code)
        assert snapshot
        assert set(snapshot.votes[1]) == set(phones)
        await one.close()
        await other.close()

    asyncio.run(play())


def test_a_question_that_is_asked_again_comes_back_as_it_was_left():
    room, _ = new_room("")
    for what in ("ask 0", "again", "ask 1", "show", "ask 0"):
        room = CHANGES[what](room)
    assert room.open_round == (0, 2)
    assert room.label == "step 0"
    for what in ("reveal", "ask 1", "ask 0", "again"):
        room = CHANGES[what](room)
    assert room.phase == "revealed"
    assert CHANGES["ask 0"](room) == room
    assert Room.from_json(room.to_json()) == room


def test_a_room_forgets_its_oldest_questions_when_they_are_too_many(monkeypatch):
    monkeypatch.setattr(rooms, "MAX_ROOM_BYTES", 3000)
    room, _ = new_room("")
    for n in range(100):
        room = rooms.ask(room, messages.read_question(question(f"step {n}")), "")
        assert room.ballot
        assert room.ballot.number == n
    assert 2 < len(room.ballots) < 20
    assert [one.number for one in room.ballots] == list(range(100 - len(room.ballots), 100))


@pytest.mark.parametrize("number", [3, 400])
def test_a_room_has_room_for_so_many_phones_and_votes(redis_url, monkeypatch, number):
    async def play(kept: RoomStore) -> None:
        room, _ = new_room("")
        await kept.open(room)
        await kept.change(room.code, CHANGES["ask 0"])
        phones = [f"{n}" for n in range(number)]
        for phone in phones:
            assert await kept.enter(room.code, phone)
            assert await kept.vote(room.code, 0, 1, phone, Vote(0)) == "counted"
        assert await kept.enter(room.code, "late") is False
        assert await kept.vote(room.code, 0, 1, "late", Vote(0)) == "full"
        assert await kept.enter(room.code, "1")
        assert await kept.vote(room.code, 0, 1, "1", Vote(0)) == "counted"
        await kept.leave(room.code, "2")
        assert await kept.enter(room.code, "late")
        assert await kept.enter("AAAAAA", "late") is None
        await kept.close()

    monkeypatch.setattr(store, "MAX_PHONES", number)
    monkeypatch.setattr("pages.room.redis_store.MAX_PHONES", number)
    asyncio.run(play(MemoryStore()))
    asyncio.run(play(kept_at(redis_url)))


def test_a_server_has_so_many_rooms_until_one_ends(redis_url, monkeypatch):
    async def play(kept: RoomStore) -> None:
        opened = [new_room("")[0] for _ in range(4)]
        assert [await kept.open(room) for room in opened[:3]] == [True] * 3
        assert await kept.open(opened[0]) is False
        with pytest.raises(UserError, match="rooms of this server are in use"):
            await kept.open(opened[3])
        await kept.end(opened[1].code)
        assert await kept.open(opened[3])
        await kept.close()

    monkeypatch.setattr(store, "MAX_ROOMS", 3)
    monkeypatch.setattr("pages.room.redis_store.MAX_ROOMS", 3)
    asyncio.run(play(MemoryStore()))
    asyncio.run(play(kept_at(redis_url)))


def test_a_room_ends_two_hours_after_its_last_use_and_sooner_if_it_was_never_used():
    async def play() -> None:
        now = [0.0]
        kept = MemoryStore(clock=lambda: now[0])
        used, unused = new_room("")[0], new_room("")[0]
        await kept.open(used)
        await kept.open(unused)
        now[0] = 500
        await kept.change(used.code, CHANGES["ask 0"])
        now[0] = 700
        assert await kept.find(used.code)
        assert await kept.find(unused.code) is None
        now[0] = 7000
        await kept.vote(used.code, 0, 1, "ann", Vote(0))
        now[0] = 7000 + limits.IDLE_SECONDS - 1
        assert await kept.find(used.code)
        now[0] += 2
        assert await kept.find(used.code) is None

    asyncio.run(play())


def test_everything_in_redis_ends_by_itself_and_at_a_click(redis_url):
    async def play() -> None:
        kept = kept_at(redis_url)
        room, _ = new_room("")
        await kept.open(room)
        with Redis.from_url(redis_url) as client:
            unused = client.ttl(f"pieces:room:{room.code}")
            await kept.enter(room.code, "ann")
            for what in ("ask 0", ("ann", 0, 1, Vote(1)), "again", ("ann", 0, 2, Vote(0)), "ask 1"):
                await move(kept, room.code, what)
            names = {name for name in client.scan_iter() if name != b"pieces:rooms"}
            assert len(names) == 4
            lives = [client.ttl(name) for name in names]
            assert all(limits.IDLE_SECONDS - 60 < ttl <= limits.IDLE_SECONDS for ttl in lives)
            assert limits.UNUSED_SECONDS - 60 < unused <= limits.UNUSED_SECONDS
            await kept.end(room.code)
            assert list(client.scan_iter()) == []
        await kept.close()

    asyncio.run(play())


def test_a_redis_that_was_started_anew_is_given_its_rooms_and_votes_back(tmp_path):
    """Two copies: each gives back the votes that it has seen."""

    async def play() -> None:
        with redis_server(tmp_path) as (server, url):
            copies = RedisStore(url), RedisStore(url)
            room, _ = new_room("")
            await copies[0].open(room)
            for what in ("ask 0", ("ann", 0, 1, Vote(1)), "again", ("ann", 0, 2, Vote(2))):
                await move(copies[0], room.code, what)
            before = [await copy.read(room.code) for copy in copies]
            changed: list[str] = []
            copies[0].listen(changed.append)
            server.kill()
            server.wait()
            with pytest.raises(StoreGoneError):
                await copies[0].vote(room.code, 0, 2, "ben", Vote(0))
            with redis_server(tmp_path, int(url.rpartition(":")[2])):
                after = [await _when_back(copy, room.code) for copy in copies]
                assert [seen(one) for one in after] == [seen(one) for one in before]
                assert room.code in changed
                await copies[1].end(room.code)
                assert await copies[0].read(room.code) is None
            for copy in copies:
                await copy.close()

    asyncio.run(play())


async def _when_back(kept: RoomStore, code: str) -> Snapshot | None:
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(StoreGoneError):
                return await kept.read(code)
            await asyncio.sleep(0.05)


def test_codes_are_short_and_hard_to_mistake():
    codes = [new_room("")[0].code for _ in range(200)]
    assert len(set(codes)) == 200
    assert all(len(code) == 6 and not set(code) & set("01ILOU") for code in codes)
    assert [rooms.read_code(code.lower()) for code in codes] == codes
    assert len({one == other for one, other in pairwise(codes)}) == 1


def test_a_secret_moves_its_room_only():
    (one, secret), (other, _) = new_room(""), new_room("")
    assert rooms.is_secret_of(one, secret)
    assert not rooms.is_secret_of(other, secret)
    assert not rooms.is_secret_of(one, "")
    assert not rooms.is_secret_of(one, "\ud800")
    assert secret not in str(one)
