"""Repositories' folders give what transformers gave when fixtures/repositories.json was made.

No library is needed here. SentencePiece's `.model` files are cut as SentencePiece cuts them, which
transformers does not reach where spaces follow each other, and T5's class takes the piece 2 for the
unknown one, whatever it is. Control tokens of a `.model` decode to nothing.
"""

import json

import pytest

from tokenizers.formats.opening import open_tokenizer

from . import needs_transformers
from .make_repository_fixtures import STORED, answers_for
from .repositories import TEXTS, repositories

FOLDERS = repositories()
ANSWERS = json.loads(STORED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_as_transformers_opens_it(name: str):
    tokenizer = open_tokenizer(FOLDERS[name])
    is_model = any(file.endswith(".model") for file in FOLDERS[name])
    for text, (tokens, ids, whole, skipped) in zip(TEXTS, ANSWERS[name], strict=True):
        assert set(ids) <= set(tokenizer.vocab.values())
        assert tokenizer.decode(ids) == skipped, text
        if not is_model:
            assert tokenizer.decode(ids, skip_special_tokens=False) == whole, text
        found = tokenizer.encode(text)
        if not is_model or ("  " not in text and tokenizer.unk not in found.tokens):
            assert list(found.ids) == ids, (text, tokens)


def test_the_stored_answers_are_those_of_these_folders():
    assert ANSWERS.keys() == FOLDERS.keys()
    assert not [name for name, answers in ANSWERS.items() if isinstance(answers, str)]


@needs_transformers
@pytest.mark.parametrize("name", FOLDERS)
def test_the_stored_answers_are_up_to_date(name: str):
    assert answers_for(FOLDERS[name]) == ANSWERS[name]
