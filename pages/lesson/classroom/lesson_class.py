"""A lesson's classroom panel, with a code of the student's answers and a histogram for the teacher.

It works as in the exported file, and accepts codes made there. The browser's engine knows the first
answers; codes are encoded and decoded in the browser, too.
"""

from pathlib import Path

from lessons.questions.grading import Question
from pages.lesson.browser.components import ENGINE_JS
from pages.lesson.state import LessonPosition
from pages.lesson.text import segments
from pages.shared.component import WebComponent
from pages.shared.component_state import component_renderer
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
        f"{ENGINE_JS}\n{assets.CLASSROOM_JS}\n" + _read("answers.js", "app.js"),
    )
)


def show(here: LessonPosition, question: Question | None) -> None:
    """Show a code of the student's first answers, and the class's answers to the question."""
    if not any(here.asks):
        return
    data = {
        "lesson": here.key,
        "asks": here.asks,
        "at": here.stop,
        "question": question
        and {
            "form": question.form,
            "options": [segments(option.text) for option in question.options],
            "right": [option.is_right for option in question.options],
        },
    }
    _mount(key="lesson.class", data=data)
