"""Five paths through the lessons, with an estimate of the minutes each takes.

A `Path` lists lessons by slug, in the recommended order; every lesson except the one about the
lesson format belongs to exactly one path. `progress.py` tracks what a learner has done.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lessons import lesson
from lessons.format.errors import LessonError
from lessons.format.prose import Block
from lessons.format.reading import Lesson, Stop
from lessons.question_minutes import question_minutes

WORDS_A_MINUTE = 180
NOT_READ = ("table", "code", "formula")  # blocks that do not count as words to read


@dataclass(frozen=True, slots=True)
class Path:
    """A path through some of the lessons, by slug and in order."""

    title: str
    purpose: str
    slugs: tuple[str, ...]

    @property
    def minutes(self) -> int:
        """The estimated minutes for all lessons of the path."""
        return round(sum(map(_minutes_of, self.slugs)))


PATHS: Mapping[str, Path] = {
    "essentials": Path(
        "The essentials",
        "Why there are tokenizers, how the three methods work, and what real ones do and cost.",
        (
            "why-not-words",
            "bpe-by-hand",
            "bpe-bytes",
            "wordpiece-longest-match",
            "unigram-many-ways",
            "what-a-language-pays",
            "why-gpt-cut-it",
            "special-tokens",
            "what-a-prompt-costs",
        ),
    ),
    "algorithms": Path(
        "The algorithms",
        "Every step of the pipeline, of BPE and WordPiece, and of EM.",
        (
            "why-not-characters",
            "the-pipeline",
            "where-words-end",
            "where-it-comes-from",
            "bpe-ends-of-words",
            "bpe-knowing",
            "bpe-order-and-ties",
            "wordpiece-score",
            "wordpiece-no-tie-breaker",
            "unigram-best-path",
            "unigram-margins-sums-ties",
            "unigram-all-paths",
            "unigram-em",
            "how-much-work",
        ),
    ),
    "measures": Path(
        "SentencePiece and measures",
        "What a vocabulary costs, how to measure tokenizers, and how Unigram chooses its pieces.",
        (
            "what-a-vocabulary-costs",
            "measuring-tokenizers",
            "unigram-what-a-piece-is-worth",
            "unigram-three-losses",
            "unigram-length-prior",
            "unigram-sampling",
            "sentencepiece-details",
        ),
    ),
    "published": Path(
        "Real tokenizers",
        "What the tokenizers of GPT, BERT and Mistral do to numbers, languages, spaces and signs.",
        (
            "the-pattern-first",
            "counting-letters",
            "twins",
            "pieces-nobody-uses",
            "where-the-prompt-ends",
            "other-ways-to-split",
            "several-encoders",
            "surgery",
            "a-vector-for-a-new-token",
            "train-one-yourself",
        ),
    ),
    "research": Path(
        "What research asks",
        "Whether merges are best, one number tells, bytes would do, and pieces have a meaning.",
        (
            "greedy-and-optimal",
            "one-number",
            "no-tokenizer",
            "morphemes",
            "beyond-words",
            "long-pieces",
            "who-chooses-the-pair",
        ),
    ),
}
"""The paths in order, by the name used in URLs."""

IN_ORDER = tuple([slug for path in PATHS.values() for slug in path.slugs])
"""The slugs of all paths, concatenated."""

WITHOUT_PATH = frozenset({"write-your-own"})  # for lesson authors


def minutes(one: Lesson) -> int:
    """Return the estimated minutes to read a lesson's text and answer its questions.

    >>> minutes(lesson("why-not-words"))
    8
    """
    return round(_minutes(one))


def _minutes_of(slug: str) -> float:
    """Return a lesson's minutes, or 0 if it fails to parse, since the page reports the error."""
    try:
        return _minutes(lesson(slug))
    except LessonError:
        return 0.0


def _minutes(one: Lesson) -> float:
    return minutes_of_stops(one.stops)


def minutes_of_stops(stops: Iterable[Stop]) -> float:
    """Return the estimated minutes for some stops, with fractions."""
    return sum(
        words(stop) / WORDS_A_MINUTE + (question_minutes(stop.ask.kind) if stop.ask else 0)
        for stop in stops
    )


def words(stop: Stop) -> int:
    """Return the number of words to read at a stop; a field counts as one."""
    return sum(_words(block) for block in stop.prose if block.kind not in NOT_READ)


def _words(block: Block) -> int:
    lines = (["0" if p.kind == "field" else p.text for p in line] for line in block.lines)
    return sum(len("".join(line).split()) for line in lines)
