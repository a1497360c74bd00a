"""A token of a published model leads to the page Real tokenizers, at the word that holds it."""

from functools import partial

import pytest

from pages.shared.aligned.token_links import link_tokens
from pages.shared.limits import MAX_IN_URL
from pages.shared.training.published import SHORT_NAMES, PublishedTokenizer
from pages.shared.training.words import words_of
from tests.cases import try_each
from tests.pages.opening import HOSTILE, opened, sent_to
from tests.pages.real.test_real_pages import word_shown
from tests.pages.start.test_start_pages import TEXTS, sent


def row(name: str, text: str):
    model = PublishedTokenizer(name)
    return model, model.encode(text)


def check(name: str, text: str) -> None:
    model, found = row(name, text)
    lead = link_tokens(text, (0, len(text)), [(model, found), (None, None)])
    assert (lead.text, lead.models) == (text, (name, ""))
    assert lead.words[1] == ()
    words = words_of(model.loaded, text)
    ids = iter([(n, piece.id) for n, word in enumerate(words, 1) for piece in word.pieces])
    for number, id_, (start, end) in zip(lead.words[0], found.ids, found.offsets, strict=True):
        if start == end:
            assert number == 0, "it stands for none of the text"
            continue
        place = next(number for number, its_id in ids if its_id == id_)
        first, last = words[number - 1].span
        assert number == place or first <= start < last, "several words share a character"


@pytest.mark.parametrize("name", SHORT_NAMES)
def test_the_word_holds_the_token(name):
    try_each([*TEXTS, *HOSTILE], partial(check, name))


def test_links_of_a_long_text_hold_the_part_drawn():
    text = "tide and time " * 500
    model, found = row("gpt2", text)
    start = text.index("and", 3_000)
    lead = link_tokens(text, (start, start + 700), [(model, found)])
    assert lead.text == text[start : start + 700]
    words = words_of(model.loaded, lead.text)
    for number, (first, last) in zip(lead.words[0], found.offsets, strict=True):
        inside = start <= first and last <= start + 700
        assert (number > 0) == inside
        if inside:
            a, b = words[number - 1].span
            assert a + start <= first < b + start


def test_the_address_has_room_for_the_text():
    assert MAX_IN_URL >= 1_000  # of the strip's MOST_CHARACTERS


def test_the_page_opens_at_the_word_of_the_token():
    app = opened("start", text="Unbelievably 12345 cafés")
    models, say, special, words = sent(app)["links"]
    row_of_gpt2 = sent(app)["chunks"][1][1][models.index("gpt2")]
    text, *_, token = row_of_gpt2[-1][2][-1]
    word = words[models.index("gpt2")][str(token)]
    assert (text, special) == ("45", "control")
    there = opened("real", model="gpt2", say=say, word=str(word))
    assert not there.toast
    assert word_shown(there) == "·12345"


def test_a_word_far_into_a_text_can_be_chosen():
    say = "a " * (MAX_IN_URL // 2)
    there = opened("real", model="gpt2", say=say, word="700")
    assert not there.toast
    assert there.session_state["token_row.word"].current == 700


def test_trained_rows_have_no_links():
    app = opened("compare", text="low tide", **{"with": "bpe.prose.300,real.gpt2"})
    data = sent_to(app, "chunks")
    assert data["links"] == [["", "gpt2"], "low tide", "control", [{}, {"0": 1, "1": 2}]]
