"""Build the pictures in lessons, and facts about them; runs in a worker process.

The player shows a picture's recording; the lesson's fields and questions use the picture's facts
(lessons/facts). Both come from the same run and thus agree. Custom lessons are also parsed here
because that may take long.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from lessons.claims import CLAIMS
from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeFacts, LatticeSearchFacts, SegmentationListFacts
from lessons.facts.merging import MergeFacts
from lessons.facts.texts import PipelineFacts, Segmentation, SegmentationsFacts
from lessons.facts.unigram import UnigramFacts
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson, read_lesson
from lessons.pictures.plan import Plan
from lessons.pictures.planning import plan_for
from lessons.stops import ResolvedStop, validate
from pages.bpe.encoding_frames import record_bpe_encoding
from pages.bpe.training_frames import record_bpe_training
from pages.lattice.filling import record_filling
from pages.lattice.listing import record_listing
from pages.lesson.pictures.edited_vocabulary import edited_vocabulary
from pages.lesson.pictures.lesson_picture import STOPPED, LessonPicture
from pages.lesson.pictures.origins import (
    chunked,
    compressed,
    image_and_sound,
    on_one_axis,
)
from pages.lesson.pictures.parity import both_rules
from pages.lesson.pictures.pieces import morpheme_cuts, superword_runs
from pages.lesson.pictures.published import (
    lattice_of,
    merged_word,
    side_by_side,
    vocabularies,
    wordpiece_of,
)
from pages.lesson.pictures.studies import byte_patches, greedy_and_best, split_bytes, usages
from pages.lesson.text import html_word
from pages.pipeline.pipeline_view import build_view
from pages.pipeline.rows import NAMES
from pages.pipeline.stage_trace import WORDS, trace_stages
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import Recording
from pages.shared.training.names import NORMALIZERS
from pages.shared.training.run_and_record import MakeRecording, train
from pages.shared.training.run_and_record import run_and_record as record_run
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, train_kind
from pages.unigram.runs import UnigramRun, train_unigram
from pages.wordpiece.encoding_frames import record_wordpiece_encoding
from pages.wordpiece.training_frames import record_wordpiece_training
from tokenizers import bpe, wordpiece
from tokenizers.errors import UserError
from tokenizers.lattice import Lattice
from tokenizers.progress import ProgressCallback
from tokenizers.text.encoding import UNK

MOST_TILES = 200  # tokens shown of one tokenizer, side by side


def build_picture(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Build a picture. Raises UserError if the plan cannot be carried out."""
    return _MAKERS[plan.shows](report, plan)


@dataclass(frozen=True, slots=True)
class PreparedLesson:
    """A validated lesson with its pictures, by name, and its resolved stops."""

    lesson: Lesson
    pictures: Mapping[str, LessonPicture]
    resolved_stops: tuple[ResolvedStop, ...]


def prepare_lesson(report: ProgressCallback, text: str, slug: str) -> PreparedLesson | LessonError:
    """Parse a lesson, build its pictures and resolve all stops, or return the first error.

    Raises UserError if the user stops it.
    """
    try:
        lesson = read_lesson(text, slug)
        plans = {name: (one.line, plan_for(lesson, name)) for name, one in lesson.pictures.items()}
        shown: dict[str, LessonPicture] = {}
        for n, (name, (line, plan)) in enumerate(plans.items()):
            shown[name] = _build_at_line(_part(report, n, len(plans)), plan, name, line)
            if report(n + 1, len(plans)):
                raise UserError(STOPPED)
        all_facts = {name: one.facts for name, one in shown.items()}
        return PreparedLesson(lesson, shown, validate(lesson, all_facts, CLAIMS))
    except LessonError as error:
        return error


def part_of(opened: PreparedLesson, part: Lesson) -> PreparedLesson:
    """Return a prepared lesson with only the stops of `part`, which are some of its own."""
    if len(part.stops) == len(opened.lesson.stops):
        return opened
    resolved = {one.stop.line: one for one in opened.resolved_stops}
    return PreparedLesson(part, opened.pictures, tuple([resolved[s.line] for s in part.stops]))


def _part(report: ProgressCallback, n: int, parts: int) -> ProgressCallback:
    """Return a progress callback for the part of the work with index `n` of `parts` parts."""
    return lambda done, total: report(round(1_000 * (n + done / max(total, 1))), 1_000 * parts)


def _build_at_line(report: ProgressCallback, plan: Plan, name: str, line: int) -> LessonPicture:
    """Build a picture; turn any ValueError into a LessonError with the picture's line."""
    try:
        return build_picture(report, plan)
    except ValueError as error:
        if report(1, 1):
            raise
        caption = f"{error}".rstrip(".")
        raise LessonError(line, f"The picture {name} cannot be made: {caption}.") from None


def _source(plan: Plan) -> CorpusSource:
    return CorpusSource(text=plan.text or "", counts=plan.counts)


def _training(make: MakeRecording, report: ProgressCallback, plan: Plan) -> LessonPicture:
    run = record_run(report, _source(plan), plan.pipeline, plan.settings, "", make)
    return LessonPicture(plan, MergeFacts(run.trace), run.recording)


def _merged(report: ProgressCallback, plan: Plan) -> Any:
    trace, _ = train(report, _source(plan), plan.pipeline, plan.settings)
    return trace.model()


def _bpe_encoding(report: ProgressCallback, plan: Plan) -> LessonPicture:
    model: bpe.Model = _merged(report, plan)
    facts = EncodingFacts.of(plan.input_text, model)
    return LessonPicture(plan, facts, record_bpe_encoding(facts.words, model))


def _wordpiece_encoding(report: ProgressCallback, plan: Plan) -> LessonPicture:
    if plan.models:
        model = wordpiece_of(plan)
    elif plan.pieces:
        model = wordpiece.Model(wordpiece.vocabulary(plan.pieces), plan.settings, plan.pipeline)
    else:
        model = _merged(report, plan)
    facts = EncodingFacts.of(plan.input_text, model)
    return LessonPicture(plan, facts, record_wordpiece_encoding(facts.words, model))


def _unigram(report: ProgressCallback, plan: Plan) -> LessonPicture:
    run = _unigram_run(report, plan)
    return LessonPicture(plan, UnigramFacts(run.trace), run.recording)


def _unigram_run(report: ProgressCallback, plan: Plan) -> UnigramRun:
    run = train_unigram(report, _source(plan), plan.pipeline, plan.settings, "", plan.pinned)
    if not run.trace.steps:
        raise UserError(STOPPED)
    return run


def _lattice(
    facts: type[LatticeFacts],
    record_lattice: Callable[[Lattice], Recording],
    report: ProgressCallback,
    plan: Plan,
) -> LessonPicture:
    if plan.models:
        lattice = lattice_of(plan)
    elif plan.pieces:
        lattice = Lattice.build(plan.input_text, plan.pieces, plan.unknown)
    else:
        run = _unigram_run(report, plan)
        text = "".join(plan.pipeline(plan.input_text).words)
        lattice = run.trace.model().lattice(text)
    return LessonPicture(plan, facts(lattice, plan.prior), record_lattice(lattice))


def _pipeline(report: ProgressCallback, plan: Plan) -> LessonPicture:
    model = train_kind(report, _source(plan), plan.kinds[0], plan.size, plan.pipeline).model(
        plan.size
    )
    names = {name: NORMALIZERS[name] for name in plan.pipeline.normalizers}
    view = build_view(report, plan.input_text, model, plan.off, 0, names)
    journey = trace_stages(plan.input_text, model, plan.off)
    text = journey.stages[-1].text
    facts = PipelineFacts(
        {stage.name: stage.text for stage in journey.stages},
        journey.encoding.tokens,
        journey.encoding.pieces,
        journey.encoding.ids,
        tuple([text[start:end] for start, end in journey.words]),
        journey.encoding.words,
        journey.decoded,
        len(model.vocab) - (UNK in model.vocab),
        journey.encoding.offsets,
    )
    labels = names | NAMES
    before = [
        (labels[name], html_word(after)) for name, after in facts.stages.items() if name != WORDS
    ]
    return LessonPicture(plan, facts, stages=view, preview=tuple(before))


def _segmentations(report: ProgressCallback, plan: Plan) -> LessonPicture:
    cuts = {kind: _cut(report, plan, kind) for kind in plan.kinds}
    rows = tuple([_row(plan.input_text, kind, cut) for kind, cut in cuts.items()])
    before = (("The text", html_word(plan.input_text)),)
    return LessonPicture(plan, SegmentationsFacts(plan.input_text, cuts), rows=rows, preview=before)


def _cut(report: ProgressCallback, plan: Plan, kind: str) -> Segmentation:
    learned = train_kind(report, _source(plan), kind, plan.size)
    found = learned.model(plan.size).encode(plan.input_text)
    unknown = sum(a != b for a, b in zip(found.tokens, found.pieces, strict=True))
    return Segmentation(KINDS[kind].name, found.tokens, unknown, learned.size(plan.size))


def _row(text: str, kind: str, cut: Segmentation) -> tuple[str, str]:
    per_token = len(text) / max(len(cut.tokens), 1)
    caption = [
        count_of(len(cut.tokens), "token"),
        f"{per_token:.1f} characters a token",
        f"{count_of(cut.vocabulary, 'piece')} in the vocabulary",
        *([f"{cut.unknown:,} unknown"] if cut.unknown else []),
        *([KINDS[kind].mark] if KINDS[kind].mark else []),
    ]
    tiles = html_tiles(cut.tokens[:MOST_TILES], label=f"tokens by {cut.name}")
    return f"{cut.name}: {' · '.join(caption)}", tiles


_MAKERS: Mapping[str, Callable[[ProgressCallback, Plan], LessonPicture]] = {
    "bpe_train": partial(_training, record_bpe_training),
    "bpe_encode": _bpe_encoding,
    "wordpiece_train": partial(_training, record_wordpiece_training),
    "wordpiece_encode": _wordpiece_encoding,
    "unigram_train": _unigram,
    "lattice": partial(_lattice, LatticeSearchFacts, record_filling),
    "listing": partial(_lattice, SegmentationListFacts, record_listing),
    "pipeline": _pipeline,
    "segmentations": _segmentations,
    "published": side_by_side,
    "published_word": merged_word,
    "vocabularies": vocabularies,
    "best_merges": greedy_and_best,
    "efficiency": usages,
    "patches": byte_patches,
    "not_text": split_bytes,
    "morphemes": morpheme_cuts,
    "parity": both_rules,
    "superwords": superword_runs,
    "compression": compressed,
    "units": on_one_axis,
    "chunks": chunked,
    "signals": image_and_sound,
    "surgery": edited_vocabulary,
}
