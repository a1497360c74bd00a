"""Patterns drawn from a grammar match as in Hugging Face's library, where none is refused here.

The grammar has what `doc/RE` of Oniguruma names, and some that is wrong; the texts have letters of
many kinds, all of which are older than the library's and our Unicode tables.
"""

from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.errors import UserError
from tokenizers.runtime.normalizers import Replace
from tokenizers.runtime.patterns import Pattern
from tokenizers.text.corpus import Pipeline

from . import ask, needs_library

pytestmark = needs_library

TYPES = [
    *(f"\\{letter}" for letter in "dDwWsShH"),
    *(rf"\p{{{name}}}" for name in ("L", "^N", "Lu", "Han", "Alpha", "punct", " Letter ")),
    r"\P{L}",
]
POSIX = "alpha digit alnum upper lower punct space word xdigit print cntrl graph blank ascii"
CHARACTERS = [
    *" -_'\"#&~,:=}]abcfiksABISé1ßσ一",
    *(rf"\{character}" for character in ".[\\^- @nte"),
    *(r"\cA", r"\x41", r"\x{e9}", r"\x{4E00}", r"\u4e00", r"\o{141}", r"\141"),
]
IN_CLASS = [
    *" 1abcisABé'^&-.*(|#~=:$ßσ",
    *(r"\[", r"\]", r"\\", r"\n", r"\-", r"\b", r"\x{e9}"),
]
RANGES = ["a-z", "A-Z", "0-9", "i-k", " -~", "à-þ", r"\t-\r", r"\x{4e00}-\x{9fff}", "&&"]
ANCHORS = ["^", "$", r"\b", r"\B", r"\A", r"\z", r"\Z", r"\G"]
OPENINGS = ["(?:", "(", "(?>", "(?=", "(?!", "(?<n>", "(?i:", "(?m:", "(?x:", "(?-i:", "(?mi-x:"]
QUANTIFIERS = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "{2,1}", "{,}", "{", "{1"]
TEXTS = st.text(
    list("abcfiksABCIKS123 _-.\n\r\t'\"![]^&eé²ßſİıσςÅ一កខ្\u0301\u200d\x85👩🇫ﬁ"), max_size=14
)

posix = st.builds("[:{}{}:]".format, st.sampled_from(["", "^"]), st.sampled_from(POSIX.split()))
flat = st.one_of(*map(st.sampled_from, (IN_CLASS, RANGES, TYPES)), posix)
classes = st.recursive(
    flat,
    lambda inner: st.builds(
        "[{}{}]".format, st.sampled_from(["", "", "^"]), st.lists(inner, min_size=1).map("".join)
    ),
    max_leaves=8,
).filter(lambda text: text[0] == "[" and text[:2] != "[:")
behind = st.builds(
    "(?<{}{})".format,
    st.sampled_from("=!"),
    st.one_of(st.sampled_from(CHARACTERS + TYPES), classes),
)
atoms = st.one_of(
    *map(st.sampled_from, (CHARACTERS, TYPES, ANCHORS)),
    st.sampled_from([".", r"\R", r"\X", r"\N", r"\O", r"\1", r"\k<n>", "(?i)", "(?m)", "(?x)"]),
    classes,
    behind,
)
quantifiers = st.one_of(
    st.just(""),
    st.builds(
        "{}{}".format, st.sampled_from(QUANTIFIERS), st.sampled_from(["", "", "?", "+", "*"])
    ),
)


def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return alternatives of sequences of parts with quantifiers."""
    repeated = st.builds("{}{}".format, parts, quantifiers)
    sequences = st.lists(repeated, min_size=1, max_size=4).map("".join)
    return st.lists(sequences, min_size=1, max_size=3).map("|".join)


patterns = joined(
    st.recursive(
        atoms,
        lambda parts: st.builds("{}{})".format, st.sampled_from(OPENINGS), joined(parts)),
        max_leaves=6,
    )
)


@examples(1_000, deadline=None)
@given(patterns, st.lists(TEXTS, min_size=5, max_size=5))
def test_drawn_patterns(source, texts):
    try:
        pattern = Pattern(source)
    except UserError:
        return
    theirs = ask("find_matches", pattern=source, texts=texts)
    if theirs is not None:
        assert [[spans_of(pattern, text), replaced(pattern, text)] for text in texts] == theirs


def spans_of(pattern: Pattern, text: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in pattern.spans(text) if start < end]


def replaced(pattern: Pattern, text: str) -> str:
    return Replace(pattern, "#")(Pipeline((), "none")(text).aligned).text
