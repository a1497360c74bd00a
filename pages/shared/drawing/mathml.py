"""Convert a lesson's LaTeX formula to MathML, for exported files (the app uses Streamlit's KaTeX).

It supports what lessons use: fractions, scripts, hats, words, sums, and rows aligned at `&`. A
formula with an unknown command is shown as its source.
"""

import re
from collections.abc import Callable, Sequence
from typing import ClassVar

from markupsafe import Markup

from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import each, html, joined

MAX_DEPTH = 40
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:[.,]\d+)*|\s+|.", re.DOTALL)
_ROW_END = re.compile(r"\\\\(?:\[[^\]]*\])?")
_WORDS = re.compile(r"\\text\s*\{([^{}]*)\}")
_ENDS = r"\begin{aligned}", r"\end{aligned}"
_NAMES = {r"\alpha": "α", r"\beta": "β", r"\lambda": "λ", r"\theta": "θ", r"\log": "log"}
_NAMES |= {r"\exp": "exp", r"\ln": "ln", r"\max": "max", r"\min": "min"}
_SIGNS = {r"\cdot": "·", r"\cdots": "⋯", r"\times": "×", r"\dots": "…", r"\ldots": "…"}
_SIGNS |= {r"\le": "≤", r"\ge": "≥"}
_SIGNS |= {r"\approx": "≈", r"\neq": "≠", r"\to": "→", r"\in": "∈", "'": "′", "-": "−", r"\%": "%"}
_SUMS = {r"\sum": "∑", r"\prod": "∏"}
_SPACES = {r"\quad": "1em", r"\,": "0.17em", r"\;": "0.28em", r"\ ": "0.33em", "~": "0.33em"}
_SIZES = (r"\left", r"\right", r"\Big", r"\big")
"""Commands for the size of the following bracket, which browsers choose themselves."""


class _UnknownError(Exception):
    """The formula has an unsupported part."""


def html_formula(source: str) -> Markup:
    r"""Return a formula as MathML, or its source if it is not supported.

    >>> html_formula(r"L = \frac{1}{2}").striptags(), html_formula(r"\oint x").striptags()
    ('L=12', '\\oint x')
    """
    try:
        inside = _rows(source.strip())
    except _UnknownError:
        lines = "\n".join(map(escape_invisible, source.split("\n")))
        return html("<pre><code>{}</code></pre>", lines)
    return html('<math display="block">{}</math>', inside)


def _rows(source: str) -> Markup:
    begin, end = _ENDS
    if not (source.startswith(begin) and source.endswith(end)):
        return _row(source)
    rows = _ROW_END.split(source.removeprefix(begin).removesuffix(end))
    cells = (each("<mtd>{}</mtd>", map(_row, row.split("&"))) for row in rows)
    return html('<mtable displaystyle="true">{}</mtable>', each("<mtr>{}</mtr>", cells))


def _row(source: str) -> Markup:
    if r"\words" in source:  # our own placeholder for \text{…}
        raise _UnknownError
    words: list[str] = []

    def keep(match: re.Match[str]) -> str:
        words.append(match[1])
        return rf"\words{{{len(words) - 1}}}"

    tokens = _TOKEN.findall(_WORDS.sub(keep, source))
    return _Reader([token for token in tokens if not token.isspace()], words).all()


class _Reader:
    """Recursive-descent parser of one row of a formula."""

    def __init__(self, tokens: Sequence[str], words: Sequence[str]) -> None:
        self.tokens = list(reversed(tokens))
        self.words = words
        self.depth = 0

    def all(self) -> Markup:
        found = self.several()
        if self.tokens:
            raise _UnknownError
        return found

    def several(self) -> Markup:
        """Parse up to a closing brace or the end."""
        found: list[Markup] = []
        while self.tokens and self.tokens[-1] != "}":
            found.append(self.scripted())
        return html("<mrow>{}</mrow>", joined(found))

    def scripted(self) -> Markup:
        """Parse one item with its subscript and superscript."""
        kind = "under" if self.tokens[-1] in _SUMS else "sub"
        thing = self.one()
        scripts: dict[str, Markup] = {}
        while self.tokens and self.tokens[-1] in ("_", "^"):
            side = self.tokens.pop()
            scripts[side] = self.one()
        match scripts:
            case {"_": low, "^": high}:
                pair = "underover" if kind == "under" else "subsup"
                return html("<m{0}>{1}{2}{3}</m{0}>", pair, thing, low, high)
            case {"_": low}:
                return html("<m{0}>{1}{2}</m{0}>", kind, thing, low)
            case {"^": high}:
                above = "over" if kind == "under" else "sup"
                return html("<m{0}>{1}{2}</m{0}>", above, thing, high)
        return thing

    def one(self) -> Markup:
        """Parse one item: a sign, a number, a command with its argument, or a group."""
        if not self.tokens or self.depth > MAX_DEPTH:
            raise _UnknownError
        self.depth += 1
        token = self.tokens.pop()
        found = self._commands[token](self) if token in self._commands else _sign(token)
        self.depth -= 1
        return found

    def group(self) -> Markup:
        found = self.several()
        if not self.tokens or self.tokens.pop() != "}":
            raise _UnknownError
        return found

    def _fraction(self) -> Markup:
        above = self.one()
        return html("<mfrac>{}{}</mfrac>", above, self.one())

    def _hat(self) -> Markup:
        return html('<mover accent="true">{}<mo stretchy="false">^</mo></mover>', self.one())

    def _text(self) -> Markup:
        _, number, _ = [self.tokens.pop() for _ in range(3)]  # between braces
        return html("<mtext>{}</mtext>", escape_invisible(self.words[int(number)]))

    _commands: ClassVar[dict[str, Callable[["_Reader"], Markup]]] = {
        "{": group,
        r"\frac": _fraction,
        r"\hat": _hat,
        r"\words": _text,
        **dict.fromkeys(_SIZES, one),
    }


def _sign(token: str) -> Markup:
    if token in _NAMES:
        return html("<mi>{}</mi>", _NAMES[token])
    if token in _SUMS:
        return html('<mo largeop="true">{}</mo>', _SUMS[token])
    if token in _SPACES:
        return html('<mspace width="{}"></mspace>', _SPACES[token])
    if (token[0] == "\\" and token not in _SIGNS) or token in ("}", "&", "^", "_", "#", "$"):
        raise _UnknownError
    if token[0].isdigit():
        return html("<mn>{}</mn>", token)
    kind = "mi" if token.isalpha() else "mo"
    return html("<{0}>{1}</{0}>", kind, escape_invisible(_SIGNS.get(token, token)))
