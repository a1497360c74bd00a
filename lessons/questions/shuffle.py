"""Shuffle the options of a question, to prevent copying between neighbors in a class."""

from dataclasses import replace
from random import Random

from lessons.questions.grading import Question

FIXED = ("true_false",)  # kinds with a conventional order of options


def shuffle(question: Question, rng: Random) -> Question:
    """Return the question with shuffled options; an "order" question never starts solved."""
    if question.kind in FIXED:
        return question
    places = rng.sample(range(len(question.options)), len(question.options))
    is_right = all(places.index(first) < places.index(second) for first, second in question.before)
    if question.before and is_right:
        places.reverse()
    now = {place: n for n, place in enumerate(places)}
    return replace(
        question,
        options=tuple([question.options[place] for place in places]),
        before=tuple([(now[first], now[second]) for first, second in question.before]),
    )
