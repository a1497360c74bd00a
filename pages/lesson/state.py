"""Where a visitor is in the lessons: the lesson, the stop, and the marks of the stops.

In a lesson the browser's engine knows (lesson_engine.js), which grades the answers; it reports
every change. Python draws what is reported, writes the lesson, the stop and its marks to the URL,
and has all lessons' marks stored (progress_store.py). A mark is the sign for a stop's result. A
link, the list of lessons and stored progress move the engine: they begin a new revision.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace

import streamlit as st

from lessons import LESSONS
from lessons.class_codes import CHOICES, SURENESS
from lessons.custom_path import is_lesson
from lessons.facts.base import PictureFacts
from lessons.format.reading import Lesson
from lessons.progress import MADE_GOOD, SHOWN, UNSEEN, Score, merge_marks, read_marks, score
from lessons.stops import ResolvedStop
from lessons.variants import in_round
from pages.lesson.browser import progress_store
from pages.lesson.classroom.key import class_key
from pages.lesson.path import path_state
from pages.shared import component_state
from pages.shared.controls import url_state
from pages.shared.synced_state import accept_report, parse_report

BAR_KEY = "lesson.nav"
"""The key of the component that reports where the learner is."""
LEARNER = "lesson.learner"
"""The part of the session that has the learner in each lesson, by the lesson's key."""
CUSTOM_SLUG = "own"
"""The slug of the custom lesson; it is in URLs and stored progress, as "own"."""
MOST_ROUNDS = 10_000
REVIEW_SLUG = "review"
"""The slug of questions from earlier lessons, see review.py."""
_ASKED = "lesson.asked"


@dataclass(frozen=True, slots=True)
class Learner:
    """What the engine reported last, or what Python has set since.

    `starts` counts how often the lesson was begun again, `rounds` for each stop how often its
    question was asked again, which asks a variant. `settled` has the stops whose question, as it is
    asked now, is right or was shown. `first_answers` has (stop, choice, sureness, is right) for the
    class code; the choice is the option's index, or in questions that aren't a choice among
    options, 0 for right and 1 for wrong.
    """

    stop: int
    marks: str
    starts: int
    rounds: tuple[int, ...]
    settled: tuple[int, ...] = ()
    first_answers: tuple[tuple[int, int, int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class LessonPosition:
    """Where the learner is in a lesson.

    `key` is the key of this version of the lesson, since other versions may ask otherwise, and
    `revision` counts what Python has set.
    """

    lesson: Lesson
    key: str
    learner: Learner
    revision: int

    @property
    def stop(self) -> int:
        """The stop's index; the index after the last stop's is the lesson's end."""
        return self.learner.stop

    @property
    def is_over(self) -> bool:
        """Whether this is the end of the lesson."""
        return self.stop >= len(self.lesson.stops)

    @property
    def marks(self) -> str:
        """The marks of all stops."""
        return self.learner.marks

    @property
    def round(self) -> int:
        """How often this stop's question was asked before; another round asks a variant."""
        return 0 if self.is_over else self.learner.rounds[self.stop]

    @property
    def attempt_key(self) -> str:
        """The key of this stop, the start of its lesson and the round, as in lesson_engine.js."""
        return f"{self.stop}:{self.learner.starts}.{self.round}"

    @property
    def is_settled(self) -> bool:
        """Whether this stop's question was answered right, or its answer was shown."""
        return self.stop in self.learner.settled

    @property
    def asks(self) -> list[bool]:
        """For each stop, whether it has a question."""
        return [stop.ask is not None for stop in self.lesson.stops]

    @property
    def back(self) -> str:
        """The URL parameter `back` of pages opened from here, which leads back to this stop."""
        return f"{self.lesson.slug}.{self.stop + 1}"

    @property
    def message(self) -> dict[str, object]:
        """What the engine is told: the learner as known here, and which revision that is."""
        known = astuple(self.learner)
        return {"revision": self.revision, "asks": self.asks, "known": known}


def open_slug() -> str:
    """Return the open lesson's slug; "" if the list of all lessons is open."""
    if (incoming := url_state.incoming("lesson")) is not None:
        st.session_state["lesson.open"] = incoming
    slug = st.session_state.get("lesson.open", "")
    if slug and not is_lesson(slug) and slug not in (CUSTOM_SLUG, REVIEW_SLUG):
        st.info(f"There is no lesson of that name. There are: {', '.join(LESSONS)}.")
        slug = st.session_state["lesson.open"] = ""
    url_state.set_param("lesson", slug or None)
    if slug and not path_state.is_open():
        url_state.set_param("path", None)  # of the list
    if not slug:
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
    _wanted()[slug] = stop


def current_position(lesson: Lesson) -> LessonPosition:
    """Return the position in a lesson, after applying a report, the URL and stored progress."""
    key, slug, last = class_key(lesson), lesson.slug, len(lesson.stops)
    learner = _accept_report(lesson, key)
    stored = progress_store.marks()
    if (incoming := url_state.incoming("marks")) is not None:
        stored[slug] = merge_marks(read_marks(incoming, last), read_marks(stored.get(slug), last))
    marks = read_marks(stored.get(slug), last)
    is_wanted = slug in _wanted()
    stop = _wanted().pop(slug, None)
    if (incoming := url_state.incoming("stop")) is not None:
        stop = (url_state.parse_natural(incoming, 5) or 1) - 1
    if stop is None:
        stop = learner.stop if learner else 0
    stop = min(stop, last)
    if learner is None or is_wanted or (stop, marks) != (learner.stop, learner.marks):
        learner = _moved(learner, stop, marks)
        component_state.set_from_server(LEARNER, key, key, learner)
    url_state.set_param("stop", str(stop + 1))
    now = component_state.current_state(LEARNER, key)
    assert now
    return LessonPosition(lesson, key, learner, now.revision)


def _accept_report(lesson: Lesson, key: str) -> Learner | None:
    """Keep what the engine has reported, and its marks; return what is known of the learner."""
    before = component_state.current_state(LEARNER, key)
    if before is None:
        return None

    def parse(value: object) -> Learner | None:
        match value:
            case [lesson_key, *report] if lesson_key == key:
                return read_report(report, len(lesson.stops))
        return None

    report = parse_report(component_state.client_value(BAR_KEY, "engine"), parse)
    now = component_state.keep_state(LEARNER, key, accept_report(before, report))
    known, reported = before.current, now.current
    if reported == known:
        return known
    marks, stored = progress_store.marks(), progress_store.marks().get(lesson.slug)
    stored_marks = read_marks(stored, len(lesson.stops))
    # Progress that was stored may have arrived meanwhile.
    is_newer = stored_marks == known.marks
    marks[lesson.slug] = reported.marks if is_newer else merge_marks(reported.marks, stored_marks)
    return reported


def read_report(report: object, stops: int) -> Learner | None:
    """Return what an engine reported of a lesson with `stops` stops; None if it is nonsense."""
    match report:
        case [int(stop), str(marks), int(starts), [*rounds], [*settled], [*firsts]] if (
            0 <= stop <= stops
            and len(marks) == stops == len(rounds)
            and _are_below([starts, *rounds], MOST_ROUNDS)
            and _are_below(settled, stops)
        ):
            answers = [one for one in firsts if _is_first_answer(one, stops)]
            return Learner(
                stop,
                read_marks(marks, stops),
                starts,
                tuple(rounds),
                tuple(settled),
                tuple([(n, choice, sure, is_right) for n, choice, sure, is_right in answers]),
            )
    return None


def _are_below(numbers: list[object], end: int) -> bool:
    return all(type(one) is int and 0 <= one < end for one in numbers)


def _is_first_answer(one: object, stops: int) -> bool:
    match one:
        case [int(stop), int(choice), int(sureness), bool()]:
            bounds = (stop, stops), (choice, CHOICES), (sureness, len(SURENESS))
            return all(0 <= number < end for number, end in bounds)
    return False


def _moved(learner: Learner | None, stop: int, marks: str) -> Learner:
    """Return the learner at another stop, or with other marks.

    A question whose answer was shown in another visit is asked in another form, as the engine does.
    """
    before = learner or Learner(0, marks, 0, (0,) * len(marks))
    rounds = [
        number or int(sign in (SHOWN, MADE_GOOD) and n not in before.settled)
        for n, (number, sign) in enumerate(zip(before.rounds, marks, strict=True))
    ]
    return replace(before, stop=stop, marks=marks, rounds=tuple(rounds))


def as_asked(
    here: LessonPosition, first: ResolvedStop, facts: Mapping[str, PictureFacts]
) -> ResolvedStop:
    """Return the stop as it is asked in its round; what was searched for is kept."""
    key = here.key, here.stop, here.round
    if st.session_state.get(_ASKED, ("",))[0] != key:
        st.session_state[_ASKED] = key, in_round(here.lesson, first, facts, here.round)
    return st.session_state[_ASKED][1]


def write_marks(here: LessonPosition) -> None:
    """Write the lesson's marks to the URL, if there are any."""
    url_state.set_param("marks", here.marks if here.marks.strip(UNSEEN) else None)


def target_step(here: LessonPosition, at: int, shown_at: int | None) -> int | None:
    """Return the position to move the picture to in this run; None leaves it to the learner.

    That is the stop's, and once its question is settled `shown_at`.
    """
    asked = here.key, here.attempt_key
    placed = st.session_state.get("lesson.placed")
    st.session_state["lesson.placed"] = asked, here.is_settled
    if placed == (asked, False) and here.is_settled:
        return shown_at
    return at if placed is None or placed[0] != asked else None


def reset_picture() -> None:
    """Move the picture back to the stop's position in the next run."""
    st.session_state.pop("lesson.placed", None)


def _wanted() -> dict[str, int | None]:
    """Return the stop at which a lesson was opened in the list, by the lesson's slug."""
    return st.session_state.setdefault("lesson.wanted", {})
