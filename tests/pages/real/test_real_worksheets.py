"""Worksheets of published tokenizers: on paper a word is split as the tokenizer splits it."""

import re
from functools import partial

import pytest

from lessons.models import open_model
from pages.real.worksheet import printout_of
from pages.shared.export.worksheets.render_html import worksheet_html
from pages.shared.training.words import TokenizedWord, words_of
from tests.pages.bpe.test_encoding_worksheets import split_of, tasks
from tests.pages.bpe.test_worksheet import read, rows_of, sheets_of
from tests.pages.opening import checked, opened
from tokenizers import plain
from tokenizers.errors import UserError

MERGED = {
    "gpt2": ["unbelievable", " lowliest", " naïve"],
    "cl100k": ["unbelievable", " lowliest"],
    "o200k": ["unbelievable", " naïve"],
    "mistral-v1": ["tokens", "lowliest"],
}
LATTICES = {"unigram-english": "tokens", "unigram-japanese": "12"}


def first_word(name: str, text: str) -> tuple[TokenizedWord, tuple[str, ...]]:
    loaded = open_model(name)
    (word,) = words_of(loaded, text)
    return word, loaded.encode(text).tokens


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in MERGED.items() for t in texts])
def test_merges_on_paper_end_with_the_tokens_of_the_file(name: str, text: str):
    word, tokens = first_word(name, text)
    made = partial(printout_of, open_model(name), word)
    _, answers = sheets_of(worksheet_html(made(3, 1)))
    assert len(set(answers)) == 3
    for n, sheet in enumerate(answers):
        merges = [row[1].split(" + ") for row in rows_of(sheet, "The merges")]
        ranks = {(left, right): rank for rank, (left, right) in enumerate(merges)}
        (task,) = tasks(sheet)
        symbols = tuple(read(re.findall(r"The word is (.*?)\.</p>", task)[0]).split())
        assert split_of(task) == plain.encode_bpe(symbols, ranks)
        if not n:
            assert split_of(task) == tokens


def test_the_longest_match_on_paper_is_that_of_the_file():
    word, tokens = first_word("bert-uncased", "lowliest")
    made = partial(printout_of, open_model("bert-uncased"), word)
    _, answers = sheets_of(worksheet_html(made(2, 1)))
    assert split_of(tasks(answers[0])[0]) == tokens[1:-1]  # without [CLS] and [SEP]


@pytest.mark.parametrize("name", LATTICES)
def test_the_best_way_on_paper_is_that_of_the_file(name: str):
    word, tokens = first_word(name, LATTICES[name])
    made = partial(printout_of, open_model(name), word)
    _, answers = sheets_of(worksheet_html(made(1, 1)))
    (values,) = re.findall(r"Its pieces, and its log probability:</span><b>(.*?)</b>", answers[0])
    assert read(values).split()[: len(tokens)] == list(tokens)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("cl100k", " tokens", "looks the word up as a whole"),
        ("gpt2", " internationalization", "pencil and paper"),
        ("gpt2", "x" * 5000, "pencil and paper"),
        ("gpt2", "a", "pencil and paper"),
        ("bert-uncased", "internationalization", "pencil and paper"),
        ("unigram-english", "unbelievable", "room for 12 characters"),
    ],
)
def test_words_unsuitable_for_paper_raise_an_error(name: str, text: str, message: str):
    loaded = open_model(name)
    made = partial(printout_of, loaded, words_of(loaded, text)[0])
    with pytest.raises(UserError, match=message):
        made(1, 1)


def test_a_word_that_the_file_splits_otherwise_raises_an_error():
    loaded = open_model("mistral-v1")
    made = partial(printout_of, loaded, words_of(loaded, "x\U0001fae8y")[0])  # in bytes
    with pytest.raises(UserError, match="split in another way"):
        made(1, 1)


def test_the_menu_has_worksheets_of_the_word():
    app = opened("real", model="gpt2", text="lowliest")
    app.session_state["export"] = True
    checked(app.run())
    assert "Worksheet" in [tab.label for tab in app.tabs]
