"""Normalizers, which change a text before it is split into words.

They remove HTML, compose Unicode (NFC, NFKC), replace typographic quotes and dashes, remove
accents, case and repeated spaces, or do what BERT does. Spelling correction and stemming are in
other modules. Each is a function from `AlignedText` to `AlignedText`, which keeps the alignment
with the raw text. HTML entities (`&amp;`) are kept; case rules do not depend on the language.
"""

from collections.abc import Callable, Iterable

import regex

from tokenizers.errors import UserError
from tokenizers.text.alignment import AlignedText, Edit
from tokenizers.text.misspellings import correct
from tokenizers.text.stemming import stem_words
from tokenizers.text.unicode_versions import (
    BERT,
    NORMAL_FORMS,
    general_category,
    hide_newer,
    make_compatible,
    to_normal_form,
)
from tokenizers.text.unicode_versions import lower as lower_character

# A tag starts with a letter right after "<", so "a < b" and "<3" are text. No part of a tag runs
# past the next "<", so matching takes linear time. An attribute's value may contain ">".
_TAG = r"""<[/!?]?[A-Za-z](?:=\s*"[^"<]*"|=\s*'[^'<]*'|[^<>])*+>"""
_COMMENT = r"<!--(?:-?>|.*?(?:-->|\Z))"
_HTML = regex.compile(f"{_COMMENT}|{_TAG}", regex.DOTALL)
_CLUSTER = regex.compile(r"\X")
_COMPOSING = regex.compile(r"[\u1100-\u11ff\uffa1-\uffdc]+|\X")  # narrow Hangul letters too
_LONGEST_COMPOSITION = 4
_SPACES = regex.compile(r"\s{2,}")
_CJK = regex.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f"
    "\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f]"
)
NMT_REMOVED = frozenset(map(chr, (*range(1, 9), 0xB, *range(0xE, 0x20), 0x7F, 0x8F, 0x9F)))
_NMT_SPACES = frozenset("\t\n\f\r\u061c\u1680\u200b\u200c\u200e\u200f\u2028\u2029▁\ufeff\ufffd")
_SENTENCEPIECE_SPACES = regex.compile(r"\A +|[ ▁]+\Z| {2,}")


def remove_html(aligned: AlignedText) -> AlignedText:
    """Remove tags and comments.

    As in a browser, an unclosed comment hides the rest. The contents of `<script>` are kept like
    other text.

    >>> remove_html(AlignedText.raw("a <b>bold</b> word")).text
    'a bold word'
    """
    return aligned.replace((*match.span(), "") for match in _HTML.finditer(aligned.text))


def compose(aligned: AlignedText) -> AlignedText:
    """Apply NFC: compose a letter and the marks after it if Unicode has such a character."""
    whole = to_normal_form("NFC", aligned.text)
    if whole == aligned.text:
        return aligned
    edits: list[Edit] = []
    for match in _CLUSTER.finditer(hide_newer(aligned.text, NORMAL_FORMS)):
        start, end = match.span()
        new = to_normal_form("NFC", aligned.text[start:end])
        if new != aligned.text[start:end]:
            edits.append((start, end, new))
    composed = aligned.replace(edits)
    if composed.text != whole:  # `regex` has the clusters of another version of Unicode
        return aligned.replace([(0, len(aligned.text), whole)])
    return composed


def compose_compatibility(aligned: AlignedText) -> AlignedText:
    """Apply NFKC: NFC, after `ﬁ`, `²` and the like have become `fi` and `2`."""
    if to_normal_form("NFKC", aligned.text) == aligned.text:
        return aligned
    # Compatibility mappings apply to single characters; only composition needs several.
    return compose(_each(aligned, lambda char: to_normal_form("NFKC", char)))


PLAIN_PUNCTUATION = {"“”„‟": '"', "‘’‚‛": "'", "‐‑‒–—―": "-", "…": "..."}
"""Maps typographic characters to the keyboard characters that replace them."""
_PLAIN = {mark: plain for marks, plain in PLAIN_PUNCTUATION.items() for mark in marks}


def standardize_punctuation(aligned: AlignedText) -> AlignedText:
    """Make curly quotes straight, dashes hyphens, and an ellipsis three full stops.

    >>> standardize_punctuation(AlignedText.raw("isn’t — so…")).text
    "isn't - so..."
    """
    return _each(aligned, lambda char: _PLAIN.get(char, char))


def remove_accents(aligned: AlignedText) -> AlignedText:
    """Decompose (NFD), drop every non-spacing mark (Mn), and compose the result (NFC).

    This also removes vowel signs in Indic scripts, where they are no accents: `कुल` becomes
    `कल`. BERT's normalizer drops the same marks but leaves the text decomposed.

    >>> remove_accents(AlignedText.raw("résumé")).text
    'resume'
    """
    return compose(_each(aligned, _without_marks))


def _without_marks(char: str) -> str:
    return to_normal_form("NFC", "".join(map(_without_mark, to_normal_form("NFD", char))))


def lower(aligned: AlignedText) -> AlignedText:
    """Lower-case each character by itself, as Hugging Face does, without a rule for final sigma."""
    return _each(aligned, lower_character)


def collapse_spaces(aligned: AlignedText) -> AlignedText:
    """Replace every run of two or more White_Space characters by one space."""
    return aligned.replace((*match.span(), " ") for match in _SPACES.finditer(aligned.text))


def decompose(aligned: AlignedText) -> AlignedText:
    """Apply NFD: a letter with marks becomes the letter and its marks, in a canonical order.

    Reordered marks do not take their raw spans with them.
    """
    apart = _each(aligned, lambda char: to_normal_form("NFD", char))
    return AlignedText(to_normal_form("NFD", apart.text), apart.starts, apart.ends)


def bert_cased(aligned: AlignedText) -> AlignedText:
    """Remove control characters, turn white space into spaces, and set Chinese characters apart.

    This is Hugging Face's `BertNormalizer` with lowercase=False, for BERT models that keep case.

    >>> bert_cased(AlignedText.raw("Tōkyō: 東京")).text
    'Tōkyō:  東  京 '
    """
    return set_chinese_apart(remove_controls(aligned))


def remove_controls(aligned: AlignedText) -> AlignedText:
    """Remove control characters and turn white space into spaces, as BERT does first."""
    return _each(aligned, _clean)


def set_chinese_apart(aligned: AlignedText) -> AlignedText:
    """Put a space on both sides of every Chinese character, as BERT does."""
    return aligned.replace((*char.span(), f" {char[0]} ") for char in _CJK.finditer(aligned.text))


def _clean(char: str) -> str:
    category = general_category(char, BERT)
    if char in "\t\n\r" or category in ("Zs", "Zl", "Zp"):
        return " "
    is_control = category in ("Cc", "Cf", "Co")
    return "" if is_control or char == "\ufffd" else char


def bert(aligned: AlignedText) -> AlignedText:
    """Do what `bert_cased` does, then drop accents and lower-case, as for uncased BERT models.

    The text is left decomposed: `각` becomes three letters. As in Hugging Face's library, marks
    added to Unicode after version 8 are kept.

    >>> bert(AlignedText.raw("Tōkyō: 東京")).text
    'tokyo:  東  京 '
    """
    return lower(remove_nonspacing_marks(decompose(bert_cased(aligned))))


def remove_nonspacing_marks(aligned: AlignedText) -> AlignedText:
    """Drop accents as BERT does, from a decomposed text."""
    return _each(aligned, _without_mark)


def _without_mark(char: str) -> str:
    return "" if general_category(char, BERT) == "Mn" else char


def nmt_nfkc(aligned: AlignedText) -> AlignedText:
    """Do what SentencePiece does by default: NFKC, except for a few characters.

    Control characters are removed; tabs, line ends, zero-width spaces and `▁` become spaces; `～`
    stays. Marks are never reordered: each edit replaces the longest run of characters for which
    there is a composed character. Those that came after Unicode 9 are not composed from others.

    >>> nmt_nfkc(AlignedText.raw("ｶﾞ\\t²")).text
    'ガ 2'
    """
    edits: list[Edit] = []
    if to_normal_form("NFKC", aligned.text) != aligned.text:
        for cluster in _COMPOSING.finditer(aligned.text):
            if len(cluster[0]) > 1:
                edits += _compositions(cluster[0], cluster.start())
    return _each(aligned.replace(edits), _nmt_nfkc)


def _nmt_nfkc(char: str) -> str:
    if char in NMT_REMOVED:
        return ""
    if char in _NMT_SPACES:
        return " "
    return char if char == "～" else make_compatible(char)


def _compositions(cluster: str, offset: int) -> list[Edit]:
    """Return the edits that compose a cluster, from left to right; try the longest runs first."""
    edits: list[Edit] = []
    start = 0
    while start < len(cluster):
        for end in range(min(start + _LONGEST_COMPOSITION, len(cluster)), start + 1, -1):
            apart = "".join(to_normal_form("NFKD", char) for char in cluster[start:end])
            whole = to_normal_form("NFC", apart)
            if len(whole) == 1 and to_normal_form("NFKD", whole) == apart:
                edits.append((offset + start, offset + end, whole))
                break
        else:
            end = start + 1
        start = end
    return edits


def sentencepiece_spaces(aligned: AlignedText) -> AlignedText:
    """Strip spaces at both ends and collapse repeated ones; only U+0020 counts as a space.

    A `▁` at the end is stripped too, because SentencePiece first turns spaces into `▁`.

    >>> sentencepiece_spaces(AlignedText.raw("  two   words ")).text
    'two words'
    """
    length = len(aligned.text)
    if "  " not in aligned.text and aligned.text == aligned.text.strip(" ▁"):
        return aligned
    return aligned.replace(
        (*match.span(), " " if match.start() and match.end() < length else "")
        for match in _SENTENCEPIECE_SPACES.finditer(aligned.text)
    )


def _each(aligned: AlignedText, change: Callable[[str], str]) -> AlignedText:
    """Replace every character by `change(character)`, called once per distinct character."""
    changed = {char: new for char in set(aligned.text) if (new := change(char)) != char}
    if all(len(new) == 1 for new in changed.values()):  # no character moves
        text = aligned.text.translate(str.maketrans(changed))
        return AlignedText(text, aligned.starts, aligned.ends)
    return aligned.replace(
        (position, position + 1, changed[char])
        for position, char in enumerate(aligned.text)
        if char in changed
    )


NORMALIZERS: dict[str, Callable[[AlignedText], AlignedText]] = {
    "html": remove_html,
    "nfc": compose,
    "nfkc": compose_compatibility,
    "quotes": standardize_punctuation,
    "accents": remove_accents,
    "lower": lower,
    "spelling": correct,
    "stems": stem_words,
    "nmt_nfkc": nmt_nfkc,
    "spaces": collapse_spaces,
    "sentencepiece_spaces": sentencepiece_spaces,
    "bert": bert,
    "bert_cased": bert_cased,
}


def normalize(
    text: str, names: Iterable[str] = (), check_cancelled: Callable[[], object] = lambda: None
) -> AlignedText:
    """Apply the named normalizers, always in the order of `NORMALIZERS`.

    `check_cancelled` is called before each normalizer. Raises UserError for an unknown name.

    >>> normalize("<i>Café  au lait</i>", ["html", "accents", "lower", "spaces"]).text
    'cafe au lait'
    """
    wanted = set(names)
    if unknown := sorted(wanted - NORMALIZERS.keys()):
        known = ", ".join(NORMALIZERS)
        raise UserError(f"There is no normalizer {unknown[0]!r}. Choose from: {known}.")
    aligned = AlignedText.raw(text)
    for name, apply in NORMALIZERS.items():
        if name in wanted:
            check_cancelled()
            aligned = apply(aligned)
    return aligned
