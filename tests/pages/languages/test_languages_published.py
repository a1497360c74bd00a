"""What published models charge each language: the numbers are those of plain encoding."""

import re
from functools import cache

import pytest

from lessons.models import open_model
from pages.languages import published
from pages.languages.study import MEASURES, PASSAGES, halves
from pages.shared.controls.markdown import escape_markdown
from pages.shared.training.published import SHORT_NAMES
from tests.pages.opening import html_of, lines_of, markdown_of, opened
from tests.pages.opening import texts_of as said_in

paid = cache(published.measure_all)


def count(name: str, code: str) -> int:
    text = halves(PASSAGES[code]).unseen
    return len(open_model(name).encode(text, add_special_tokens=False).ids)


@pytest.mark.parametrize("name", SHORT_NAMES)
def test_every_language_costs_what_plain_encoding_counts(name):
    model = paid()[SHORT_NAMES[name]]
    assert {code: model.tokens(code) for code in PASSAGES} == {
        code: count(name, code) for code in PASSAGES
    }
    assert model.pieces == len(open_model(name).vocab)


def test_byte_level_models_lose_nothing_and_others_show_their_losses():
    lost = {
        title: max(cut.unknown_share for cut in one.cuts.values()) for title, one in paid().items()
    }
    bytewise = (
        "o200k",
        "cl100k",
        "gpt2",
        "qwen3",
        "deepseek-v3",
        "gpt-oss",
        "mistral-tekken",
        "mistral-v1",
    )
    assert not any(lost[SHORT_NAMES[n]] for n in bytewise)
    assert lost["English Unigram"] > 0.5
    assert "unknown)" in published.table(paid(), "tokens")
    names = [line.name for line in lines_of(published.chart(paid(), "tokens"))]
    assert names == [SHORT_NAMES[n] for n in bytewise]
    assert len({str(line.marker) for line in lines_of(published.chart(paid(), "tokens"))}) == 8


@pytest.mark.parametrize("measure", MEASURES)
def test_the_cheapest_come_first(measure):
    order = published.in_order(paid(), measure)
    assert sorted(order) == sorted(PASSAGES)
    if measure != "words":
        assert order.index("en") < order.index("ta")


def test_the_finding_is_that_of_the_numbers():
    dearest = max(PASSAGES, key=lambda code: count("gpt2", code))
    premium = count("gpt2", dearest) / count("gpt2", "en")
    finding = published.finding(paid())
    assert f"With GPT-2, {PASSAGES[dearest].name} pays {premium:.1f} tokens" in finding
    assert "With GPT-4o (o200k), " in finding


@pytest.mark.parametrize("pays", MEASURES)
def test_the_panel_of_published_models(pays):
    app = opened("languages", panel="Published models", pays=pays, cut="ta")
    assert not app.error
    assert not app.toast
    page = html_of(app)
    assert all(f"tokens by {title}" in page for title in paid())
    assert (
        f"**Tamil, by {escape_markdown('GPT-2')}**: {count('gpt2', 'ta'):,} tokens"
        in markdown_of(app)
    )
    assert any("files do not say" in text for text in said_in(app.caption))


def test_the_users_language_stands_beside_the_others():
    own = "ọmọkùnrin kan rìn lọ sí etí òkun"
    app = opened("languages", panel="Published models", theirs=own)
    assert not app.error
    assert not app.toast
    counts = {
        title: len(open_model(name).encode(own, add_special_tokens=False).ids)
        for name, title in SHORT_NAMES.items()
    }
    (brief,) = re.findall(r"<table.*?in your language.*?</table>", html_of(app), flags=re.DOTALL)
    (row,) = re.findall(r"<tr><th[^>]*><bdi>Your language</bdi></th>.*?</tr>", html_of(app))
    for count in counts.values():
        assert f">{count:,}" in brief
        assert f">{count:,}" in row


def test_the_users_sentences_are_split_once(monkeypatch):
    split: list[str] = []
    with_own = published.with_own
    monkeypatch.setattr(
        published, "with_own", lambda *args: split.append(args[-1]) or with_own(*args)
    )
    app = opened("languages", panel="Published models", theirs="ọmọkùnrin kan")
    assert split == ["ọmọkùnrin kan"] * len(SHORT_NAMES)
    app.run()
    assert len(split) == len(SHORT_NAMES)
    app.text_area(key="theirs").set_value("kan rìn").run()
    assert split[len(SHORT_NAMES) :] == ["kan rìn"] * len(SHORT_NAMES)


def test_too_long_a_text_of_the_users_language_is_cut_in_the_open():
    app = opened("languages", theirs="word " * 1_000)
    assert "the first 3,000 are measured" in markdown_of(app)
