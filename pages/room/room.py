"""A room: a class's live vote on the question that its teacher asks now.

A `Room` is plain data, which a store keeps (`store.py`). A function here takes a room and returns
it changed; the votes are kept beside it, by question, round and phone. Connections are in
`hub.py`.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import orjson

from lessons.questions.grading import read_number
from pages.room.limits import (
    ALREADY_ANSWERED,
    MAX_PHONES,
    MAX_ROOM_BYTES,
    MAX_ROWS,
    ROUND_FULL,
    VOTE_CLOSED,
)

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's digits and letters, without those that look like another: 0, 1, I, L, O and U."""
CODE_CHARS = 6  # 729 million codes, so that a guess seldom finds one of at most 200 rooms

Answer = int | str | tuple[int, ...]
"""The index of an option, typed text, or the indices of options."""
Phase = Literal["waiting", "open", "revealed"]
ROUNDS = 1, 2


@dataclass(frozen=True, slots=True)
class Vote:
    """A phone's answer in a round; the sureness is 0 (not stated), 1 (not sure) or 2 (sure)."""

    answer: Answer
    sureness: int = 0


Votes = Mapping[int, Mapping[str, Vote]]
"""The votes on one question: by round, then by phone."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A question that was asked in a room, and how far its vote is.

    `content` is the question as the teacher's screen sent it (`messages.py`), without the answer.
    `right`, which has the right options or texts, is known from the moment it is revealed.
    """

    number: int
    content: dict[str, Any]
    round: int = 1
    is_shown: bool = False
    right: list[Any] | None = None

    @property
    def phase(self) -> Phase:
        return "open" if self.right is None else "revealed"


@dataclass(frozen=True, slots=True)
class Room:
    """A room; `current` is the number of the ballot that phones see, or None while they wait.

    Of the teacher's secret only a digest is kept. `label` names the step of the teacher's screen.
    """

    code: str
    title: str
    secret_digest: str
    label: str = ""
    current: int | None = None
    revision: int = 0
    ballots: tuple[Ballot, ...] = ()

    @property
    def ballot(self) -> Ballot | None:
        """The ballot that is on, or was revealed last."""
        return next((one for one in self.ballots if one.number == self.current), None)

    @property
    def phase(self) -> Phase:
        return self.ballot.phase if self.ballot else "waiting"

    @property
    def open_round(self) -> tuple[int, int] | None:
        """The number of the ballot and the round that take votes; None if none does."""
        ballot = self.ballot
        return (ballot.number, ballot.round) if ballot and ballot.phase == "open" else None

    def to_json(self) -> bytes:
        return orjson.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: bytes | str) -> "Room":
        fields = orjson.loads(text)
        return cls(**fields | {"ballots": tuple(Ballot(**one) for one in fields["ballots"])})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A room at a moment, with the votes on its current question and the number of phones."""

    room: Room
    votes: Votes = field(default_factory=dict)
    here: int = 0


# --- Opening a room -------------------------------------------------------------------------------


def new_room(title: str) -> tuple[Room, str]:
    """Return a room with a random code, and the secret of the teacher who opened it."""
    secret = secrets.token_urlsafe(24)
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_CHARS))
    return Room(code, title, _digest(secret)), secret


def is_secret_of(room: Room, secret: str) -> bool:
    """Return whether a secret opened a room; the time that it takes does not depend on it."""
    return hmac.compare_digest(room.secret_digest, _digest(secret))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def read_code(written: str) -> str:
    """Return a code as it is stored, from how a person or a link writes it.

    >>> read_code(" abc-2d3 ")
    'ABC2D3'
    """
    return "".join(char for char in written.upper() if char.isalnum())[: 2 * CODE_CHARS]


# --- What the teacher does ------------------------------------------------------------------------


def ask(room: Room, content: dict[str, Any], label: str) -> Room:
    """Ask a question. One that was asked before comes back with its votes."""
    known = next((one for one in room.ballots if one.content == content), None)
    number = max((one.number for one in room.ballots), default=-1) + 1
    others = [one for one in room.ballots if one is not known]
    ballots = (*others, known or Ballot(number, content))
    return _changed(room, label=label, current=ballots[-1].number, ballots=_latest(ballots))


def wait(room: Room, label: str) -> Room:
    """Ask nothing at this step of the teacher's screen."""
    return _changed(room, label=label, current=None)


def show(room: Room, is_shown: bool) -> Room:
    """Show the votes to everybody, or hide them."""
    return _with_ballot(room, lambda ballot: replace(ballot, is_shown=is_shown))


def vote_again(room: Room) -> Room:
    """Open the second round of the question that is open; its votes are hidden again."""

    def again(ballot: Ballot) -> Ballot:
        if ballot.phase == "revealed" or ballot.round == ROUNDS[-1]:
            return ballot
        return replace(ballot, round=ballot.round + 1, is_shown=False)

    return _with_ballot(room, again)


def reveal(room: Room, right: list[Any]) -> Room:
    """Close the vote and reveal the right answer; a second call changes nothing."""
    return _with_ballot(
        room, lambda ballot: replace(ballot, right=right) if ballot.right is None else ballot
    )


def _with_ballot(room: Room, change: Callable[[Ballot], Ballot]) -> Room:
    ballots = tuple(change(one) if one.number == room.current else one for one in room.ballots)
    return room if ballots == room.ballots else _changed(room, ballots=ballots)


def _changed(room: Room, **fields: Any) -> Room:
    changed = replace(room, **fields)
    return room if changed == room else replace(changed, revision=room.revision + 1)


def _latest(ballots: Sequence[Ballot]) -> tuple[Ballot, ...]:
    """Return the ballots asked last, as many as there is room for; the last one always."""
    sizes = [len(orjson.dumps(asdict(one))) for one in ballots]
    first = len(ballots) - 1
    while first > 0 and sum(sizes[first - 1 :]) <= MAX_ROOM_BYTES:
        first -= 1
    return tuple(ballots[first:])


# --- Votes ----------------------------------------------------------------------------------------

VoteOutcome = Literal["counted", "again", "closed", "full"]
OUTCOMES: Mapping[VoteOutcome, str] = {
    "again": ALREADY_ANSWERED,
    "closed": VOTE_CLOSED,
    "full": ROUND_FULL,
}
"""The sentence about a vote that does not count."""


def vote_json(vote: Vote) -> bytes:
    return orjson.dumps([vote.answer, vote.sureness])


def read_vote(text: bytes | str) -> Vote:
    answer, sureness = orjson.loads(text)
    return Vote(tuple(answer) if isinstance(answer, list) else answer, sureness)


def tally(form: str, votes: Iterable[Vote], max_rows: int = MAX_ROWS) -> list[dict[str, Any]]:
    """Return each answer with its votes by sureness: options in order, others by frequency.

    Numbers of one value are one answer, shown as it is written shortest. Beyond `max_rows` answers,
    the rest are one row whose answer is None.

    >>> tally("choice", [Vote(1, 2), Vote(0), Vote(1, 1)])
    [{'answer': 0, 'sure': [1, 0, 0]}, {'answer': 1, 'sure': [0, 1, 1]}]
    >>> tally("number", [Vote("1/4"), Vote("0.25"), Vote("3")])
    [{'answer': '1/4', 'sure': [2, 0, 0]}, {'answer': '3', 'sure': [1, 0, 0]}]
    """
    counts: dict[object, list[int]] = {}
    written: dict[object, Answer] = {}
    for vote in votes:
        same = read_number(vote.answer) if form == "number" else vote.answer  # type: ignore[arg-type]
        counts.setdefault(same, [0, 0, 0])[vote.sureness] += 1
        written[same] = min(vote.answer, written.get(same, vote.answer), key=_by_length)
    found = [(written[same], sure) for same, sure in counts.items()]
    if form == "choice":
        found.sort()
    else:
        found.sort(key=lambda row: (-sum(row[1]), _by_length(row[0])))
    listed, rest = found[:max_rows], found[max_rows:]
    rows: list[dict[str, Any]] = [{"answer": answer, "sure": sure} for answer, sure in listed]
    if rest:
        sums = [sum(column) for column in zip(*(sure for _, sure in rest), strict=True)]
        rows.append({"answer": None, "sure": sums})
    return rows


def _by_length(answer: Answer) -> tuple[int, str]:
    return len(str(answer)), str(answer)


# --- What the screens show ------------------------------------------------------------------------


def shared_state(snapshot: Snapshot) -> dict[str, Any]:
    """Return what every phone may know: votes once shown, the answer once revealed."""
    room, ballot = snapshot.room, snapshot.room.ballot
    state: dict[str, Any] = {
        "code": room.code,
        "title": room.title,
        "label": room.label,
        "phase": room.phase,
        "question": ballot and ballot.content,
        "asked": ballot and ballot.number,
        "round": ballot.round if ballot else 1,
        "isShown": bool(ballot and ballot.is_shown),
    }
    if ballot and ballot.right is not None:
        state["right"] = ballot.right
    if ballot and (ballot.is_shown or ballot.right is not None):
        state["tallies"] = _tallies(snapshot)
    return state


def teacher_state(snapshot: Snapshot) -> dict[str, Any]:
    """Return what the teacher's screen may know: all votes, and how many are here."""
    ballot = snapshot.room.ballot
    latest = snapshot.votes.get(ballot.round, {}) if ballot else {}
    return shared_state(snapshot) | {
        "here": snapshot.here,
        "answered": len(latest),
        "tallies": _tallies(snapshot, MAX_PHONES),
    }


def votes_of(snapshot: Snapshot, phone: str) -> list[dict[str, Any] | None]:
    """Return a phone's votes on the current question, for each round until now."""
    ballot = snapshot.room.ballot
    rounds = range(1, ballot.round + 1) if ballot else ()
    found = [snapshot.votes.get(number, {}).get(phone) for number in rounds]
    return [vote and {"answer": vote.answer, "sureness": vote.sureness} for vote in found]


def _tallies(snapshot: Snapshot, max_rows: int = MAX_ROWS) -> list[list[dict[str, Any]]]:
    ballot = snapshot.room.ballot
    if ballot is None:
        return []
    rounds = range(1, ballot.round + 1)
    form = ballot.content["form"]
    return [tally(form, snapshot.votes.get(one, {}).values(), max_rows) for one in rounds]
