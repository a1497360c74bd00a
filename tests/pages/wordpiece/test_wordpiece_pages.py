"""WordPiece · Encode with any text, any setting and any vocabulary: never an exception.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import re

import pytest

from pages.shared.controls.settings import PRE_TOKENIZERS, RULES
from tests.pages.opening import HOSTILE, NO_WORDS, at, checked, html_of, markdown_of, opened, rests
from tests.pages.opening import texts_of as said_in

PAGE = "wordpiece_encode"
PANELS = ("Tokens and ids", "LinMaxMatch", "Vocabulary", "The code")


def tokens(app) -> list[str]:
    """The tokens of the whole text, as shown in its panel."""
    return re.findall(r'<span role="listitem"><bdi[^>]*>([^<]*)</bdi>', html_of(app))


def unknown(app) -> list[str]:
    """Those of them that are dashed."""
    return re.findall(r'<bdi class="t. unk"[^>]*>([^<]*)</bdi>', html_of(app))


def test_the_page_opens_with_an_example():
    app = opened(PAGE, corpus="w1")
    assert unknown(app)[0] == "funny"
    assert not app.error
    assert not app.toast
    assert not app.query_params  # w1 is the corpus of a URL that names none
    assert app.text_area(key="say").value == "fused funny sunflowers"
    assert tokens(app)[:5] == ["f", "##u", "##s", "##ed", "funny"]


def test_the_step_is_kept():
    app = opened(PAGE, step="4")
    assert at(app, "match") == 4
    assert at(rests(app, "match", 7), "match") == 7


def test_a_piece_is_added_and_another_removed():
    app = opened(PAGE, say="fused funny", add="fun ##ny fun", less="##ed nowhere")
    assert tokens(app) == ["f", "##u", "##s", "##e", "##d", "fun", "##ny"]
    assert (
        "2 pieces added, 1 removed; ids are renumbered. 1 piece made no difference."
    ) in said_in(app.caption)
    app.text_input(key="less").set_value("")
    app.text_input(key="add").set_value("")
    assert tokens(checked(app.run())) == ["f", "##u", "##s", "##ed", "funny"]


def test_the_unknown_token_cannot_be_removed():
    app = opened(PAGE, say="zoo", less="[UNK]")
    assert tokens(app) == unknown(app) == ["zoo"]


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("rule", RULES)
def test_every_panel_by_every_rule(panel, rule):
    app = opened(PAGE, panel=panel, rule=rule, step="2")
    assert not app.error
    assert len(app.get("graphviz_chart")) == (panel == "LinMaxMatch")


@pytest.mark.parametrize("split", PRE_TOKENIZERS)
@pytest.mark.parametrize("mark", ["", "@@", "$"])
def test_every_mark_and_pre_tokenizer(split, mark):
    app = opened(
        PAGE, split=split, mark=mark, panel="LinMaxMatch", say="Sun, flower's 日本", step="2"
    )
    assert not app.error


@pytest.mark.parametrize("say", ["", " ", "\u3000", "x", "[UNK]", "##", "##un", "\0", "👩🏽‍🚀"])
@pytest.mark.parametrize("panel", PANELS[:2])
def test_any_text_can_be_matched(say, panel):
    app = opened(PAGE, say=say, panel=panel)
    assert not app.error


def test_a_word_for_the_graph_can_be_chosen():
    app = opened(PAGE, panel="LinMaxMatch", walk="funny")
    (graph,) = app.get("graphviz_chart")
    assert "[UNK]" in graph.proto.spec
    app.selectbox(key="walk").select("fused")
    (graph,) = checked(app.run()).get("graphviz_chart")
    assert "[UNK]" not in graph.proto.spec
    assert app.query_params.get("walk") is None  # the first word is the default


def test_a_long_word_is_drawn_in_part_and_a_longer_one_not_tried():
    app = opened(PAGE, say="f" + "u" * 99, add="##" + "u" * 99, panel="LinMaxMatch")
    assert "The first 60 of 102 moves are drawn." in said_in(app.caption)
    app = opened(PAGE, say="f" * 101, panel="LinMaxMatch")
    assert "Words longer than 100 characters are not tried." in said_in(app.caption)
    assert unknown(opened(PAGE, say="f" * 101)) == ["f" * 23 + "…"]


@pytest.mark.parametrize("panel", PANELS[:3])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_and_pieces_stay_text(text, panel):
    app = opened(
        PAGE,
        say=f"{text} {text}",
        add=text,
        less=f"f {text}"[:200],
        panel=panel,
        walk=text.split()[0],
    )
    assert not app.error
    html = html_of(app)
    inside = re.sub(r"<style>.*?</style>|<bdi[^>]*>[^<]*</bdi>", "", html, flags=re.DOTALL)
    assert not re.search(r"<(?:script|img|b)\b", inside)
    for part in ("alert", "evil", "smile", "x^2", "**b**", "frac{1}{2}", "\u202e", "\0"):
        assert part not in markdown_of(app)
        assert part not in inside


@pytest.mark.parametrize("rule", RULES)
def test_a_corpus_without_words_gets_a_sentence(rule):
    app = opened(PAGE, corpus="own", text="", rule=rule)
    assert NO_WORDS in said_in(app.info)
