"""A lesson's classroom panel, with a code of the student's answers and a histogram for the teacher.

It works as in the exported file, and accepts codes made there. Python sends the first answers
(state.py); codes are encoded and decoded in the browser.
"""

from pathlib import Path

from lessons.questions.grading import Question
from pages.lesson import nav, state
from pages.lesson.classroom.key import class_key
from pages.lesson.state import LessonPosition
from pages.lesson.text import segments
from pages.shared.component import WebComponent
from pages.shared.component_state import component_renderer, no_op
from pages.shared.drawing.display_text import palette_css
from pages.shared.player import assets

_HERE = Path(__file__).parent
_INSTRUCTIONS = (
    "Students answer the questions of this lesson, here or in its file, and send you the code that "
    "appears above this line. Below each question, a button, or A, then shows what they answered "
    "first."
)
_PANEL = assets.classroom_html(_INSTRUCTIONS)
_HTML = (
    '<div class="component class-answers"></div>'
    f'<section id="class" class="classroom" aria-label="A class that answers">{_PANEL}</section>'
)


def _read(*names: str) -> str:
    return "\n".join((_HERE / name).read_text("utf-8") for name in names)


_mount = component_renderer(
    WebComponent(
        "lesson_class",
        _HTML,
        f":host {{{palette_css()}}}\n{_read('../../shared/base.css')}\n{assets.CLASSROOM_CSS}\n"
        + _read("class.css", "app.css"),
        f"{assets.CLASSROOM_JS}\n" + _read("answers.js", "app.js"),
    )
)


def show(here: LessonPosition, question: Question | None) -> None:
    """Show a code of the student's first answers, and the class's answers to the question."""
    asks = [stop.ask is not None for stop in here.lesson.stops]
    if not any(asks):
        return
    # The right answer is sent only once the question is settled.
    is_settled = question is not None and here.attempt.state != "open"
    data = {
        "asks": asks,
        "origin": (nav.next_revision(), here.stop),
        "key": class_key(here.lesson),
        "at": here.stop,
        "isSettled": is_settled,
        "firstAnswers": [
            [stop, *first] for stop, first in sorted(state.first_answers(here.lesson).items())
        ],
        "question": question
        and {
            "form": question.form,
            "options": [segments(option.text) for option in question.options],
            "right": [is_settled and option.is_right for option in question.options],
        },
    }
    _mount(key=nav.CLASS_KEY, data=data, on_target_change=no_op)
