"""Questions about a new token's vector."""

from lessons.facts.transplant import TransplantFacts
from lessons.format.errors import LessonLookupError
from lessons.format.vectors import product_text
from lessons.format.words import RichText, in_row
from lessons.questions.builders import QuestionContext, QuestionKinds
from lessons.questions.grading import AnswerOption, Question


def next_anchor(context: QuestionContext[TransplantFacts]) -> Question:
    """Which shared token is chosen next? Each whose product is largest in size is right."""
    facts, at = context.facts, context.at
    if at % 2:
        raise LessonLookupError("A token has just been chosen. Set at to one moment later.")
    step, left = facts.coming(at), facts.left(at)
    best = abs(step.products[step.token])

    def worked(token: str) -> RichText:
        return (*in_row([token]), ": ", product_text(facts.given.donor[token], left), ".")

    options = [
        AnswerOption(in_row([token]), abs(product) == best, worked(token))
        for token, product in step.products.items()
    ]
    why: RichText = (*worked(step.token), " No other product is larger in size.")
    return context.choose_from("Which shared token is chosen next?", options, why, shown_at=at + 1)


TRANSPLANT_QUESTIONS: QuestionKinds = {"next_anchor": (next_anchor, ())}
