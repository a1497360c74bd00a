"""Every row of the table of models names a tokenizer of the pack or a file, and a source."""

from datetime import date

import pytest

from lessons.models import MODELS
from lessons.models.uses import DATE, USE_OF, USES, ModelUse, models_of


@pytest.mark.parametrize("use", USES, ids=lambda use: use.models[0])
def test_a_row_names_a_tokenizer_and_its_source(use: ModelUse):
    assert use.pack in MODELS or not use.pack
    assert not (use.pack and use.file)
    assert use.source.startswith("https://")
    assert use.tokenizer


def test_each_model_is_in_one_row_and_the_pack_is_named():
    assert sum(len(use.models) for use in USES) == len(USE_OF)
    unnamed = {name for name in MODELS if not models_of(name)}
    assert unnamed == {"unigram-english", "unigram-japanese"}, "SentencePiece's own test models"
    assert date.today() >= DATE
