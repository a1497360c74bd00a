"""Plan the corpus, pipeline and settings of lessons' pictures.

`plan` validates a picture's description, whose keys are the names of the core's settings, and
returns a `Plan` of core values. pages/lesson/pictures/build_pictures.py builds the picture.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from lessons.format.errors import LessonError, one_of, some_of
from lessons.format.reading import Lesson, PictureSpec
from lessons.picture_schema import check_values, is_number
from lessons.pictures import origins, published, studies
from lessons.pictures.plan import (
    KINDS,
    LONGEST,
    LONGEST_STEPPED,
    SIZE,
    SPLITS,
    WORDS,
    Plan,
    sample_fields,
    sample_of,
    stepped_text,
)
from lessons.texts import PIPELINES, TEXTS, VOCABULARIES, Vocabulary
from tokenizers import bpe, wordpiece
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram import settings as unigram_settings

MOST_MERGES = 200  # by default

_WORDS = ("corpus", "text", "counts")
_STAGES = ("normalizers", "pre_tokenizer")
_BPE = tuple(field.name for field in fields(bpe.Settings))
_WORDPIECE = tuple(field.name for field in fields(wordpiece.Settings))
_UNIGRAM = tuple(field.name for field in fields(unigram_settings.Settings))
_CUT = ("vocabulary", "pieces", "of", "text", "corpus", "counts", "prior", "published")


def plan_for(lesson: Lesson, name: str) -> Plan:
    """Return a picture's plan; Unigram training pins the pieces marked at the lesson's stops."""
    made = plan(lesson.pictures[name])
    if made.shows != "unigram_train":
        return made
    marked = [piece for stop in lesson.stops if stop.picture == name for piece in stop.mark]
    return replace(made, pinned=tuple(dict.fromkeys(marked)))


def plan(picture: PictureSpec) -> Plan:
    """Return the plan of a picture. Raises LessonError if its description is invalid."""
    one_of(picture.shows, tuple(_PICTURES), picture.line, "a picture cannot show")
    make, keys = _PICTURES[picture.shows]
    for key in picture.values:
        one_of(key, keys, picture.line, f"the picture {picture.name}, {picture.shows}, has no key")
    check_values(picture)
    try:
        return make(picture)
    except LessonError:
        raise
    except (TypeError, ValueError, AttributeError) as error:  # from the core's settings
        message = f"{error}".rstrip(".")
        raise LessonError(
            picture.line, f"The picture {picture.name} cannot be: {message}."
        ) from None


# --- The training corpus --------------------------------------------------------------------------


def _learning_material(picture: PictureSpec) -> dict[str, Any]:
    """Return the plan's corpus and pipeline."""
    values = picture.values
    given = [key for key in _WORDS if key in values]
    if len(given) != 1:
        message = f"The picture {picture.name} learns from one thing."
        raise LessonError(picture.line, f"{message} Write either corpus, text or counts.")
    found: dict[str, Any] = {"text": values.get("text"), "counts": values.get("counts")}
    split = "spaces"
    if "corpus" in values:
        sample = sample_of(picture)
        found = sample_fields(sample)
        split = sample.pipeline.pre_tokenizer
    stages = tuple(values.get("normalizers", ())), values.get("pre_tokenizer", split)
    learned: dict[str, Any] = found | {"pipeline": Pipeline(*stages)}
    if not Plan(picture.shows, **learned).words().word_counts:
        raise LessonError(picture.line, f"The picture {picture.name} has no words to learn from.")
    return learned


def _settings_for(picture: PictureSpec, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return the given settings, with the sample's as defaults."""
    suited: dict[str, Any] = {"num_merges": MOST_MERGES}
    if "corpus" in picture.values:
        sample = TEXTS[picture.values["corpus"]].settings
        suited = {"num_merges": sample["merges"]}
        if keys == _BPE:
            suited |= {"base": sample["base"], "end_mark": sample["end_mark"]}
    return suited | _given(picture, keys)


def _given(picture: PictureSpec, keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in picture.values.items() if key in keys}


def _encoded(picture: PictureSpec) -> str:
    text = picture.values.get("encode", "")
    return stepped_text(picture, "encode", text if text.strip() else "")


# --- The plan of each kind of picture -------------------------------------------------------------


def _bpe(picture: PictureSpec) -> Plan:
    learned = _learning_material(picture)
    text_to_encode = _encoded(picture) if picture.shows == "bpe_encode" else ""
    return Plan(
        picture.shows,
        settings=bpe.Settings(**_settings_for(picture, _BPE)),
        input_text=text_to_encode,
        **learned,
    )


def _wordpiece(picture: PictureSpec, text_to_encode: str = "") -> Plan:
    learned = _learning_material(picture)
    settings = wordpiece.Settings(**_settings_for(picture, _WORDPIECE))
    return Plan(picture.shows, settings=settings, input_text=text_to_encode, **learned)


def _wordpiece_encode(picture: PictureSpec) -> Plan:
    text_to_encode, pieces = _encoded(picture), picture.values.get("pieces")
    if "published" in picture.values:
        return Plan(
            "wordpiece_encode",
            input_text=text_to_encode,
            models=(published.model_of(picture, "WordPiece"),),
        )
    if pieces is None:
        return _wordpiece(picture, text_to_encode)
    if not isinstance(pieces, list) or not all(isinstance(one, str) and one for one in pieces):
        raise LessonError(picture.line, 'pieces is a list. Write: pieces = ["un", "##able"]')
    settings, vocab = wordpiece.Settings(**_given(picture, _WORDPIECE)), dict.fromkeys(pieces, 0.0)
    return Plan("wordpiece_encode", settings=settings, input_text=text_to_encode, pieces=vocab)


def _unigram_settings(picture: PictureSpec) -> unigram_settings.Settings:
    given = _given(picture, _UNIGRAM)
    name, size = given.pop("convention", "textbook"), given.pop("vocab_size", SIZE)
    if "reserved" in given:
        given["reserved"] = tuple(given["reserved"])
    return unigram_settings.convention_settings(name, size, **given)


def _unigram_train(picture: PictureSpec) -> Plan:
    return Plan("unigram_train", settings=_unigram_settings(picture), **_learning_material(picture))


def _lattice(picture: PictureSpec) -> Plan:
    values, shows = picture.values, picture.shows
    if "vocabulary" in values:
        one_of(values["vocabulary"], tuple(VOCABULARIES), picture.line, "there is no vocabulary")
        return _cut(picture, VOCABULARIES[values["vocabulary"]])
    if "pieces" in values:
        return _cut(picture, Vocabulary("", "", "", "", _shares(values), prior={}))
    if "published" in values:
        text = stepped_text(picture)
        return Plan(shows, input_text=text, models=(published.model_of(picture, "Unigram"),))
    rest = {key: value for key, value in values.items() if key != "text"}
    learned = _learning_material(PictureSpec(picture.name, shows, rest, picture.line))
    text = stepped_text(picture)
    return Plan(shows, settings=_unigram_settings(picture), input_text=text, **learned)


def _shares(values: Mapping[str, Any]) -> dict[str, float]:
    """Return the pieces' probabilities; a non-number becomes 0, which is rejected later."""
    given, of = values["pieces"], values.get("of", 1)
    pieces = given.items() if isinstance(given, dict) else ()
    return {piece: number / of if is_number(number) else 0.0 for piece, number in pieces}


def _prior(picture: PictureSpec, otherwise: Mapping[int, float]) -> Mapping[int, float]:
    given = picture.values.get("prior")
    if given is None:
        return otherwise
    lengths = {str(n) for n in range(1, LONGEST_STEPPED + 1)}
    if not all(n in lengths and is_number(one) and 0 <= one <= 1 for n, one in given.items()):
        message = (
            f"The prior of {picture.name} has for lengths from 1 on a probability from 0 to 1."
        )
        raise LessonError(picture.line, f"{message} Write: prior = {{ 1 = 0.9, 3 = 0.1 }}")
    return {int(length): float(share) for length, share in given.items()}


def _cut(picture: PictureSpec, given: Vocabulary) -> Plan:
    prior = _prior(picture, given.prior)
    text = stepped_text(picture, text=picture.values.get("text", given.text))
    wrong = [piece for piece, share in given.pieces.items() if not piece or not 0 < share <= 1]
    if wrong or not given.pieces:
        named = f"“{wrong[0]}”" if wrong else "no piece"
        message = f"The picture {picture.name} has {named} with a probability from 0 to 1."
        example = "pieces = { h = 20, at = 15 } and of = 100"
        raise LessonError(picture.line, f"{message} Write: {example}")
    logs = {piece: math.log(share) for piece, share in given.pieces.items()}
    split, corpus = Pipeline((), "none"), given.id
    return Plan(
        picture.shows, pipeline=split, input_text=text, pieces=logs, prior=prior, corpus=corpus
    )


def _pipeline(picture: PictureSpec) -> Plan:
    values = dict(picture.values)
    if "example" in values:
        one_of(values["example"], tuple(PIPELINES), picture.line, "there is no example")
        sample = PIPELINES[values["example"]]
        values = {"text": sample.text, "material": sample.material, **sample.stages, **values}
    kind = one_of(values.get("model", "words"), KINDS, picture.line, "there is no model")
    stages = tuple(values.get("normalizers", ())), values.get("pre_tokenizer", SPLITS[kind])
    return _cut_by_tokenizers(picture, values, (kind,), Pipeline(*stages))


def _segmentations(picture: PictureSpec) -> Plan:
    given = picture.values.get("kinds", KINDS)
    kinds = some_of(given, KINDS, picture.line, "there is no tokenizer")
    return _cut_by_tokenizers(picture, picture.values, kinds, WORDS)


def _cut_by_tokenizers(
    picture: PictureSpec, values: Mapping[str, Any], kinds: tuple[str, ...], pipeline: Pipeline
) -> Plan:
    """Return the plan of a text split by tokenizers, trained on it or on another text."""
    text = values.get("text")
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST:
        message = f"The picture {picture.name} needs a text of at most {LONGEST:,} characters."
        raise LessonError(picture.line, f'{message} Write: text = "…"')
    learned = values.get("learned", "own")
    known = ("own", "example", *TEXTS)
    one_of(learned, known, picture.line, "there is nothing to learn from that is called")
    sample = TEXTS.get(learned)
    found: dict[str, Any] = {"text": values.get("material") or text}
    if sample and not values.get("material"):
        found = sample_fields(sample)
    size = values.get("size", SIZE if not sample else 1_000)
    shows, off = picture.shows, tuple(values.get("off", ()))
    return Plan(shows, pipeline=pipeline, input_text=text, kinds=kinds, size=size, off=off, **found)


_PICTURES: Mapping[str, tuple[Callable[[PictureSpec], Plan], tuple[str, ...]]] = {
    "bpe_train": (_bpe, (*_WORDS, *_STAGES, *_BPE)),
    "bpe_encode": (_bpe, (*_WORDS, *_STAGES, *_BPE, "encode")),
    "wordpiece_train": (_wordpiece, (*_WORDS, *_STAGES, *_WORDPIECE)),
    "wordpiece_encode": (
        _wordpiece_encode,
        (*_WORDS, *_STAGES, *_WORDPIECE, "encode", "pieces", "published"),
    ),
    "unigram_train": (_unigram_train, (*_WORDS, *_STAGES, *_UNIGRAM)),
    "lattice": (_lattice, (*_CUT, *_STAGES, *_UNIGRAM)),
    "listing": (_lattice, (*_CUT, *_STAGES, *_UNIGRAM)),
    "pipeline": (
        _pipeline,
        ("example", "text", "model", "learned", "material", "size", "off", *_STAGES),
    ),
    "segmentations": (_segmentations, ("text", "kinds", "learned", "material", "size")),
    "published": (
        published.side_by_side,
        ("models", "text", "texts", "languages", "encoders", "special"),
    ),
    "published_word": (published.word, ("published", "word")),
    "vocabularies": (published.vocabularies, ("models", "text")),
    "best_merges": (studies.best_merges, ("counts", "num_merges")),
    "patches": (studies.patches, ("corpus", "text", "order", "threshold")),
    "not_text": (studies.not_text, ("text", "num_merges", "bytes")),
    "efficiency": (studies.efficiency, ("samples", "corpus", "sizes", "copies", "without")),
    "morphemes": (studies.morphemes, ("kinds", "words")),
    "surgery": (
        studies.vocabulary_edit,
        ("corpus", "text", "num_merges", "add", "without", "keep", "ids"),
    ),
    "compression": (origins.compression, ("text", "corpus", "threshold")),
    "units": (origins.units, ("text", "models")),
    "chunks": (origins.chunks, ("text", "vectors")),
    "signals": (
        origins.signals,
        (
            *("width", "height", "patch", "rate", "hop", "codebooks", "entries"),
            *("vectors", "codebook"),
        ),
    ),
    "parity": (studies.parity, ("languages", "share", "num_merges", "together")),
    "transplant": (studies.transplant, ("table", "chosen")),
    "superwords": (studies.superwords, ("corpus", "text", "num_merges", "until", "also")),
}
KEYS: Mapping[str, tuple[str, ...]] = {shows: keys for shows, (_, keys) in _PICTURES.items()}
"""Which keys a picture may have, by what it shows."""
