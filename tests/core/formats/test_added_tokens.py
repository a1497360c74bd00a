"""Added tokens are found as by a plain scan, with all flags, and their spans cover the text."""

import string
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.runtime.added_tokens import AddedToken, AddedTokens

CONTENTS = st.permutations(["a", "b", "ab", "a<", "<"])
FLAGS = st.lists(st.tuples(*[st.booleans()] * 3), min_size=3, max_size=3)
PARTS = st.lists(st.sampled_from(["a", "b", "ab", "<", " ", "  ", "\t"]), max_size=12).map("".join)
LETTERS = {*string.ascii_letters}


def plainly(text: str, tokens: Sequence[AddedToken]) -> Iterator[tuple[int, int, AddedToken]]:
    """Yield the matches: the leftmost, then the longest; none takes what another has taken."""
    at = done = 0
    while at < len(text):
        fits = [token for token in tokens if text.startswith(token.content, at)]
        if not fits:
            at += 1
            continue
        token = max(fits, key=lambda token: len(token.content))
        start, end = at, at + len(token.content)
        at = end
        if token.single_word and LETTERS.intersection((text[:start][-1:], text[end : end + 1])):
            continue
        while token.lstrip and start > done and text[start - 1].isspace():
            start -= 1
        while token.rstrip and text[end : end + 1].isspace():
            end += 1
        yield start, end, token
        done = end


@examples(1_000)
@given(PARTS, CONTENTS, FLAGS)
def test_tokens_are_found_as_by_a_plain_scan(text, contents, flags):
    tokens = [
        AddedToken(content, n, *some, normalized=False)
        for n, (content, some) in enumerate(zip(contents, flags, strict=False))
    ]
    found = AddedTokens(tuple(tokens)).split(text, normalized=False, as_text=False)
    assert [row for row in found if row[2]] == list(plainly(text, tokens))
    assert "".join(text[start:end] for start, end, _ in found) == text
    assert all(one[1] == other[0] for one, other in pairwise(found))
