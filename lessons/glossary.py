"""The glossary's terms, each explained in one sentence, and a search for them in a text.

The terms and the marks are in glossary.toml; pages/shared/drawing/terms.py renders them.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign that stands for a space or a word's edge, with an example: “the lowest tide”."""

    sign: str
    says: str
    example: str


@dataclass(frozen=True, slots=True)
class Term:
    """A term with its explanation (`says`) and the forms in which it appears in texts.

    Where `is_mark`, the term is one of the `MARKS`, so its explanation should show them all.
    """

    name: str
    says: str
    forms: tuple[str, ...]
    is_mark: bool = False

    @property
    def bubble(self) -> str:
        """What a bubble beside the term says: for a mark, all marks with it, one a line."""
        lines = (f"{mark.sign}  {mark.says}" for mark in MARKS if self.is_mark)
        return "\n".join([self.says, *lines])


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
MARKS = tuple([Mark(sign, **row) for sign, row in _TABLE.pop("marks").items()])
"""The marks of spaces and word ends, which look alike and mean different things."""
GLOSSARY: Mapping[str, Term] = {
    name: Term(name, row["says"], (name, *row.get("also", [f"{name}s"])), row.get("is_mark", False))
    for name, row in _TABLE.items()
}
"""The terms by name, in the order of the glossary page."""


def search(text: str) -> list[Term]:
    """Return the terms that have a text in their name, one of their forms, or their sentence.

    Those whose name or form begins with it come first.

    >>> [term.name for term in search("prune")]
    ['pruning']
    >>> search("seed")[0].name, search("no such term")
    ('seed', [])
    """
    wanted = text.strip().lower()
    found = [
        term
        for term in GLOSSARY.values()
        if any(wanted in one.lower() for one in (*term.forms, term.says))
    ]
    return sorted(
        found, key=lambda term: not any(form.lower().startswith(wanted) for form in term.forms)
    )


def _any_case(form: str) -> str:
    """Return a pattern that matches a form, also capitalized unless it has capitals itself.

    >>> _any_case("merge"), _any_case("EM")
    ('[Mm]erge', 'EM')
    """
    if form != form.lower():
        return re.escape(form)
    return f"[{form[0].upper()}{form[0]}]{re.escape(form[1:])}"


_TERM_OF = {form.lower(): term for term in GLOSSARY.values() for form in term.forms}
# Longest form first, for "special token" to win over "token"; whole words only.
_LONGEST_FIRST = sorted((form for term in GLOSSARY.values() for form in term.forms), key=len)[::-1]
_USED = re.compile(rf"(?<![\w-])(?:{'|'.join(map(_any_case, _LONGEST_FIRST))})(?![\w-])")


def used(text: str) -> Iterator[tuple[str, Term | None]]:
    """Yield the text in parts, (words, term), with None for words that are not a term.

    >>> [(words, term and term.name) for words, term in used("Two merges, re-merged")]
    [('Two ', None), ('merges', 'merge'), (', re-merged', None)]
    """
    end = 0
    for match in _USED.finditer(text):
        if match.start() > end:
            yield text[end : match.start()], None
        yield match[0], _TERM_OF[match[0].lower()]
        end = match.end()
    if end < len(text):
        yield text[end:], None
