"""The browser's part in the page of lessons, which AppTest lacks: it answers, goes on and reports.

What the components were sent goes to the engine itself (pages/lesson/browser/lesson_engine.js), and
what it reports to the page.
"""

import json
from itertools import count
from typing import Any

from pages.lesson import state
from tests.judge import call
from tests.pages.opening import checked, opened, unpacked

_WINDOWS = count()


def sent(app) -> dict[str, dict]:
    """What our components were given, by what they are: nav, question, memory."""
    names = {"signs": "nav", "progress": "memory", "tiles": "rail", "openText": "end"}
    names["attempt"] = "room"
    result: dict[str, dict] = {}
    for part in app.get("bidi_component"):
        message = part.proto.bytes
        data = json.loads(part.proto.json or "{}") if not message else unpacked(message)[0]
        for key, name in names.items():
            if isinstance(data, dict) and key in data:
                result[name] = data
        if isinstance(data, dict) and "question" in data and "attempt" not in data:
            result["class" if "asks" in data else "question"] = data
    return result


def opened_lesson(page: str = "lessons", **params: str):
    """Open the page, and let the browser take over what it is sent."""
    return settled(opened(page, **params))


def settled(app):
    """Let the browser take over what it was sent, until it and the page agree."""
    for _ in range(5):
        checked(app)
        if "nav" not in sent(app):
            return app
        server = sent(app)["nav"]["server"]
        known = server["known"]
        found = _engine(app, "begin", server["revision"], server["asks"], known[1], known[0])
        if found["report"] == known:
            return app
        report(app, found["report"])
    raise AssertionError("the browser and the page do not agree")


def report(app, value: list[object]) -> None:
    """Report where the learner is, as the browser does."""
    bar = sent(app)["nav"]
    reported = [[bar["lesson"], *value], bar["server"]["revision"]]
    app.session_state[state.BAR_KEY] = {"engine": reported}
    app.run()


def answered(app, value: object, sureness: int = 0):
    """Answer the question, and let the page hear of it."""
    asked = sent(app)["question"]
    arguments = asked["key"], asked["at"], asked["question"], value, sureness
    report(app, _engine(app, "answer", *arguments)["report"])
    return settled(app)


def show_answer(app):
    """Have the answer shown, as a teacher does in a room."""
    asked = sent(app)["question"]
    report(app, _engine(app, "showAnswer", asked["key"], asked["at"], asked["question"])["report"])
    return settled(app)


def navigate(app, where: str | int):
    """Press a button of the bar, or the one below the question."""
    report(app, _engine(app, "navigate", where)["report"])
    return settled(app)


def press(app, button: str):
    """Press a button at the end of a lesson: "review" or "restart"."""
    assert "end" in sent(app)
    report(app, _engine(app, button)["report"])
    return settled(app)


def at(app) -> int:
    """The stop at which the page is."""
    return sent(app)["nav"]["server"]["known"][0]


def attempt(app) -> dict:
    """The state of the question in the browser."""
    return _engine(app, "changed")["attempt"]


def score(app) -> dict:
    """What the end of the lesson says of the answers."""
    return _engine(app, "changed")["score"]


def is_first(app) -> bool:
    """Whether the browser asks how sure the learner is, since the answer would be the first."""
    return _engine(app, "changed")["isFirst"]


def first_answers(app) -> list[list[object]]:
    """The first answers, as the page knows them."""
    return sent(app)["nav"]["server"]["known"][5]


def _engine(app, method: str, *given: object) -> Any:
    if "test.window" not in app.session_state:
        app.session_state["test.window"] = next(_WINDOWS)
    lesson = sent(app)["nav"]["lesson"]
    return call("engine", app.session_state["test.window"], lesson, method, *given)
