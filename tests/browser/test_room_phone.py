"""A phone in a room: it votes, sleeps, is reloaded and loses its network; two copies share a room.

The teacher is a websocket of the test; what the teacher's screen does is in `test_room_*.py`.
"""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

pytest.importorskip("redis", reason="redis is not installed: pip install redis")
from websockets.sync.client import ClientConnection, connect

from tests.browser.conftest import ROOT, free_port, running
from tests.browser.test_hosting import nginx, server_at
from tests.pages.room.conftest import question, redis_server, wait_for_redis

SECONDS = 30


class Teacher:
    """The teacher's screen of a room, as a websocket."""

    def __init__(self, link: str, socket: ClientConnection) -> None:
        self.link = link
        self._socket = socket
        self.state: dict[str, Any] = {}
        self.paused = False

    def say(self, kind: str, **more: Any) -> None:
        self._socket.send(json.dumps({"type": kind, **more}))

    def until(self, is_right: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        while not (self.state and is_right(self.state)):
            assert time.monotonic() < end, f"not within {SECONDS} s: {self.state}"
            self.hear()
        return self.state

    def hear(self) -> None:
        message = json.loads(self._socket.recv(timeout=SECONDS))
        self.paused = message["type"] == "pause" or (self.paused and message["type"] != "state")
        if message["type"] == "state":
            self.state = message["state"]

    def until_paused(self) -> None:
        while not self.paused:
            self.hear()


def open_room(url: str) -> dict[str, Any]:
    headers = {"content-type": "application/json"}
    with urlopen(Request(f"{url}/rooms", b'{"title": "BPE"}', headers)) as answer:
        return json.load(answer) | {"link": f"{url}/room/"}


@contextmanager
def teaching(url: str, room: dict[str, Any]) -> Iterator[Teacher]:
    """Be the teacher of a room, at the server at `url`."""
    with connect(f"{url}/rooms/{room['code']}".replace("http", "ws", 1)) as socket:
        teacher = Teacher(f"{room['link']}{room['code']}", socket)
        teacher.say("hello", role="teacher", secret=room["secret"])
        teacher.until(bool)
        yield teacher


@contextmanager
def a_room(url: str) -> Iterator[Teacher]:
    """Open a room, and be its teacher."""
    with teaching(url, open_room(url)) as teacher:
        yield teacher


def choose(page: Page, number: int) -> None:
    page.locator(".options label").nth(number).click()
    page.get_by_role("button", name="Answer", exact=True).click()


def test_a_phone_votes_sleeps_votes_again_and_is_told_the_answer(phone, serve):
    with a_room(serve("app.py")) as teacher:
        phone.goto(teacher.link)
        expect(phone.get_by_text("Wait for the next question.")).to_be_visible()
        teacher.say("ask", question=question(), label="step 3")
        expect(phone.locator(".step")).to_have_text("step 3")
        phone.get_by_role("button", name="Answer", exact=True).click()
        expect(phone.locator(".notice")).to_have_text("Choose an answer first.")
        sizes = phone.locator("main :is(label, button):visible").evaluate_all(
            "(all) => all.map((one) => Math.min(one.offsetHeight, one.offsetWidth))"
        )
        assert min(sizes) >= 44
        phone.get_by_role("button", name="not sure").click()
        choose(phone, 1)
        expect(phone.locator(".reply")).to_have_text("Your answer is in. You were not sure.")
        rows = teacher.until(lambda state: state["answered"] == 1)["tallies"]
        assert rows == [[{"answer": 1, "sure": [0, 1, 0]}]]

        phone.reload()
        expect(phone.locator(".reply")).to_contain_text("Your answer is in.")
        expect(phone.locator("input:checked")).to_have_value("1")
        assert teacher.until(lambda state: state["here"] == 1)["answered"] == 1

        phone.context.set_offline(True)
        expect(phone.locator(".line")).to_contain_text("offline")
        teacher.say("again")
        teacher.until(lambda state: state["round"] == 2)
        phone.context.set_offline(False)
        expect(phone.locator(".round")).to_contain_text("Second vote")
        expect(phone.locator(".line")).to_have_text("")
        choose(phone, 0)
        expect(phone.locator(".first")).to_contain_text("Your first answer: b")
        teacher.until(lambda state: state["answered"] == 1)
        teacher.say("reveal", right=[0])
        expect(phone.locator(".reply")).to_contain_text("✓ You were right. The answer: a")
        expect(phone.locator(".correct")).to_contain_text("✓ right")
        expect(phone.locator(".option-votes").first).to_contain_text("Second vote")
        teacher.say("end")
        expect(phone.get_by_text("The room is over.")).to_be_visible()
        expect(phone.get_by_label("The code of the room")).to_be_visible()


def test_a_vote_without_a_network_is_sent_when_it_is_back(phone, serve):
    with a_room(serve("app.py")) as teacher:
        phone.goto(teacher.link)
        teacher.say("ask", question=question(form="number", options=0), label="")
        box = phone.get_by_label("Your number")
        expect(box).to_be_visible()
        phone.context.set_offline(True)
        box.fill("3/16")
        box.press("Enter")
        expect(phone.locator(".reply")).to_contain_text("kept on this phone")
        phone.context.set_offline(False)
        expect(phone.locator(".reply")).to_have_text("Your answer is in.")
        rows = teacher.until(lambda state: state["answered"] == 1)["tallies"]
        assert rows == [[{"answer": "3/16", "sure": [1, 0, 0]}]]


def test_a_wrong_answer_keeps_what_was_typed_and_a_wrong_code_leads_to_the_box(phone, serve):
    url = serve("app.py")
    phone.goto(f"{url}/room/ZZZZZZ")
    expect(phone.locator(".stage")).to_contain_text("There is no room with this code.")
    with a_room(url) as teacher:
        phone.get_by_label("The code of the room").fill(teacher.link[-6:].lower())
        phone.keyboard.press("Enter")
        teacher.say("ask", question=question(form="number", options=0), label="")
        box = phone.get_by_label("Your number")
        box.fill("many")
        box.press("Enter")
        expect(phone.locator(".notice")).to_contain_text("That is not a number.")
        expect(box).to_have_value("many")
        assert teacher.until(lambda state: state["here"] == 1)["answered"] == 0


@pytest.mark.skipif(not Path("/proc").exists(), reason="a copy is found by /proc: Linux only")
def test_no_vote_is_lost_when_a_copy_is_killed_and_redis_is_away(phone, tmp_path, monkeypatch):
    """Two copies behind nginx: a phone votes at one, which is killed; then Redis starts anew."""
    with ExitStack() as stack:
        redis, redis_url = stack.enter_context(redis_server(tmp_path))
        monkeypatch.setenv("PIECES_ROOMS", redis_url)
        monkeypatch.setenv("STREAMLIT_SERVER_COOKIE_SECRET", "the same for all copies")
        ports = [free_port(), free_port()]
        copies = [stack.enter_context(running(ROOT / "app.py", port=port)) for port in ports]
        url = stack.enter_context(nginx(tmp_path, free_port(), *ports))
        room = open_room(url)
        phone.goto(f"{url}/room/{room['code']}")
        expect(phone.get_by_text("Wait for the next question.")).to_be_visible()
        ((dead, dead_port),) = [pair for pair in zip(copies, ports, strict=True) if serves(pair[1])]
        (alive,) = set(copies) - {dead}
        teacher = stack.enter_context(teaching(alive, room))
        teacher.say("ask", question=question(), label="")
        expect(phone.locator(".options")).to_be_visible()
        os.kill(server_at(dead_port), signal.SIGKILL)
        choose(phone, 2)
        began = time.monotonic()
        expect(phone.locator(".reply")).to_have_text("Your answer is in.", timeout=10_000)
        assert time.monotonic() - began < 10
        assert teacher.until(lambda state: state["answered"] == 1)["here"] >= 1

        redis.kill()
        redis.wait()
        teacher.until_paused()
        expect(phone.locator(".line")).to_contain_text("no answer is lost")
        port = int(redis_url.rpartition(":")[2])
        stack.enter_context(redis_server(tmp_path, port))
        wait_for_redis(port)
        expect(phone.locator(".line")).to_have_text("")
        teacher.say("again")
        choose(phone, 0)
        state = teacher.until(lambda state: state["round"] == 2 and state["answered"] == 1)
        assert [[row["answer"] for row in rows] for rows in state["tallies"]] == [[2], [0]]


def serves(port: int) -> bool:
    """Return whether a server has a connection."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(int(row[1].partition(":")[2], 16) == port and row[3] == "01" for row in rows)


def test_the_page_of_a_phone_is_accessible_and_fits_at_twice_the_size(phone, serve):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    phone.set_viewport_size({"width": 195, "height": 422})
    with a_room(serve("app.py")) as teacher:
        phone.goto(teacher.link)
        for form, options in (("choice", 3), ("several", 3), ("order", 3), ("number", 0)):
            content = question(form, form, options)
            teacher.say("ask", question=content, label=form)
            expect(phone.locator(".step")).to_have_text(form)
            found = axe.run(phone)
            assert found.violations_count == 0, found.generate_report()
            assert phone.evaluate("document.documentElement.scrollWidth") <= 195
        teacher.say("ask", question=question(), label="")
        choose(phone, 0)
        teacher.say("again")
        choose(phone, 0)
        teacher.say("reveal", right=[0])
        expect(phone.locator(".correct .option-votes")).to_be_visible()
        found = axe.run(phone)
        assert found.violations_count == 0, found.generate_report()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 195
