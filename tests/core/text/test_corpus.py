"""Corpora: counting, and rejected input."""

import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizers.text.corpus import Corpus, Pipeline

PIPELINES = st.builds(
    Pipeline,
    st.sampled_from([(), ("nfkc", "lower"), ("html", "accents", "spaces")]),
    st.sampled_from(["spaces", "punctuation", "gpt2", "metaspace", "none"]),
)


@given(st.text("abÉ \n<>.", max_size=40), PIPELINES)
def test_from_text_counts_the_words(text, pipeline):
    corpus = Corpus.from_text(text, pipeline)
    words = pipeline(text).words
    assert list(corpus.word_counts.items()) == list(Counter(words).items())
    assert (corpus.num_words, corpus.num_distinct_words) == (len(words), len(set(words)))
    assert (corpus.text, corpus.pipeline) == (text, pipeline)
    assert list(pipeline.words(text)) == list(words)


def test_words_are_in_the_order_of_the_text():
    assert list(Corpus.from_text("low lower newest low").word_counts) == ["low", "lower", "newest"]


@pytest.mark.parametrize("text", ["", "   ", "\n\t\u3000"])
def test_no_words(text):
    corpus = Corpus.from_text(text)
    assert (corpus.word_counts, corpus.num_words, corpus.num_distinct_words) == ({}, 0, 0)


@pytest.mark.parametrize(
    "counts",
    [
        {"cat": 10, "bat": 5},
        [("cat", 4), ("bat", 5), ("cat", 6)],
        [("cat", 10.0), ("bat", np.int64(5))],
    ],
)
def test_from_counts(counts):
    corpus = Corpus.from_counts(counts)
    assert (corpus.word_counts, corpus.text) == ({"cat": 10, "bat": 5}, None)
    assert all(type(count) is int for count in corpus.word_counts.values())


def test_from_counts_of_a_very_large_corpus():
    assert Corpus.from_counts({"cat": 10**16}).num_words == 10**16


def test_from_counts_beyond_what_can_be_summed():
    with pytest.raises(ValueError, match="Divide them all by the same number"):
        Corpus.from_counts({"cat": 10**400})


def test_from_counts_of_nothing():
    assert Corpus.from_counts({}).num_words == 0


@pytest.mark.parametrize(
    ("count", "wrong"),
    [
        (None, "is missing"),
        ("  ", "is missing"),
        (float("nan"), "is missing"),
        (float("inf"), "is infinite"),
        ("many", "is 'many', which is not a number"),
        (True, "is True, which is not a number"),
        (2.5, r"is 2\.5, a fraction"),
        (0, "is 0"),
        (-3, "is -3"),
    ],
)
def test_a_wrong_count_is_named(count, wrong):
    with pytest.raises(ValueError, match=f"^The count of “bat” {wrong}. Write a whole number"):
        Corpus.from_counts([("cat", 1), ("bat", count)])


@pytest.mark.parametrize("word", ["", None, 7])
def test_a_row_without_a_word_is_named(word):
    with pytest.raises(ValueError, match=f"^Row 2: {word!r} is not a word"):
        Corpus.from_counts([("cat", 1), (word, 1)])


def test_a_lone_surrogate_is_named_with_its_position():
    for use in (Corpus.from_text, Pipeline(), lambda text: list(Pipeline().words(text))):
        with pytest.raises(ValueError, match=r"^Character 3 in line 2 of the text .*U\+D83D.*copy"):
            use("one\nab\ud83dc")
    with pytest.raises(ValueError, match=r"^Character 1 in line 1 of the word in row 1"):
        Corpus.from_counts({"\udc00": 1})


def test_unknown_stages_are_rejected_at_once():
    with pytest.raises(ValueError, match="no normalizer 'upper'"):
        Pipeline(("upper",))


def test_a_corpus_can_be_sent_to_another_process():
    corpus = Corpus.from_text("low lower", Pipeline(("lower",), "gpt2"))
    assert pickle.loads(pickle.dumps(corpus)) == corpus


def test_a_long_text_can_be_given_up_between_normalizers():
    def give_up():
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Corpus.from_text("Low", Pipeline(("lower",)), give_up)
    assert Corpus.from_text("Low", Pipeline(), give_up).word_counts == {"Low": 1}
