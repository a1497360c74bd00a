"""Questions about how evenly tokens are used."""

from lessons.facts.efficiency import EfficiencyFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import percent
from lessons.questions.builders import MOST_OPTIONS, QuestionContext, QuestionKinds
from lessons.questions.grading import Question


def most_even(context: QuestionContext[EfficiencyFacts]) -> Question:
    """Which row has the highest efficiency?"""
    rows = [(row.title, row.efficiency) for row in context.facts.rows.values()]
    if not 1 < len(rows) <= MOST_OPTIONS:
        raise LessonLookupError(f"This question is about 2 to {MOST_OPTIONS} rows. Give as many.")
    prompt = "Which one has the highest efficiency?"

    def end(_: float, best: float) -> str:
        return f". The highest is {percent(best)}."

    return context.choose_best(prompt, rows, max, percent, end)


def by_efficiency(context: QuestionContext[EfficiencyFacts]) -> Question:
    """In which order are the rows by their efficiency?"""
    rows = [(row.title, row.efficiency) for row in context.facts.rows.values()]
    if not 1 < len(rows) <= MOST_OPTIONS or len({value for _, value in rows}) < 2:
        raise LessonLookupError(
            f"Give 2 to {MOST_OPTIONS} rows to put in order, not all of them alike."
        )
    prompt = "Put these in order, the lowest efficiency first."
    return context.order_question(prompt, rows, percent, percent)


EFFICIENCY_QUESTIONS: QuestionKinds = {
    "most_even": (most_even, ()),
    "by_efficiency": (by_efficiency, ()),
}
