"""Define how texts and tokens look, on the page and in the player.

This module has a text's visible form, a token's tint, the two palettes, and safe HTML of tiles for
`st.html`. The player draws its own tiles (`player/picture/parts.js`).
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from unicodedata import bidirectional

import regex
from markupsafe import Markup, escape

from pages.shared.drawing.markup import NUMBER, Cell, html, table
from tokenizers.errors import UserError
from tokenizers.text.symbols import END_MARK

LIGHT = "#CCE5F6", "#FBE3B5", "#C6EBDD", "#F3DDE9", "#FBF8CC", "#FAD9C7", "#E6E6E6", "#DCD8F5"
DARK = "#1F4A68", "#5C4310", "#1D5443", "#5E3550", "#4D4B14", "#66381F", "#474747", "#433C75"
SPREAD = 14_229  # found by trial: in English and the small corpora, neighbours seldom share a tint
INK = "#161513", "#F7F5F0"  # text on a tile: light theme, dark theme
NOW = "#B3450F", "#F2A36B"  # the accent: chosen now
TIED = "#3B6EA5", "#8DB9EA"
REJECTED = "#6D6A64", "#A8A49C"

# Control, format and bidirectional characters, lone surrogates, private use, unusual spaces and
# everything invisible. A variation selector is kept after the character that it varies.
_UNSEEN = r"[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{DI}\p{NChar}]--[\p{VS} ]]|^\p{VS}"
_IN_TOKEN = regex.compile(_UNSEEN, regex.V1)
_IN_PROSE = regex.compile(rf"(?![\u200c\u200d])(?:{_UNSEEN})", regex.V1)  # joiners shape words
_IGNORABLE = regex.compile(r"\p{DI}")  # the only invisible ones that str.isprintable accepts
_LONE_MARK = regex.compile(r"^(?=[\p{M}--\p{VS}])", regex.V1)  # a mark without a base character
MAX_SHORT_CHARS = 24
MAX_CACHED_CHARS = 24  # characters of a token that is likely to repeat
_NUMBER = regex.compile(r"−?[\d,]+(\.\d+)?%?|–")  # a dash stands for no number
_CLUSTER = regex.compile(r"\X")
_SYMBOLS = {"\n": "⏎", "\t": "⇥"}
# A space of the text, not one between the bytes that `spelling` writes in angle brackets.
_SPACE = regex.compile(r" (?!(?:[0-9A-F]{2} ?)+⟩)|(?<!⟨(?:[0-9A-F]{2} )*[0-9A-F]{2}) ")


def _stand_in(match: regex.Match[str]) -> str:
    return _SYMBOLS.get(match[0]) or f"⟨U+{ord(match[0]):04X}⟩"


def show_spaces(token: str) -> str:
    """Return the token with spaces as dots and invisible characters escaped.

    >>> [show_spaces(text) for text in ("a b\\n", "\\u202e", "Ġlow", "")]
    ['a·b⏎', '⟨U+202E⟩', 'Ġlow', '⟨empty⟩']
    >>> show_spaces(" ⟨F0 9F⟩")
    '·⟨F0 9F⟩'
    """
    return _show_spaces_cached(token) if len(token) <= MAX_CACHED_CHARS else _show_spaces(token)


def _show_spaces(token: str) -> str:
    if not token:
        return "⟨empty⟩"
    if token.isascii() and token.isprintable():
        return token.replace(" ", "·")  # ASCII has no other invisible characters
    shown = _with_dots(_IN_TOKEN.sub(_stand_in, token))
    return _LONE_MARK.sub("◌", shown)


def _with_dots(text: str) -> str:
    return _SPACE.sub("·", text) if "⟨" in text else text.replace(" ", "·")


_show_spaces_cached = lru_cache(50_000)(_show_spaces)


def html_token(token: str) -> Markup:
    """Return a token as HTML; its end mark is isolated so that Arabic does not reverse it.

    >>> html_token("w</w>"), html_token("<b>")
    (Markup('w<bdi>&lt;/w&gt;</bdi>'), Markup('&lt;b&gt;'))
    """
    if not token.endswith(END_MARK):
        return escape(show_spaces(token))
    head = show_spaces(token.removesuffix(END_MARK)) if token != END_MARK else ""
    return html("{}<bdi>{}</bdi>", head, END_MARK)


def direction(tokens: Iterable[str]) -> str:
    """Return the direction of the first letter in a row of tokens, as in display_text.js.

    >>> direction(["12", "שלום"]), direction(["low", "שלום"]), direction([])
    ('rtl', 'ltr', 'ltr')
    """
    letters = (char for token in tokens for char in token if char.isalpha())
    return "rtl" if bidirectional(next(letters, "a")) in ("R", "AL") else "ltr"


def escape_invisible(text: str) -> str:
    """Return `text` for use in a sentence, like `show_spaces`, but keep spaces and joiners.

    >>> escape_invisible("6 in newest\\u202e")
    '6 in newest⟨U+202E⟩'
    """
    if text.isprintable() and (text.isascii() or not _IGNORABLE.search(text)):
        return text  # a fast path, because a recording has tens of thousands of texts
    return _IN_PROSE.sub(_stand_in, text)


def tint(token: str) -> int:
    """Return the tint of a token, 0 to 7, by a stable hash.

    >>> tint("est") == tint("est")
    True
    """
    return zlib.crc32(token.encode("utf-8", "surrogatepass")) % SPREAD % len(LIGHT)


def palette_css() -> str:
    """Return the palettes as CSS custom properties that follow the colour scheme."""
    pairs = [(f"tint-{i}", pair) for i, pair in enumerate(zip(LIGHT, DARK, strict=True))]
    pairs += [("ink", INK), ("now", NOW), ("tied", TIED), ("rejected", REJECTED)]
    return "".join(f"--{name}:light-dark({light},{dark});" for name, (light, dark) in pairs)


def html_tiles(
    tokens: Sequence[str],
    *,
    ids: Sequence[int | str] = (),
    new: Sequence[int] = (),
    unknown: Sequence[int] = (),
    label: str = "tokens",
) -> Markup:
    """Return HTML of a row of tiles for `st.html`, with `ids` below the tiles.

    Tiles at the indices `new` are outlined, tiles of unknown texts (indices `unknown`) dashed.

    Raises UserError if there are ids, but not one for each token.

    >>> '<bdi class="t6">&lt;b&gt;</bdi>' in html_tiles(["<b>"])
    True
    """
    if ids and len(ids) != len(tokens):
        raise UserError(f"{len(ids)} ids for {len(tokens)} tokens")
    outlined, dashed = set(new), set(unknown)
    tiles = [_html_tile(token, i in outlined, i in dashed) for i, token in enumerate(tokens)]
    under = [f"<small>{escape(number)}</small>" for number in ids] or [""] * len(tokens)
    items = (f'<span role="listitem">{a}{b}</span>' for a, b in zip(tiles, under, strict=True))
    box = '<div class="pp-tiles" dir="{}" role="list" aria-label="{}">{}</div>'
    return html(box, direction(tokens), escape_invisible(label), Markup("".join(items)))


def _html_tile(token: str, is_new: bool, is_unknown: bool) -> str:
    # Not by `html`, which is six times slower: there may be thousands of tiles.
    kind = f"t{tint(token)}{' new' * is_new}{' unk' * is_unknown}"
    title = ' title="unknown"' if is_unknown else ""
    if is_unknown and len(token) > MAX_SHORT_CHARS:  # a whole word may be unknown
        token = token[: MAX_SHORT_CHARS - 1] + "…"
    return f'<bdi class="{kind}"{title}>{html_token(token)}</bdi>'


def html_table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str | int]]) -> Markup:
    """Return HTML of a table of tokens for `st.html`, with visible spaces.

    >>> '<td><bdi>a·b</bdi></td><td class="n">1,200</td>' in html_table("c", "xy", [("a b", 1200)])
    True
    """
    return _html_table(caption, columns, rows, html_token)


def plain_table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[str | int]]
) -> Markup:
    """Return HTML of a table of our own texts, with plain spaces and a header cell in each row.

    >>> cells = '<th scope="row"><bdi>a b</bdi></th><td class="n">1,200</td>'
    >>> cells in plain_table("", "xy", [("a b", 1200)])
    True
    """
    return _html_table(caption, columns, rows, escape_invisible, has_names=True)


def _html_table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str | int]],
    shown: Callable[[str], str],
    has_names: bool = False,
) -> Markup:
    """Return HTML of a scrollable table; columns of numbers are right-aligned."""
    kinds = [
        NUMBER if _is_of_numbers([row[n] for row in rows]) else "" for n in range(len(columns))
    ]

    def cell(value: str | int, kind: str) -> Cell:
        inside = f"{value:,}" if isinstance(value, int) else html("<bdi>{}</bdi>", shown(value))
        return Cell(inside, kind)

    return table(
        map(Cell, columns, kinds),
        (map(cell, row, kinds) for row in rows),
        escape_invisible(caption),
        kind="pp-table",
        has_names=has_names,
    )


def _is_of_numbers(cells: Sequence[str | int]) -> bool:
    texts = [cell for cell in cells if isinstance(cell, str)]
    return len(texts) < len(cells) or (texts != [] and all(map(_NUMBER.fullmatch, texts)))


def shorten(text: str, longest: int = MAX_SHORT_CHARS) -> str:
    """Return the visible form of a text, shortened to `longest` characters.

    >>> shorten("a b", 9), shorten("abcdef", 4)
    ('a·b', 'abc…')
    """
    return (
        show_spaces_keep_joiners(text)
        if len(text) <= longest
        else show_spaces_keep_joiners(text[: longest - 1]) + "…"
    )


def shorten_filename(name: str, longest: int) -> str:
    """Return the name of a file for a sentence; shorten a long one in the middle.

    >>> shorten_filename("my tokens.json", 24), shorten_filename("tokenizer-v1.json", 12)
    ('my tokens.json', 'tokeni….json')
    """
    if len(name) <= longest:
        return escape_invisible(name)
    last = (longest - 1) // 2
    return f"{escape_invisible(name[: longest - 1 - last])}…{escape_invisible(name[-last:])}"


def show_spaces_keep_joiners(text: str) -> str:
    """Return a text like `show_spaces`, but keep the joiners within an emoji or word.

    >>> [show_spaces_keep_joiners(text) for text in ("a\\u200db", "🧑\\u200d🚀")] == [
    ...     "a\\u200db", "🧑\\u200d🚀"
    ... ]
    True
    """
    if text.isascii() and text.isprintable() and text:
        return text.replace(" ", "·")
    clusters = _CLUSTER.findall(text)
    shown = (escape_invisible(c) if len(c) > 1 or c == " " else show_spaces(c) for c in clusters)
    return _with_dots("".join(shown)) or show_spaces("")
