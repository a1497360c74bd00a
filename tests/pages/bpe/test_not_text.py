"""Bytes that are not text on BPE · Encode: tokens with their bytes, and the round trip."""

import re

import pytest

from pages.bpe.not_text import EXAMPLES, PANEL
from tests.pages.opening import html_of, markdown_of, opened


def shown(**query):
    corpus = {"corpus": "prose", "base": "bytes", "merges": "200", "split": "gpt2"}
    return opened("bpe_encode", **corpus, panel=PANEL, **query)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_byte_stands_below_its_token(example):
    app = shown(bytes=example)
    assert not app.error
    below = re.findall(r"<small>([0-9A-F ]+)</small>", html_of(app))
    assert "".join(below).replace(" ", "") == EXAMPLES[example][1]
    assert "exactly the same bytes" in markdown_of(app)
    assert ("�" in markdown_of(app)) == (example != "text")


def test_user_bytes():
    app = shown(bytes="own", hex="EFBFBD")
    assert "They are the text “�”" in markdown_of(app), "a � that is really there"
    assert "no bytes in hexadecimal" in shown(bytes="own", hex="xyz").error[0].value
    assert "0 bytes\\, 0 tokens" in markdown_of(shown(bytes="own", hex=""))


def test_only_for_a_base_of_bytes():
    app = opened("bpe_encode", corpus="prose", base="characters", panel=PANEL)
    assert PANEL not in app.segmented_control(key="panel").options
