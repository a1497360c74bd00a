"""Resolve the stops of a lesson against the facts of its pictures.

`resolve_stop` fills in one stop; `validate` resolves all of them, to reject a faulty lesson before
it starts. A failed lookup becomes a LessonError with its line number.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from lessons.facts.base import PictureFacts
from lessons.facts.best_merges import BestMergesFacts
from lessons.facts.chunks import ChunksFacts
from lessons.facts.compression import CompressionFacts
from lessons.facts.efficiency import EfficiencyFacts
from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeSearchFacts, SegmentationListFacts
from lessons.facts.merging import MergeFacts
from lessons.facts.morphemes import MorphemesFacts
from lessons.facts.not_text import NotTextFacts
from lessons.facts.parity import ParityFacts
from lessons.facts.patches import PatchesFacts
from lessons.facts.published import MergedWordFacts, PublishedFacts
from lessons.facts.signals import SignalsFacts
from lessons.facts.superwords import SuperwordsFacts
from lessons.facts.texts import PipelineFacts, SegmentationsFacts
from lessons.facts.unigram import UnigramFacts
from lessons.facts.units import UnitsFacts
from lessons.facts.vocabularies import VocabulariesFacts
from lessons.facts.vocabulary_edit import VocabularyEditFacts
from lessons.format.errors import LessonError, LessonLookupError, entry, one_of, unknown
from lessons.format.prose import Block, fill_fields
from lessons.format.reading import Lesson, QuestionSpec, Stop, read_at
from lessons.format.words import RichText, name_list
from lessons.questions.best_merges import BEST_MERGES_QUESTIONS
from lessons.questions.builders import QuestionContext, QuestionKinds
from lessons.questions.efficiency import EFFICIENCY_QUESTIONS
from lessons.questions.encoding import ENCODING_QUESTIONS
from lessons.questions.grading import Question
from lessons.questions.lattices import LATTICE_QUESTIONS, LISTING_QUESTIONS
from lessons.questions.merging import MERGE_QUESTIONS
from lessons.questions.morphemes import MORPHEMES_QUESTIONS
from lessons.questions.numbers import NUMBER_KEYS, number
from lessons.questions.origins import CHUNKS_QUESTIONS, UNITS_QUESTIONS
from lessons.questions.parity import PARITY_QUESTIONS
from lessons.questions.patches import PATCHES_QUESTIONS
from lessons.questions.published import PUBLISHED_QUESTIONS, VOCABULARIES_QUESTIONS, WORD_QUESTIONS
from lessons.questions.reasons import REASON_KEYS, reason
from lessons.questions.statements import STATEMENT_KEYS, true_false
from lessons.questions.superwords import SUPERWORDS_QUESTIONS
from lessons.questions.texts import PIPELINE_QUESTIONS, SEGMENTATIONS_QUESTIONS
from lessons.questions.unigram import UNIGRAM_QUESTIONS
from lessons.questions.vocabulary_edit import VOCABULARY_EDIT_QUESTIONS

QUESTIONS: Mapping[type, QuestionKinds] = {
    facts: {
        **kinds,
        "number": (number, NUMBER_KEYS),
        "true_false": (true_false, STATEMENT_KEYS),
        "reason": (reason, REASON_KEYS),
        "predict": (reason, REASON_KEYS),
    }
    for facts, kinds in {
        MergeFacts: MERGE_QUESTIONS,
        EncodingFacts: ENCODING_QUESTIONS,
        UnigramFacts: UNIGRAM_QUESTIONS,
        LatticeSearchFacts: LATTICE_QUESTIONS,
        SegmentationListFacts: LISTING_QUESTIONS,
        PipelineFacts: PIPELINE_QUESTIONS,
        SegmentationsFacts: SEGMENTATIONS_QUESTIONS,
        PublishedFacts: PUBLISHED_QUESTIONS,
        MergedWordFacts: WORD_QUESTIONS,
        VocabulariesFacts: VOCABULARIES_QUESTIONS,
        BestMergesFacts: BEST_MERGES_QUESTIONS,
        EfficiencyFacts: EFFICIENCY_QUESTIONS,
        PatchesFacts: PATCHES_QUESTIONS,
        NotTextFacts: {},
        MorphemesFacts: MORPHEMES_QUESTIONS,
        SuperwordsFacts: SUPERWORDS_QUESTIONS,
        ParityFacts: PARITY_QUESTIONS,
        VocabularyEditFacts: VOCABULARY_EDIT_QUESTIONS,
        CompressionFacts: {},
        UnitsFacts: UNITS_QUESTIONS,
        ChunksFacts: CHUNKS_QUESTIONS,
        SignalsFacts: {},
    }.items()
}
"""Maps each type of facts and kind of question to the question's builder and accepted keys."""

COMMON_KEYS = ("hint", "again")
"""The keys of every kind of question: a hint after a wrong answer, and other forms of it."""

POSITION_SUFFIX = re.compile(r"@\d+$")  # "l@2": the arc of "l" that begins at 2


@dataclass(frozen=True, slots=True)
class ResolvedStop:
    """A stop with its picture position, its prose with all fields filled in, and its question.

    `again` has the forms in which the lesson asks it again, each with its picture and position.
    A variant asks about something else than the prose and the heading speak of, which are therefore
    not shown beside it.
    """

    stop: Stop
    at: int
    prose: tuple[Block, ...]
    question: Question | None
    again: tuple[tuple[str, int, Question], ...] = ()
    is_variant: bool = False

    @property
    def until(self) -> int | None:
        """The last position the picture may show while the question is open; None if unlimited."""
        return self.at if self.question and self.question.hides_answer else None

    @property
    def masked_parts(self) -> tuple[str, ...]:
        """The parts of the picture hidden while the question is open, as they give the answer."""
        return self.question.masked_parts if self.question and self.question.hides_answer else ()


def pictures_of(lesson: Lesson, stop: Stop) -> tuple[str, ...]:
    """Return the names of all pictures that a stop needs, its own first.

    The others are the one it is compared `against`, and those of its question's other forms. Raises
    LessonError if one of them does not exist.
    """
    values = stop.ask.values if stop.ask else {}
    forms = values.get("again", [])
    named = [form["picture"] for form in forms if isinstance(form, Mapping) and "picture" in form]
    if "against" in values:
        named.append(values["against"])
    line = stop.line_of("ask")
    for name in named:
        one_of(name, tuple(lesson.pictures), line, "there is no picture")
    return tuple(dict.fromkeys([stop.picture, *named]))


def resolve_stop(stop: Stop, all_facts: Mapping[str, PictureFacts]) -> ResolvedStop:
    """Resolve a stop with its pictures' facts by name. Raises LessonError if a lookup fails."""
    facts = all_facts[stop.picture]
    with _at_line(stop.line_of("at")):
        at = facts.find(stop.at)
    if stop.rule and not facts.HAS_RULES:
        raise LessonError(stop.line_of("rule"), "Only a lattice has rules. Leave out: rule")
    _check_marks(stop, facts)

    def fill(name: str, argument: str, line: int) -> RichText:
        with _at_line(line):
            return facts.field(name, argument, at)

    prose = fill_fields(stop.prose, fill)
    with _at_line(stop.line_of("ask")):
        question = _question(stop.ask, facts, at, all_facts) if stop.ask else None
        again = _again(stop.ask, stop.picture, at, all_facts) if stop.ask else ()
    return ResolvedStop(stop, at, prose, question, again)


def validate(
    lesson: Lesson, all_facts: Mapping[str, PictureFacts], claims: Collection[str]
) -> tuple[ResolvedStop, ...]:
    """Resolve all stops. Raises LessonError for the first mistake; `claims` are the known ids."""
    for stop in lesson.stops:
        pictures_of(lesson, stop)
        for claim in stop.claims:
            one_of(claim, tuple(claims), stop.line_of("claims"), "there is no claim")
    return tuple([resolve_stop(stop, all_facts) for stop in lesson.stops])


def _check_marks(stop: Stop, facts: PictureFacts) -> None:
    tokens = set(facts.tokens())
    if strange := {
        mark for mark in stop.mark if not {mark, POSITION_SUFFIX.sub("", mark)} & tokens
    }:
        known = name_list(dict.fromkeys(facts.tokens()), 20)
        message = f"The picture never shows “{min(strange)}”. Mark some of: {known}."
        raise LessonError(stop.line_of("mark"), message)


def _question(
    ask: QuestionSpec, facts: PictureFacts, at: int, all_facts: Mapping[str, PictureFacts]
) -> Question:
    make, keys = entry(QUESTIONS[type(facts)], ask.kind, "this picture has no question called")
    for key in ask.values:
        if key not in (*keys, *COMMON_KEYS):
            raise LessonLookupError(unknown(key, keys, f"the question {ask.kind} has no key"))
    context = QuestionContext(ask.kind, facts, at, ask.values, all_facts)
    question = make(context)
    return replace(question, hint=context.filled("hint")) if "hint" in ask.values else question


def _again(
    ask: QuestionSpec, picture: str, at: int, all_facts: Mapping[str, PictureFacts]
) -> tuple[tuple[str, int, Question], ...]:
    """Return the forms in which a question is asked again, with their pictures and positions.

    Each changes some of the question's keys, and may be about another picture.
    """
    forms = ask.values.get("again", [])
    if not isinstance(forms, list) or not all(isinstance(form, Mapping) for form in forms):
        raise LessonLookupError('Other forms of a question are a list: again = [{ word = "…" }]')
    found: list[tuple[str, int, Question]] = []
    for form in forms:
        kind = str(form.get("kind", ask.kind))
        before = ask.values if kind == ask.kind else {}
        changed = {key: form[key] for key in form if key not in ("kind", "at", "picture")}
        values = {key: before[key] for key in before if key not in COMMON_KEYS} | changed
        shown = form.get("picture", picture)
        other = all_facts[shown]
        position = other.find(read_at(form["at"], 0)) if "at" in form else min(at, other.last)
        question = _question(QuestionSpec(kind, values), other, position, all_facts)
        found.append((shown, position, question))
    return tuple(found)


@contextmanager
def _at_line(line: int) -> Iterator[None]:
    """Turn a LessonLookupError into a LessonError at a line."""
    try:
        yield
    except LessonLookupError as error:
        raise LessonError(line, str(error)) from None
