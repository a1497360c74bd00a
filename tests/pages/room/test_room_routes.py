"""A room over HTTP and websockets: what its screens are told, and what strangers may not do."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from pages import serving
from pages.room import limits, routes, store
from pages.room.routes import RoomServer, new_store, room_routes
from pages.room.store import MemoryStore
from tests.pages.room.conftest import question
from tokenizers.errors import UserError

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def client() -> Iterator[TestClient]:
    server = RoomServer(MemoryStore())
    app = Starlette(routes=room_routes("/", server), middleware=serving.MIDDLEWARE)
    with TestClient(app) as found:
        yield found


def opened(client: TestClient, title: str = "BPE") -> dict[str, Any]:
    answer = client.post("/rooms", json={"title": title})
    assert answer.status_code == 201, answer.text
    return answer.json()


class Screen:
    """A screen of a room over a websocket: its latest state, and the sentences it was sent."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session
        self.sentences: list[str] = []
        self.welcome: dict[str, Any] = {}
        self.state: dict[str, Any] = {}

    def say(self, kind: str, **more: Any) -> None:
        self.session.send_text(json.dumps({"type": kind, **more}))

    def hear(self) -> str:
        message = self.session.receive_json()
        if message["type"] == "state":
            self.state = message["state"]
        elif message["type"] == "welcome":
            self.welcome = message
        elif message["type"] == "error":
            self.sentences.append(message["text"])
        return message["type"]

    def until(self, is_right: Any) -> dict[str, Any]:
        for _ in range(50):
            if self.state and is_right(self.state):
                return self.state
            self.hear()
        raise AssertionError(f"never: {self.state}")

    def hear_out(self) -> int:
        """Listen until the websocket is closed; the code with which it is."""
        try:
            while True:
                self.hear()
        except WebSocketDisconnect as closed:
            return closed.code

    def refused(self) -> str:
        """Return the sentence about what was said last."""
        while self.hear() != "error":
            pass
        return self.sentences[-1]


@contextmanager
def screen(client: TestClient, code: str, **hello: Any) -> Iterator[Screen]:
    with client.websocket_connect(f"/rooms/{code}") as session:
        found = Screen(session)
        found.say("hello", **hello)
        yield found


def teacher(client: TestClient, room: dict[str, Any]):
    return screen(client, room["code"], role="teacher", secret=room["secret"])


def phone(client: TestClient, room: dict[str, Any], token: str | None = None):
    return screen(client, room["code"], role="phone", phone=token)


def is_closed(client: TestClient, code: str, **hello: Any) -> tuple[int, str]:
    """Return the code with which a screen is turned away, and the sentence."""
    with screen(client, code, **hello) as found:
        return found.hear_out(), found.sentences[-1]


def vote(where: Screen, answer: Any, round: int = 1, sureness: int = 2) -> None:
    where.say("vote", asked=where.state["asked"], round=round, answer=answer, sureness=sureness)


def test_a_class_votes_twice_and_is_told_the_answer(client):
    room = opened(client)
    with teacher(client, room) as desk, phone(client, room) as one, phone(client, room) as other:
        desk.until(lambda state: state["here"] == 2)
        assert one.until(lambda state: True)["phase"] == "waiting"
        desk.say("ask", question={**question(), "right": [1], "why": "So."}, label="step 3")
        for where in (one, other):
            state = where.until(lambda state: state["phase"] == "open")
            assert set(state["question"]) == {"key", "form", "prompt", "options"}
            assert state["label"] == "step 3"
            assert not {"right", "tallies", "here", "answered"} & set(state)
        vote(one, 0)
        vote(other, 1, sureness=1)
        state = desk.until(lambda state: state["answered"] == 2)
        rows = [{"answer": 0, "sure": [0, 0, 1]}, {"answer": 1, "sure": [0, 1, 0]}]
        assert state["tallies"] == [rows]
        assert one.until(lambda state: state["mine"][0])["mine"] == [{"answer": 0, "sureness": 2}]
        desk.say("show", isShown=True)
        assert one.until(lambda state: state["isShown"])["tallies"] == [rows]
        desk.say("again")
        state = one.until(lambda state: state["round"] == 2)
        assert "tallies" not in state
        assert state["mine"] == [{"answer": 0, "sureness": 2}, None]
        vote(one, 1, round=2)
        desk.until(lambda state: state["answered"] == 1)
        desk.say("reveal", right=[1])
        state = other.until(lambda state: state["phase"] == "revealed")
        assert state["right"] == [1]
        assert state["tallies"] == [rows, [{"answer": 1, "sure": [0, 0, 1]}]]
        desk.say("ask", question=None, label="the end")
        assert one.until(lambda state: state["phase"] == "waiting")["label"] == "the end"
        desk.say("end")
        assert (one.hear_out(), one.sentences[-1]) == (4404, limits.OVER)
    assert is_closed(client, room["code"], role="phone") == (4404, limits.NO_SUCH_ROOM)


def test_a_phone_that_comes_back_has_its_vote_and_has_only_one(client):
    room = opened(client)
    with teacher(client, room) as desk:
        desk.say("ask", question=question(), label="")
        with phone(client, room) as before:
            before.until(lambda state: state["phase"] == "open")
            vote(before, 2)
            before.until(lambda state: state["mine"][0])
            token = before.welcome["phone"]
        with phone(client, room, token) as after:
            assert after.until(lambda state: True)["mine"] == [{"answer": 2, "sureness": 2}]
            vote(after, 1)
            assert after.refused() == limits.ALREADY_ANSWERED
        desk.until(lambda state: state["answered"] == 1 and state["here"] == 0)


def test_ten_thousand_votes_of_a_phone_are_one(client):
    room = opened(client)
    with teacher(client, room) as desk:
        desk.say("ask", question=question(), label="")
        with phone(client, room) as one:
            one.until(lambda state: state["phase"] == "open")
            for n in range(10_000):
                vote(one, n % 3)
            assert one.hear_out() == 4429
            assert limits.ALREADY_ANSWERED in one.sentences
            assert one.sentences[-1] == limits.TOO_FAST
        state = desk.until(lambda state: state["answered"] == 1)
        assert sum(map(sum, [row["sure"] for row in state["tallies"][0]])) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"type": "ask", "question": question()},
        {"type": "show", "isShown": True},
        {"type": "again"},
        {"type": "reveal", "right": [0]},
        {"type": "end"},
        {"type": "hello", "role": "teacher", "secret": ""},
    ],
)
def test_a_phone_moves_no_room(client, message):
    room = opened(client)
    with phone(client, room) as one:
        one.until(lambda state: True)
        one.session.send_text(json.dumps(message))
        assert one.refused() == limits.NOT_YOURS
    with phone(client, room) as one:
        assert one.until(lambda state: True)["phase"] == "waiting"


def test_another_rooms_secret_moves_no_room(client):
    room, other = opened(client), opened(client)
    for secret in (other["secret"], "", None, 7, room["secret"][:-1], "\x00"):
        closed = is_closed(client, room["code"], role="teacher", secret=secret)
        assert closed == (4400, limits.NOT_YOURS)


def test_ten_thousand_rooms_are_not_opened(client):
    answers = [client.post("/rooms", json={"title": ""}) for _ in range(200)]
    assert sum(answer.status_code == 201 for answer in answers) == limits.MAX_OPENED
    assert answers[-1].status_code == 429
    assert answers[-1].json() == {"error": limits.TOO_MANY_OPENED}


def test_a_server_without_a_free_room_says_so(client, monkeypatch):
    monkeypatch.setattr(store, "MAX_ROOMS", 1)
    opened(client)
    answer = client.post("/rooms", json={})
    assert (answer.status_code, answer.json()["error"]) == (503, limits.SERVER_FULL)


def test_codes_are_not_guessed(client):
    room = opened(client)
    answers = {is_closed(client, f"AAAA{n}", role="phone") for n in range(22, 60)}
    assert answers == {(4404, limits.NO_SUCH_ROOM), (4429, limits.TOO_MANY_GUESSES)}
    # The teacher, who has the secret, comes in all the same.
    with teacher(client, room) as desk:
        desk.until(lambda state: True)


def test_a_script_in_a_title_or_an_answer_is_text(client):
    room = opened(client, SCRIPT)
    with teacher(client, room) as desk, phone(client, room) as one:
        desk.say("ask", question=question(form="text", options=0), label=SCRIPT)
        state = one.until(lambda state: state["phase"] == "open")
        assert (state["title"], state["label"]) == (SCRIPT, SCRIPT)
        vote(one, SCRIPT)
        state = desk.until(lambda state: state["answered"] == 1)
        assert state["tallies"][0][0]["answer"] == SCRIPT  # inserted as text: phone.js
    for code in (room["code"], "", SCRIPT.replace("/", "")):
        page = client.get(f"/room/{code}")
        assert page.status_code == 200
        assert "alert(1)" not in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("form", "answer", "sentence"),
    [
        ("choice", None, "Nothing is chosen yet"),
        ("choice", 3, limits.NOT_UNDERSTOOD),
        ("choice", True, limits.NOT_UNDERSTOOD),
        ("several", [], "Nothing is chosen yet"),
        ("several", [0, 0], limits.NOT_UNDERSTOOD),
        ("order", [0, 1], limits.NOT_UNDERSTOOD),
        ("number", "many", "That is not a number"),
        ("text", "  ", "Nothing is written yet"),
        ("text", "a" * 201, "at most 200 characters"),
        ("text", "a" * 3000, limits.TOO_LONG),
        ("text", {}, limits.NOT_UNDERSTOOD),
    ],
)
def test_an_answer_that_does_not_suit_gets_a_sentence(client, form, answer, sentence):
    room = opened(client)
    with teacher(client, room) as desk, phone(client, room) as one:
        desk.say("ask", question=question(form=form), label="")
        one.until(lambda state: state["phase"] == "open")
        vote(one, answer)
        assert sentence in one.refused()
        assert desk.until(lambda state: state["here"] == 1)["answered"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"form": "essay"}, {"prompt": "text"}, {"options": []}, {"options": [["a"]]},
        {"options": [[["script", "x"]]]}, {"options": [[["token", "x", 9]]]},
        {"options": [[["text", "x"]]] * 41}, {"prompt": [["text", "x" * 700]]},
        {"prompt": [["text", "x" * 600]] * 40},
    ],
)  # fmt: skip
def test_a_question_that_is_none_gets_a_sentence_and_changes_nothing(client, wrong):
    room = opened(client)
    with teacher(client, room) as desk:
        desk.say("ask", question=question() | wrong, label="")
        assert desk.refused() in (limits.NOT_UNDERSTOOD, limits.TOO_LONG, limits.QUESTION_TOO_LONG)
        assert desk.until(lambda state: True)["phase"] == "waiting"


@pytest.mark.parametrize("text", ["", "[]", "7", "{", '{"type":"vote"}', '"\\ud800"', "x" * 9999])
def test_whoever_does_not_say_hello_is_turned_away_with_a_sentence(client, text):
    room = opened(client)
    with client.websocket_connect(f"/rooms/{room['code']}") as session:
        session.send_text(text)
        assert session.receive_json()["text"] in (
            limits.NOT_UNDERSTOOD,
            limits.NOT_SAID_HELLO,
            limits.TOO_LONG,
        )
        with pytest.raises(WebSocketDisconnect):
            session.receive_json()


def test_a_form_of_another_site_opens_no_room(client):
    answer = client.post("/rooms", data={"title": "x"})
    assert answer.status_code == 415
    origin = {"origin": "https://evil.example"}
    connecting = client.websocket_connect(f"/rooms/{opened(client)['code']}", headers=origin)
    with pytest.raises(WebSocketDisconnect):
        connecting.__enter__()


def test_a_title_is_one_line_and_short(client):
    room = opened(client, f"a\n b{'c' * 999}")
    with phone(client, room) as one:
        assert one.until(lambda state: True)["title"] == f"a b{'c' * 117}"
    assert client.post("/rooms", content="x" * 9000, headers=JSON).status_code == 400


JSON = {"content-type": "application/json"}


def test_the_answer_says_who_can_reach_the_room(client, monkeypatch):
    room = opened(client)  # at http://testserver
    assert (room["isLocal"], room["note"], room["addresses"]) == (False, "", [])
    client.base_url = "http://localhost:8501"
    room = client.post("/rooms", json={}).json()
    assert room["isLocal"]
    assert "this computer only" in room["note"]
    monkeypatch.setattr(routes.streamlit, "get_option", lambda name: "0.0.0.0")
    monkeypatch.setattr("pages.shared.export.menu.links.CONTAINER_MARKS", ())
    monkeypatch.setattr("pages.shared.export.menu.links.own_address", lambda: "192.168.1.5")
    room = client.post("/rooms", json={}).json()
    assert not room["isLocal"]
    assert room["addresses"] == ["192.168.1.5:8501"]


def test_the_page_of_a_phone_is_small_and_has_nothing_of_streamlit(client):
    assert client.get("/room", follow_redirects=False).headers["location"] == "./room/"
    page = client.get("/room/ABC234")
    assert page.text == client.get("/room/").text
    assert serving.PAGE_ASSETS.decode() not in page.text
    files = re.findall(r'(?:href|src)="\./(phone\.\w+\?\w+)"', page.text)
    assert len(files) == 2
    answers = [client.get(f"/room/{file}") for file in files]
    assert all("immutable" in answer.headers["cache-control"] for answer in answers)
    assert len(page.content) + sum(len(answer.content) for answer in answers) < 60_000
    assert "export " not in answers[1].text


def test_rooms_without_the_package_that_they_need_say_so(monkeypatch):
    assert isinstance(new_store(""), MemoryStore)
    monkeypatch.setitem(__import__("sys").modules, "pages.room.redis_store", None)
    with pytest.raises(UserError, match=r"requirements-room\.txt"):
        new_store("redis://127.0.0.1:1")
