"""A live room in a lesson: students vote with their phones on the question of the teacher's stop.

`pages/room` is the server's side, `shared/player/classroom/room.js` the connection of the teacher's
browser. To reveal the answer is to show it in the lesson, by its engine (lesson_engine.js); phones
do not get it before.
"""

from graphlib import TopologicalSorter
from pathlib import Path

from lessons.format.reading import Lesson
from lessons.format.words import plain
from lessons.questions.grading import Question
from pages.lesson.browser.components import ENGINE_JS
from pages.lesson.browser.question_json import question_json
from pages.lesson.state import LessonPosition
from pages.lesson.text import segments
from pages.shared.component import WebComponent
from pages.shared.component_state import component_renderer
from pages.shared.drawing.display_text import escape_invisible, palette_css
from pages.shared.player import assets

KEY = "lesson.room"  # page.css knows it
_HERE = Path(__file__).parent


def _read(*names: str) -> str:
    return "\n".join((_HERE / name).read_text("utf-8") for name in names)


_mount = component_renderer(
    WebComponent(
        "lesson_room",
        _read("live_room.html").replace("{{room}}", assets.ROOM_HTML),
        f":host {{{palette_css()}}}\n{_read('../../shared/base.css')}\n{assets.ROOM_CSS}\n"
        + _read("class.css", "app.css", "live_room.css"),
        f"{assets.ROOM_JS}\n{ENGINE_JS}\n"
        + _read(
            "../../shared/presenter_base.js",
            "../browser/presenter_slots.js",
            "../browser/sureness.js",
            "../browser/question_form.js",
            "live_room.js",
        ),
    )
)


_BUTTON = (
    '<button type="button" class="to-room" aria-keyshortcuts="o" title="A room: students vote with '
    'their phones while you teach. Opens one, or shows how to join (O)">Room</button>'
)
_mount_button = component_renderer(
    WebComponent(
        "lesson_room_button",
        f'<div class="component">{_BUTTON}</div>',
        f":host {{{palette_css()}}}\n{assets.ROOM_CSS}\n"
        + _read("class.css", "app.css", "live_room.css"),
        _read("room_button.js"),
    )
)


def show_button(lesson: Lesson) -> None:
    """Show the button that opens a room."""
    if any(stop.ask for stop in lesson.stops):
        _mount_button(key=f"{KEY}_button", width="content")


def show(here: LessonPosition, question: Question | None) -> None:
    """Show the panel of a live room, in which the stop's question is asked."""
    if not any(stop.ask for stop in here.lesson.stops):
        return
    title = escape_invisible(here.lesson.title)
    where = "the end" if here.is_over else f"stop {here.stop + 1} of {len(here.lesson.stops)}"
    step: dict[str, object] = {"label": f"{title}: {where}", "question": None}
    if question:
        step["question"] = question_for(question, f"{here.key}:{here.stop}.{here.round}")
        if here.is_settled:
            step |= right_answer(question)
    data = {
        "lesson": here.key,
        "at": here.stop,
        "title": title,
        "attempt": here.attempt_key,
        "question": question and question_json(question),
        "step": step,
    }
    _mount(key=KEY, data=data)


def question_for(question: Question, key: str) -> dict[str, object]:
    """Return a question as a room asks it, without its answer; other versions have other keys."""
    return {
        "key": key,
        "form": question.form,
        "prompt": segments(question.prompt),
        "options": [segments(option.text) for option in question.options],
    }


def right_answer(question: Question) -> dict[str, object]:
    """Return the right answer as a room needs it: options, or accepted texts, and what judges them.

    Of an order, which may be right in several ways, `right` is one of them.
    """
    match question.form:
        case "number":
            return {"right": [plain(question.answer)], "tolerance": question.tolerance}
        case "text":
            return {"right": [" ".join(tokens) for tokens in question.splits]}
        case "order":
            later = {n: set[int]() for n in range(len(question.options))}
            for first, second in question.before:
                later[second].add(first)
            order = list(TopologicalSorter(later).static_order())
            return {"right": order, "before": question.before}
    return {"right": [n for n, option in enumerate(question.options) if option.is_right]}
