"""Vocabulary size with any text and any URL: never an exception, nothing but text on the page.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import json
import re
import zlib

import pytest

from lessons.texts import TEXTS
from pages.shared.limits import MAX_COMPARED_CHARS
from pages.sizes.by_size import TRAINABLE
from pages.sizes.panels import FIRST_TEXT
from tests.pages.opening import (
    HOSTILE,
    checked,
    html_of,
    markdown_of,
    notes_of,
    opened,
    paste,
    unpacked,
)
from tests.pages.opening import texts_of as said_in

PAGE = "sizes"
HALVES = [" ".join(HOSTILE[n::2]) for n in range(2)]  # few pages to open, every text in one


def message_of(app) -> bytes:
    """The message of the slider."""
    (found,) = [part.proto.bytes for part in app.get("bidi_component") if part.proto.bytes]
    return found


def sent(app) -> dict:
    """The header of the message, with the tokenizers in it."""
    header, blobs = unpacked(message_of(app))
    header["films"] = [json.loads(zlib.decompress(blob)) for blob in blobs]
    return header


def names(app) -> list[str]:
    return [kind["name"] for kind in sent(app)["films"]]


def report_size(app, size: int):
    """The page after the slider has reported that size."""
    app.session_state["sizes"] = {"size": [size, sent(app)["state"][0]]}
    return checked(app.run())


def test_the_page_opens_at_the_middle_size():
    app = opened(PAGE, learned="prose")
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {"learned": "prose"}
    assert names(app) == ["BPE on characters", "WordPiece", "Unigram"]
    assert (sent(app)["state"][1], sent(app)["width"], sent(app)["bytes"]) == (250, 768, 4)
    caption = "BPE on characters: 163 tokens with 59 pieces, 34 with 845."
    assert f"<caption><span>{caption}" in html_of(app)
    sentence = " ".join(notes_of(app))
    assert "all from one run that shrinks" in sentence
    assert "this text has 30 words" in sentence


@pytest.mark.parametrize("learned", ["own", *(name for name in TEXTS if name != "languages")])
def test_every_text_can_be_learned_from(learned):
    app = opened(PAGE, learned=learned, resized=",".join(TRAINABLE))
    assert not app.error
    assert not app.toast
    assert len(names(app)) == 4


@pytest.mark.parametrize("kind", TRAINABLE)
def test_one_tokenizer_alone(kind):
    app = opened(PAGE, resized=kind, text="x", learned="own")
    assert not app.error
    assert len(names(app)) == 1


def test_without_a_tokenizer_there_is_advice():
    app = opened(PAGE, resized="")
    assert "No tokenizer is selected. Choose at least one." in said_in(app.info)


# ---- the size ----


def test_a_cold_deep_link_to_a_size():
    app = opened(PAGE, at_size="400")
    assert sent(app)["state"][1] == 400
    assert app.query_params["at_size"] == "400"
    assert "The newest pieces, up to size 400" in notes_of(app)


def test_the_size_is_in_the_url_and_the_message_stays_the_same():
    app = opened(PAGE, learned="prose")
    before = message_of(app)
    report_size(app, 300)
    assert app.query_params["at_size"] == "300"
    assert "The newest pieces, up to size 300" in notes_of(app)
    assert message_of(app) == before, "the films are not sent once more"
    report_size(app, 250)
    assert "at_size" not in app.query_params


def test_a_report_of_another_text_is_ignored():
    app = opened(PAGE)
    app.session_state["sizes"] = {"size": [300, 99]}
    checked(app.run())
    assert "at_size" not in app.query_params


def test_the_size_is_kept_when_the_tokenizers_change():
    app = report_size(opened(PAGE), 300)
    app.button_group(key="resized").set_value(["bytes"]).run()
    assert names(checked(app)) == ["BPE on bytes"]
    assert sent(app)["state"][1] == 300
    assert app.query_params["at_size"] == "300"


@pytest.mark.parametrize("at", ["0", "-1", "x", "99999999", "999999999999", "", "٣", "1e3", "inf"])
def test_a_size_that_is_not_there(at):
    app = opened(PAGE, at_size=at)
    assert not app.error
    assert 59 <= sent(app)["state"][1] <= 1_063


@pytest.mark.parametrize(
    ("name", "value"),
    [("learned", "x"), ("resized", "x"), ("width", "inf"), ("width", "0"), ("precision", "x")],
)
def test_nonsense_in_the_address_means_the_default(name, value):
    app = opened(PAGE, **{name: value})
    assert not app.error
    assert (sent(app)["width"], sent(app)["bytes"], len(names(app))) == (768, 4, 3)


def test_the_price_is_in_the_address():
    app = opened(PAGE, width="64", precision="float16")
    assert (sent(app)["width"], sent(app)["bytes"]) == (64, 2)
    assert '<th scope="row" class="n">250</th>' in html_of(app)
    assert '<td class="n">16,064</td>' in html_of(app)


# ---- any text ----


@pytest.mark.parametrize("text", HALVES)
@pytest.mark.parametrize("learned", ["own", "prose"])
def test_hostile_text_stays_text(text, learned):
    app = opened(PAGE, text=f"{text} {text}", learned=learned, resized=",".join(TRAINABLE))
    assert not app.error
    ours = r"<style>.*?</style>|<bdi[^>]*>[^<]*</bdi>"
    inside = re.sub(ours, "", html_of(app), flags=re.DOTALL)
    assert not re.search(r"<(?:script|img|b)\b", inside)
    for part in ("alert", "evil", "smile", "x^2", "**b**", "frac{1}{2}", "\u202e", "\0"):
        assert part not in markdown_of(app)
        assert part not in inside
    shown = [piece[1] for kind in sent(app)["films"] for piece in kind["pieces"]]
    assert not any(hidden in piece for piece in shown for hidden in "\u202e\0\x1b")


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_an_empty_box_gets_a_sentence(text):
    app = opened(PAGE, text=text)
    texts = "There is no text to split. Type or paste one into the box."
    assert texts in said_in(app.info)


def test_a_long_text_is_cut_and_its_beginning_drawn():
    app = paste(opened(PAGE, resized="bpe,wordpiece"), "the lower tide " * 1_500)
    assert not app.error
    assert "The text has 22,500 characters; the first 20,000 are split here." in said_in(app.info)
    assert any("The first 3,000 characters are drawn" in texts for texts in said_in(app.caption))
    assert all(kind["more"] for kind in sent(app)["films"])
    assert len(message_of(app)) < 200_000


def test_one_very_long_word():
    app = paste(opened(PAGE, resized="bpe,unigram", learned="own"), "ab" * MAX_COMPARED_CHARS)
    assert not app.error
    assert len(message_of(app)) < 200_000


def test_the_first_text_is_whole_words_at_the_end():
    kind = sent(opened(PAGE, learned="prose"))["films"][0]
    assert kind["tokens"][-1] == len(re.findall(r"\w+|[^\w\s]+", FIRST_TEXT))


def test_a_size_costs_what_it_costs_side_by_side():
    asked = {"width": "64", "precision": "float16", "text": "low tide"}
    others = html_of(opened("compare", **asked, **{"with": "bpe.prose.250,bytes.prose.300"}))
    app = opened(PAGE, **asked, resized="bpe,bytes")
    assert [kind["extraIds"] for kind in sent(app)["films"]] == [1, 0]
    assert "width 64, in float16" in others
    assert f"{251 * 64:,}" in others
    assert f"{300 * 64:,}" in others


# ---- whole words ----


def test_a_list_of_words_leaves_some_unknown():
    text = markdown_of(opened(PAGE, learned="prose", text="the tide xyzzy"))
    most = "with a list of the 100 most frequent ones 33.3%"
    assert f"Unknown words: {most}, with all 458 33.3%." in text
    assert "with all 2 0.0%." in markdown_of(opened(PAGE, learned="own", text="low tide"))


def test_a_list_of_counted_words():
    app = opened(PAGE, learned="b2", text="low lowest", resized="bpe")
    assert "with all 4 50.0%." in markdown_of(app)


def test_published_tokenizers_have_the_large_text_for_a_list():
    app = opened(PAGE, text="the zyzzy", resized="real.gpt2")
    assert "with 10,000 50.0%" in markdown_of(app)
