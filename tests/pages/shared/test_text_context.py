"""The strip of a text that is encoded word by word: what is left out, and where words start."""

from hypothesis import given
from hypothesis import strategies as st

from pages.shared.recording.frame_types import ELLIPSIS
from pages.shared.recording.text_context import CONTEXT_TOKENS, TextContext

splits = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=30), min_size=1, max_size=9)


@given(splits, st.data())
def test_the_words_between_the_gaps_are_words_of_the_text(words, data):
    words = [tuple(word) for word in words]
    whole = [(("".join(word)),) for word in words]
    n = data.draw(st.integers(0, len(words) - 1))
    strip = TextContext(words, whole).strip(n, words[n], whole[n])
    for tokens, gaps, here in zip(
        (strip.before, strip.after), strip.gaps, (words[n], whole[n]), strict=True
    ):
        shown = [tokens[a:b] for a, b in zip((0, *gaps), (*gaps, len(tokens)), strict=True)]
        shown = [part for part in shown if ELLIPSIS not in part]
        assert here in shown or len(words[n]) > CONTEXT_TOKENS
        assert all(part in (*words, *whole) for part in shown)


def test_two_words_are_apart():
    strip = TextContext([tuple("bags"), tuple("mat")], [("bags",), ("mat",)]).start_strip()
    assert (strip.before, strip.gaps) == (tuple("bagsmat"), ((4,), (4,)))
