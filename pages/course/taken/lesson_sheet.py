"""A lesson's questions as sheets to print, to be answered while the class follows the lesson.

The questions and what is said to their answers come from the record, as on the screen. Every sheet
asks the same, with the options in another order. Left out: the text of the lesson, which would give
answers away, and its pictures: a sheet tells only what they begin with.
"""

from collections.abc import Iterable
from functools import partial
from random import Random

from markupsafe import Markup

from lessons.format.words import Text, decimal
from lessons.pictures.plan import Plan
from lessons.playing import Scene
from lessons.questions.judging import Question, judge
from lessons.questions.shuffled import shuffled
from pages.course.making import Opened, Shown
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.tiles import printable
from pages.shared.taking.handout import Sheet, handout_file, line, piece, pieces, task, told, word
from tokenizers.refusal import Refusal

MOST_WORDS = 14
MOST_PIECES = 20
LONGEST_TEXT = 300  # characters
_PURPOSE = (
    "Answer while you follow the lesson: a question has the number of its stop. Check one box "
    "unless it says otherwise. If two answers tie, either is right."
)


def lesson_sheets(opened: Opened, number: int, seed: int) -> str:
    """Return so many sheets of a lesson that was played through, with their answers.

    Sheet 1 has the options in the order of the lesson. Raises Refusal where nothing is asked.
    """
    asked = {n: scene for n, scene in enumerate(opened.scenes, start=1) if scene.question}
    if not asked:
        raise Refusal("This lesson asks nothing, so there is no worksheet of it.")
    sheets = [_sheet(opened, asked, n, seed) for n in range(1, number + 1)]
    return handout_file(printable(opened.lesson.title), sheets, seed)


def _sheet(opened: Opened, asked: dict[int, Scene], number: int, seed: int) -> Sheet:
    blank, filled = [told(_PURPOSE)], [told(_PURPOSE)]
    given = Markup()
    for n, scene in asked.items():
        shown, question = opened.shown[scene.stop.picture], scene.question
        assert question
        if number > 1:
            question = shuffled(question, Random(f"{seed} {number} {n}"))
        title = f"{n}. {printable(scene.stop.heading)}"
        before, given = given, _given(shown.plan)
        where = html("{}{}", Markup() if given == before else given, _where(scene, shown))
        whole = partial(_question, question)
        blank.append(task(title, where, whole(is_filled=False)))
        filled.append(task(title, whole(is_filled=True)))
    return Sheet(joined(blank), joined(filled))


# ---- what a picture begins with ----


def _given(plan: Plan) -> Markup:
    return joined(
        html('<p class="given">{}: {}</p>', name, inside) for name, inside in _inputs(plan)
    )


def _inputs(plan: Plan) -> Iterable[tuple[str, Markup]]:
    if plan.counts and len(plan.counts) <= MOST_WORDS:
        counted = (html("{} × {}", f"{n:,}", word(one)) for one, n in plan.counts.items())
        yield "The words", joined(counted, ", ")
    if plan.text and len(plan.text) <= LONGEST_TEXT:
        yield "It learns from", word(plan.text)
    if 0 < len(plan.pieces) <= MOST_PIECES:
        yield "The pieces", _pieces(plan)
    if plan.say and len(plan.say) <= LONGEST_TEXT:
        yield "The text to split", word(plan.say)
    for text in plan.texts.values():
        if len(text) <= LONGEST_TEXT:
            yield "A text to split", word(text)


def _pieces(plan: Plan) -> Markup:
    """Return the pieces of a vocabulary, with their log probabilities where they have some."""
    if not any(plan.pieces.values()):
        return pieces(tuple(plan.pieces))
    valued = (html("{} {}", piece(one), decimal(value)) for one, value in plan.pieces.items())
    return html("{} (log probabilities in nats)", joined(valued, ", "))


def _where(scene: Scene, shown: Shown) -> Markup:
    """Say at which step the picture rests while the question is asked."""
    if not shown.film:
        return Markup()
    at = f"at step {scene.at:,}" if scene.at else "at the start"
    return html('<p class="given">The picture is {}.</p>', at)


# ---- questions, and what is said to their answers ----


def _question(question: Question, is_filled: bool) -> Markup:
    asked = html("<p><b>{}</b></p>", _say(question.prompt))
    return html("{}{}", asked, _FORMS[question.form](question, is_filled))


def _say(said: Text) -> Markup:
    return joined(map(_part, said))


def _part(one: str | tuple[str, str]) -> Markup:
    if isinstance(one, str):
        return html("{}", printable(one))
    kind, text = one
    if kind == "token":
        return piece(text)
    return html("“{}”", word(text)) if kind == "word" else html("<b>{}</b>", printable(text))


def _choice(question: Question, is_filled: bool) -> Markup:
    verdicts = [judge(question, n) for n in range(len(question.options))]
    marks = ["X" if verdict.is_right and is_filled else "" for verdict in verdicts]
    said = {verdict.said for verdict in verdicts}
    notes = [verdict.said if is_filled and len(said) > 1 else () for verdict in verdicts]
    is_told = is_filled and question.why not in notes
    return html("{}{}", _options(question, marks, notes), _why(question, is_told))


def _several(question: Question, is_filled: bool) -> Markup:
    options = question.options
    marks = ["X" if one.is_right and is_filled else "" for one in options]
    notes = [one.why if is_filled and not one.is_right else () for one in options]
    how = told("Check all that are right.")
    return html("{}{}{}", how, _options(question, marks, notes), _why(question, is_filled))


def _order(question: Question, is_filled: bool) -> Markup:
    """Return the options, each with its number in the order; those that tie have the same."""
    places = [
        1 + sum(second == n for _, second in question.before) for n in range(len(question.options))
    ]
    marks = [f"{place}" if is_filled else "" for place in places]
    options = _options(question, marks, [()] * len(places))
    how = told("Number the boxes: 1 is the first.")
    return html("{}{}{}", how, options, _why(question, is_filled))


def _written(question: Question, is_filled: bool) -> Markup:
    answer = line("Answer:", _say(question.answer), is_filled)
    return html("{}{}", answer, _why(question, is_filled))


def _options(question: Question, marks: Iterable[str], notes: Iterable[Text]) -> Markup:
    rows = zip(marks, question.options, notes, strict=True)
    items = (
        html(
            '<li><span class="box">{}</span><span>{} {}</span></li>',
            *(mark, _say(option.said), html("<i>{}</i>", _say(note)) if note else ""),
        )
        for mark, option, note in rows
    )
    return html('<ul class="options">{}</ul>', joined(items))


def _why(question: Question, is_told: bool) -> Markup:
    return html("<p><i>{}</i></p>", _say(question.why)) if is_told and question.why else Markup()


_FORMS = {
    "choice": _choice,
    "several": _several,
    "order": _order,
    "number": _written,
    "text": _written,
}
