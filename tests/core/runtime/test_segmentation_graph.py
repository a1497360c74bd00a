"""The segmentations of texts by published vocabularies: all decode to the same text."""

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.models import MODELS, open_model
from tokenizers.errors import UserError
from tokenizers.experiments.research.segmentations import count_segmentations, shared_boundaries
from tokenizers.runtime.inspection.segmentation_graph import (
    MAX_UNITS,
    TextGraph,
    find_all,
    graph_of,
    has_run,
    usual_runs,
)
from tokenizers.runtime.spelling import Speller

TEXTS = (
    "The penguin ate 12345678 fish.",
    "Zoë’s naïve café — 日本語 👩🏽‍🚀 don't",
    "  two  spaces\n\tand a tab",
    " hello",
    "a",
    "",
)
SPELLS_ALL = [name for name in MODELS if MODELS[name].family.startswith("BPE")]


def ways(graph: TextGraph, seed: int = 0):
    """A segmentation of each kind."""
    yield graph.canonical
    yield graph.draw(seed)
    yield graph.draw_finer(seed)
    yield graph.by_character()
    yield graph.graph.longest()
    yield graph.graph.farthest(graph.canonical)
    yield graph.split_highest(3)


@pytest.mark.parametrize("name", SPELLS_ALL)
@pytest.mark.parametrize("text", TEXTS)
def test_every_segmentation_decodes_to_the_same_text(name: str, text: str):
    loaded = open_model(name)
    graph = graph_of(loaded, text)
    back = loaded.decode(loaded.encode(text, add_special_tokens=False).ids)
    for path in ways(graph):
        assert loaded.decode(graph.ids(path)) == back == text


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=20, deadline=None)
@given(text=st.text(max_size=12), seed=st.integers(0, 99))
def test_every_segmentation_of_any_text_decodes_to_the_same_text(name: str, text: str, seed: int):
    loaded = open_model(name)
    own = loaded.encode(text, special="text", add_special_tokens=False)
    try:
        graph = graph_of(loaded, text)
    except UserError:
        assert loaded.unk in own.tokens
        return
    assert tuple(token.id for token in graph.canonical) == own.ids
    for path in ways(graph, seed):
        assert loaded.decode(graph.ids(path)) == loaded.decode(own.ids)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "qwen3", "mistral-tekken"])
def test_the_number_is_that_of_a_plain_count_over_the_bytes_of_all_tokens(name: str):
    loaded = open_model(name)
    spell = Speller(loaded)
    known = {spell(token) for token in loaded.model.vocab if token not in loaded.added.ids}
    for text in TEXTS:
        assert graph_of(loaded, text).graph.number == count_segmentations(text.encode(), known)[0]


def test_bert_counts_with_its_marks():
    loaded = open_model("bert-uncased")
    graph = graph_of(loaded, "Penguins, penguins")
    number = 0
    word = "penguins"
    for boundaries in range(2 ** (len(word) - 1)):
        cuts = [0, *(n + 1 for n in range(len(word) - 1) if boundaries >> n & 1), len(word)]
        parts = [word[a:b] for a, b in pairwise(cuts)]
        marked = [part if not n else f"##{part}" for n, part in enumerate(parts)]
        number += all(part in loaded.vocab for part in marked)
    assert graph.numbers_by_word() == [("penguins", number), (",", 1), ("penguins", number)]
    assert graph.graph.number == graph.inside_words.number == number**2 > 1
    assert graph.text == "penguins , penguins"


@pytest.mark.parametrize("name", MODELS)
def test_the_words_multiply_to_what_stays_inside_them(name: str):
    graph = graph_of(open_model(name), "The penguin sat down")
    numbers = graph.numbers_by_word()
    between = " " if name == "bert-uncased" else ""
    assert between.join(word for word, _ in numbers) == graph.text
    assert math.prod(number for _, number in numbers) == graph.inside_words.number
    assert graph.inside_words.number <= graph.graph.number
    assert graph.graph.finer(graph.canonical).number <= graph.inside_words.number


@pytest.mark.parametrize("name", ["gpt2", "qwen3", "gpt-oss", "mistral-v1", "bert-uncased"])
def test_a_special_token_in_the_text_stays_as_it_is(name: str):
    loaded = open_model(name)
    special = next(token for token in loaded.specials if token not in ("", loaded.unk))
    text = f"a penguin {special} sat"
    graph = graph_of(loaded, text, "control")
    own = loaded.encode(text, add_special_tokens=False).ids
    for path in ways(graph):
        ids = graph.ids(path)
        assert loaded.specials[special] in ids
        assert loaded.decode(ids, skip_special_tokens=False) == loaded.decode(
            own, skip_special_tokens=False
        )
    assert len(graph.added) == 1
    if MODELS[name].family.startswith("BPE over"):
        assert not graph_of(loaded, text, "text").added


def test_the_published_example():
    graph = graph_of(open_model("cl100k"), "penguin")
    spell = Speller(graph.loaded)

    def texts(path):
        return [spell(graph.loaded.token_of(token.id)).decode() for token in path]

    assert texts(graph.canonical) == ["p", "enguin"]
    assert ["peng", "uin"] in [texts(graph.draw(seed)) for seed in range(2_000)]


def test_characters_are_the_finest_where_each_is_a_byte():
    graph = graph_of(open_model("o200k"), "plain words")
    assert graph.by_character() == graph.graph.longest()
    assert len(graph.by_character()) == len("plain words")
    accents = graph_of(open_model("o200k"), "né 日")
    assert len(accents.by_character()) == 4 < len(accents.graph.longest()) == 7


def test_the_farthest_shares_least_with_the_own_cut():
    graph = graph_of(open_model("cl100k"), "The penguin sat")
    far = graph.graph.farthest(graph.canonical)
    least = shared_boundaries(far, graph.canonical)
    for seed in range(200):
        assert shared_boundaries(graph.draw(seed), graph.canonical) >= least


@pytest.mark.parametrize("name", SPELLS_ALL)
@pytest.mark.parametrize("word", ["penguin", "hat", "The"])
def test_a_word_is_written_without_its_usual_tokens(name: str, word: str):
    loaded = open_model(name)
    graph = graph_of(loaded, "The penguin has that hat.")
    runs = usual_runs(loaded, word)
    assert has_run(graph.ids(graph.canonical), runs)
    other = graph.without_usual(word)
    assert not has_run(graph.ids(other), runs)
    inside = {n for span in find_all(graph.text, word) for n in range(*span)}
    far = [t for t in graph.canonical if inside.isdisjoint(range(*graph.span(t)))]
    assert sum(token in other for token in far) >= len(far) - 2 * len(find_all(graph.text, word))


def test_what_is_asked_for_must_be_there():
    graph = graph_of(open_model("cl100k"), "The penguin")
    with pytest.raises(UserError, match="does not contain “fish”"):
        graph.without_usual("fish")
    with pytest.raises(UserError, match="cannot spell “Z”: it becomes <unk>"):
        graph_of(open_model("unigram-english"), "Z")
    with pytest.raises(UserError, match="bytes in this text"):
        graph_of(open_model("cl100k"), "a" * (MAX_UNITS + 1))


@pytest.mark.parametrize("name", SPELLS_ALL)
def test_digits_from_the_right(name: str):
    loaded = open_model(name)
    rng = random.Random(7)
    for _ in range(30):
        digits = str(rng.randrange(1, 10 ** rng.randrange(1, 15)))
        graph = graph_of(loaded, digits)
        start = graph.graph.size - len(digits)  # SentencePiece puts a space in front
        path = graph.from_the_right(start, graph.graph.size)
        texts = [graph.text[slice(*graph.span(token))] for token in path]
        assert "".join(texts) == digits
        if all(f"{n:03}" in loaded.vocab for n in range(1000)):
            assert texts == f"{int(digits):,}".split(",")
