"""Chunks are what trying every border gives: they fit, cover the text, and cut no character."""

from dataclasses import replace
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from lessons.models import open_model
from tests.call_counts import examples
from tokenizers.errors import UserError
from tokenizers.runtime.inspection.chunking import split_into_chunks, tokens_around
from tokenizers.runtime.tokenizer import LoadedTokenizer

MODELS = ("gpt2", "o200k", "bert-uncased", "mistral-v1", "unigram-english")
BYTE_LEVEL = ("gpt2", "o200k")
TEXT = "Tokenizers split “unbelievably”: naïve, 12345, 🧑‍🚀, def main(): return 0"
CHARACTERS = [*"ab e\n .,'1▁Ġß日本", "e\u0301", "🧑‍🚀", "👩🏽", "\u200b", "New "]
drawn_text = st.lists(st.sampled_from(CHARACTERS), max_size=40).map("".join)


def borders(loaded: LoadedTokenizer, text: str) -> list[tuple[int, int]]:
    """Every token index at which a chunk may begin or end, with its place in the text."""
    spans = replace(loaded, post_processor=None).encode(text).offsets
    clusters = [match.start() for match in regex.finditer(r"\X", text)]
    inner = [
        (n, spans[n][0])
        for n in range(1, len(spans))
        if all(end <= spans[n][0] for _, end in spans[:n])
        and all(start >= spans[n][0] for start, _ in spans[n:])
        and spans[n][0] in clusters
        and 0 < spans[n][0] < len(text)
    ]
    inner = [(n, at) for n, at in inner if at not in (place for m, place in inner if m < n)]
    return [(0, 0), *inner, (len(spans), len(text))]


@pytest.mark.parametrize("name", MODELS)
@given(text=drawn_text, most=st.integers(1, 12), overlap=st.integers(0, 8))
@examples(60)
def test_chunks_are_those_of_trying_every_border(name: str, text: str, most: int, overlap: int):
    loaded = open_model(name)
    around = tokens_around(loaded)
    room = most - sum(map(len, around))
    places = borders(loaded, text)
    ids = replace(loaded, post_processor=None).encode(text).ids
    longest = max((b - a for (a, _), (b, _) in pairwise(places)), default=0)
    try:
        chunks = split_into_chunks(loaded, text, most, overlap, around)
    except UserError:
        assert room < 1 or overlap >= room or longest > room
        return
    assert room >= 1
    assert overlap < room
    assert longest <= room
    if not text:
        assert chunks == []
        return
    assert all(len(chunk.ids) <= most for chunk in chunks)
    assert (chunks[0].start, chunks[0].first) == (0, 0)
    assert (chunks[-1].end, chunks[-1].last) == (len(text), len(ids))
    for chunk in chunks:
        assert chunk.ids == (*around[0], *ids[chunk.first : chunk.last], *around[1])
        assert (chunk.first, chunk.start) in places
        assert (chunk.last, chunk.end) in places
        assert chunk.last == max(n for n, _ in places if n <= chunk.first + room)
    for before, chunk in pairwise(chunks):
        onward = min(n for n, _ in places if n > before.last)
        assert chunk.first == min(
            n for n, _ in places if n >= before.last - overlap and n + room >= onward
        )
        assert before.start < chunk.start <= before.end < chunk.end
    if name in BYTE_LEVEL:
        assert [loaded.decode(c.ids) for c in chunks] == [text[c.start : c.end] for c in chunks]


def test_special_tokens_count():
    loaded = open_model("bert-uncased")
    assert tokens_around(loaded) == ((101,), (102,))
    chunks = split_into_chunks(loaded, TEXT, 12, 3, tokens_around(loaded))
    assert {(chunk.ids[0], chunk.ids[-1]) for chunk in chunks} == {(101, 102)}
    assert [len(chunk.ids) for chunk in chunks[:-1]] == [12, 12, 12]
    assert [a.last - b.first for a, b in pairwise(chunks)] == [3, 3, 3]


def test_a_character_is_never_cut():
    loaded = open_model("gpt2")
    with pytest.raises(UserError, match="🧑‍🚀” is 8 tokens, and a part has room for 4"):
        split_into_chunks(loaded, "a 🧑‍🚀 b", 4)
    assert [c.end - c.start for c in split_into_chunks(loaded, "🧑‍🚀🧑‍🚀", 8)] == [3, 3]


@pytest.mark.parametrize(
    ("most", "overlap", "sentence"),
    [(2, 0, "2 tokens of its own"), (5, 3, "can be 0 to 2"), (5, -1, "can be 0 to 2")],
)
def test_what_does_not_fit_gets_a_sentence(most: int, overlap: int, sentence: str):
    loaded = open_model("bert-uncased")
    with pytest.raises(UserError, match=sentence):
        split_into_chunks(loaded, TEXT, most, overlap, tokens_around(loaded))
