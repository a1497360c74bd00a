"""Parse the prose of a lesson, in a subset of Markdown, into blocks of marked pieces.

The blocks are paragraphs, lists, quotes, tables, fenced code, and formulas between two lines of $$.
The marks inside a line are **strong**, *emphasis*, links, `token`, ``code`` and {field}. All else,
HTML included, is plain text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lessons.format.errors import LessonError, shortened
from lessons.format.words import RichText, plain

# No alternative matches past a second copy of its opening sign, which keeps matching linear.
_INLINE = re.compile(
    r"\\(?P<escaped>[\\`*{}\[\]|$#_-])"
    r"|(?P<formula>\$\$.+?\$\$|\$(?=[^\s$`])[^$`]*[^\s$`]\$(?!\d))"
    r"|``\s?(?P<code>.+?)\s?``"
    r"|`(?P<token>[^`]+)`"
    r"|\{(?P<field>[^{}]*)\}"
    r"|\[(?P<label>[^\[\]]+)\]\((?P<target>[^()\s]+)\)"
    r"|(?P<strong>\*\*)|(?P<em>\*(?=\S)|(?<=\S)\*)"
)
CODE = re.compile(r"`{3,}|~{3,}")  # the fence of a code block
_ITEM = re.compile(r"(?:[-*]|(?P<number>\d+)[.)])\s+(?P<rest>.*)")
_TARGETS = ("https://", "http://", "/", "?")
_OTHER_HOSTS = ("//", "/\\")  # browsers resolve these prefixes to another host
_FIELD = re.compile(r"\{([^{}]*)\}")
_IN_FORMULA = re.compile(r"\{\{([^{}]+)\}\}")
Fill = Callable[[str, str, int], RichText]
"""Maps (name, argument, line) of a field to its value."""


@dataclass(frozen=True, slots=True)
class ProsePart:
    """A part of a line. `kind` is "text", "token", "word", "code", "link" or "field".

    `style` is "", "strong" or "em"; `target` is a link's URL; `line` is a field's line number.
    """

    kind: str
    text: str
    style: str = ""
    target: str = ""
    line: int = 0


Line = tuple[ProsePart, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of prose. `kind` is "paragraph", "quote", "bullets", "numbers", "table", "code" or
    "formula".

    `lines` holds the one line of a paragraph or quote, the items of a list, or the cells of a table
    by rows of `width`; `source` the content of code and formulas.
    """

    kind: str
    lines: tuple[Line, ...] = ()
    source: str = ""
    width: int = 0
    line: int = 0


def read_prose(lines: Sequence[str], first: int) -> tuple[Block, ...]:
    """Parse prose whose first line is line `first` of the file."""
    return tuple(_block(kind, group, at) for kind, group, at in _groups(lines, first))


def _groups(lines: Sequence[str], first: int) -> Iterator[tuple[str, list[str], int]]:
    """Yield each block as (kind, its lines, the number of its first line)."""
    n = 0
    while n < len(lines):
        kind, start, fence = _kind(lines[n]), n, CODE.match(lines[n])
        n += 1
        if kind in ("code", "formula"):
            end = fence[0] if fence else "$$"
            while n < len(lines) and lines[n].strip() != end:
                n += 1
            if n == len(lines):
                raise LessonError(first + start, f"This block has no end. Write {end} behind it.")
            n += 1
            yield kind, list(lines[start + 1 : n - 1]), first + start
        elif kind:
            while n < len(lines) and _continues(kind, lines[n]):
                n += 1
            yield kind, [line.rstrip() for line in lines[start:n]], first + start


def _kind(line: str) -> str:
    bare = line.strip()
    if CODE.match(line):
        return "code"
    if bare == "$$":
        return "formula"
    if bare.startswith(">"):
        return "quote"
    if bare.startswith("|"):
        return "table"
    if item := _ITEM.match(bare):
        return "numbers" if item["number"] else "bullets"
    return "paragraph" if bare else ""


def _continues(kind: str, line: str) -> bool:
    """Return whether a line continues the block above; an indented line continues a list item."""
    here = _kind(line)
    if kind in ("bullets", "numbers"):
        return here == kind or (here == "paragraph" and line.startswith(" "))
    return here == kind


def _block(kind: str, lines: list[str], at: int) -> Block:
    if kind in ("code", "formula"):
        return Block(kind, source="\n".join(lines), line=at)
    if kind == "table":
        return _table(lines, at)
    if kind in ("bullets", "numbers"):
        return Block(kind, tuple(read_line(text, n) for text, n in _items(lines, at)), line=at)
    if kind == "quote":
        lines = [line.strip().removeprefix(">") for line in lines]
    text = " ".join(line.strip() for line in lines)
    return Block(kind, (_with_lines(read_line(text, at), lines, at),), line=at)


def _with_lines(pieces: Line, lines: Sequence[str], at: int) -> Line:
    """Return the pieces with each field's `line` set to the line of its first occurrence."""
    places: dict[str, int] = {}
    for n, line in enumerate(lines, at):
        for field in _FIELD.findall(line):
            places.setdefault(field, n)
    return tuple(
        replace(piece, line=places.get(piece.text, at)) if piece.kind == "field" else piece
        for piece in pieces
    )


def _items(lines: Sequence[str], at: int) -> Iterator[tuple[str, int]]:
    found: list[tuple[list[str], int]] = []
    for n, line in enumerate(lines, at):
        item = _ITEM.match(line.strip())
        if item and not (line.startswith("  ") and found):
            found.append(([item["rest"]], n))
        else:
            found[-1][0].append(line.strip())
    return ((" ".join(parts), n) for parts, n in found)


def _table(lines: Sequence[str], at: int) -> Block:
    rows = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines]
    is_ruled = len(rows) > 1 and all(set(cell.strip()) <= set(":-") for cell in rows[1])
    if not is_ruled or len({len(row) for row in rows}) > 1:
        message = "Every row of a table has as many cells as its head: | a | b |, |-|-|."
        raise LessonError(at, message)
    cells = [(cell.strip(), n) for n, row in enumerate(rows, at) if n != at + 1 for cell in row]
    return Block("table", tuple(read_line(*cell) for cell in cells), width=len(rows[0]), line=at)


def read_line(text: str, line: int) -> Line:
    """Parse the inline marks of a line.

    >>> [(piece.kind, piece.text) for piece in read_line("`e` is **seen {count:e} times**", 1)]
    [('token', 'e'), ('text', ' is '), ('text', 'seen '), ('field', 'count:e'), ('text', ' times')]
    """
    pieces: list[ProsePart] = []
    style, done = "", 0
    for found in _INLINE.finditer(text):
        if found.start() > done:
            pieces.append(ProsePart("text", text[done : found.start()], style))
        done = found.end()
        kind = found.lastgroup or ""
        if kind in ("strong", "em"):
            style = "" if style == kind else kind
        elif kind == "escaped":
            pieces.append(ProsePart("text", found["escaped"], style))
        elif kind == "formula":
            message = "A formula stands between two lines of $$, not inside a line."
            raise LessonError(line, f"{message} Write \\$ for a dollar sign.")
        elif kind == "target":
            pieces.append(ProsePart("link", found["label"], style, _target(found["target"], line)))
        else:
            pieces.append(ProsePart(kind, found[kind], style, line=line))
    pieces.append(ProsePart("text", text[done:], style))
    return tuple(piece for piece in pieces if piece.text)


def _target(target: str, line: int) -> str:
    if target.startswith(_OTHER_HOSTS):
        message = f"The link “{shortened(target)}” leads to another site. Begin it with https://."
        raise LessonError(line, message)
    if target.startswith(_TARGETS):
        return target
    message = f"The link leads to “{shortened(target)}”. Begin it with https://, / or ?."
    raise LessonError(line, message)


# --- Fields ---------------------------------------------------------------------------------------


def fill_fields(blocks: Sequence[Block], fill: Fill) -> tuple[Block, ...]:
    """Return the prose with every field replaced by its value from `fill`."""
    return tuple(_fill_block(block, fill) for block in blocks)


def _fill_block(block: Block, fill: Fill) -> Block:
    if block.kind == "formula":

        def value(found: re.Match[str]) -> str:
            return plain(_field_value(found[1], block.line, fill)).replace("`", "")

        return replace(block, source=_IN_FORMULA.sub(value, block.source))
    return replace(block, lines=tuple(tuple(_pieces(line, fill)) for line in block.lines))


def _pieces(line: Line, fill: Fill) -> Iterator[ProsePart]:
    for piece in line:
        if piece.kind != "field":
            yield piece
            continue
        for message in _field_value(piece.text, piece.line, fill):
            kind, text = ("text", message) if isinstance(message, str) else message
            yield ProsePart(kind if kind in ("token", "word") else "text", text, piece.style)


def _field_value(field: str, line: int, fill: Fill) -> RichText:
    name, _, argument = field.partition(":")
    return fill(name.strip(), argument, line)
