"""Questions about which language chooses a merge."""

from lessons.facts.parity import ParityFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, count_of, tokens_text
from lessons.questions.builders import MOST_OPTIONS, QuestionContext, QuestionKinds
from lessons.questions.grading import AnswerOption, Question


def chooses(context: QuestionContext[ParityFacts]) -> Question:
    """Which language chooses a merge? The languages that have the most tokens are offered."""
    facts, number = context.facts, str(context.values.get("merge"))
    turn, paid = facts.merge(number), facts.paid(number)
    if not turn.language:
        raise LessonLookupError("All languages choose this merge together. Ask about another one.")
    offered = sorted(paid, key=paid.__getitem__, reverse=True)[:MOST_OPTIONS]
    times = count_of(turn.count, "time")
    name = facts.name(turn.language)
    why: RichText = (
        f"{name} has the most tokens, {paid[turn.language]:,}. Its most frequent pair occurs "
        f"{times} in its text, and is merged everywhere.",
    )
    options = [
        AnswerOption(
            (facts.name(code),),
            code == turn.language,
            why if code == turn.language else (f"{facts.name(code)}: {tokens_text(paid[code])}.",),
        )
        for code in offered
    ]
    return context.choose_from(f"Which language chooses merge {number}?", options, why)


PARITY_QUESTIONS: QuestionKinds = {"chooses": (chooses, ("merge",))}
