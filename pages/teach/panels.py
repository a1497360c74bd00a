"""What a class needs, in five groups of links, and the sheets: plans, notes, and a map of aims."""

from collections.abc import Collection, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import lesson
from lessons.custom_path import OWN
from lessons.format.words import count_of
from lessons.paths import PATHS, WITHOUT_PATH, minutes
from lessons.teaching.plans import PLANS, ClassPlan
from pages.shared.controls import url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.short_text import line_input
from pages.shared.controls.sources import USER_TEXT
from pages.shared.controls.terms import caption
from pages.shared.export.menu import MOODLE, WORKSHEET
from pages.shared.export.menu.worksheets_menu import MOST_SHEETS, download_button
from pages.shared.limits import MAX_IN_URL
from pages.shared.routes import page_file
from pages.teach.ladder_notebook import NAME, ladder_notebook
from pages.teach.sheets import html_ladder, html_map, html_notes, html_plan

SLIDES = {
    "bpe_train": "BPE: the first merge",
    "wordpiece_train": "WordPiece: the pair with the best score",
    "unigram_lattice": "Unigram: every way to split a word",
    "unigram_train": "Unigram: count, weigh, prune",
}
SHEETS = {
    "bpe_train": "BPE: count pairs, merge",
    "wordpiece_train": "WordPiece: compute scores",
    "unigram_lattice": "Unigram: fill in a lattice",
    "unigram_train": "Unigram: expected counts",
}
FIRST_LESSON = "bpe-by-hand"  # the shortest way from nothing to a whole algorithm
FIRST_VOTE = "4"  # its first stop at which students disagree
(OWN_LESSON,) = WITHOUT_PATH
LADDER = "ladder"


SHEET_VIEWS = {
    "notes": ("Notes on every lesson", "aim, time, hard stops, expected mistakes", html_notes),
    "map": ("Aims and lessons", "what serves which aim of a course", html_map),
}
"""The sheets by their names in the URL: title, purpose, and what makes the HTML."""


def open_view(name: str, known: Collection[str]) -> str:
    """Return which of the `known` views the URL parameter `name` opens, or "" for none."""
    value = url_state.incoming(name)
    if value is not None:
        url_state.set_param(name, value if value in known else None)
        url_state.send_again()  # a link within this page: the browser has not got it from Python
    elif url_state.was_removed(name):
        url_state.set_param(name, None)
    return url_state.last_set(name) or ""


def own_words(place: DeltaGenerator) -> str:
    """Ask in `place` for words that slides and worksheets take instead of their examples."""
    with place:
        words = line_input(
            "Your own words, for all plans, slides and worksheets",
            MAX_IN_URL,
            key="words",
            placeholder="Your own words or sentence, for plans, slides and sheets",
            label_visibility="collapsed",
        )
    return words[:MAX_IN_URL].strip()


def _with_words(page: str, words: str) -> dict[str, str]:
    """Return the parameters by which a page takes the words, if there are any."""
    if not words:
        return {}
    if page == "start":
        return {"text": words}
    return {"say": words} if page == "unigram_lattice" else {"corpus": USER_TEXT, "text": words}


def ladder_sheet() -> None:
    """Show the ladder of programming tasks, with its notebook."""
    heading("A ladder of programming tasks", "write a tokenizer, one checked function at a time")
    download_button(
        "Download the notebook",
        ladder_notebook,
        NAME,
        "application/x-ipynb+json",
        "ladder_notebook",
    )
    caption(
        "For Jupyter, VS Code or Colab: an empty function for each task, and a check that says "
        "what fails. It needs Python and the package regex, and no network. The answers it "
        "compares with were computed here; the solutions are not in it."
    )
    st.html(html_ladder())
    back()


def plan_sheet(plan: ClassPlan) -> None:
    """Show a plan for a class, with links that open what a slot needs in another tab."""
    words = own_words(heading(f"{plan.minutes} minutes", plan.title))
    st.html(html_plan(plan, words, _with_words))
    back()


def sheet_view(name: str) -> None:
    """Show a sheet: the notes on all lessons, or the curriculum map."""
    title, purpose, make = SHEET_VIEWS[name]
    heading(title, purpose)
    st.html(make())
    back()


def back() -> None:
    """Offer the way back to all that a class needs."""
    st.button("← Teaching", key="back_to_teaching", on_click=_close)


def _close() -> None:
    for name in ("plan", "sheet"):
        url_state.set_param(name, None)


def slides(words: str) -> None:
    """Link to the runs in presenter view, at the first step that is asked."""
    st.header("Show", anchor="slides")
    caption("Large type, a question before each answer. → goes on, P leaves, Q shows a QR code.")
    for page, label in SLIDES.items():
        _link(page, label, present="1", **_with_words(page, words))


def plans(words: str) -> None:
    """Link to the plans, the notes and the map, and to the paths of lessons with their minutes."""
    st.header("Prepare", anchor="plans")
    caption("Minute by minute: what to open, to ask and to say, and what usually goes wrong.")
    own = {"words": words} if words else {}
    for name, plan in PLANS.items():
        _link("teach", f"**{plan.minutes} minutes** · {plan.title}", plan=name, **own)
    _link("teach", "A note on every lesson, with expected mistakes", sheet="notes")
    _link("teach", "Aims of a course, and the lessons that serve them", sheet="map")
    caption("Or lessons, each with a live picture and questions:")
    one = lesson(FIRST_LESSON)
    _link("lessons", f"{minutes(one)} minutes · the lesson “{one.title}”", lesson=one.slug)
    for name, path in PATHS.items():
        count = count_of(len(path.slugs), "lesson")
        _link("lessons", f"{path.minutes} minutes · {path.title}, {count}", path=name)


def worksheets(words: str) -> None:
    """Link to the pages whose runs make worksheets, with the menu open."""
    st.header("On paper", anchor="paper")
    caption(f"Up to {MOST_SHEETS} different sheets of one run, and the answers to each.")
    for page, label in SHEETS.items():
        _link(page, label, take=WORKSHEET, **_with_words(page, words))


def the_class() -> None:
    """Say how a class answers without accounts, and link to a page where it does."""
    st.header("Ask", anchor="class")
    caption(
        "In a room, students vote on their phones: no accounts, no names. Every lesson and every "
        "page with Predict has one. For homework, they hand in a code of their answers."
    )
    _link("bpe_train", "A live vote: press Room, beside Predict", predict="1")
    _link("lessons", "A live vote in a lesson: press Room", lesson=FIRST_LESSON, stop=FIRST_VOTE)
    _link("bpe_train", "Codes: students press Predict, you press Class", predict="1")


def own_path() -> None:
    """Link to the editor of a path of one's own."""
    st.header("Your own path", anchor="path")
    caption("Lessons, or single stops of them, in your order. Copy its address for your class.")
    _link("lessons", "Put a path together", path=OWN, edit="1")


def exams_and_tickets() -> None:
    """Link to the exam and to the exit ticket."""
    st.header("At the end", anchor="exams")
    caption("Questions from the lessons: a different sheet for each student, equally hard.")
    _link("teach", "An exam with its answers", sheet="exam")
    _link("teach", "An exit ticket: three questions", sheet="exit")


def programming() -> None:
    """Link to the ladder of programming tasks."""
    st.header("In code", anchor="code")
    caption("A tokenizer written function by function, each checked against the record.")
    _link("teach", "A ladder of programming tasks, as a notebook", sheet=LADDER)


def lessons_elsewhere() -> None:
    """Link to a lesson's package for a learning platform, and to the lesson about own lessons."""
    st.header("Take along", anchor="course")
    caption("Any lesson as a package that reports the result, or as one file.")
    _link("lessons", "For Moodle and others (SCORM 1.2 or 2004)", lesson=FIRST_LESSON, take=MOODLE)
    _link("lessons", "A lesson of your own, in one text file", lesson=OWN_LESSON)


def _link(page: str, label: str, **query: str) -> None:
    params: Mapping[str, str] = query
    st.page_link(page_file(page), label=f"{label}\u00a0→", query_params=params, help="")
