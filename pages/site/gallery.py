"""The runs that the site shows, each specified in the way that a lesson specifies a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lessons.facts.merging import MergeFacts
from lessons.facts.unigram import UnigramFacts
from lessons.format.reading import PictureSpec
from lessons.pictures.planning import plan
from pages.bpe import exports as of_bpe
from pages.lesson.pictures.build_pictures import build_picture
from pages.lesson.pictures.lesson_picture import LessonPicture
from pages.shared.export.catalog import ExportCatalog, run_document
from pages.shared.export.document.blocks import PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from pages.unigram import exports as of_unigram
from tokenizers.errors import UserError
from tokenizers.progress import ignore_progress


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run in the gallery, with the settings (`values`) for its kind of `picture`.

    `rule` is the index of the rule (best path or sum of all) that a lattice shows first.
    """

    title: str
    about: str
    picture: str
    values: Mapping[str, Any]
    rule: int = 0


GALLERY: Mapping[str, RunPage] = {
    "bpe": RunPage(
        "BPE, trained on four words",
        "low, lower, newest, widest: the most frequent pair is merged, again and again.",
        "bpe_train",
        {"corpus": "b2", "base": "end_of_word", "num_merges": 10},
    ),
    "bpe-encoding": RunPage(
        "BPE splits new words",
        "The merges that were learned are applied in their order to words that were not there.",
        "bpe_encode",
        {"corpus": "b2", "base": "end_of_word", "num_merges": 10, "encode": "lowest newcomer"},
    ),
    "bpe-prose": RunPage(
        "BPE, trained on a page of prose",
        "First come pairs of letters, then endings, then whole words.",
        "bpe_train",
        {"corpus": "prose", "base": "end_of_word", "num_merges": 300},
    ),
    "wordpiece": RunPage(
        "WordPiece, trained on five words",
        "hug, pug, pun, bun, hugs: the pair with the highest score is merged, not the most "
        "frequent one.",
        "wordpiece_train",
        {"corpus": "course", "num_merges": 10},
    ),
    "wordpiece-encoding": RunPage(
        "WordPiece splits new words",
        "The longest piece that fits is taken from the left, then the longest of the rest.",
        "wordpiece_encode",
        {"corpus": "w1", "num_merges": 8, "encode": "sunflower flow"},
    ),
    "unigram": RunPage(
        "Unigram, trained on five words",
        "All parts of the words are pieces at first. EM finds their probabilities, and pruning "
        "takes away what is needed least.",
        "unigram_train",
        {"corpus": "course", "vocab_size": 14},
    ),
    "lattice": RunPage(
        "The lattice of “hello”",
        "All ways to split a word at once, and the most probable one found from left to right.",
        "lattice",
        {"vocabulary": "u1"},
    ),
    "lattice-sum": RunPage(
        "The lattice of “hat”, all ways added up",
        "The same picture by the other rule: what all ways together are worth.",
        "lattice",
        {"vocabulary": "u2"},
        rule=1,
    ),
}
"""The runs, by file name."""


def run_file(run: RunPage, contents: str) -> str:
    """Return a run's HTML file, whose link to the index is the URL `contents`."""
    picture = build_picture(ignore_progress, plan(PictureSpec("run", run.picture, run.values, 0)))
    if picture.recording is None:
        raise UserError(f"“{run.title}” has no steps")
    player = PlayerBlock(picture.recording, rule=run.rule)
    document = run_document(player, _exports(picture), about=run.about)
    return build_document_html(replace(document, title=run.title, contents=contents))


def _exports(picture: LessonPicture) -> ExportCatalog:
    """Return the tables and charts that the app exports for a run."""
    record = picture.facts
    if isinstance(record, MergeFacts):
        return of_bpe.merging_exports(record.trace, 0)
    if isinstance(record, UnigramFacts):
        return of_unigram.training_exports(record.trace)
    return ExportCatalog()
