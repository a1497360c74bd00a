"""A lesson meets its records: what is shown and asked at a stop, and whether all of it is there.

`scene` stages one stop; `check` stages all of them, so that a lesson with a mistake is refused
before anybody starts it. What the record does not have becomes a LessonError with its line.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.facts.best_merges import BestMergesRecord
from lessons.facts.efficiency import EfficiencyRecord
from lessons.facts.encoding import EncodingRecord
from lessons.facts.lattices import LatticeRecord, ListingRecord
from lessons.facts.merging import MergeRecord
from lessons.facts.morphemes import MorphemesRecord
from lessons.facts.not_text import NotTextRecord
from lessons.facts.patches import PatchesRecord
from lessons.facts.published import MergedWordRecord, PublishedRecord
from lessons.facts.superwords import SuperwordsRecord
from lessons.facts.texts import PipelineRecord, SegmentationsRecord
from lessons.facts.unigram import UnigramRecord
from lessons.facts.vocabularies import VocabulariesRecord
from lessons.facts.vocabulary_edit import SurgeryRecord
from lessons.format.errors import LessonError, NotThere, entry, one_of, unknown
from lessons.format.prose import Block, filled
from lessons.format.reading import Ask, Lesson, Stop
from lessons.format.words import Text, named
from lessons.questions.best_merges import BEST_MERGES_QUESTIONS
from lessons.questions.builders import Asked, Kinds
from lessons.questions.efficiency import EFFICIENCY_QUESTIONS
from lessons.questions.encoding import ENCODING_QUESTIONS
from lessons.questions.grading import Question
from lessons.questions.lattices import LATTICE_QUESTIONS, LISTING_QUESTIONS
from lessons.questions.merging import MERGE_QUESTIONS
from lessons.questions.morphemes import MORPHEMES_QUESTIONS
from lessons.questions.numbers import NUMBER_KEYS, number
from lessons.questions.patches import PATCHES_QUESTIONS
from lessons.questions.published import PUBLISHED_QUESTIONS, VOCABULARIES_QUESTIONS, WORD_QUESTIONS
from lessons.questions.statements import STATEMENT_KEYS, true_false
from lessons.questions.superwords import SUPERWORDS_QUESTIONS
from lessons.questions.texts import PIPELINE_QUESTIONS, SEGMENTATIONS_QUESTIONS
from lessons.questions.unigram import UNIGRAM_QUESTIONS
from lessons.questions.vocabulary_edit import SURGERY_QUESTIONS

QUESTIONS: Mapping[type, Kinds] = {
    record: {**kinds, "number": (number, NUMBER_KEYS), "true_false": (true_false, STATEMENT_KEYS)}
    for record, kinds in {
        MergeRecord: MERGE_QUESTIONS,
        EncodingRecord: ENCODING_QUESTIONS,
        UnigramRecord: UNIGRAM_QUESTIONS,
        LatticeRecord: LATTICE_QUESTIONS,
        ListingRecord: LISTING_QUESTIONS,
        PipelineRecord: PIPELINE_QUESTIONS,
        SegmentationsRecord: SEGMENTATIONS_QUESTIONS,
        PublishedRecord: PUBLISHED_QUESTIONS,
        MergedWordRecord: WORD_QUESTIONS,
        VocabulariesRecord: VOCABULARIES_QUESTIONS,
        BestMergesRecord: BEST_MERGES_QUESTIONS,
        EfficiencyRecord: EFFICIENCY_QUESTIONS,
        PatchesRecord: PATCHES_QUESTIONS,
        NotTextRecord: {},
        MorphemesRecord: MORPHEMES_QUESTIONS,
        SuperwordsRecord: SUPERWORDS_QUESTIONS,
        SurgeryRecord: SURGERY_QUESTIONS,
    }.items()
}
"""What can be asked of a record: by kind, what makes the question, and which keys it may have."""

PLACE = re.compile(r"@\d+$")  # where the arc that is marked begins, behind its piece


@dataclass(frozen=True, slots=True)
class Scene:
    """A stop, staged: where the picture stands, the prose with its numbers, the question."""

    stop: Stop
    at: int
    prose: tuple[Block, ...]
    question: Question | None

    @property
    def until(self) -> int | None:
        """The position past which the picture does not go while the question is open."""
        return self.at if self.question and self.question.hides else None

    @property
    def veil(self) -> tuple[str, ...]:
        """What of the picture would answer the question, and is hidden while it is open."""
        return self.question.veil if self.question and self.question.hides else ()


def pictures_of(lesson: Lesson, stop: Stop) -> tuple[str, ...]:
    """Return the names of the pictures that a stop needs: its own, and one to compare with.

    Raises LessonError where the other one does not exist.
    """
    if stop.ask is None or "against" not in stop.ask.values:
        return (stop.picture,)
    line = stop.line_of("ask")
    other = one_of(stop.ask.values["against"], tuple(lesson.pictures), line, "there is no picture")
    return (stop.picture, other)


def scene(stop: Stop, records: Mapping[str, PictureFacts]) -> Scene:
    """Stage a stop. `records` has those of its pictures, by name. Raises LessonError."""
    record = records[stop.picture]
    with _at_line(stop.line_of("at")):
        at = record.find(stop.at)
    if stop.rule and not record.HAS_RULES:
        raise LessonError(stop.line_of("rule"), "Only a lattice has rules. Leave out: rule")
    _refuse_marks(stop, record)

    def fill(name: str, argument: str, line: int) -> Text:
        with _at_line(line):
            return record.field(name, argument, at)

    prose = filled(stop.prose, fill)
    with _at_line(stop.line_of("ask")):
        question = _question(stop.ask, record, at, records) if stop.ask else None
    return Scene(stop, at, prose, question)


def check(
    lesson: Lesson, records: Mapping[str, PictureFacts], claims: Collection[str]
) -> tuple[Scene, ...]:
    """Stage all stops. Raises LessonError for the first mistake; `claims` are the ids there are."""
    for stop in lesson.stops:
        pictures_of(lesson, stop)
        for claim in stop.claims:
            one_of(claim, tuple(claims), stop.line_of("claims"), "there is no claim")
    return tuple([scene(stop, records) for stop in lesson.stops])


def _refuse_marks(stop: Stop, record: PictureFacts) -> None:
    tokens = set(record.tokens())  # "l@2" is the arc of "l" that begins at position 2
    if strange := {mark for mark in stop.mark if not {mark, PLACE.sub("", mark)} & tokens}:
        known = named(dict.fromkeys(record.tokens()), 20)
        said = f"The picture never shows “{min(strange)}”. Mark some of: {known}."
        raise LessonError(stop.line_of("mark"), said)


def _question(
    ask: Ask, record: PictureFacts, at: int, records: Mapping[str, PictureFacts]
) -> Question:
    make, keys = entry(QUESTIONS[type(record)], ask.kind, "this picture has no question called")
    for key in ask.values:
        if key not in keys:
            raise NotThere(unknown(key, keys, f"the question {ask.kind} has no key"))
    return make(Asked(ask.kind, record, at, ask.values, records))


@contextmanager
def _at_line(line: int) -> Iterator[None]:
    """Give what is not there its line."""
    try:
        yield
    except NotThere as error:
        raise LessonError(line, str(error)) from None
