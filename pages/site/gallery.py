"""The runs that the site shows: each described as a lesson describes a picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lessons.facts.merging import MergeRecord
from lessons.facts.unigram import UnigramRecord
from lessons.format.reading import Picture
from lessons.pictures.planning import plan
from pages.bpe import exports as of_bpe
from pages.lessons.pictures.build_pictures import make
from pages.lessons.pictures.lesson_picture import Shown
from pages.shared.export.catalog import Offer
from pages.shared.export.run_html import Sheet, html_file
from pages.unigram import exports as of_unigram
from tokenizers.errors import UserError
from tokenizers.protocols import never


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A run of the gallery: its title, what it is for, and what it is made from.

    `rule` is by which of two rules a lattice is shown first.
    """

    title: str
    about: str
    shows: str
    values: Mapping[str, Any]
    rule: int = 0


GALLERY: Mapping[str, Exhibit] = {
    "bpe": Exhibit(
        "BPE, trained on four words",
        "low, lower, newest, widest: the most frequent pair is merged, again and again.",
        "bpe_train",
        {"corpus": "b2", "base": "end_of_word", "num_merges": 10},
    ),
    "bpe-encoding": Exhibit(
        "BPE splits new words",
        "The merges that were learned are applied in their order to words that were not there.",
        "bpe_encode",
        {"corpus": "b2", "base": "end_of_word", "num_merges": 10, "encode": "lowest newcomer"},
    ),
    "bpe-prose": Exhibit(
        "BPE, trained on a page of prose",
        "First come pairs of letters, then endings, then whole words.",
        "bpe_train",
        {"corpus": "prose", "base": "end_of_word", "num_merges": 300},
    ),
    "wordpiece": Exhibit(
        "WordPiece, trained on five words",
        "hug, pug, pun, bun, hugs: the pair with the highest score is merged, not the most "
        "frequent one.",
        "wordpiece_train",
        {"corpus": "course", "num_merges": 10},
    ),
    "wordpiece-encoding": Exhibit(
        "WordPiece splits new words",
        "The longest piece that fits is taken from the left, then the longest of the rest.",
        "wordpiece_encode",
        {"corpus": "w1", "num_merges": 8, "encode": "sunflower flow"},
    ),
    "unigram": Exhibit(
        "Unigram, trained on five words",
        "All parts of the words are pieces at first. EM finds their probabilities, and pruning "
        "takes away what is needed least.",
        "unigram_train",
        {"corpus": "course", "vocab_size": 14},
    ),
    "lattice": Exhibit(
        "The lattice of “hello”",
        "All ways to split a word at once, and the most probable one found from left to right.",
        "lattice",
        {"vocabulary": "u1"},
    ),
    "lattice-sum": Exhibit(
        "The lattice of “hat”, all ways added up",
        "The same picture by the other rule: what all ways together are worth.",
        "lattice",
        {"vocabulary": "u2"},
        rule=1,
    ),
}
"""The runs, by the names of their files."""


def exhibit_file(exhibit: Exhibit, contents: str) -> str:
    """Return the file of a run; `contents` is the page that lists them all."""
    shown = make(never, plan(Picture("run", exhibit.shows, exhibit.values, 0)))
    if shown.film is None:
        raise UserError(f"“{exhibit.title}” has no steps")
    offered = _offered(shown)
    tables = tuple(table() for table in offered.tables.values())
    sheet = Sheet(
        exhibit.title, exhibit.about, tables=tables, contents=contents, charts=offered.charts
    )
    return html_file(shown.film, sheet, rule=exhibit.rule)


def _offered(shown: Shown) -> Offer:
    """Return what the app offers of a run beside its film."""
    record = shown.record
    if isinstance(record, MergeRecord):
        return of_bpe.training(record.trace, 0)
    if isinstance(record, UnigramRecord):
        return of_unigram.training(record.trace)
    return Offer()
