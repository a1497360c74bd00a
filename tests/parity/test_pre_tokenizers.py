"""Normalizers and pre-tokenizers give what Hugging Face's library gives, offsets included."""

import pytest

from tests.call_counts import sample
from tokenizers.text.corpus import Pipeline
from tokenizers.text.normalizers import normalize

from . import ask, needs_library
from .corpora import every_character, random_strings

pytestmark = needs_library


def several_thousand():
    return [*every_character(), *random_strings(sample(10_000))]


def words_with_raw_spans(name, text):
    tokens = Pipeline(pre_tokenizer=name)(text)
    raw = (tokens.aligned.span(*span) for span in tokens.spans)
    return [[word, *span] for word, span in zip(tokens.words, raw, strict=True)]


@pytest.mark.parametrize("name", ["punctuation", "bert", "gpt2", "metaspace"])
def test_words_and_offsets(name):
    texts = several_thousand()
    answers = ask("pre_tokenize", name=name, texts=texts)
    ours = [words_with_raw_spans(name, text) for text in texts]
    assert differences(texts, ours, answers) == []


@pytest.mark.parametrize("name", ["nfc", "nfkc", "accents", "lower", "bert", "bert_cased"])
def test_normalized_text(name):
    texts = several_thousand()
    answers = ask("normalize", name=name, texts=texts)
    assert differences(texts, [normalize(text, [name]).text for text in texts], answers) == []


def differences(texts, ours, theirs):
    return [row for row in zip(texts, ours, theirs, strict=True) if row[1] != row[2]]
