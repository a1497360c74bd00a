"""A table of all lessons with their length, their questions, and the terms they introduce.

`python -m lessons.outline` prints it as Markdown. The replies to answers are in
tests/lessons/transcripts.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lessons import LESSONS, lesson
from lessons.format.reading import Lesson
from lessons.paths import PATHS, minutes, words

MOST_WORDS_OF_A_TERM = 3  # longer bold text is an emphasized sentence
NO_TERMS = frozenset({"Takeaway"})
HEADS = ("Lesson", "Path", "Stops", "Words", "Minutes", "Kinds of question", "Terms introduced")


@dataclass(frozen=True, slots=True)
class Outline:
    """A lesson's row in the table; `kinds` counts its questions by kind."""

    slug: str
    path: str
    stops: int
    words: int
    minutes: int
    kinds: Mapping[str, int]
    terms: tuple[str, ...]


def outlines() -> list[Outline]:
    """Return the rows in path order; a term is listed only with the first lesson that uses it."""
    order = [slug for path in PATHS.values() for slug in path.slugs]
    order += [slug for slug in LESSONS if slug not in order]
    known: set[str] = set()
    rows = []
    for slug in order:
        one = lesson(slug)
        terms = tuple(dict.fromkeys(t for t in _bold(one) if t.lower() not in known))
        known.update(term.lower() for term in terms)
        kinds = Counter(stop.ask.kind for stop in one.stops if stop.ask)
        path = next((path.title for path in PATHS.values() if slug in path.slugs), "none")
        total = sum(map(words, one.stops))
        rows.append(Outline(slug, path, len(one.stops), total, minutes(one), kinds, terms))
    return rows


def _bold(one: Lesson) -> Iterator[str]:
    """Yield the short bold texts of a lesson, which are the terms it introduces."""
    for stop in one.stops:
        for piece in (piece for block in stop.prose for line in block.lines for piece in line):
            term = piece.text.strip(" .:,")
            is_short = 0 < len(term.split()) <= MOST_WORDS_OF_A_TERM
            is_bold = (piece.kind, piece.style) == ("text", "strong")
            if is_bold and is_short and term not in NO_TERMS and term[-1] not in "?!":
                yield term


def markdown(rows: list[Outline]) -> str:
    """Return the table in Markdown, with totals in the last row."""
    totals: Counter[str] = Counter()
    for row in rows:
        totals.update(row.kinds)
    lines = [HEADS, ("---",) * len(HEADS)]
    lines += [
        (
            row.slug,
            row.path,
            str(row.stops),
            f"{row.words:,}",
            str(row.minutes),
            _kinds(row.kinds),
            ", ".join(row.terms) or "none",
        )
        for row in rows
    ]
    sums = [sum(getattr(row, name) for row in rows) for name in ("stops", "words", "minutes")]
    terms = sum(len(row.terms) for row in rows)
    lines.append(("all", "", *(f"{n:,}" for n in sums), _kinds(totals), f"{terms:,}"))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _kinds(kinds: Mapping[str, int]) -> str:
    ranked = sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))
    return ", ".join(f"{kind} {count}" for kind, count in ranked) or "none"


if __name__ == "__main__":
    print(markdown(outlines()))
