"""The navigation bar and the question, which the page Lessons and the exported file share."""

from pathlib import Path

from pages.shared.component import build_component

_HERE = Path(__file__).parent
_BAR = '<nav aria-label="Stops of the lesson" class="component"></nav>'
_QUESTION_JS = ("presenter_slots.js", "sureness.js", "question_form.js", "question.js")
NAV = build_component("lesson_nav", _HERE, "nav.css", "presenter_slots.js", "nav.js", html=_BAR)
QUESTION = build_component("question", _HERE, "question.css", *_QUESTION_JS)
