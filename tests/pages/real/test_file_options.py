"""What a file leaves open is chosen on the page: the scheme of a list of pieces, and case."""

import gzip
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lessons.models import hub
from pages.shared.controls.user_tokenizer import MOST_TOKENIZERS
from tests.core.formats.test_byte_pieces import CLAUDE, TEKKEN, written
from tests.core.formats.test_clip import MERGES as CLIP
from tests.core.formats.test_opening import MERGES, RANKS, VOCAB
from tests.core.formats.test_sentencepiece_files import small
from tests.pages.opening import checked, opened, texts_of
from tests.pages.real.test_real_pages import PANELS, drop, ids_shown
from tests.pages.real.test_real_pages import VOCAB as LINES
from tokenizers.formats.schemes import CUSTOM, SCHEMES
from tokenizers.formats.tiktoken import read_tiktoken
from tokenizers.formats.vocab_merges import read_vocab_merges
from tokenizers.runtime.sentencepiece import model_file

TEXT = "lowest <|end|> 12345 new"


def with_key(app: AppTest, kind: str, start: str) -> Any:
    """Return the widget of a kind whose key has this start; the rest is the file's id."""
    (found,) = [one for one in app.get(kind) if (one.key or "").startswith(f"{start}.")]
    return found


def choose(app: AppTest, scheme: str) -> AppTest:
    with_key(app, "selectbox", "scheme").set_value(scheme)
    return checked(app.run())


def test_a_list_without_a_known_name_opens_under_a_chosen_scheme():
    app = drop(opened("real", say=TEXT), ("mine.tiktoken", RANKS))
    assert ["like no published list" in text for text in texts_of(app.error)] == [True]
    for scheme in ("gpt2", "o200k_base"):
        app = choose(app, scheme)
        assert not app.error
        expected = read_tiktoken(RANKS, SCHEMES[scheme]).encode(TEXT).ids
        assert ids_shown(app) == list(map(str, expected))
    # Another choice replaces the tokenizer, so that others which were opened are not dropped.
    titles = app.selectbox(key="model").options
    assert len([title for title in titles if "mine.tiktoken" in title]) == 1


def test_a_scheme_by_hand_has_a_pattern_and_special_tokens():
    app = choose(drop(opened("real", say=TEXT), ("mine.tiktoken", RANKS)), CUSTOM)
    assert not app.error
    with_key(app, "text_area", "specials").set_value("<|end|> 999")
    with_key(app, "text_area", "pattern").set_value(r"\p{L}+| ")
    app = checked(app.run())
    assert "999" in ids_shown(app)
    before = ids_shown(app)
    with_key(app, "text_area", "pattern").set_value("(")
    app = checked(app.run())
    (message,) = texts_of(app.error)
    assert message.startswith("The pattern that cuts a text into words")
    assert ids_shown(app) == before
    with_key(app, "text_area", "pattern").set_value(r"\p{L}+| ")
    with_key(app, "text_area", "specials").set_value("<|end|> 999\n<s>")
    app = checked(app.run())
    assert "Line 2 of the special tokens" in texts_of(app.error)[0]
    assert ids_shown(app) == before


def test_two_files_leave_their_pattern_open():
    files = (("vocab.json", VOCAB), ("merges.txt", MERGES))
    app = choose(drop(opened("real", say=TEXT), *files), "qwen3")
    expected = read_vocab_merges(VOCAB, MERGES, SCHEMES["qwen3"]).encode(TEXT).ids
    assert ids_shown(app) == list(map(str, expected))
    app = choose(app, CUSTOM)
    assert not [area for area in app.text_area if (area.key or "").startswith("specials.")]


def test_capital_letters_are_chosen_where_vocab_txt_leaves_them_open():
    app = drop(opened("real", say="LOW low"), ("vocab.txt", LINES + b"<S>\n"))
    assert ids_shown(app) == ["2", "5", "5", "3"]
    with_key(app, "segmented_control", "case").set_value("keep")
    app = checked(app.run())
    assert ids_shown(app) == ["2", "1", "5", "3"]


FILES = {
    "tekken.json": written(TEKKEN),
    "claude.json": written(CLAUDE),
    "bpe_simple_vocab_16e6.txt.gz": gzip.compress(CLIP),
    "words.model": model_file.write(small(model_type=model_file.WORD)),
    "characters.model": model_file.write(small(model_type=model_file.CHAR)),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_program_opens_with_every_panel(name: str):
    app = drop(opened("real", say=TEXT), (name, FILES[name]))
    for panel in PANELS:
        app.segmented_control(key="panel").set_value(panel)
        checked(app.run())
        assert not app.error
        assert ids_shown(app)
    assert not [one for one in app.selectbox if (one.key or "").startswith("scheme.")]


def test_whispers_empty_piece_is_in_the_vocabulary():
    app = drop(opened("real", say=TEXT), ("multilingual.tiktoken", RANKS + b"= 50256\n"))
    app = choose(app, "whisper")
    for panel in PANELS:
        app.segmented_control(key="panel").set_value(panel)
        checked(app.run())
        assert not app.error


def test_a_list_from_the_hub_is_to_be_dropped(monkeypatch):
    app = opened("real")
    if not [box for box in app.text_input if box.key == "hub_name"]:
        pytest.skip("huggingface_hub is not installed")
    found = hub.TokenizerFiles("us/list", "c0ffee", {"own.tiktoken": RANKS}, from_cache=False)
    monkeypatch.setattr(hub, "download", lambda name, on_progress: found)
    app.text_input(key="hub_name").set_value("us/list")
    app.button[0].click()
    (message,) = texts_of(checked(app.run()).error)
    assert message.endswith("Download the file from the hub and drop it above to choose.")


def test_files_that_say_it_have_no_control():
    app = drop(opened("real"), ("tokenizer.json", b"{}"))
    assert not [one for one in app.selectbox if (one.key or "").startswith("scheme.")]


def test_several_files_have_their_own_controls_under_their_names():
    files = [(f"list{n}.tiktoken", RANKS) for n in range(MOST_TOKENIZERS)]
    app = drop(opened("real", say=TEXT), *files)
    boxes = [one for one in app.selectbox if (one.key or "").startswith("scheme.")]
    assert len(boxes) == len(app.error) == len(files)
    assert [text for text in texts_of(app.caption) if "list" in text] == [
        f"list{n}.tiktoken" for n in range(MOST_TOKENIZERS)
    ]
    boxes[1].set_value("gpt2")
    app = checked(app.run())
    assert len(app.error) == len(files) - 1
