"""Questions about units of a text on one axis, and about chunks by the angle of vectors."""

from lessons.facts.chunks import ChunksFacts
from lessons.facts.units import UnitsFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, in_row
from lessons.questions.builders import MOST_OPTIONS, QuestionContext, QuestionKinds
from lessons.questions.grading import Question

OTHER_BOUNDARIES = (0.25, 0.75, 0.1, 0.9)  # of the wrong answers


def by_length(context: QuestionContext[UnitsFacts]) -> Question:
    """In which order are some kinds of unit, the one that makes the most of the text first?"""
    names = context.values.get("of", list(context.facts.rows))
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise LessonLookupError('Name the rows to put in order: of = ["bytes", "words"]')
    rows = [
        (row.title, float(len(row.tokens)))
        for row in (context.facts.row(name, "count") for name in names)
    ]
    if not 1 < len(rows) <= MOST_OPTIONS or len({count for _, count in rows}) < 2:
        raise LessonLookupError(f"Name 2 to {MOST_OPTIONS} rows, not all of them as long.")
    prompt = "Put these in order, the shortest sequence first."
    return context.order_question(prompt, rows, _whole, _whole)


def _whole(count: float) -> str:
    return f"{count:,.0f}"


def segmentation(context: QuestionContext[ChunksFacts]) -> Question:
    """Which chunks does the text become?"""
    facts = context.facts
    others: dict[Tokens, RichText] = {}
    for boundary in OTHER_BOUNDARIES:
        sentence: RichText = (f"That is where the probability is above {boundary:g}.",)
        others.setdefault(facts.cut(boundary), sentence)
    others.setdefault(tuple(facts.text), ("That cuts before every letter.",))
    others.setdefault((facts.text,), ("That cuts nowhere.",))
    others.pop(facts.cut(), None)
    prompt: RichText = ("Which chunks does ", ("word", facts.text), " become?")
    return context.split_question(facts.text, (facts.cut(),), others, prompt=prompt)


def chunk_count(context: QuestionContext[ChunksFacts]) -> Question:
    """How many chunks does the text become?"""
    facts = context.facts
    count = len(facts.cut())
    mistakes: dict[str, RichText] = {
        f"{count - 1}": ("That is the number of cuts. There is one chunk more.",),
        f"{len(facts.text)}": ("That is the number of letters.",),
    }
    prompt: RichText = ("How many chunks does ", ("word", facts.text), " become?")
    why: RichText = ("The chunks are ", *in_row(facts.cut()), ".")
    return context.number_question(prompt, count, why, mistakes)


UNITS_QUESTIONS: QuestionKinds = {"by_length": (by_length, ("of",))}
CHUNKS_QUESTIONS: QuestionKinds = {
    "choose_segmentation": (segmentation, ()),
    "chunk_count": (chunk_count, ()),
}
