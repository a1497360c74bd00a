"""A user's tokenizer on the pages that compare tokenizers."""

import json
import pickle
from contextlib import suppress
from functools import cache

import pytest
from streamlit.util import calc_hash

from lessons.models import MODELS, open_model
from lessons.trained import tokenizer_json
from pages.compare.panels import LOOKS
from pages.real import word_player
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import FILE_NOT_KEPT
from pages.shared.controls.user_tokenizer import MOST_TOKENIZERS
from pages.shared.drawing.display_text import shorten_filename
from pages.shared.training import isolation
from pages.shared.training.isolation import in_worker
from pages.shared.training.published import (
    LONGEST_TITLE,
    REAL,
    PublishedTokenizer,
    UserTokenizer,
    has_merges,
    register,
    tokenizer_info,
)
from pages.shared.training.tokens import describe_token
from pages.shared.training.words import words_of
from pages.shared.work import jobs
from pages.sizes.published import segment_published
from tests.core.formats.test_opening import MERGES
from tests.core.formats.test_opening import VOCAB as VOCAB_JSON
from tests.pages.opening import AtOnce, checked, html_of, markdown_of, opened
from tests.pages.opening import texts_of as said_in
from tests.pages.real.test_real_pages import PANELS, VOCAB, drop, row_of
from tests.pages.shared.export.test_catalog import made_or_failed
from tests.pages.sizes.test_sizes_pages import names, sent
from tests.pages.test_shared_text import by_menu
from tokenizers.errors import UserError
from tokenizers.formats.opening import open_tokenizer
from tokenizers.runtime.tokenizer import LoadedTokenizer

TEXT = "the lower tables, 漢"
HOSTILE_NAME = "<b>[x](http://y)</b>" + "long" * 20 + ".json"
FILES = {
    "bpe": ("bpe.json", tokenizer_json("bpe")),
    "bytes": (HOSTILE_NAME, tokenizer_json("bytes")),
    "wordpiece": ("vocab.txt", VOCAB),
    "unigram": ("unigram.json", tokenizer_json("unigram")),
}


@cache
def loaded(kind: str):
    name, data = FILES[kind]
    return open_tokenizer({name if kind == "wordpiece" else "tokenizer.json": data})


def with_file(kind: str, text: str = TEXT):
    name, data = FILES[kind]
    return drop(opened("real", say=text), (name, data))


def own_kind(app, newest: int = 0) -> str:
    """Return the kind of a tokenizer added in this session, as in the URL."""
    return REAL + app.session_state["own_tokenizers"][newest].name


def model_with(token: str) -> bytes:
    """A tokenizer whose files differ in one token, the one after 400 others."""
    pieces = {f"p{n}": n for n in range(400)} | {token: 400, "[UNK]": 401}
    model = {"type": "WordLevel", "vocab": pieces, "unk_token": "[UNK]"}
    return json.dumps({"model": model, "version": "1.0"}).encode()


def changed(app, key: str, value: object):
    (control,) = [one for one in (*app.selectbox, *app.pills) if one.key == key]
    return checked(control.set_value(value).run())


def put(app, text: str):
    return checked(app.text_area(key="text_box").set_value(text).run())


# --- Side by side ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FILES)
def test_side_by_side_has_its_row_with_its_owner(kind):
    app = put(by_menu(with_file(kind), "compare"), TEXT)
    app = changed(app, "compare.0.kind", own_kind(app))
    assert not app.error
    assert app.query_params["with"].startswith(f"{own_kind(app)},")
    page = html_of(app)
    assert f"{len(loaded(kind).encode(TEXT).ids):,}" in page
    assert "](http" not in markdown_of(app)
    assert "<b>[" not in page
    (size,) = [box for box in app.number_input if f"{len(loaded(kind).vocab):,}" in box.placeholder]
    assert size.disabled
    for look in LOOKS:
        (control,) = [one for one in app.segmented_control if one.key == "look"]
        app = checked(control.set_value(look).run())
        assert not app.error


def sizes_of(app) -> list[str]:
    return [one.placeholder for one in app.number_input if one.placeholder]


def test_two_files_are_two_rows():
    app = put(by_menu(with_file("bytes"), "compare"), TEXT)
    app = changed(app, "compare.0.kind", own_kind(app))
    app = by_menu(app, "real")
    app = by_menu(drop(app, ("vocab.txt", VOCAB)), "compare")
    app = changed(app, "compare.1.kind", own_kind(app))
    assert not app.error
    assert sizes_of(app)[:2] == [f"{len(loaded(kind).vocab):,}" for kind in ("bytes", "wordpiece")]
    assert app.query_params["with"].startswith(f"{own_kind(app, 1)},{own_kind(app)},")


def test_the_oldest_file_goes_from_its_row_when_there_are_too_many():
    app = put(by_menu(with_file("bytes"), "compare"), TEXT)
    app = changed(app, "compare.0.kind", own_kind(app))
    before = own_kind(app)
    app = by_menu(app, "real")
    app = drop(app, *((f"{n}.json", model_with(f"token{n}")) for n in range(MOST_TOKENIZERS)))
    app = by_menu(app, "compare")
    assert not app.error
    assert before not in app.query_params["with"]


@pytest.mark.parametrize("kind", ["real.own", "real.own-0123456789ab"])
def test_a_link_to_a_missing_file_opens_without_it_with_a_message(kind):
    app = opened("compare", **{"with": f"{kind},real.gpt2"}, text=TEXT)
    assert not app.error
    assert app.query_params["with"] == "real.gpt2"
    assert said_in(app.toast) == [FILE_NOT_KEPT]


# --- Real tokenizers ------------------------------------------------------------------------------

V1, V2 = model_with("low"), model_with("lower")


def chosen_title(app) -> str:
    return app.selectbox(key="model").options[app.selectbox(key="model").index]


def knows_all(app) -> bool:
    return "unknown" not in row_of(app)["summary"]


@pytest.mark.parametrize("is_at_once", [False, True])
@pytest.mark.parametrize("names", [("v1.json", "v2.json"), ("tokenizer.json",) * 2])
def test_a_second_file_is_another_tokenizer_and_the_newest_is_chosen(names, is_at_once):
    first, second = zip(names, (V1, V2), strict=True)
    app = opened("real", say="lower")
    if not is_at_once:
        app = drop(app, first)
        assert chosen_title(app) == names[0]
        assert not knows_all(app)
    app = drop(app, first, second)
    assert not app.error
    assert knows_all(app)
    titles = app.selectbox(key="model").options[:2]
    assert titles == [names[1] if names[0] != names[1] else f"{names[1]} (2)", names[0]]
    assert chosen_title(app) == titles[0]
    app = changed(app, "model", app.session_state["own_tokenizers"][1].name)
    assert not knows_all(app)


def test_a_file_that_is_opened_again_is_the_same_and_the_newest():
    app = drop(opened("real", say="lower"), ("v1.json", V1), ("v2.json", V2))
    app = by_menu(by_menu(app, "about"), "real")
    app = drop(app, ("v1.json", V1))
    assert app.selectbox(key="model").options[:2] == ["v1.json", "v2.json"]
    assert chosen_title(app) == "v1.json"


def test_one_of_two_files_is_broken_and_the_other_opens():
    app = drop(opened("real", say="lower"), ("v1.json", V1), ("notes.md", b"just some text"))
    assert chosen_title(app) == "v1.json"
    assert ["notes.md" in text for text in said_in(app.error)] == [True]


def test_two_halves_are_one_tokenizer_also_when_one_comes_later():
    app = drop(opened("real", say="ab"), ("my.json", VOCAB_JSON))
    assert "is one of two files" in said_in(app.error)[0]
    app = drop(app, ("my.json", VOCAB_JSON), ("my.txt", MERGES))
    assert not app.error
    assert chosen_title(app) == "my.json, my.txt"


CONFIG = b'{"do_lower_case": false, "bos_token": "<s>", "padding_side": "left"}'


@pytest.mark.parametrize("is_at_once", [True, False])
def test_settings_beside_a_file_are_applied_and_listed_also_when_they_come_later(is_at_once):
    files = ("README.md", b"# A model"), ("vocab.txt", VOCAB), ("tokenizer_config.json", CONFIG)
    app = opened("real", say="LOWER lower<s>")
    if not is_at_once:
        app = drop(app, files[1])
        assert "pp-settings" not in html_of(app)
    app = drop(app, *files)
    assert not app.error
    assert chosen_title(app) == ("vocab.txt" if is_at_once else "vocab.txt (2)")
    assert not knows_all(app)
    listed = html_of(app).partition("pp-settings")[2].partition("</dl>")[0]
    assert "Taken: bos_token <code>&lt;s&gt;</code> · do_lower_case <code>false</code>" in listed
    assert "Not taken: 1 other key, because that does not change how a text is cut" in listed
    assert "<dt>README.md</dt><dd>Not used: it has nothing about cutting a text</dd>" in listed


def test_settings_alone_ask_for_their_tokenizer():
    app = drop(opened("real", say="lower"), ("tokenizer_config.json", CONFIG))
    assert said_in(app.error) == [
        "tokenizer_config.json has settings of a tokenizer. Open the tokenizer’s own file together "
        "with it, such as tokenizer.json."
    ]


def test_two_user_files_are_compared():
    app = drop(opened("real", say="lower", panel="Compare with"), ("v1.json", V1), ("v2.json", V2))
    app = changed(app, "other", app.session_state["own_tokenizers"][1].name)
    assert not app.error
    assert "**401** tokens are in both" in markdown_of(app)
    assert "only in v2.json" in html_of(app).replace("Only", "only")


@pytest.mark.parametrize("model", ["own", "own-0123456789ab"])
def test_after_a_reload_the_file_is_requested(model):
    app = opened("real", model=model)
    assert said_in(app.toast) == [FILE_NOT_KEPT]


def test_shortened_names_stay_distinct():
    long = "the-tokenizer-of-the-model-of-{}-vectors.json"
    app = opened("real", say="lower")
    app = drop(app, (long.format("some"), V1), (long.format("many"), V2))
    titles = [PublishedTokenizer(own.name).title for own in app.session_state["own_tokenizers"]]
    assert len(set(titles)) == 2


# --- Pipeline -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FILES)
def test_pipeline_follows_the_text_through_its_stages(kind):
    app = put(by_menu(with_file(kind), "pipeline"), TEXT)
    app = changed(app, "model", own_kind(app))
    assert not app.error
    assert app.query_params["model"] == own_kind(app)
    assert "The stages are those of the file" in " ".join(said_in(app.caption))
    assert escape_markdown(loaded(kind).model.describe()) in markdown_of(app)
    assert said_in(opened("pipeline", model=own_kind(app)).toast) == [FILE_NOT_KEPT]


# --- Languages ------------------------------------------------------------------------------------


def test_languages_shows_the_cost_of_each_language():
    app = by_menu(with_file("bytes"), "languages")
    (control,) = [one for one in app.segmented_control if one.key == "panel"]
    app = checked(control.set_value("Published models").run())
    assert not app.error
    assert "(yours)" in html_of(app)
    assert "(yours)" not in html_of(opened("languages", panel="Published models"))


def test_languages_reports_a_tokenizer_without_english():
    app = by_menu(with_file("wordpiece"), "languages")
    (control,) = [one for one in app.segmented_control if one.key == "panel"]
    app = checked(control.set_value("Published models").run())
    assert "knows too little of English" in html_of(app)


# --- Vocabulary size ------------------------------------------------------------------------------


def test_vocabulary_size_cuts_its_merges_off():
    app = put(by_menu(with_file("bytes"), "sizes"), TEXT)
    app = changed(app, "resized", [own_kind(app)])
    assert not app.error
    assert names(app) == [shorten_filename(HOSTILE_NAME, LONGEST_TITLE)]
    assert sent(app)["films"][0]["tokens"][-1] == len(loaded("bytes").encode(TEXT).ids)
    assert "<b>[" not in html_of(app)


@pytest.mark.parametrize("kind", ["wordpiece", "unigram"])
def test_vocabulary_size_offers_none_without_merges(kind):
    app = by_menu(with_file(kind), "sizes")
    (pills,) = [one for one in app.pills if one.key == "resized"]
    assert not any("vocab.txt" in one or "unigram.json" in one for one in pills.options)


@pytest.fixture
def worker():
    """The places where a user's tokenizer may be used."""
    with in_worker():
        yield


def of_json(**model):
    pieces = ["<unk>", "a", "b", "c", "ab", "abc", "bc", "cab"]
    vocab = {piece: n for n, piece in enumerate(pieces)}
    merges = [["a", "b"], ["ab", "c"], ["b", "c"]]
    whole = {"type": "BPE", "vocab": vocab, "merges": merges, **model}
    split = {"type": "WhitespaceSplit"}
    data = json.dumps({"model": whole, "pre_tokenizer": split, "version": "1.0"}).encode()
    own = UserTokenizer("own-test", tokenizer_info(open_tokenizer({"tokenizer.json": data})), "")
    register(own)
    return own


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("model", [{}, {"unk_token": "<unk>"}, {"ignore_merges": True}])
def test_every_size_of_any_list_of_merges(model):
    """At n merges a word is split as by a file whose list ends there."""
    own, text = of_json(**model), "abc bcab cab x abx"
    cut = segment_published(PublishedTokenizer(own.name), text)
    words = [word for word in words_of(own.loaded, text) if word.pieces]
    last = len(cut.sizes) - 1
    assert [cut.words[n].split(last) for n in cut.text] == [
        tuple(piece.text for piece in word.pieces) for word in words
    ]
    shorter = of_json(merges=[["a", "b"]], **model)
    index = cut.sizes.index(cut.sizes[0] + 1)
    if "ignore_merges" not in model:  # then pieces that no merge makes any more stay whole
        assert [cut.words[n].split(index) for n in cut.text] == [
            tuple(piece.text for piece in word.pieces)
            for word in words_of(shorter.loaded, text)
            if word.pieces
        ]


@pytest.mark.usefixtures("worker")
def test_a_model_with_more_than_merges_is_rejected():
    own = of_json(unk_token="<unk>")
    model = own.loaded.model
    assert has_merges(model)
    marked = of_json(continuing_subword_prefix="##", merges=[], vocab={"a": 0, "##b": 1})
    assert not has_merges(marked.loaded.model)


@pytest.mark.usefixtures("worker")
def test_the_longer_list_is_held_to_the_file(monkeypatch):
    own = of_json()
    cut = type(own.loaded.model).cut
    monkeypatch.setattr(
        type(own.loaded.model), "cut", lambda self, word: cut(self, word[:1] + word[1:][::-1])
    )
    with pytest.raises(UserError, match="does more to “abc” than merge"):
        segment_published(PublishedTokenizer(own.name), "abc")


# --- On the way to a worker -----------------------------------------------------------------------


@pytest.mark.usefixtures("worker")
def test_it_goes_to_a_worker_as_a_whole():
    own = of_json()
    data = pickle.dumps(PublishedTokenizer(own.name))
    name, loaded_ = own.name, own.loaded
    del own
    with pytest.raises(KeyError):
        assert PublishedTokenizer(name).loaded
    there = pickle.loads(data)
    assert there.encode("abc").ids == loaded_.encode("abc").ids
    assert len(pickle.dumps(PublishedTokenizer("o200k"))) < 200


# --- What a token is ------------------------------------------------------------------------------


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("model", "token", "said"),
    [
        ({}, "abc", "Bytes 61 62 63. The merge of rank 1 makes it: “ab” + “c”."),
        (
            {"ignore_merges": True},
            "abc",
            "Bytes 61 62 63. The merge of rank 1 makes it: “ab” + “c”.",
        ),
        ({}, "cab", "Bytes 63 61 62. It is there from the start: no merge makes it."),
        ({}, "c", "Byte 63. It is there from the start: no merge makes it."),
    ],
)
def test_a_token_of_letters_is_described(model, token, said):
    assert describe_token(of_json(**model).loaded, token) == said


@pytest.mark.usefixtures("worker")
def test_a_token_with_a_mark_is_described():
    vocab = {"a": 0, "b</w>": 1, "ab</w>": 2}
    own = of_json(vocab=vocab, merges=[["a", "b</w>"]], end_of_word_suffix="</w>")
    assert describe_token(own.loaded, "ab</w>").endswith(
        "The merge of rank 0 makes it: “a” + “b</w>”."
    )


# --- Where it is used -----------------------------------------------------------------------------


@pytest.fixture
def used_outside(monkeypatch) -> list[str]:
    """The uses of a user's tokenizer outside a worker."""
    pack = {id(open_model(name)) for name in MODELS}
    found: list[str] = []

    def watched(name: str, function):
        def wrapper(self: LoadedTokenizer, *args, **kwargs):
            if not isolation._is_worker and id(self) not in pack:
                found.append(name)
            return function(self, *args, **kwargs)

        return wrapper

    for name in ("encode", "decode", "stages", "steps", "token_of"):
        monkeypatch.setattr(LoadedTokenizer, name, watched(name, getattr(LoadedTokenizer, name)))
    make = LoadedTokenizer.__init__
    monkeypatch.setattr(LoadedTokenizer, "__init__", watched("opened", make))
    return found


@pytest.mark.parametrize("kind", ["bytes", "unigram"])
def test_no_page_uses_it_outside_of_a_worker(used_outside, monkeypatch, kind):
    """A page cannot: `loaded` raises, and the page has only plain data."""
    monkeypatch.setattr(jobs, "_POOL", AtOnce())  # an empty cache
    offers = []
    monkeypatch.setattr(
        word_player, "export_menu", lambda _, step, offer, **__: offers.append(offer)
    )
    app = with_file(kind, "the <unk> lower")
    own = app.session_state["own_tokenizers"][0]
    with pytest.raises(RuntimeError, match="in a worker only"):
        assert PublishedTokenizer(own.name).loaded
    for panel in PANELS:
        (control,) = [one for one in app.segmented_control if one.key == "panel"]
        app = checked(control.set_value(panel).run())
        assert not app.error
    chosen_on = {
        "bpe_encode": {"tokenizer": own.name},
        "unigram_lattice": {"tokenizer": own.name},
        "compare": {"with": REAL + own.name, "text": TEXT},
        "pipeline": {"model": REAL + own.name, "text": TEXT},
        "sizes": {"resized": REAL + own.name, "text": TEXT},
        "languages": {"panel": "Published models"},
    }
    for page, params in chosen_on.items():
        app._page_hash = calc_hash(page)
        app.query_params.clear()
        app.query_params.update(params)
        assert not checked(app.run()).error
    for offer in offers:
        for item in offer().all_items():
            assert made_or_failed(item)
        if sheets := offer().worksheet:
            with suppress(UserError):
                sheets.make(1, 1)
    assert used_outside == []
