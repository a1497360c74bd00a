"""What a class needs, in five groups of links: slides, plans, worksheets, answers, packages."""

from collections.abc import Mapping

import streamlit as st

from lessons import lesson
from lessons.format.words import count_of
from lessons.paths import PATHS, WITHOUT_PATH, minutes
from pages.shared.controls.short_text import line_input
from pages.shared.controls.sources import USER_TEXT
from pages.shared.controls.terms import caption
from pages.shared.export.menu import MOODLE, WORKSHEET
from pages.shared.export.menu.worksheets_menu import MOST_SHEETS
from pages.shared.limits import MAX_IN_URL
from pages.shared.routes import page_file

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
(OWN_LESSON,) = WITHOUT_PATH


def own_words() -> str:
    """Ask for words that slides and worksheets take instead of their examples; "" for none."""
    words = line_input(
        "Your own words, for all slides and worksheets",
        MAX_IN_URL,
        key="words",
        placeholder="Type your own words or a sentence; without them, each has its example",
    )
    return words[:MAX_IN_URL].strip()


def _with_words(page: str, words: str) -> dict[str, str]:
    """Return the parameters by which a page takes the words, if there are any."""
    if not words:
        return {}
    return {"say": words} if page == "unigram_lattice" else {"corpus": USER_TEXT, "text": words}


def slides(words: str) -> None:
    """Link to the runs in presenter view, at the first step that is asked."""
    st.header("On the wall", anchor="slides")
    caption(
        "The picture in large type. Merges, positions of a lattice and prunings are asked before "
        "they are told; E and M steps are told at once. The key → goes on, P leaves, and Q shows "
        "the class a QR code of this very step or question."
    )
    for page, label in SLIDES.items():
        _link(page, label, present="1", **_with_words(page, words))


def plans() -> None:
    """Link to one lesson and to every path of lessons, with their minutes."""
    st.header("A plan for the hour", anchor="plans")
    caption("Text beside the live picture, and a question before each answer.")
    one = lesson(FIRST_LESSON)
    _link("lessons", f"{minutes(one)} minutes · the lesson “{one.title}”", lesson=one.slug)
    for name, path in PATHS.items():
        count = count_of(len(path.slugs), "lesson")
        _link("lessons", f"{path.minutes} minutes · {path.title}, {count}", path=name)


def worksheets(words: str) -> None:
    """Link to the pages whose runs make worksheets, with the menu open."""
    st.header("On paper", anchor="paper")
    caption(f"Up to {MOST_SHEETS} different sheets of one run at a time, and the answers to each.")
    for page, label in SHEETS.items():
        _link(page, label, take=WORKSHEET, **_with_words(page, words))


def the_class() -> None:
    """Say how a class answers without accounts, and link to a page where it does."""
    st.header("What the class thinks", anchor="class")
    caption(
        "Students press Predict; each gets a code that holds their answers and no name. Press "
        "Class beside Predict, paste the codes or scan them, and press A at a question to see "
        "how often each answer was chosen."
    )
    _link("bpe_train", "Open a room for phones: press Room, beside Predict", predict="1")
    _link("bpe_train", "Open BPE with questions", predict="1")


def lessons_elsewhere() -> None:
    """Link to a lesson's package for a learning platform, and to the lesson about own lessons."""
    st.header("In your own course", anchor="course")
    caption("Any lesson as a package that reports the result, or a lesson that you write yourself.")
    _link("lessons", "For Moodle and others (SCORM 1.2)", lesson=FIRST_LESSON, take=MOODLE)
    _link("lessons", "A lesson of your own, in one text file", lesson=OWN_LESSON)


def _link(page: str, label: str, **query: str) -> None:
    params: Mapping[str, str] = query
    st.page_link(page_file(page), label=f"{label} →", query_params=params, help="")
