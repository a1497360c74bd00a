"""The text of a lesson as HTML: prose, tokens as tiles, sentences. Nothing in it is taken as HTML.

A token in the text is a tile of the same tint as in the picture; one that the stop marks has an
outline and a line under it, as there.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from html import escape

from lessons.format.prose import Block, Line, Piece
from lessons.format.words import Text
from pages.shared.drawing.tiles import LIGHT, html_written, palette_css, printable, tint, visible

STYLE = (
    "<style>.pp-lesson{" + palette_css() + "line-height:1.6;max-width:44rem}"
    ".pp-lesson p,.pp-lesson ul,.pp-lesson ol,.pp-lesson table,.pp-lesson pre{margin:0 0 .8rem}"
    ".pp-lesson :is(ul,ol){padding-left:1.4rem}"
    ".pp-lesson bdi.tile{font:1em/1.5 'Source Code Pro',ui-monospace,monospace;padding:0 .3em;"
    "border-radius:.28em;color:var(--ink);overflow-wrap:anywhere;white-space:pre-wrap;"
    "display:inline-block;max-width:100%}"
    + "".join(f".pp-lesson .t{i}{{background:var(--tint-{i})}}" for i in range(len(LIGHT)))
    + ".pp-lesson .marked{outline:.125rem solid;text-decoration:underline;margin:0 .15rem}"
    ".pp-lesson .word{font-family:'Source Code Pro',ui-monospace,monospace;overflow-wrap:anywhere}"
    ".pp-lesson code{font:.92em 'Source Code Pro',ui-monospace,monospace;overflow-wrap:anywhere}"
    ".pp-lesson pre{overflow-x:auto;padding:.6rem .8rem;border-radius:.375rem;line-height:1.45;"
    "background:color-mix(in srgb,currentColor 6%,transparent)}"
    ".pp-lesson blockquote{margin:0 0 .8rem;padding-left:.8rem;"
    "border-left:.2rem solid color-mix(in srgb,currentColor 25%,transparent)}"
    ".pp-lesson a{color:inherit;text-decoration-color:var(--now);text-decoration-thickness:.1em}"
    "dl.pp-lesson{margin:0;padding:0}.pp-lesson dt{opacity:.8}.pp-lesson dd{margin:0 0 .6rem}"
    ".pp-lesson div.wide{overflow-x:auto}.pp-lesson td:first-child code{white-space:nowrap}"
    "@media (forced-colors:active){.pp-lesson bdi.tile{outline:.0625rem solid}"
    ".pp-lesson .marked{outline:.1875rem double}}"
    ".pp-lesson table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".pp-lesson :is(th,td){text-align:left;vertical-align:top;padding:.2rem .9rem .2rem 0;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent)}</style>"
)


def html_prose(blocks: Sequence[Block], mark: Collection[str] = ()) -> str:
    """Return prose as HTML for `st.html`; formulas are left out, see `parts`.

    >>> from lessons.format.prose import read_prose
    >>> html_prose(read_prose(["<b> and **more**"], 1)).removeprefix(STYLE)
    '<div class="pp-lesson"><p>&lt;b&gt; and <strong>more</strong></p></div>'
    """
    inside = "".join(_block(block, mark) for block in blocks if block.kind != "formula")
    return f'{STYLE}<div class="pp-lesson">{inside}</div>'


def parts(blocks: Sequence[Block]) -> Iterator[tuple[str, Sequence[Block]]]:
    """Yield prose cut at its formulas: ("prose", blocks) and ("formula", [block])."""
    waiting: list[Block] = []
    for block in blocks:
        if block.kind != "formula":
            waiting.append(block)
            continue
        if waiting:
            yield "prose", tuple(waiting)
        waiting = []
        yield "formula", (block,)
    if waiting:
        yield "prose", tuple(waiting)


def _block(block: Block, mark: Collection[str]) -> str:
    if block.kind == "code":
        return f"<pre><code>{escape(_lines(block.source))}</code></pre>"
    if block.kind == "table":
        return _table(block, mark)
    lines = [_line(line, mark) for line in block.lines]
    if block.kind in ("bullets", "numbers"):
        name = "ul" if block.kind == "bullets" else "ol"
        return f"<{name}>{''.join(f'<li>{line}</li>' for line in lines)}</{name}>"
    whole = f"<p>{''.join(lines)}</p>"
    return f"<blockquote>{whole}</blockquote>" if block.kind == "quote" else whole


def _lines(source: str) -> str:
    return "\n".join(map(printable, source.split("\n")))


def _table(block: Block, mark: Collection[str]) -> str:
    cells = [_line(line, mark) for line in block.lines]
    rows = [cells[n : n + block.width] for n in range(0, len(cells), block.width)]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows[1:])
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _line(line: Line, mark: Collection[str]) -> str:
    return "".join(_styled(piece, _piece(piece, mark)) for piece in line)


def _styled(piece: Piece, inside: str) -> str:
    return f"<{piece.style}>{inside}</{piece.style}>" if piece.style else inside


def _piece(piece: Piece, mark: Collection[str]) -> str:
    if piece.kind == "token":
        return html_tile(piece.text, piece.text in mark)
    if piece.kind == "word":
        return html_word(piece.text)
    text = escape(printable(piece.text))
    if piece.kind == "code":
        return f"<code>{text}</code>"
    if piece.kind == "link":
        target = escape(_relative(piece.target), quote=True)
        away = ' target="_blank" rel="noopener"' if piece.target.startswith("http") else ""
        return f'<a href="{target}"{away or " target=_self"}>{text}</a>'
    return text


def _relative(target: str) -> str:
    """Return an address within the app as seen from its pages, which all stand side by side.

    >>> _relative("/race?at=3"), _relative("/"), _relative("https://example.org/")
    ('./race?at=3', './', 'https://example.org/')
    """
    return f".{target}" if target.startswith("/") else target


def html_tile(token: str, is_marked: bool = False) -> str:
    """Return a token as a tile inside a line of text."""
    more = " marked" if is_marked else ""
    return f'<bdi class="tile t{tint(token)}{more}">{html_written(token)}</bdi>'


def html_word(word: str) -> str:
    """Return a word of the text, which is no token, with its spaces to be seen."""
    return f'“<bdi class="word">{escape(visible(word))}</bdi>”'


def html_stages(rows: Sequence[tuple[str, str]]) -> str:
    """Return a text at several stages, each under its name, with its spaces to be seen."""
    parts = (f"<dt>{escape(name)}</dt><dd>{html_word(text)}</dd>" for name, text in rows)
    return f'{STYLE}<dl class="pp-lesson">{"".join(parts)}</dl>'


def segments(said: Text) -> list[list[object]]:
    """Return a sentence for a component of ours: [kind, text] or [kind, text, tint].

    >>> segments(("Merge ", ("token", "e ")))
    [['text', 'Merge '], ['token', 'e·', 3]]
    """
    return [_segment(one) for one in said]


def _segment(one: str | tuple[str, str]) -> list[object]:
    if isinstance(one, str):
        return ["text", printable(one)]
    kind, text = one
    if kind == "token":
        return ["token", visible(text), tint(text)]
    return [kind, visible(text) if kind == "word" else printable(text)]


LONG_FORMULA = 26  # signs of a row that fit beside the margins of a phone
_SIGN = re.compile(r"\\[a-zA-Z]+|[^\s{}&_^\\]")


def formula(source: str) -> str:
    r"""Return a formula in smaller type where it is long, so that a phone has room for it.

    >>> formula("L = Q + H"), formula(r"P(v_1 \dots v_m) = P(M = m) \cdot p(v_1) \cdots p(v_m)")[:6]
    ('L = Q + H', '\\small')
    """
    signs = max(len(_SIGN.findall(row.replace(r"\text", ""))) for row in source.split(r"\\"))
    return rf"\small {source}" if signs > LONG_FORMULA else source
