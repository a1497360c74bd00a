"""The stages of a published tokenizer: every token in its place, what comes back, any text."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.models import MODELS, open_model
from pages.pipeline.published import normalizer_names, trace_published
from pages.pipeline.stage_trace import find_losses
from pages.shared.training.published import PublishedTokenizer
from tests.call_counts import examples
from tests.cases import try_each
from tests.pages.opening import HOSTILE, html_of, markdown_of, opened
from tests.pages.opening import texts_of as said_in
from tests.pages.pipeline.test_pipeline_laws import PARTS, restored
from tests.pages.pipeline.test_pipeline_pages import rows, sent, tokens
from tests.pages.start.test_start_pages import TEXTS

PAGE = "pipeline"
TEXT = "Hello,  naïve WORLD 123 🧑‍🚀 日本 <s> [SEP]<|endoftext|> x"


def check(name: str, text: str) -> None:
    model = PublishedTokenizer(name)
    trace, found = trace_published(text, model), model.encode(text)
    assert trace.raw == text
    assert trace.encoding.ids == found.ids
    assert trace.decoded == model.decode(found.ids)
    stages = model.loaded.stages(text)
    segments = stages[-1].segments if stages else ()
    parts = [segment.words for segment in segments]
    assert trace.stages[-1].text == "".join(words.aligned.text for words in parts)
    words = [trace.stages[-1].text[start:end] for start, end in trace.words]
    assert words == [one for part in parts for one in part.texts]
    for ours, theirs, word in zip(trace.encoding.offsets, found.offsets, found.words, strict=True):
        assert ours == theirs or word < 0 or (ours[0] == ours[1] and theirs[0] == theirs[1])
    for stage in trace.stages:
        assert all(0 <= start <= end <= len(stage.text) for start, end in stage.spans)


@pytest.mark.parametrize("name", MODELS)
def test_every_token_has_a_span_at_every_stage(name):
    try_each([TEXT, *TEXTS], partial(check, name))


@pytest.mark.parametrize("name", MODELS)
@examples(40)
@given(text=st.lists(st.sampled_from([*PARTS, "[SEP]", "<s>", " "]), max_size=12).map("".join))
def test_any_text(name, text):
    check(name, text)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_lost_makes_the_decoded_text(name):
    model = PublishedTokenizer(name)

    def check(text: str) -> None:
        trace = trace_published(text, model)
        lost = find_losses(trace, model, 0, len(trace.encoding.tokens))
        assert restored(trace, lost) == trace.decoded

    try_each([TEXT, *TEXTS, *HOSTILE], check)


def test_the_stages_are_those_of_the_file():
    assert normalizer_names(open_model("gpt2")) == {}
    trace = trace_published("Été low", PublishedTokenizer("bert-uncased"))
    assert [stage.text for stage in trace.stages] == ["Été low", "ete low", "ete low"]
    assert trace_published("é a", PublishedTokenizer("gpt2")).stages[-1].text == "Ã©Ġa"
    assert trace_published("é a", PublishedTokenizer("mistral-v1")).stages[-1].text == "▁é▁a"


@pytest.mark.parametrize("name", MODELS)
def test_the_page_shows_the_ids_of_the_file(name):
    app = opened(PAGE, model=f"real.{name}", text=TEXT)
    assert not app.error
    assert not app.toast
    model, first = open_model(name), MODELS[name].begins_with
    ids = [*([model.vocab[first]] if first else []), *model.encode(TEXT).ids]
    assert [tile[2] for tile in sent(app)["tiles"]] == [f"{id_:,}" for id_ in ids]
    assert app.query_params["model"] == f"real.{name}"
    assert "its file does not say" in [box.value for box in app.selectbox]
    assert "What each stage does" in [fold.label for fold in app.expander]
    assert "none can be changed" in " ".join(said_in(app.caption))


def test_the_page_names_what_is_lost_and_the_stage():
    app = opened(PAGE, model="real.bert-uncased", text="Été 🦊")
    assert rows(app)["BertNormalizer"] == "ete·🦊"
    assert "BertNormalizer" in html_of(app)
    assert "Model: unknown to it" in html_of(app)
    app = opened(PAGE, model="real.o200k", text="Été 🦊")
    assert sent(app)["back"][1] == "exactly the original text: nothing is lost"
    assert tokens(app)[-1].startswith("⟨")


def test_special_tokens_are_a_switch():
    assert "50,256" in [t[2] for t in sent(opened(PAGE, model="real.gpt2", text=TEXT))["tiles"]]
    app = opened(PAGE, model="real.gpt2", text=TEXT, special="text")
    assert not app.toast
    assert "50,256" not in [t[2] for t in sent(app)["tiles"]]


@pytest.mark.parametrize("model", ["real.gpt2", "real.bert-uncased", "real.unigram-english"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(model, text):
    app = opened(PAGE, model=model, text=text)
    assert not app.error
    assert "<script" not in html_of(app)
    assert "](http" not in markdown_of(app)


def test_unknown_published_models_get_a_message():
    app = opened(PAGE, model="real.x")
    assert not app.error
    assert "That isn't possible here" in app.toast[0].value


def test_stages_that_a_link_switches_off_stay_on_in_a_file():
    app = opened(PAGE, model="real.gpt2", off="lower", text=TEXT)
    assert not app.error
    without = sent(opened(PAGE, model="real.gpt2", text=TEXT))
    assert sent(app) | {"content": ""} == without | {"content": ""}


def test_a_long_text_is_shown_in_part():
    app = opened(PAGE, model="real.gpt2", text="é tide " * 200, from_token="101")
    assert not app.error
    assert sent(app)["first"] == 100
