"""Other forms of a stop's question, for when it is asked again.

A question whose answer was shown is not asked again as it was, since the answer could be copied. A
variant asks something else of the same picture: another word, pair, piece or step, with another
answer. Those that the lesson writes itself, under the key `again`, come first.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from lessons.facts.base import PictureFacts
from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeFacts
from lessons.facts.merging import MergeFacts
from lessons.facts.morphemes import MorphemesFacts
from lessons.facts.parity import ParityFacts
from lessons.facts.published import PublishedFacts
from lessons.facts.superwords import SuperwordsFacts
from lessons.facts.texts import PipelineFacts, SegmentationsFacts
from lessons.facts.unigram import UnigramFacts
from lessons.facts.vocabulary_edit import VocabularyEditFacts
from lessons.format.errors import LessonLookupError
from lessons.format.reading import Lesson, QuestionSpec, Stop
from lessons.format.words import plain
from lessons.questions.builders import QuestionContext
from lessons.questions.grading import Question, read_number
from lessons.questions.morphemes import MEASURES
from lessons.stops import COMMON_KEYS, QUESTIONS, ResolvedStop, pictures_of, resolve_stop
from tokenizers.errors import UserError

MOST_VARIANTS = 3
MOST_TRIED = 40  # candidates built for one kind of question
LISTED = 12  # segmentations to ask about
MOVED = ("next_pair", "next_piece", "likeliest", "winner", "pruned", "probability")
"""The kinds of question that can be asked at another step."""
WRITTEN = ("number", "true_false", "reason", "predict")
"""The kinds whose words are the lesson's own, so that only the lesson can write a variant."""
ALIKE: Mapping[str, tuple[str, ...]] = {
    "fewest": ("most",),
    "most": ("fewest",),
    "most_even": ("by_efficiency",),
    "by_efficiency": ("most_even",),
    "segmentation": ("choose_segmentation",),
    "token_count": ("choose_segmentation",),
    "ways": ("log_prob", "expected_count"),
}
"""The kinds to ask instead, where the picture has no other case of the same kind."""


def variants(
    lesson: Lesson,
    resolved: ResolvedStop,
    all_facts: Mapping[str, PictureFacts],
    most: int = MOST_VARIANTS,
) -> list[ResolvedStop]:
    """Return other forms of a stop's question, at most `most`, with other answers.

    They are of the same kind, or of one that the lesson asks elsewhere. What another stop of the
    lesson asks is left out, and so is every word, pair or piece that another stop asks about.
    """
    ask, question, picture = resolved.stop.ask, resolved.question, resolved.stop.picture
    if ask is None or question is None:
        return []
    facts = all_facts[picture]
    known = QUESTIONS[type(facts)]
    elsewhere = [kind for stop in lesson.stops if stop.ask for kind in _kinds(stop.ask)]
    likely = dict.fromkeys([ask.kind, *ALIKE.get(ask.kind, ()), *elsewhere])
    kinds = [kind for kind in likely if kind in known and kind not in WRITTEN]
    asked = _asked(lesson, picture, all_facts)
    asked_elsewhere = _asked_elsewhere(lesson, resolved.stop)
    found = list(resolved.again)
    answers = {plain(one.answer) for one in (question, *(other for *_, other in found))}
    for at, other in _cases(kinds, ask, facts, resolved.at, all_facts, asked_elsewhere):
        if len(found) >= most:
            break
        answer = plain(other.answer)
        is_new = not _is_right(other, answers) and (at, plain(other.prompt), answer) not in asked
        if is_new and _is_worth_asking(other):
            answers.add(answer)
            found.append((picture, at, other))
    return [_variant(resolved, *form) for form in found]


def _variant(resolved: ResolvedStop, picture: str, at: int, question: Question) -> ResolvedStop:
    """Return a stop that asks `question` of a picture, in which nothing is marked for the prose."""
    stop = replace(resolved.stop, picture=picture, mark=())
    return replace(resolved, stop=stop, at=at, question=question, is_variant=True)


def in_round(
    lesson: Lesson, resolved: ResolvedStop, all_facts: Mapping[str, PictureFacts], number: int
) -> ResolvedStop:
    """Return a stop as it is asked in a round, from 0: the question and its variants alternate."""
    if not number:
        return resolved
    forms = [resolved, *variants(lesson, resolved, all_facts)]
    return forms[number % len(forms)]


def _kinds(ask: QuestionSpec) -> Iterator[str]:
    """Yield the kinds of a question and of the forms that the lesson writes itself."""
    yield ask.kind
    yield from (form["kind"] for form in ask.values.get("again", []) if "kind" in form)


def _asked(
    lesson: Lesson, picture: str, all_facts: Mapping[str, PictureFacts]
) -> set[tuple[int, str, str]]:
    """Return what the lesson asks about a picture: position, prompt and answer."""
    stops = (stop for stop in lesson.stops if stop.picture == picture and stop.ask)
    resolved = (
        resolve_stop(stop, all_facts)
        for stop in stops
        if set(pictures_of(lesson, stop)) <= set(all_facts)
    )
    return {
        (one.at, plain(one.question.prompt), plain(one.question.answer))
        for one in resolved
        if one.question
    }


def _asked_elsewhere(lesson: Lesson, stop: Stop) -> list[tuple[str, Any]]:
    """Return the keys and values about which the lesson's other stops ask, such as a word."""
    specs = [one.ask for one in lesson.stops if one.ask and one != stop]
    forms = [form for spec in specs for form in (spec.values, *spec.values.get("again", []))]
    return [item for form in forms for item in form.items()]


def _is_right(question: Question, answers: Collection[str]) -> bool:
    """Return whether one of these answers to other questions is right, or is a number that is."""
    if question.form != "number":
        return plain(question.answer) in answers
    for answer in answers:
        with suppress(UserError):
            if question.is_close(read_number(answer, question.is_percentage)):
                return True
    return False


def _is_worth_asking(question: Question) -> bool:
    """Return whether there is something to find: no whole word, and no number close to zero."""
    if question.form == "number":
        return question.value != 1 and abs(question.value) > 4 * question.tolerance
    split = [part for part in question.answer if not isinstance(part, str)]
    return "segmentation" not in question.kind or len(split) > 1


def _cases(
    kinds: Iterable[str],
    ask: QuestionSpec,
    facts: PictureFacts,
    at: int,
    all_facts: Mapping[str, PictureFacts],
    asked_elsewhere: Collection[tuple[str, Any]],
) -> Iterator[tuple[int, Question]]:
    """Yield questions of these kinds about other things in the picture, with their positions.

    What other stops ask about, by key and value, is left out.
    """
    for kind in kinds:
        make, keys = QUESTIONS[type(facts)][kind]
        given = ask.values if kind == ask.kind else {}
        kept = {key: value for key, value in given.items() if key not in COMMON_KEYS}
        cases: list[tuple[int, dict[str, Any]]] = []
        for key in keys:
            values = [
                value for value in _values(key, facts, at) if (key, value) not in asked_elsewhere
            ]
            cases += [(at, {**kept, key: value}) for value in values]
        if kind in MOVED and "position" not in kept:
            cases += [(position, kept) for position in range(facts.last)]
        random.Random(f"{kind} {at}").shuffle(cases)
        for position, values in cases[:MOST_TRIED]:
            try:
                yield position, make(QuestionContext(kind, facts, position, values, all_facts))
            except LessonLookupError:
                continue


def _values(key: str, facts: PictureFacts, at: int) -> Sequence[Any]:
    """Return what a question's key can name in a picture."""
    match key, facts:
        case "word", MergeFacts():
            return facts.trace.words
        case "word", EncodingFacts():
            return facts.words
        case "word", PipelineFacts():
            return facts.words
        case "word", UnigramFacts():
            return tuple(facts.trace.word_counts)
        case "word", MorphemesFacts():
            return tuple(facts.morphemes)
        case "pair", MergeFacts():
            return [list(pair) for pair in facts.ranked(at)]
        case "piece", LatticeFacts():
            return facts.tokens()
        case "piece", UnigramFacts():
            return tuple(facts.trace.seed.counts)
        case "path", LatticeFacts():
            return [list(cut) for cut in facts.ranked(LISTED)]
        case "of", PublishedFacts():
            return [" ".join(row.names) for row in facts.rows]
        case "of", MorphemesFacts() | SuperwordsFacts() | VocabularyEditFacts():
            return tuple(facts.rows)
        case "token", PipelineFacts():
            return tuple(dict.fromkeys(facts.unit_tokens))
        case "tokenizer", SegmentationsFacts():
            return tuple(facts.cuts)
        case "merge", ParityFacts():
            return tuple(range(1, len(facts.compared.run.turns) + 1))
        case "measure", MorphemesFacts():
            return tuple(MEASURES)
        case _:
            return ()
