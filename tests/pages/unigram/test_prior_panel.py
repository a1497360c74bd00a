"""Unigram · Train with a prior on the number of pieces: fewer pieces, or more."""

import re

import pytest

from pages.unigram.prior_panel import RATIOS
from tests.pages.opening import html_of, markdown_of, opened
from tests.pages.opening import texts_of as said_in

PANEL = "Length prior"


def averages(**query) -> list[float]:
    app = opened("unigram_train", panel=PANEL, **query)
    assert not app.error
    assert "Probabilities of pieces" in html_of(app)
    return [float(number) for number in re.findall(r"\*\*(\d+\.\d+)\*\*", markdown_of(app))]


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_prior_makes_words_shorter_or_longer(ratio):
    plain, prior = averages(corpus="hats", seeds="substrings", further=ratio)
    assert (prior < plain) == (float(ratio) < 1)
    assert prior != plain


def test_a_long_text_is_not_tried():
    app = opened("unigram_train", corpus="prose", panel=PANEL)
    assert any("Choose one of the small examples" in text for text in said_in(app.caption))
