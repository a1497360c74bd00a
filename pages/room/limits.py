"""Limits of the rooms, each with its sentence, and allowances that run out and come back."""

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

MAX_ROOMS = 200  # open at a time: on a server, or on all copies that share a Redis
MAX_PHONES = 400  # in a room at a time, and votes in a round
MAX_TEACHERS = 5  # windows of the teacher at a time
MAX_TITLE_CHARS = 120
MAX_TYPED_CHARS = 200  # of an answer
MAX_OPTIONS = 40
MAX_SEGMENTS = 200  # of a prompt or an option
MAX_SEGMENT_CHARS = 600
MAX_TEACHER_CHARS = 16_000  # of a message
MAX_PHONE_CHARS = 2_000
MAX_ROOM_BYTES = 200_000  # with its questions; the oldest questions are forgotten
MAX_ROWS = 30  # of typed answers that phones are told apart
UNUSED_SECONDS = 10 * 60  # until a room ends in which nothing was asked
MAX_OPENED = 60  # rooms from one address in an hour: a school may have only one for all teachers
IDLE_SECONDS = 2 * 3600  # until a room ends, after it was last used
HELLO_SECONDS = 10.0  # until a connection has to say who it is

SERVER_FULL = (
    f"All {MAX_ROOMS} rooms of this server are in use. Try again in a few minutes, or let the "
    "class hand in codes: Class, beside Predict."
)
TOO_MANY_OPENED = (
    "Many rooms were opened from your network in a short time. Wait a few minutes, then try again."
)
TOO_MANY_GUESSES = (
    "Many wrong codes were tried from your network. Wait a minute, then try again by itself."
)
NO_SUCH_ROOM = "There is no room with this code. It may be over. Check the code, and try again."
NOT_YOURS = "Only the browser that opened this room can move it."
ROOM_FULL = f"This room is full: {MAX_PHONES} phones are in it."
ROUND_FULL = f"{MAX_PHONES} phones have answered already. No more answers are counted."
TOO_MANY_WINDOWS = "This room is open in five windows of yours already. Close one of them."
TOO_FAST = "Too many messages came from this device. It may go on in a moment."
QUESTION_TOO_LONG = "This question is too long for phones."
TOO_LONG = "This is too long to send."
NOT_UNDERSTOOD = "The server did not understand this. Reload the page."
NOT_SAID_HELLO = "The page did not say who it is. Reload it."
ALREADY_ANSWERED = "You have answered already. Your first answer counts."
VOTE_CLOSED = "This vote is closed. Your answer came too late."
NO_REDIS = (
    "PIECES_ROOMS is set, but the package redis is not installed: "
    "pip install -r requirements-room.txt"
)
OVER = "The room is over."
STORE_GONE = (
    "The server cannot reach its rooms at the moment. It tries again by itself; no answer is lost."
)


class Allowance:
    """Let each visitor do something `burst` times, and again `per_second` times a second.

    Only a number made from the visitor's address and this object's random salt is kept, and only
    until the allowance is whole again. At most `max_visitors` are told apart: the ones that came
    longest ago are forgotten.
    """

    def __init__(
        self,
        burst: float,
        per_second: float,
        clock: Callable[[], float] = time.monotonic,
        max_visitors: int = 10_000,
    ) -> None:
        self._burst, self._per_second, self._clock = burst, per_second, clock
        self._max_visitors = max_visitors
        self._salt = secrets.token_bytes(16)
        self._spent: OrderedDict[bytes, tuple[float, float]] = OrderedDict()  # how much, at a time

    def is_left(self, visitor: str = "") -> bool:
        """Return whether a visitor may do it once more."""
        return self._owed(self._key(visitor)) <= self._burst - 1

    def spend(self, visitor: str = "") -> bool:
        """Count one time, and return whether it was still allowed."""
        key = self._key(visitor)
        owed = self._owed(key)
        if is_allowed := owed <= self._burst - 1:
            self._spent[key] = owed + 1, self._clock()
            self._spent.move_to_end(key)
            self._forget()
        return is_allowed

    def _owed(self, key: bytes) -> float:
        spent, when = self._spent.get(key, (0.0, 0.0))
        return max(spent - (self._clock() - when) * self._per_second, 0.0)

    def _forget(self) -> None:
        while self._spent:
            oldest = next(iter(self._spent))
            if self._owed(oldest) > 0 and len(self._spent) <= self._max_visitors:
                break
            del self._spent[oldest]

    def _key(self, visitor: str) -> bytes:
        return hashlib.blake2b(_network(visitor).encode(), key=self._salt, digest_size=12).digest()


def _network(address: str) -> str:
    """Return an address; of an IPv6 address only its network, in which one visitor has them all.

    >>> _network("192.168.1.5"), _network("2001:db8:1:2:3:4:5:6"), _network("testclient")
    ('192.168.1.5', '2001:db8:1:2', 'testclient')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    is_v6 = isinstance(parsed, IPv6Address)
    return (
        ":".join(f"{int(part, 16):x}" for part in parsed.exploded.split(":")[:4])
        if is_v6
        else address
    )
