"""The bar, the question and the end of a lesson, which the page and the exported file share."""

from dataclasses import replace
from pathlib import Path

from pages.shared.component import WebComponent, build_component

_HERE = Path(__file__).parent
_BAR = '<nav aria-label="Stops of the lesson" class="component"></nav>'
_QUESTION_JS = ("presenter_slots.js", "sureness.js", "question_form.js", "question.js")
ENGINE_JS = "\n".join(
    (_HERE / name).read_text("utf-8") for name in ("grading.js", "lesson_engine.js")
)
NAV = build_component("lesson_nav", _HERE, "nav.css", "presenter_slots.js", "nav.js", html=_BAR)
QUESTION = build_component("question", _HERE, "question.css", *_QUESTION_JS)
END = build_component("lesson_end", _HERE, "end.css", "end.js")


def with_engine(shown: WebComponent) -> WebComponent:
    """Return a component with the script of the engine, which an exported file has once for all."""
    return replace(shown, js=f"{ENGINE_JS}\n{shown.js}")
