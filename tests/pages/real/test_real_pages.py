"""The page of real tokenizers with every model, text, panel and file: never an exception.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lessons.models import MODELS, hub, open_model
from pages.real.files.model_finder import describe
from pages.real.files.parse_upload import read_tokenizer
from pages.real.inputs import FIRST_TEXT
from pages.shared.work.jobs import Job
from tests.pages.opening import (
    HOSTILE,
    POOL,
    checked,
    html_of,
    markdown_of,
    opened,
    texts_of,
    unpacked,
)

PAGE = "real"
PANELS = (
    "The stages",
    "Other ways to split it",
    "Ids",
    "Vocabulary",
    "A token’s life",
    "Merge residues",
    "Compare with",
)
TEXT = "unbelievably naïve 12345 🧑‍🚀 日本語 <|endoftext|> [SEP] <s>"
VOCAB = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nlow\n##er\n##est\nnew\n"
BAD = {
    "notes.txt": b"just some text",
    "tokenizer.json": b'{"model": {"type": "BPE", "vocab": {',
    "model.safetensors.gguf": b"GGUF\x03\0\0\0",
    "tokenizer.model": b"\n\x0e\n\x05<unk>\x15",
    "merges.txt": b"#version: 0.2\na b\n",
    "bomb.zip": b"PK\x03\x04",
}


def row_of(app: AppTest) -> dict[str, Any]:
    """The message with the tokens of the text."""
    parts = app.get("bidi_component")
    (row,) = [part for part in parts if part.proto.id.endswith("-token_row")]
    return unpacked(row.proto.bytes)[0]


def ids_shown(app: AppTest) -> list[str]:
    """The ids under the tiles of the text."""
    groups = row_of(app)["groups"]
    return [id_ for _, tiles in groups for *_, id_ in tiles]


def word_shown(app: AppTest) -> str:
    """The tokens of the word that is stepped through, without a separator."""
    row = row_of(app)
    word = app.session_state["token_row.word"].current or row["state"][1]
    return "".join(text for text, *_ in dict(row["groups"])[word])


def ids_in_panel(app: AppTest) -> list[str]:
    """The ids under the tiles of a panel: the first row of tiles."""
    row = next(part for part in html_of(app).split("\n") if 'aria-label="tokens"' in part)
    return [part.split("<")[0] for part in row.split("<small>")[1:]]


def drop(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    app.file_uploader(key="tokenizer_files").set_value([(n, d, "") for n, d in files])
    return checked(app.run())


def errors_in_popover(app: AppTest) -> list[Any]:
    """What is said where a file or a name was names_read for, not on the page behind it."""
    return [error for box in app.get("popover") for error in box.get("error")]


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("model", MODELS)
def test_every_model_opens_with_every_panel(model: str, panel: str):
    app = opened(PAGE, model=model, panel=panel, say=TEXT)
    assert not app.error
    assert not app.toast
    assert ids_shown(app) == [str(id_) for id_ in open_model(model).encode(TEXT).ids]
    assert [box.value for box in app.segmented_control if box.key == "panel"] == [panel]


def test_it_opens_on_a_text_that_is_cut_in_an_interesting_way():
    app = opened(PAGE)
    assert dict(app.query_params) == {}
    assert app.text_area(key="say").value == FIRST_TEXT
    assert ids_shown(app) == [str(id_) for id_ in open_model("o200k").encode(FIRST_TEXT).ids]
    assert "What the file doesn’t say" in [part.label for part in app.expander]


def test_a_special_token_is_read_as_control_or_as_text():
    control = opened(PAGE, say="a <|endoftext|> b")
    text = opened(PAGE, say="a <|endoftext|> b", special="text")
    assert "199999" in ids_shown(control)
    assert "199999" not in ids_shown(text)
    assert not [box for box in opened(PAGE, say="a b").segmented_control if box.key == "special"]


@pytest.mark.parametrize("model", ["o200k", "bert-uncased", "mistral-v1", "unigram-english"])
@pytest.mark.parametrize("text", [*HOSTILE, "", " \n", "a" * 1_500, "\0\u202e"])
def test_hostile_texts(model: str, text: str):
    app = opened(PAGE, model=model, say=text)
    assert "<script" not in html_of(app)
    assert "<img" not in html_of(app)
    assert "](http" not in markdown_of(app)
    assert not app.error


@pytest.mark.parametrize(
    "query",
    [
        {"model": "gpt5", "word": "0", "panel": "x", "special": "?"},
        {"model": "own", "word": "999", "step": "-3", "from_token": "inf"},
        {"panel": "Vocabulary", "find": "(", "pattern": "true", "kind": "odd", "rows_page": "9e9"},
        {"panel": "Vocabulary", "least": "inf", "script": "Klingon", "order": "1"},
        {"panel": "A token’s life", "life": "<script>**b**"},
        {"panel": "Compare with", "other": "o200k"},
    ],
)
def test_an_address_with_nonsense(query: dict[str, str]):
    app = opened(PAGE, **query)
    assert ids_shown(app)


def test_a_pattern_that_is_not_whole_gets_a_sentence():
    app = opened(PAGE, panel="Vocabulary", find="(", pattern="true")
    assert ["This is not a whole pattern" in text for text in texts_of(app.error)] == [True]
    slow = opened(PAGE, panel="Vocabulary", find="(.*.*)*x$", pattern="true")
    assert ["This pattern takes too long" in text for text in texts_of(slow.error)] == [True]


def test_a_search_that_finds_less_leaves_no_page_behind():
    app = opened(PAGE, panel="Vocabulary", rows_page="300")
    app.text_input(key="find").set_value("tokenization")
    checked(app.run())
    assert any("of 200,000 tokens" in text for text in texts_of(app.caption))
    assert len(app.dataframe[0].value) < 20


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_tokenizer_gets_a_sentence_and_the_screen_stays(name: str):
    app = opened(PAGE, model="gpt2", say="lower")
    before = ids_shown(app)
    drop(app, (name, BAD[name]))
    assert len(app.error) == len(errors_in_popover(app)) == 1
    assert "mistake in the program" not in texts_of(app.error)[0]
    assert app.selectbox(key="model").value == "gpt2"
    assert ids_shown(app) == before
    drop(app)
    assert not app.error


def test_a_file_replaces_the_tokenizer_and_stays_for_the_visit():
    app = opened(PAGE, say="lower lowest")
    drop(app, ("vocab.txt", VOCAB))
    assert not app.error
    assert ids_shown(app) == ["2", "5", "6", "5", "7", "3"]
    own = app.selectbox(key="model").value
    app.selectbox(key="model").set_value("gpt2")
    checked(app.run())
    app.selectbox(key="model").set_value(own)
    checked(app.run())
    assert ids_shown(app) == ["2", "5", "6", "5", "7", "3"]
    for panel in PANELS:
        app.segmented_control(key="panel").set_value(panel)
        checked(app.run())
        assert not app.error


def read_by_workers(monkeypatch) -> list[list[str]]:
    """The names of the files that workers read from now on."""
    names_read, run = [], POOL.run

    def noted(key: str, function: Any, *args: Any, **more: Any) -> Job:
        if function is read_tokenizer:
            names_read.append(list(args[0]))
        return run(key, function, *args, **more)

    monkeypatch.setattr(POOL, "run", noted)
    return names_read


@pytest.mark.parametrize(("name", "data"), [("vocab.txt", VOCAB), *BAD.items()])
def test_a_worker_reads_a_file_once(monkeypatch, name: str, data: bytes):
    names_read = read_by_workers(monkeypatch)
    app = drop(opened(PAGE), (name, data))
    checked(app.run())
    assert names_read == [[name]]
    assert len(app.error) == (name in BAD)


def test_a_worker_reads_what_the_hub_sends(monkeypatch):
    names_read = read_by_workers(monkeypatch)
    app = opened(PAGE, say="lower lowest")
    if not [box for box in app.text_input if box.key == "hub_name"]:
        pytest.skip("huggingface_hub is not installed")
    for name, data in (("us/words", VOCAB), ("us/none", b"no tokenizer")):
        found = hub.TokenizerFiles(name, "c0ffee", {"vocab.txt": data}, from_cache=False)
        monkeypatch.setattr(hub, "download", lambda name, on_progress, found=found: found)
        app.text_input(key="hub_name").set_value(name)
        app.button[0].click()
        checked(app.run())
    assert names_read == [["vocab.txt"]] * 2
    assert ids_shown(app) == ["2", "5", "6", "5", "7", "3"]
    assert len(app.error) == 1


def test_without_the_package_of_the_hub_a_message_explains_how_to_get_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    app = opened(PAGE)
    assert any("requirements-hub.txt" in text for text in texts_of(app.caption))
    assert not [box for box in app.text_input if box.key == "hub_name"]


def test_an_error_of_the_hub_is_shown(monkeypatch):
    app = opened(PAGE)
    if not [box for box in app.text_input if box.key == "hub_name"]:
        pytest.skip("huggingface_hub is not installed")
    app.text_input(key="hub_name").set_value("not a name!")
    app.button[0].click()
    checked(app.run())
    assert ["is not a name on the hub" in text for text in texts_of(app.error)] == [True]
    assert len(errors_in_popover(app)) == 1


def test_a_long_text_is_shown_in_windows():
    text = "é ü " * 370
    app = opened(PAGE, say=text, model="unigram-english")
    assert any("Tokens 1 to 400 of" in said_ for said_ in texts_of(app.caption))
    assert len(ids_shown(app)) == 400
    app.number_input(key="from_token").set_value(401)
    checked(app.run())
    ids = open_model("unigram-english").encode(text).ids
    assert ids_shown(app) == [str(id_) for id_ in ids[400:800]]


def test_a_new_text_or_tokenizer_begins_with_a_word_of_its_own():
    app = opened(PAGE, model="cl100k", say="Unbelievably 12345", word="2")
    assert word_shown(app) == "·"
    app.text_area(key="say").set_value("Wonderful things happened")
    app = checked(app.run())
    assert word_shown(app) == "Wonderful"
    assert "word" not in app.query_params
    app = opened(PAGE)
    app.selectbox(key="model").set_value("mistral-v1")
    app = checked(app.run())
    assert word_shown(app) == "▁“unbelievably”"


def test_a_click_on_a_token_steps_through_its_word():
    app = opened(PAGE, model="cl100k", say="Unbelievably 12345")
    groups = row_of(app)
    assert [number for number, _ in groups["groups"]] == [1, 2, 3, 4]
    assert word_shown(app) == "Unbelievably"
    app.session_state["token_row"] = {"word": [3, groups["state"][0]]}
    app = checked(app.run())
    assert word_shown(app) == "123"
    assert app.query_params["word"] == "3"
    app.session_state["token_row"] = {"word": [4, 99]}
    assert word_shown(checked(app.run())) == "123"


def test_a_note_explains_that_a_long_word_is_stepped_in_a_window():
    app = opened(PAGE, model="unigram-english", say="a" * 100)
    assert any("the first 60" in text for text in texts_of(app.info))


def test_a_token_not_in_the_vocabulary_gets_a_message():
    app = opened(PAGE, panel="A token’s life", life="no such token at all")
    assert any("no such token" in text for text in texts_of(app.caption))
    by_id = opened(PAGE, panel="A token’s life", life="4421")
    assert 'aria-label="the token"' in html_of(by_id)
    assert "<small>4421</small>" in html_of(by_id)


# --- By the name of a model ----------------------------------------------------------------------


def found_by_model(app: AppTest, model: str) -> AppTest:
    (box,) = [one for one in app.selectbox if one.key == "model_found"]
    return checked(box.set_value(model).run())


def test_a_models_name_opens_its_tokenizer_and_another_can_be_chosen_after():
    app = found_by_model(opened(PAGE, model="gpt2", say=TEXT), "GPT-5")
    assert "model" not in app.query_params, "the default is o200k"
    assert ids_shown(app) == [str(id_) for id_ in open_model("o200k").encode(TEXT).ids]
    assert describe("GPT-5") in markdown_of(app).replace("\\", "")
    app = found_by_model(app, "Qwen 2.5")
    assert app.query_params["model"] == "qwen3"
    (box,) = [one for one in app.selectbox if one.key == "model"]
    app = checked(box.set_value("gpt2").run())
    assert app.query_params["model"] == "gpt2"


def test_a_model_outside_the_pack_says_what_to_open_and_changes_nothing():
    app = found_by_model(opened(PAGE, model="gpt2", say=TEXT), "Llama 3.1")
    assert app.query_params["model"] == "gpt2"
    assert "open tokenizer.json of meta-llama/Llama-3.1-8B" in markdown_of(app).replace("\\", "")
    claude = markdown_of(found_by_model(app, "Claude"))
    assert "an API counts its tokens" in claude


def test_the_list_of_tokenizers_is_searched_by_models_too():
    (box,) = [one for one in opened(PAGE).selectbox if one.key == "model"]
    (label,) = [option for option in box.options if "GPT-5" in option]
    assert label.startswith("GPT-4o (o200k) · BPE over bytes · GPT-5, ")
