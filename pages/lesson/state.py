"""A visitor's state in the lessons, which consists of the lesson, the stop, marks and attempts.

The lesson, the stop and its marks are in the URL; the browser stores all lessons' marks
(progress_store.py). A mark is the sign for a stop's result. Attempts last as long as the session.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from lessons import LESSONS
from lessons.facts.base import PictureFacts
from lessons.format.reading import Lesson
from lessons.progress import (
    READ,
    SHOWN,
    UNSEEN,
    Score,
    after_answer,
    begin_again,
    merge_marks,
    read_marks,
    score,
    set_mark,
    was_shown,
)
from lessons.questions.grading import Question, answer_text, grade, retry_text
from lessons.stops import ResolvedStop
from lessons.variants import in_round
from pages.lesson import nav, progress_store
from pages.lesson import question as question_view
from pages.lesson.classroom.key import class_key
from pages.lesson.question import Attempt
from pages.shared.controls import url_state
from tokenizers.errors import user_message

CUSTOM_SLUG = "own"
"""The slug of the custom lesson; it is in URLs and stored progress, as "own"."""
_ASKED = "lesson.asked"


@dataclass(frozen=True, slots=True)
class LessonPosition:
    """A stop of a lesson, by its index; the index after the last stop's is the lesson's end."""

    lesson: Lesson
    stop: int

    @property
    def is_over(self) -> bool:
        """Whether this is the end of the lesson."""
        return self.stop >= len(self.lesson.stops)

    @property
    def marks(self) -> str:
        """The marks of all stops."""
        return read_marks(progress_store.marks().get(self.lesson.slug), len(self.lesson.stops))

    @property
    def round(self) -> int:
        """How often this stop's question was asked before; another round asks a variant."""
        return _rounds().get(self.stop_key, 0)

    @property
    def attempt_key(self) -> str:
        """The key of this stop, of the start of its lesson, and of the round."""
        return f"{self.stop_key}:{_starts().get(self.lesson.slug, 0)}.{self.round}"

    @property
    def stop_key(self) -> str:
        """The key of this stop in this version of the lesson; other versions may ask otherwise."""
        return f"{class_key(self.lesson)}:{self.stop}"

    @property
    def back(self) -> str:
        """The URL parameter `back` of pages opened from here, which leads back to this stop."""
        return f"{self.lesson.slug}.{self.stop + 1}"

    @property
    def attempt(self) -> Attempt:
        """The state of this stop's question."""
        return _attempts().get(self.attempt_key, Attempt())

    @property
    def open_stops(self) -> tuple[int, ...]:
        """The stops whose questions have not been answered right yet."""
        signs = (UNSEEN, READ, SHOWN)
        stops = zip(self.lesson.stops, self.marks, strict=True)
        return tuple([n for n, (stop, sign) in enumerate(stops) if stop.ask and sign in signs])


def open_slug() -> str:
    """Return the open lesson's slug; "" if the list of all lessons is open."""
    if (incoming := url_state.incoming("lesson")) is not None:
        st.session_state["lesson.open"] = incoming
    slug = st.session_state.get("lesson.open", "")
    if slug and slug not in LESSONS and slug != CUSTOM_SLUG:
        st.info(f"There is no lesson of that name. There are: {', '.join(LESSONS)}.")
        slug = st.session_state["lesson.open"] = ""
    url_state.set_param("lesson", slug or None)
    if slug:
        url_state.set_param("path", None)  # of the list
    else:
        url_state.set_param("stop", None)
        url_state.set_param("marks", None)
    return slug


def standing(lesson: Lesson) -> Score:
    """Return how far the visitor has come in a lesson."""
    asks = [stop.ask is not None for stop in lesson.stops]
    return score(read_marks(progress_store.marks().get(lesson.slug), len(asks)), asks)


def enter(slug: str, stop: int | None = None) -> None:
    """Open a lesson at `stop`, or where the user left it; "" opens the list of all lessons."""
    st.session_state["lesson.open"] = slug
    if stop is not None:
        _stops()[slug] = stop
    st.session_state["lesson.review"] = False


def current_position(lesson: Lesson) -> LessonPosition:
    """Return the position in a lesson, after applying the URL and a navigation request."""
    last = len(lesson.stops)
    if (incoming := url_state.incoming("marks")) is not None:
        before = read_marks(progress_store.marks().get(lesson.slug), last)
        progress_store.marks()[lesson.slug] = merge_marks(read_marks(incoming, last), before)
    if (incoming := url_state.incoming("stop")) is not None:
        _stops()[lesson.slug] = (url_state.parse_natural(incoming, 5) or 1) - 1
    here = LessonPosition(lesson, min(_stops().get(lesson.slug, 0), last))
    if (where := nav.read_navigation(here.stop)) is not None:
        here = _navigate(here, where)
    _stops()[lesson.slug] = here.stop
    if not here.is_over and here.marks[here.stop] == UNSEEN:
        mark(here, READ)
    if not here.is_over and was_shown(here.marks[here.stop]) and here.attempt == Attempt():
        _rounds().setdefault(here.stop_key, 1)  # shown in another session
    url_state.set_param("stop", str(here.stop + 1))
    return here


def _navigate(here: LessonPosition, where: str | int) -> LessonPosition:
    last = len(here.lesson.stops)
    if isinstance(where, int):
        if where != here.stop:
            st.session_state["lesson.review"] = False
        return replace(here, stop=min(max(where, 0), last))
    step = 1 if where == "on" else -1
    if not st.session_state.get("lesson.review"):  # a review only visits open stops
        return replace(here, stop=min(max(here.stop + step, 0), last))
    stops = [n for n in here.open_stops if (n - here.stop) * step > 0]
    if not stops:
        st.session_state["lesson.review"] = False
        return replace(here, stop=last)
    return _ask_again(replace(here, stop=min(stops) if step > 0 else max(stops)))


def review(here: LessonPosition) -> None:
    """Start a review of the stops whose questions are still open, at the first of them."""
    st.session_state["lesson.review"] = True
    if here.open_stops:
        again = _ask_again(replace(here, stop=here.open_stops[0]))
        _stops()[here.lesson.slug] = again.stop


def restart(here: LessonPosition) -> None:
    """Reset the answers of a lesson, go to its start, and ask variants of what was shown."""
    slug, marks = here.lesson.slug, begin_again(here.marks)
    progress_store.marks()[slug] = marks
    _starts()[slug] = _starts().get(slug, 0) + 1
    for n, sign in enumerate(marks):
        stop = replace(here, stop=n)
        if sign == SHOWN:
            _allow_retries(stop)
        else:
            _rounds().pop(stop.stop_key, None)
    _stops()[slug] = 0
    st.session_state["lesson.review"] = False


def _ask_again(here: LessonPosition) -> LessonPosition:
    """Ask a variant of what was answered before, and the rest as it was; return `here`."""
    return _allow_retries(here) if here.attempt.tries else here


def _allow_retries(here: LessonPosition) -> LessonPosition:
    """Start a new round of a stop's question, with new tries; return `here`."""
    _rounds()[here.stop_key] = _rounds().get(here.stop_key, 0) + 1
    return here


def as_asked(
    here: LessonPosition, first: ResolvedStop, facts: Mapping[str, PictureFacts]
) -> ResolvedStop:
    """Return the stop as it is asked in its round; what was searched for is kept."""
    key = here.stop_key, here.round
    if st.session_state.get(_ASKED, ("",))[0] != key:
        st.session_state[_ASKED] = key, in_round(here.lesson, first, facts, here.round)
    return st.session_state[_ASKED][1]


def mark(here: LessonPosition, sign: str) -> None:
    """Set the mark (result sign) of the stop `here`."""
    progress_store.marks()[here.lesson.slug] = set_mark(here.marks, here.stop, sign)


def write_marks(here: LessonPosition) -> None:
    """Write the lesson's marks to the URL, if there are any."""
    url_state.set_param("marks", here.marks if here.marks.strip(UNSEEN) else None)


def submit_answer(here: LessonPosition, question: Question) -> bool:
    """Grade a newly reported answer; return whether it settles the question."""
    before = here.attempt
    given = question_view.submitted_answer(here.attempt_key, before.tries)
    if given is None or before.state != "open":
        return False
    try:
        verdict = grade(question, given)
    except ValueError as error:
        _attempts()[here.attempt_key] = replace(before, reply=(user_message(error),), given=given)
        return False
    tries = before.tries + 1
    if tries == 1 and not here.round:
        choice = given if question.form == "choice" else int(not verdict.is_right)
        assert isinstance(choice, int)
        first = choice, question_view.sureness(), verdict.is_right
        first_answers(here.lesson).setdefault(here.stop, first)
    mark(here, after_answer(here.marks[here.stop], tries, verdict.is_right, question.tries))
    if verdict.is_right:
        attempt = Attempt(tries, "right", verdict.text or question.why, given)
    elif tries < question.tries:
        attempt = Attempt(tries, "open", retry_text(question, verdict.text), given)
    else:
        attempt = Attempt(tries, "shown", answer_text(question, verdict.text), given)
    _attempts()[here.attempt_key] = attempt
    return attempt.state != "open"


def show_answer(here: LessonPosition, question: Question) -> bool:
    """Settle an open question by showing its answer, as a teacher does; return whether it was open.

    The marks stay: nobody has tried.
    """
    is_open = here.attempt.state == "open"
    if is_open:
        _attempts()[here.attempt_key] = Attempt(question.tries, "shown", answer_text(question, ()))
    return is_open


def target_step(
    here: LessonPosition, at: int, is_settled: bool, shown_at: int | None
) -> int | None:
    """Return the position to move the picture to in this run; None leaves it to the learner."""
    if is_settled:
        return shown_at
    if st.session_state.get("lesson.placed") == here.attempt_key:
        return None
    st.session_state["lesson.placed"] = here.attempt_key
    return at


def first_answers(lesson: Lesson) -> dict[int, tuple[int, int, bool]]:
    """Return the first answer at each of a lesson's stops, for the class code.

    An answer is (choice, sureness, is right). The choice is the option's index; in questions that
    aren't a choice among options, it is 0 for right and 1 for wrong.
    """
    return st.session_state.setdefault("lesson.firsts", {}).setdefault(class_key(lesson), {})


def reset_picture() -> None:
    """Move the picture back to the stop's position in the next run."""
    st.session_state.pop("lesson.placed", None)


def _stops() -> dict[str, int]:
    """Return the last visited stop of each lesson, by the lesson's slug."""
    return st.session_state.setdefault("lesson.stops", {})


def _starts() -> dict[str, int]:
    """Return how often each lesson was begun again, by the lesson's slug."""
    return st.session_state.setdefault("lesson.starts", {})


def _attempts() -> dict[str, Attempt]:
    return st.session_state.setdefault("lesson.attempts", {})


def _rounds() -> dict[str, int]:
    """Return how often each stop's question was asked again, by the stop's key."""
    return st.session_state.setdefault("lesson.rounds", {})
