"""The glossary: the field's terms, each in one plain sentence, and where a text uses them.

The terms are in glossary.toml. Left out: how a term looks on a page, see
pages/shared/drawing/terms.py.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the field: its name, its sentence, and the forms in which it is written."""

    name: str
    says: str
    forms: tuple[str, ...]


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
GLOSSARY: Mapping[str, Term] = {
    name: Term(name, row["says"], (name, *row.get("also", [f"{name}s"])))
    for name, row in _TABLE.items()
}
"""The terms by their names, in the order of the list on the page."""


def _any_case(form: str) -> str:
    """Return a pattern for a form: its first letter may be a capital, capitals of its own stay.

    >>> _any_case("merge"), _any_case("EM")
    ('[Mm]erge', 'EM')
    """
    if form != form.lower():
        return re.escape(form)
    return f"[{form[0].upper()}{form[0]}]{re.escape(form[1:])}"


_TERM_OF = {form.lower(): term for term in GLOSSARY.values() for form in term.forms}
# The longest form first, or a "special token" would be a "token"; never a part of a longer word.
_LONGEST_FIRST = sorted((form for term in GLOSSARY.values() for form in term.forms), key=len)[::-1]
_USED = re.compile(rf"(?<![\w-])(?:{'|'.join(map(_any_case, _LONGEST_FIRST))})(?![\w-])")


def used(text: str) -> Iterator[tuple[str, Term | None]]:
    """Yield the text in parts: (words, the term that they are), or (words, None).

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
