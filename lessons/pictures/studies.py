"""Plans for the pictures about research questions, called from `planning.py`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lessons.facts.not_text import bytes_of_hex
from lessons.format.errors import LessonError, LessonLookupError, one_of, some_of
from lessons.format.reading import PictureSpec
from lessons.picture_schema import LARGEST, is_number
from lessons.pictures.plan import SIZE, Plan, sample_fields, sample_of, stepped_text
from lessons.texts import MORPHEMES
from lessons.texts.parallel import PASSAGES
from lessons.trained import LEARNED_FROM, SETTINGS
from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.experiments.research.vector_table import parse_vectors
from tokenizers.text.corpus import Corpus, Pipeline

MOST_MERGES = 6  # for the exhaustive search
MOST_ROWS = 6  # of a comparison
MIN_LANGUAGES = 2
MOST_PARITY_MERGES = 500
MOST_COPIED = 10  # tokens
LONGEST_IN_LINES = 20_000  # characters of a corpus trained on line by line


def best_merges(picture: PictureSpec) -> Plan:
    """Return the plan of a search for the best merges. Raises LessonError if it is invalid."""
    counts, most = picture.values.get("counts", {}), picture.values.get("num_merges", 2)
    words = Corpus.from_counts(counts).word_counts
    if not words or most > MOST_MERGES:
        message = f"The picture {picture.name} needs words, and at most {MOST_MERGES} merges. "
        raise LessonError(picture.line, f"{message}Write: counts = {{ art = 4, forth = 3 }}")
    return Plan("best_merges", counts=words, settings=bpe.Settings(num_merges=most))


@dataclass(frozen=True, slots=True)
class EfficiencySettings:
    """How to compare the efficiency of `samples` of token counts, or of BPE on a corpus.

    BPE is trained to each of `sizes`. Up to two more rows change the first one: one splits its
    `MOST_COPIED` most frequent tokens evenly into `copies`, the other undoes the tokens `without`.
    """

    samples: Mapping[str, Mapping[str, int]]
    sizes: tuple[int, ...]
    copies: int
    without: tuple[str, ...]


def efficiency(picture: PictureSpec) -> Plan:
    """Return the plan of a comparison of efficiency. Raises LessonError if it is invalid."""
    values = picture.values
    is_empty = "samples" in values and not (values["samples"] and all(values["samples"].values()))
    if ("samples" in values) == ("corpus" in values) or is_empty:
        message = f"The picture {picture.name} needs either samples or a corpus."
        raise LessonError(picture.line, f"{message} Write: samples = {{ even = {{ low = 2 }} }}")
    samples = {
        name: Corpus.from_counts(counts).word_counts
        for name, counts in values.get("samples", {}).items()
    }
    sizes, copies = values.get("sizes", [SIZE]), values.get("copies", 1)
    fits = isinstance(sizes, list) and all(is_number(one, is_whole=True) for one in sizes)
    if not fits or not sizes or not 0 < len(samples) + len(sizes) <= MOST_ROWS:
        message = f"In the picture {picture.name}, sizes is a list of 1 to {MOST_ROWS - 1} numbers."
        raise LessonError(picture.line, f"{message} Write: sizes = [100, 400]")
    without = tuple(values.get("without", ()))
    settings = EfficiencySettings(
        samples, tuple(min(one, LARGEST) for one in sizes), copies, without
    )
    if samples:
        return Plan("efficiency", settings=settings)
    sample = sample_of(picture)
    return Plan("efficiency", pipeline=sample.pipeline, settings=settings, **sample_fields(sample))


@dataclass(frozen=True, slots=True)
class PatchSettings:
    """The order of the byte model, and the entropy above which a patch begins."""

    order: int
    threshold: float


def patches(picture: PictureSpec) -> Plan:
    """Return the plan of a text split into patches. Raises LessonError if it is invalid."""
    values, learned = picture.values, sample_of(picture).text
    if not learned:
        message = f"The corpus of {picture.name} is a table of words. Choose one that is a text."
        raise LessonError(picture.line, message)
    settings = PatchSettings(values.get("order", 4), values.get("threshold", 1.5))
    return Plan("patches", text=learned, input_text=stepped_text(picture), settings=settings)


def not_text(picture: PictureSpec) -> Plan:
    """Return the plan of arbitrary bytes to split. Raises LessonError if it is invalid."""
    values, name = picture.values, picture.name
    learned, written = values.get("text", ""), values.get("bytes", "")
    if not 0 < len(learned) <= LONGEST_IN_LINES:
        message = f"The picture {name} needs a text of 1 to {LONGEST_IN_LINES:,} characters. "
        raise LessonError(picture.line, f'{message}Write: text = "né née nés"')
    try:
        bytes_of_hex(written)
    except LessonLookupError as why:
        raise LessonError(picture.line, f"In the picture {name}, {why}") from None
    settings = bpe.Settings("bytes", num_merges=values.get("num_merges", MOST_MERGES))
    split = Pipeline((), "gpt2")
    return Plan("not_text", text=learned, input_text=written, pipeline=split, settings=settings)


def morphemes(picture: PictureSpec) -> Plan:
    """Return the plan of words compared with their morphemes. Raises LessonError if invalid.

    The plan counts each word of the picture once, by default every word of the whole list.
    """
    known, line = {"".join(parts): parts for parts in MORPHEMES}, picture.line
    words, kinds = picture.values.get("words", ()), picture.values.get("kinds", tuple(SETTINGS))
    for word in words:
        one_of(word, tuple(known), line, "the list of morphemes has no word")
    what = "there is no tokenizer trained ahead that is called"
    kinds = dict.fromkeys(some_of(kinds, tuple(SETTINGS), line, what))
    return Plan("morphemes", counts=dict.fromkeys(words or known, 1), kinds=tuple(kinds))


OTHER_RULES = ("whole_words", "length_max", "fewest")
"""Rows of a picture of superwords with other rules: BoundlessBPE, Length-MAX, the fewest pieces."""


@dataclass(frozen=True, slots=True)
class SuperwordRows:
    """Each run's number of merges before spaces may be crossed, and the total number of merges.

    `also` are rows of `OTHER_RULES`.
    """

    until: tuple[int, ...]
    merges: int
    also: tuple[str, ...] = ()


def superwords(picture: PictureSpec) -> Plan:
    """Return the plan of runs with merges across spaces. Raises LessonError if it is invalid."""
    values, name, learned = picture.values, picture.name, sample_of(picture).text
    if not learned or len(learned) > LONGEST_IN_LINES:
        message = f"The corpus of {name} is no text of at most {LONGEST_IN_LINES:,} characters."
        raise LessonError(picture.line, f'{message} Write: corpus = "prose"')
    text = stepped_text(picture)
    until = values.get("until", [200])
    fits = isinstance(until, list) and all(is_number(one, is_whole=True) for one in until)
    if not fits or len(until) >= MOST_ROWS or any(one < 0 for one in until):
        message = (
            f"In the picture {name}, until is a list of at most {MOST_ROWS - 1} numbers from 0."
        )
        raise LessonError(picture.line, f"{message} Write: until = [200]")
    known = "there is no row of superwords called"
    also = values.get("also", ())
    also = some_of(also, OTHER_RULES, picture.line, known) if also else ()
    settings = SuperwordRows(tuple(until), values.get("num_merges", 400), tuple(also))
    return Plan("superwords", text=learned, input_text=text, settings=settings)


def transplant(picture: PictureSpec) -> Plan:
    """Return the plan of a new token's vector. Raises LessonError if the table is invalid."""
    try:
        given = parse_vectors(picture.values.get("table", ""))
    except UserError as error:
        raise LessonError(picture.line, f"The table of {picture.name}: {error}") from None
    most = picture.values.get("chosen", given.most)
    return Plan("transplant", settings=replace(given, most=most))


@dataclass(frozen=True, slots=True)
class ParitySettings:
    """A mix of languages, by code, and merges; see `lessons.texts.parallel.compare_rules`."""

    languages: tuple[str, ...]
    share: int
    merges: int
    together: int


def parity(picture: PictureSpec) -> Plan:
    """Return the plan of merges chosen by both rules. Raises LessonError if it is invalid."""
    values, known = picture.values, tuple(PASSAGES)
    named = values.get("languages", ["en", "hi"])
    codes = tuple(dict.fromkeys(some_of(named, known, picture.line, "there is no language")))
    merges = values.get("num_merges", SIZE)
    if len(codes) < MIN_LANGUAGES or merges > MOST_PARITY_MERGES:
        message = (
            f"The picture {picture.name} needs {MIN_LANGUAGES} languages or more, and at most "
            f"{MOST_PARITY_MERGES} merges."
        )
        raise LessonError(picture.line, f'{message} Write: languages = ["en", "hi"]')
    settings = ParitySettings(codes, values.get("share", 10), merges, values.get("together", 0))
    return Plan("parity", settings=settings)


@dataclass(frozen=True, slots=True)
class VocabularyEdit:
    """An edit of a vocabulary, which adds tokens, removes pieces, or truncates the merges.

    `keep` is the number of merges to keep. With `renumbered`, gaps in the ids are closed.
    """

    base: bpe.Settings
    add: tuple[str, ...]
    without: tuple[str, ...]
    keep: int | None
    renumbered: bool


def vocabulary_edit(picture: PictureSpec) -> Plan:
    """Return the plan of an edited vocabulary. Raises LessonError if it is invalid.

    For the large sample text, the pretrained byte-level BPE is edited.
    """
    values, name, sample = picture.values, picture.name, sample_of(picture)
    text = stepped_text(picture)
    if len({"add", "without", "keep"} & set(values)) != 1:
        message = f"The picture {name} needs one of add, without and keep. Write: keep = 7"
        raise LessonError(picture.line, message)
    ids = one_of(values.get("ids", "kept"), ("kept", "renumbered"), picture.line, "ids cannot be")
    merges = values.get("num_merges", sample.settings["merges"])
    operation = VocabularyEdit(
        sample.bpe_settings(num_merges=int(merges)),
        tuple(values.get("add", ())),
        tuple(values.get("without", ())),
        values.get("keep"),
        ids == "renumbered",
    )
    learned: dict[str, Any] = {"corpus": sample.id}
    if sample.id != LEARNED_FROM:
        learned = sample_fields(sample)
    return Plan("surgery", pipeline=sample.pipeline, settings=operation, input_text=text, **learned)
