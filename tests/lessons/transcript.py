"""A lesson played without a browser, as plain text: to be read, and compared with a stored one."""

from collections.abc import Iterator, Sequence

from lessons.format.prose import Block, ProsePart
from lessons.format.reading import Lesson
from lessons.format.words import plain
from lessons.questions.grading import Given, Question
from lessons.stops import ResolvedStop
from tests.judge import grade


def transcript(lesson: Lesson, resolved_stops: Sequence[ResolvedStop]) -> str:
    """Return every stop: where the picture is, the text, the question, and what answers get."""
    head = [lesson.title, lesson.purpose, f"Examples: {', '.join(lesson.examples) or 'none'}"]
    lines = [*head, ""]
    for number, resolved in enumerate(resolved_stops, start=1):
        lines += _stop(number, resolved)
    return "\n".join(lines).rstrip() + "\n"


def _stop(number: int, resolved: ResolvedStop) -> Iterator[str]:
    stop = resolved.stop
    yield f"== {number}. {stop.heading}"
    rule = f", rule {stop.rule}" if stop.rule else ""
    value = "" if stop.at.value is None else f" = {stop.at.value}"
    moment = f"{'before ' if stop.at.before else ''}{stop.at.key}{value}"
    yield f"[{stop.picture}, {moment}: position {resolved.at}{rule}]"
    if stop.mark:
        yield f"[marked: {', '.join(stop.mark)}]"
    yield plain_prose(resolved.prose)
    if stop.claims:
        yield f"[claims: {', '.join(stop.claims)}]"
    if resolved.masked_parts:
        yield f"[hidden while it is asked: {', '.join(resolved.masked_parts)}]"
    if resolved.question:
        yield from _question(resolved.question)
    yield ""


def _question(question: Question) -> Iterator[str]:
    tries = "one try" if question.tries == 1 else "two tries"
    yield f"? {plain(question.prompt)} ({question.form}, {tries})"
    for option in question.options:
        yield f"  {'*' if option.is_right else '-'} {plain(option.text)}"
    for cut in question.splits:
        yield f"  * {' '.join(cut)}"
    if question.form == "number":
        yield f"  * {question.value:.6g} ± {question.tolerance:.6g}"
    for given in tried(question):
        verdict = grade(question, given)
        yield f"  {given!r}: {'right' if verdict.is_right else 'wrong'}. {plain(verdict.text)}"
    yield f"  Answer: {plain(question.answer)}. {plain(question.why)}"


def tried(question: Question) -> Iterator[Given]:
    """Yield answers to try: right ones, ties, and every wrong one that is known."""
    if question.form == "choice":
        yield from range(len(question.options))
    elif question.form == "several":
        right = [n for n, option in enumerate(question.options) if option.is_right]
        yield right
        if len(right) > 1:
            yield right[:-1]
        yield from ([*right, n] for n, one in enumerate(question.options) if not one.is_right)
    elif question.form == "order":
        order = list(range(len(question.options)))
        yield sorted(order, key=lambda n: sum(pair[1] == n for pair in question.before))
        yield sorted(order, key=lambda n: -sum(pair[1] == n for pair in question.before))
    elif question.form == "number":
        yield f"{question.value:.6g}"
        yield f"{question.value + max(1.0, 2 * question.tolerance):.6g}"
        yield from question.expected_mistakes
    else:
        yield from map(" ".join, question.splits)
        yield " ".join("".join(question.splits[0]))
        yield from question.expected_mistakes


def plain_prose(blocks: Sequence[Block]) -> str:
    """Return the prose as plain text, a paragraph to a line."""
    return "\n".join(line for block in blocks for line in _block(block))


def _block(block: Block) -> Iterator[str]:
    if block.kind in ("code", "formula"):
        yield from (f"    {line}" for line in block.source.split("\n"))
        return
    lines = ["".join(map(_piece, line)) for line in block.lines]
    if block.kind == "table":
        rows = range(0, len(lines), block.width)
        lines = [" | ".join(lines[row : row + block.width]) for row in rows]
    lead = {"bullets": "- ", "numbers": "# ", "quote": "> "}.get(block.kind, "")
    yield from (lead + line for line in lines)


def _piece(piece: ProsePart) -> str:
    if piece.kind == "word":
        return f"“{piece.text}”"
    return f"`{piece.text}`" if piece.kind in ("token", "code") else piece.text
