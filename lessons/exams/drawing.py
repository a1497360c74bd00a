"""Draw an exam from the questions of lessons: a sheet for each student, all equally hard.

A *slot* is one question of the exam: the same kind of question, from the same stop of a lesson, in
several forms that take about as much work. Every sheet has the same slots and its own forms, so
sheets are equally hard question by question, not only in sum. No form gives away another slot's
answer, whichever forms a sheet has.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from lessons.exams.standalone import StandAlone, is_concept, stand_alone
from lessons.facts.base import PictureFacts
from lessons.format.reading import Lesson
from lessons.format.words import count_of, plain
from lessons.pictures.plan import Plan
from lessons.questions.grading import Question
from lessons.questions.shuffle import shuffle
from lessons.stops import ResolvedStop
from lessons.variants import variants
from tokenizers.errors import UserError

MOST_FORMS = 12  # of one question
MOST_QUESTIONS = 12
MOST_SHEETS = 40
MOST_SEED = 9_999
EXIT_QUESTIONS = 3
EXIT_WORK = 7  # steps by hand, about a minute
LONG_KINDS = ("pair_score", "expected_count", "probability", "offset")  # more than a minute
HARDER = 1.25
"""How much more work than the easiest form of its slot a form may take, or one step if more."""
_CONCEPT = StandAlone((), 1)


@dataclass(frozen=True, slots=True)
class PlayedLesson:
    """A lesson with its resolved stops, and the plan and facts of its pictures by name."""

    lesson: Lesson
    stops: Sequence[ResolvedStop]
    plans: Mapping[str, Plan]
    facts: Mapping[str, PictureFacts]


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a question, with what it starts from, and the stop (0-based) it belongs to."""

    lesson: Lesson
    stop: int
    resolved: ResolvedStop
    given: StandAlone

    @property
    def question(self) -> Question:
        """The question, which every form has."""
        assert self.resolved.question
        return self.resolved.question

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What distinguishes it from all other forms."""
        picture = self.resolved.stop.picture
        return self.lesson.slug, picture, self.resolved.at, plain(self.question.prompt)

    @property
    def points(self) -> int:
        """The points for a right answer: 1 if it is chosen from options, 2 if it is worked out."""
        return 1 if self.question.form == "choice" else 2


Slot = tuple[Form, ...]
"""The equally hard forms of one question of an exam."""


@dataclass(frozen=True, slots=True)
class Exam:
    """An exam: for each student a form of every slot, with its options shuffled."""

    title: str
    slots: tuple[Slot, ...]
    sheets: tuple[tuple[Form, ...], ...]
    seed: int

    @property
    def points(self) -> int:
        """The points for all questions of a sheet, the same on every sheet."""
        return sum(form.points for form in self.sheets[0])


def is_quick(form: Form) -> bool:
    """Return whether a form takes about a minute, as the questions of an exit ticket do."""
    return form.given.work <= EXIT_WORK and form.question.kind not in LONG_KINDS


def slots_of(
    played: PlayedLesson, stops: Collection[int] | None = None, quick: bool = False
) -> list[Slot]:
    """Return the slots of a lesson's questions that can be asked without it, in its order.

    `stops` are the indices of the stops to take them from, all if None. No form is in two slots.
    """
    found: list[Slot] = []
    known: set[tuple[str, str, int, str]] = set()
    for n, resolved in enumerate(played.stops):
        if resolved.question and (stops is None or n in stops):
            forms = [one for one in _forms(played, n, resolved) if one.key not in known]
            forms = equally_hard([one for one in forms if not quick or is_quick(one)])
            known.update(one.key for one in forms)
            found += [forms] if forms else []
    return found


def _forms(played: PlayedLesson, n: int, resolved: ResolvedStop) -> list[Form]:
    lesson = played.lesson
    if is_concept(lesson.slug, resolved.stop.heading):
        return [Form(lesson, n, resolved, _CONCEPT)]
    found = []
    for one in (resolved, *variants(lesson, resolved, played.facts, MOST_FORMS)):
        picture, question = one.stop.picture, one.question
        assert question
        given = stand_alone(played.plans[picture], played.facts[picture], one.at, question)
        if given:
            found.append(Form(lesson, n, one, given))
    return found


def equally_hard(forms: Sequence[Form]) -> Slot:
    """Return the most forms of one kind that take about as much work, in their order."""
    best: list[Form] = []
    for easiest in forms:
        work = easiest.given.work
        near = [
            one
            for one in forms
            if (one.question.kind, one.question.form)
            == (easiest.question.kind, easiest.question.form)
            and work <= one.given.work <= hardest(work)
        ]
        if len(near) > len(best):
            best = near
    return tuple(best)


def hardest(work: int) -> int:
    """Return the most work of a form whose slot's easiest form takes `work`.

    >>> hardest(3), hardest(20)
    (4, 25)
    """
    return max(work + 1, int(HARDER * work))


def draw_exam(
    title: str, lessons: Sequence[Sequence[Slot]], questions: int, sheets: int, seed: int
) -> Exam:
    """Draw an exam of `questions` questions for `sheets` students from the slots of each lesson.

    The same seed gives the same exam, and more sheets only add sheets. Raises UserError if there
    are too few questions that can be asked together.
    """
    chosen = _choose_slots(lessons, questions, Random(f"{seed} slots"))
    if len(chosen) < questions:
        raise UserError(_too_few(len(chosen)))
    rows: list[tuple[Form, ...]] = []
    for number in range(1, sheets + 1):
        rng = Random(f"{seed} {number}")
        before = {form.key for form in rows[-1]} if rows else set()
        drawn = [_draw_form(slot, before, rng) for slot in chosen]
        rows.append(tuple([_shuffled(form, rng) for form in drawn]))
    return Exam(title, chosen, tuple(rows), seed)


def _too_few(number: int) -> str:
    if not number:
        return (
            "No question of these lessons can be asked without its picture. Choose another lesson: "
            "those about BPE, WordPiece and Unigram have the most."
        )
    questions = count_of(number, "question")
    return (
        f"These lessons give only {questions} that can be asked together without a picture, and "
        f"without giving each other away. Ask for {number:,}, or choose more lessons."
    )


def _choose_slots(lessons: Sequence[Sequence[Slot]], number: int, rng: Random) -> tuple[Slot, ...]:
    """Return up to `number` slots, taken from each lesson in turn, in the order of the lessons.

    Kinds of question that the exam has not yet come first, then slots with several forms.
    """
    queues = [rng.sample(list(slots), len(slots)) for slots in lessons]
    chosen: list[tuple[int, Slot]] = []
    kinds: Counter[str] = Counter()
    while any(queues) and len(chosen) < number:
        for n, queue in enumerate(queues):
            if queue and len(chosen) < number:
                queue.sort(key=lambda slot: (kinds[slot[0].question.kind], len(slot) < 3))
                slot = _compatible(queue.pop(0), (other for _, other in chosen))
                if slot:
                    chosen.append((n, slot))
                    kinds[slot[0].question.kind] += 1
    ordered = sorted(chosen, key=lambda item: (item[0], item[1][0].stop))
    return tuple([slot for _, slot in ordered])


def _compatible(slot: Slot, others: Iterable[Slot]) -> Slot:
    """Return the forms of a slot that give nothing away to the others, nor they to them."""
    given = [form.given for other in others for form in other]
    return tuple(
        [
            form
            for form in slot
            if not any(form.given.gives_away(one) or one.gives_away(form.given) for one in given)
        ]
    )


def _draw_form(slot: Slot, before: Collection[tuple[str, str, int, str]], rng: Random) -> Form:
    """Return a form that the sheet before doesn't have, if there is one."""
    return rng.choice([form for form in slot if form.key not in before] or slot)


def _shuffled(form: Form, rng: Random) -> Form:
    return replace(form, resolved=replace(form.resolved, question=shuffle(form.question, rng)))
