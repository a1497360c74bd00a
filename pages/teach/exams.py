"""An exam or an exit ticket from the questions of lessons: `teach?sheet=exam`, `teach?sheet=exit`.

The teacher chooses lessons, the number of questions and students, and a seed; the address keeps
them. A worker draws the questions; the files are made when they are downloaded.
"""

from functools import partial

import streamlit as st
from markupsafe import Markup

from lessons import LESSONS, lesson
from lessons.custom_path import DEFAULT_TITLE, LessonPart, path_parts, read_path, read_title
from lessons.exams.drawing import (
    EXIT_QUESTIONS,
    MOST_QUESTIONS,
    MOST_SEED,
    MOST_SHEETS,
    Exam,
    Slot,
)
from lessons.format.words import count_of
from lessons.paths import IN_ORDER, PATHS
from pages.lesson.exam.make_exam import EXAM, EXIT_TICKET, DrawnExam, ExamRequest, make_exam
from pages.lesson.exam.paper import exam_sheets, points_text
from pages.lesson.exam.screen import exam_files
from pages.lesson.text import html_word
from pages.shared.controls import url_state
from pages.shared.controls.heading import heading
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.terms import caption
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from pages.shared.drawing.markup import each, html, joined
from pages.shared.export.menu.worksheets_menu import MOST_ASKED, download_button
from pages.shared.export.worksheets.render_html import worksheet_html
from pages.shared.work import results
from pages.teach import panels

SHEETS = {"exam": EXAM, "exit": EXIT_TICKET}
"""What there is to draw, by its name in the URL."""
_PURPOSES = {
    "exam": "a different sheet for each student, all equally hard, with the answers",
    "exit": "three questions of about a minute each, different for each student, with the answers",
}
OWN = "own"
QUESTIONS = 6
STUDENTS = 30
DOING = "Working through the lessons, and drawing the questions …"
_FROM = {name: path.title for name, path in PATHS.items()} | {OWN: "Lessons that I choose"}
_PAPER_NOTE = (
    "To print on A4 or Letter: the sheets, then all answers on one page, then each sheet’s answers "
    "with their reasons."
)
_SCREEN_NOTE = (
    "A zip with one HTML file for each sheet, with the pictures. It says at once whether an answer "
    "is right, so it is for practice; for marks, use paper."
)


def show(kind: str) -> None:
    """Show the choices for an exam or an exit ticket, and its files."""
    actions = heading(f"An {SHEETS[kind].lower()}", _PURPOSES[kind])
    with actions:
        panels.back()
    request = _request(kind)
    if request is None:
        return
    found = results.result_of(results.key_of("exam", request), make_exam, DOING, request)
    if isinstance(found, str):
        st.error(escape_markdown(found))
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        _what_is_asked(found.exam)
    with right:
        _files(kind, request, found)


def _request(kind: str) -> ExamRequest | None:
    """Show the choices; return them, or say what is wrong and return None."""
    row = iter(st.columns([4, 2, 2, 2] if kind == "exam" else [4, 2, 2]))
    with next(row):
        origin = url_state.choice("Questions from", _FROM, next(iter(PATHS)), key="from")
    questions = EXIT_QUESTIONS
    if kind == "exam":
        with next(row):
            questions = url_state.whole_number(
                "Questions", 1, MOST_ASKED, QUESTIONS, key="questions"
            )
    with next(row):
        students = url_state.whole_number("Students", 1, MOST_ASKED, STUDENTS, key="students")
    with next(row):
        seed = url_state.whole_number("Seed", 1, MOST_SEED, 1, key="exam_seed")
    title, parts = _parts(origin)
    if not parts:
        st.info("Choose at least one lesson.")
        return None
    if questions > MOST_QUESTIONS:
        st.error(f"A sheet has at most {MOST_QUESTIONS} questions. Ask for fewer.")
        return None
    if students > MOST_SHEETS:
        st.error(
            f"At most {MOST_SHEETS} different sheets are made at a time. For a larger class, take "
            f"{MOST_SHEETS} of them, then the rest with another seed."
        )
        return None
    return ExamRequest(title, parts, questions, students, seed, kind == "exit")


def _parts(origin: str) -> tuple[str, tuple[LessonPart, ...]]:
    """Return the title and the parts of lessons to draw from, which the URL keeps."""
    if origin != OWN:
        url_state.set_param("lessons", None)
        return PATHS[origin].title, path_parts(PATHS[origin])
    incoming = url_state.incoming("lessons")
    title = read_title(url_state.incoming("title") or url_state.last_set("title") or "")
    if incoming is not None:
        path, problems = read_path(incoming)
        st.session_state["exam.lessons"] = list(path.slugs)
        for problem in problems:
            st.warning(escape_markdown(problem))
    known = st.session_state.setdefault("exam.lessons", [])
    chosen = st.multiselect(
        "Lessons",
        list(dict.fromkeys([*IN_ORDER, *known])),
        key="exam.lessons",
        format_func=_lesson_title,
        placeholder="Choose the lessons that the class has had",
        persist_state="session",
    )
    path, _ = read_path(" ".join(chosen))
    url_state.set_param("lessons", path.written or None)
    url_state.set_unless_default("title", title, DEFAULT_TITLE)
    if title == DEFAULT_TITLE and path.parts:
        title = lesson(path.parts[0].slug).title
        more = len(path.parts) - 1
        title += f" and {count_of(more, 'lesson')} more" if more else ""
    return title, path.parts


def _lesson_title(written: str) -> str:
    slug, _, stops = written.partition("~")
    title = lesson(slug).title if slug in LESSONS else slug
    return f"{title} · stops {stops.replace('.', ', ')}" if stops else title


def _what_is_asked(exam: Exam) -> None:
    """List the questions, each with its forms and how hard they are."""
    st.header("What is asked", anchor=False)
    rows = each("<li>{}</li>", map(_row, exam.slots))
    st.html(html('<div class="pp-lesson"><ol>{}</ol></div>', rows))
    caption(
        "Every sheet has these questions, each in one of its forms, with the options in another "
        "order. Work is counted in steps by hand, such as words to look through; the forms of a "
        "question differ by a quarter at most, or by one step. Neighbors have another form "
        "wherever there are two."
    )


def _row(slot: Slot) -> Markup:
    """Return a question, as the first form has it, with its lesson and how hard it is."""
    works = [form.given.work for form in slot]
    low, high = min(works), max(works)
    first = slot[0]
    about = [
        f"“{first.lesson.title}”",
        points_text(first.points),
        count_of(len(slot), "form"),
        *([f"work {low if low == high else f'{low}–{high}'}"] if first.given.lines else []),
    ]
    asked = joined(map(_part, first.question.prompt))
    return html('{}<br><span class="pp-caption">{}</span>', asked, " · ".join(about))


def _part(part: str | tuple[str, str]) -> Markup | str:
    if isinstance(part, str):
        return escape_invisible(part)
    kind, text = part
    return html_word(text) if kind == "word" else html("<code>{}</code>", show_spaces(text))


def _files(kind: str, request: ExamRequest, found: DrawnExam) -> None:
    """Offer the exam on paper and for the screen."""
    exam = found.exam
    st.header("The sheets", anchor=False)
    sheets = count_of(len(exam.sheets), "sheet")
    label = f"{sheets} and the answers, to print"
    caption(f"{count_of(len(exam.slots), 'question')}, {points_text(exam.points)} on each sheet.")
    paper = partial(_paper, found)
    download_button(label, paper, f"{kind}-{exam.seed}.html", "text/html", "exam_paper")
    caption(_PAPER_NOTE)
    screen = partial(_screen, request, found)
    name = f"{kind}-{exam.seed}-screen.zip"
    download_button(
        f"{sheets} for the screen", screen, name, "application/zip", "exam_screen", "secondary"
    )
    caption(_SCREEN_NOTE)
    st.caption(
        f"The seed {exam.seed} gives the same sheets again. This page’s address keeps your choices."
    )


def _paper(found: DrawnExam) -> str:
    return worksheet_html(exam_sheets(found.exam))


def _screen(request: ExamRequest, found: DrawnExam) -> bytes:
    return results.file_of(results.key_of("exam on the screen", request), _screen_job, found)


def _screen_job(report: object, found: DrawnExam) -> bytes:
    return exam_files(found)
