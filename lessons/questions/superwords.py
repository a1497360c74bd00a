"""Questions about merges that cross spaces."""

from lessons.facts.superwords import SuperwordsFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, count_of, in_row, tokens_text
from lessons.questions.builders import MOST_OPTIONS, QuestionContext, QuestionKinds
from lessons.questions.grading import AnswerOption, Question
from tokenizers.merging.state import Merge

OFFERED = 4  # pairs to choose from


def first_across(context: QuestionContext[SuperwordsFacts]) -> Question:
    """Which pair is merged first when spaces may be crossed? The most frequent are offered."""
    row = context.facts.row(context.values.get("of"))
    if row.lifted >= len(row.merges):
        raise LessonLookupError("No merge of this row crosses a space. Choose another row.")
    counts, step = row.waiting, row.merges[row.lifted]
    assert isinstance(step, Merge)  # rows of Length-MAX cross no space
    often = sorted(counts, key=counts.__getitem__, reverse=True)
    less = [pair for pair in often if counts[pair] < step.count][: OFFERED - 1]
    top = count_of(step.count, "time")
    why: RichText = (*in_row(step.pair), f" occurs {top}, and no pair more often.")
    options = [AnswerOption(in_row(step.pair), True, why)]
    options += [
        AnswerOption(
            in_row(pair), why=(*in_row(pair), f" occurs {count_of(counts[pair], 'time')}.")
        )
        for pair in less
    ]
    prompt = "Which pair is merged first, now that spaces may be crossed?"
    if context.values.get("of") == "whole_words":
        prompt = "Which pair is merged next, the first of two words?"
    return context.choose_from(prompt, options, why)


def choose_segmentation(context: QuestionContext[SuperwordsFacts]) -> Question:
    """How is the text cut by one of the rows?"""
    facts = context.facts
    right = facts.row(context.values.get("of")).tokens_of_text
    others: dict[Tokens, RichText] = {}
    for row in facts.rows.values():
        others.setdefault(row.tokens_of_text, (f"That is “{row.title}”.",))
    words = tuple([f"▁{word}" for word in facts.text.split()])
    others.setdefault(words, ("That cuts at every space, and nowhere else.",))
    return context.split_question(facts.text, (right,), others)


def fewest(context: QuestionContext[SuperwordsFacts]) -> Question:
    """Which row leaves the fewest tokens of the page?"""
    rows = [(row.title, row.tokens) for row in context.facts.rows.values()]
    if not 1 < len(rows) <= MOST_OPTIONS:
        raise LessonLookupError(f"This question is about 2 to {MOST_OPTIONS} rows. Give as many.")

    def end(count: int, least: int) -> str:
        return "." if count == least else f". The fewest are {least:,}."

    prompt = "Which one leaves the fewest tokens of the page?"
    return context.choose_best(prompt, rows, min, tokens_text, end)


SUPERWORDS_QUESTIONS: QuestionKinds = {
    "first_across": (first_across, ("of",)),
    "choose_segmentation": (choose_segmentation, ("of",)),
    "fewest": (fewest, ()),
}
