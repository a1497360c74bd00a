"""Worksheets with a lesson's questions, for a class to answer while it follows the lesson.

Questions and replies are the same as on the screen. All sheets have the same questions, with the
options in different orders. The lesson's text is omitted because it gives answers away, and so are
the pictures, except for their inputs.
"""

from collections.abc import Iterable
from random import Random

from lessons.format.words import RichText, decimal
from lessons.pictures.plan import Plan
from lessons.questions.grading import Question, option_reply
from lessons.questions.shuffle import shuffle
from lessons.stops import ResolvedStop
from pages.lesson.pictures.build_pictures import PreparedLesson
from pages.lesson.pictures.lesson_picture import LessonPicture
from pages.shared.export.worksheets.content import (
    Aside,
    Block,
    CheckBox,
    CheckBoxes,
    InlinePart,
    Paragraph,
    Parts,
    Strong,
    VisibleWord,
    Worksheet,
    WorksheetSet,
    answer_line,
    fill_template,
    given,
    instruction,
    joined,
    piece,
    pieces,
    task,
)
from tokenizers.errors import UserError

MOST_WORDS = 14
MOST_PIECES = 20
LONGEST_TEXT = 300  # characters
_PURPOSE = (
    "Answer while you follow the lesson: a question has the number of its stop. Check one box "
    "unless it says otherwise. If two answers tie, either is right."
)


def lesson_worksheets(opened: PreparedLesson, number: int, seed: int) -> WorksheetSet:
    """Return `number` worksheets for a lesson, with their answers.

    Sheet 1 has the options in the lesson's order. Raises UserError if there are no questions.
    """
    prompt_block = {
        n: resolved
        for n, resolved in enumerate(opened.resolved_stops, start=1)
        if resolved.question
    }
    if not prompt_block:
        raise UserError("This lesson asks nothing, so there is no worksheet of it.")
    sheets = tuple([_sheet(opened, prompt_block, n, seed) for n in range(1, number + 1)])
    return WorksheetSet(opened.lesson.title, sheets, seed)


def _sheet(
    opened: PreparedLesson, prompt_block: dict[int, ResolvedStop], number: int, seed: int
) -> Worksheet:
    blank: list[Block] = [instruction(_PURPOSE)]
    filled: list[Block] = []
    known: list[Paragraph] = []
    for n, resolved in prompt_block.items():
        picture, question = opened.pictures[resolved.stop.picture], resolved.question
        assert question
        if number > 1:
            question = shuffle(question, Random(f"{seed} {number} {n}"))
        title = f"{n}. {resolved.stop.heading}"
        before = known
        known = [given("{}: {}", name, inside) for name, inside in _inputs(picture.plan)]
        inputs = [] if known == before else known
        inside = question_blocks(question, is_filled=False)
        blank.append(task(title, *inputs, *_position_note(resolved, picture), *inside))
        filled.append(task(title, *question_blocks(question, is_filled=True)))
    return Worksheet(tuple(blank), tuple(filled))


# ---- inputs of a picture ----


def _inputs(plan: Plan) -> Iterable[tuple[str, InlinePart | Parts]]:
    if plan.counts and len(plan.counts) <= MOST_WORDS:
        counted = (
            fill_template("{:,} × {}", n, VisibleWord(one)) for one, n in plan.counts.items()
        )
        yield "The words", joined(counted, ", ")
    if plan.text and len(plan.text) <= LONGEST_TEXT:
        yield "It learns from", VisibleWord(plan.text)
    if 0 < len(plan.pieces) <= MOST_PIECES:
        yield "The pieces", _pieces(plan)
    if plan.input_text and len(plan.input_text) <= LONGEST_TEXT:
        yield "The text to split", VisibleWord(plan.input_text)
    for text in plan.texts.values():
        if len(text) <= LONGEST_TEXT:
            yield "A text to split", VisibleWord(text)


def _pieces(plan: Plan) -> InlinePart | Parts:
    """Return a vocabulary's pieces, with their log probabilities if they have any."""
    if not any(plan.pieces.values()):
        return pieces(tuple(plan.pieces))
    valued = (
        fill_template("{} {}", piece(one), decimal(value)) for one, value in plan.pieces.items()
    )
    return fill_template("{} (log probabilities in nats)", joined(valued, ", "))


def _position_note(resolved: ResolvedStop, picture: LessonPicture) -> list[Paragraph]:
    """Return a note that names the picture's step at which the question is asked."""
    if not picture.recording:
        return []
    at = f"at step {resolved.at:,}" if resolved.at else "at the start"
    return [given("The picture is {}.", at)]


# ---- questions and replies ----


def question_blocks(question: Question, is_filled: bool) -> list[Block]:
    """Return a question with room for the answer, or with the answer and its reason."""
    prompt_block = Paragraph((Strong(rich_text_parts(question.prompt)),))
    return [prompt_block, *_FORMS[question.form](question, is_filled)]


def rich_text_parts(text: RichText) -> Parts:
    """Return a lesson's text as the inline parts of a worksheet."""
    return joined(map(_part, text))


def _part(one: str | tuple[str, str]) -> InlinePart | Parts:
    if isinstance(one, str):
        return one
    kind, text = one
    if kind == "token":
        return piece(text)
    return fill_template("“{}”", VisibleWord(text)) if kind == "word" else Strong((text,))


def _choice(question: Question, is_filled: bool) -> list[Block]:
    marks = ["X" if one.is_right and is_filled else "" for one in question.options]
    replies = [option_reply(question, n) for n in range(len(question.options))]
    notes = [reply if is_filled and len(set(replies)) > 1 else () for reply in replies]
    with_reason = is_filled and question.why not in notes
    return [_options(question, marks, notes), *_why(question, with_reason)]


def _several(question: Question, is_filled: bool) -> list[Block]:
    options = question.options
    marks = ["X" if one.is_right and is_filled else "" for one in options]
    notes = [one.why if is_filled and not one.is_right else () for one in options]
    how = instruction("Check all that are right.")
    return [how, _options(question, marks, notes), *_why(question, is_filled)]


def _order(question: Question, is_filled: bool) -> list[Block]:
    """Return the options with boxes for ranks, filled in if `is_filled`; ties share a rank."""
    places = [
        1 + sum(second == n for _, second in question.before) for n in range(len(question.options))
    ]
    marks = [f"{place}" if is_filled else "" for place in places]
    options = _options(question, marks, [()] * len(places))
    how = instruction("Number the boxes: 1 is the first.")
    return [how, options, *_why(question, is_filled)]


def _answer_line(question: Question, is_filled: bool) -> list[Block]:
    answer = answer_line("Answer:", rich_text_parts(question.answer), is_filled)
    return [answer, *_why(question, is_filled)]


def _options(question: Question, marks: Iterable[str], notes: Iterable[RichText]) -> CheckBoxes:
    rows = zip(marks, question.options, notes, strict=True)
    options = [
        CheckBox(mark, rich_text_parts(option.text), rich_text_parts(note))
        for mark, option, note in rows
    ]
    return CheckBoxes(tuple(options))


def _why(question: Question, with_reason: bool) -> list[Block]:
    return (
        [Paragraph((Aside(rich_text_parts(question.why)),))] if with_reason and question.why else []
    )


_FORMS = {
    "choice": _choice,
    "several": _several,
    "order": _order,
    "number": _answer_line,
    "text": _answer_line,
}
